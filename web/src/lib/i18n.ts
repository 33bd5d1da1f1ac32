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

/** A refusal, whole in the reader's language: details of the server's that are English sentences are for English readers. */
export function refusalText({ words, detail }: { words: Words; detail: string }): string {
  const chinese = preferences.language === "zh";
  const readable = !chinese || /[\u3400-\u9fff]/.test(detail) || !/[a-z]{2,} [a-z]{2,}/i.test(detail);
  return [localized(words), readable ? detail : ""].filter(Boolean).join(chinese ? "：" : ": ");
}

/** Words that games write for moves that touch no point. */
const MOVES: readonly string[] = ["pass", "clear", "done"] satisfies Key[];

/** A stone taken off the board, or marked: a sign and its point. */
const SIGNS: Record<string, Key> = { x: "takes", "!": "marksStone" };

/** A move as it is shown: translated if it is one of these words, or begins with one of these signs; else as the game writes it. */
export function moveText(text: string): string {
  if (MOVES.includes(text)) return translate(text as Key);
  const [, sign, point] = /^([x!])([a-z]\d+)$/.exec(text) ?? [];
  return sign && point ? translate(SIGNS[sign]!, { point }) : text;
}
