// Time controls that are offered, written as "10+5"; empty for none.
import type { ClockRule } from "../protocol";
import { translate } from "./i18n";

/** Minutes for the game, and seconds for every move. */
export const CLOCKS: [minutes: number, seconds: number][] = [[3, 2], [5, 3], [10, 5], [15, 10], [30, 20]];

export function clockRule(text: string): ClockRule | null {
  const [minutes, seconds] = text.split("+").map(Number);
  return !text || minutes === undefined || seconds === undefined ? null : { main_ms: minutes * 60_000, increment_ms: seconds * 1000 };
}

/** In short, as "10+5"; empty for none. */
export function clockName(rule: ClockRule | null): string {
  return rule ? `${rule.main_ms / 60_000}+${(rule.increment_ms ?? 0) / 1000}` : "";
}

/** As the reader sees it; empty for none. */
export function clockText(rule: ClockRule | null): string {
  return rule ? translate("clockOf", { minutes: Math.round(rule.main_ms / 60_000), seconds: Math.round((rule.increment_ms ?? 0) / 1000) }) : "";
}
