// What a review says of a move.
import type { ReviewedMove } from "../protocol";

/** From here on, what chance gave is marked. */
export const LARGE_LUCK = 0.05;

export const MARKS: Partial<Record<ReviewedMove["judgement"], string>> = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** Was it an inaccuracy, a mistake or a blunder? */
export function isWrong(move: ReviewedMove | undefined): boolean {
  return move !== undefined && move.judgement in MARKS;
}

/** Odds as a percentage, with its sign if it is a difference. */
export function percent(odds: number, signed = false): string {
  const rounded = Math.round(100 * odds);
  return signed && rounded > 0 ? `+${rounded}` : String(rounded);
}
