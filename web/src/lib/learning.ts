// How far the reader has come in introductions and lessons, kept in this browser.
import { store, stored } from "./storage";

export interface Progress {
  /** The step that the reader is at, from 0. */
  at: number;
  /** The last step was reached and done. */
  done: boolean;
}

/** The name by which an introduction is addressed among the lessons of its game. */
export const INTRODUCTION = "introduction";

const KEY = "boyi.learning";

export function progressIn(game: string, lesson: string): Progress {
  const all = stored(KEY) as Record<string, Partial<Progress>> | null;
  return { at: 0, done: false, ...all?.[`${game}/${lesson}`] };
}

/** Keep the step; what was done once stays done. */
export function keepProgress(game: string, lesson: string, { at, done }: Progress): void {
  const all = (stored(KEY) as Record<string, Partial<Progress>> | null) ?? {};
  store(KEY, { ...all, [`${game}/${lesson}`]: { at, done: done || progressIn(game, lesson).done } });
}
