import type { Place } from "./geometry";

/** A path on the board to point out. */
export interface Arrow {
  path: string[];
  /** How strongly it is drawn, from 0 to 1. */
  weight: number;
  /** A good move, a bad one, a hint, or the opponent's: what a pass would allow; else one of an engine's lines. */
  tone?: "good" | "bad" | "hint" | "threat";
}

/** What the reader drew: an arrow, or a circle where both are one point. */
export interface Drawing {
  from: string;
  to: string;
}

/** Draw something, or take it away again. */
export function toggled(drawings: readonly Drawing[], one: Drawing): Drawing[] {
  const rest = drawings.filter((other) => other.from !== one.from || other.to !== one.to);
  return rest.length < drawings.length ? rest : [...rest, one];
}

/** A line drawn on the board: its first move plainly, the answer and what follows ever thinner. */
export function lineArrows(paths: string[][], tone?: Arrow["tone"]): Arrow[] {
  const weights = [1, 0.35, 0.2];
  return weights.flatMap((weight, index) => (paths[index]?.length ? [{ path: paths[index], weight, ...(tone ? { tone } : {}) }] : [])).reverse();
}

/** How wide an arrow is drawn, in points of the board. */
export const arrowWidth = (weight: number): number => 0.05 + 0.13 * weight;

/** The shaft of an arrow through places, which ends where its head begins, and the corners of the head. */
export function arrowShape(places: Place[], width: number): { shaft: Place[]; head: Place[] } {
  const [x, y] = places.at(-1)!;
  const [fromX, fromY] = places.at(-2)!;
  const length = Math.hypot(x - fromX, y - fromY) || 1;
  const [dx, dy] = [(x - fromX) / length, (y - fromY) / length];
  const long = Math.min(length, 0.18 + 1.6 * width);
  const half = 0.1 + 0.9 * width;
  const [baseX, baseY] = [x - long * dx, y - long * dy];
  return { shaft: [...places.slice(0, -1), [baseX, baseY]], head: [[x, y], [baseX - half * dy, baseY + half * dx], [baseX + half * dy, baseY - half * dx]] };
}
