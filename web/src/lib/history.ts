// The moves that were made in a game, and what stood on the board after each.
import type { Change, MovedView, Stone, Token, Words } from "../protocol";

export interface PlayedMove {
  seat: number | null;
  text: string;
  path: string[];
  changes: Change[];
  /** What chance brought. */
  drawn?: Words[];
  /** What lay beside the board afterwards. */
  tokens?: Token[] | null;
  /** The seat that it left in check, or mated. */
  checked?: number | null;
}

/** The moves of a game as far as they are known. */
export interface MoveHistory {
  /** The number of moves before the first known position. */
  skipped: number;
  /** What stood on the board in the first known position. */
  first: Stone[];
  /** What lay beside the board there. */
  firstTokens: Token[];
  moves: PlayedMove[];
}

export function played({ seat, text, path, changes, drawn, standing, checked }: MovedView): PlayedMove {
  return { seat, text, path, changes, drawn, tokens: standing.tokens, checked };
}

/** The stones after a move's changes, made in their order (the server's `state.changed`). */
export function stonesAfterChanges(stones: Stone[], changes: Change[]): Stone[] {
  const standing = new Map(stones.map((stone) => [stone.point, stone.glyph]));
  for (const change of changes) {
    if (change.kind === "captured" || change.kind === "moved") standing.delete(change.point);
    if (change.kind === "moved" && change.to != null) standing.set(change.to, change.glyph);
    else if (change.kind !== "captured") standing.set(change.point, change.glyph);
  }
  return [...standing].map(([point, glyph]) => ({ point, glyph })).sort((a, b) => (a.point < b.point ? -1 : 1));
}

export function stonesAfterMoves(stones: Stone[], moves: { changes: Change[] }[]): Stone[] {
  return moves.reduce((before, move) => stonesAfterChanges(before, move.changes), stones);
}

/** The stones after a number of plies of the game. */
export function stonesAt(history: MoveHistory, ply: number): Stone[] {
  return stonesAfterMoves(history.first, history.moves.slice(0, Math.max(0, ply - history.skipped)));
}

/** What lay beside the board after a number of plies of the game. */
export function tokensAt(history: MoveHistory, ply: number): Token[] {
  return ply > history.skipped ? (history.moves[ply - history.skipped - 1]?.tokens ?? []) : history.firstTokens;
}
