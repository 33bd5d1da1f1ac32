// What the reader is told, in their language: texts of the page, texts of the server, moves and errors.
import type { Words } from "../protocol";
import { Refused } from "./http";
import { preferences } from "./preferences.svelte";
import { en } from "./texts/en";
import { zh } from "./texts/zh";

export type Key = keyof typeof en;

/** A text of the page, its {placeholders} filled. */
export function translate(key: Key, values: Record<string, string | number> = {}): string {
  const text: string = preferences.language === "zh" ? zh[key] : en[key];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A text of the server. */
export function localized(text: Words): string {
  return preferences.language === "zh" ? text.zh : text.en;
}

/** Why a request failed: the server's refusal, over HTTP or over the socket, or any other error. */
export function errorText(error: unknown): string {
  return error instanceof Refused ? refusalText(error) : String(error);
}

export function refusalText({ words, detail }: { words: Words; detail: string }): string {
  return [localized(words), detail].filter(Boolean).join(preferences.language === "zh" ? "：" : ": ");
}

/** Words that games write for moves that touch no point. */
const MOVES: readonly string[] = ["pass", "clear", "done"] satisfies Key[];

/** A move as it is shown: translated if it is one of these words, else as the game writes it. */
export function moveText(text: string): string {
  return MOVES.includes(text) ? translate(text as Key) : text;
}
