// What a line of an engine is worth, as readers see it.
import type { AnalysedLine } from "../protocol";
import { translate } from "./i18n";

type Valued = Pick<AnalysedLine, "value" | "odds" | "wins_in">;

/** `+0.48`, in the game's unit, or a proven end: for the player to act. */
export function valueText({ value, wins_in }: Valued): string {
  if (wins_in !== null) return translate(wins_in > 0 ? "winIn" : "lossIn", { plies: Math.abs(wins_in) });
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

export function percent(odds: number): number {
  return Math.round(100 * odds);
}

/** The same line as another player of two sees it. */
export function fromOtherSide({ value, odds, wins_in }: Valued): Valued {
  return { value: -value, odds: 1 - odds, wins_in: wins_in === null ? null : -wins_in };
}
