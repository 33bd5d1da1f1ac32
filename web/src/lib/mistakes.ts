// Mistakes in a game of two, found by the winning chances before and after each move.

/** The loss of winning chances from which a move is marked, and its mark. */
const MARKS: [number, string][] = [[0.38, "??"], [0.22, "?"], [0.12, "?!"]];

export interface Mistake {
  /** The move's number, from 1. */
  ply: number;
  /** The first player's winning chance after it. */
  chance: number;
  mark: string;
}

/** The mistakes in a line. `chances` are the first player's, from before the first move to after the last. */
export function mistakes(moves: { seat: number | null }[], chances: (number | undefined)[]): Mistake[] {
  return moves.flatMap(({ seat }, index) => {
    const [before, chance] = [chances[index], chances[index + 1]];
    if (before === undefined || chance === undefined || seat === null) return [];
    const lost = seat === 0 ? before - chance : chance - before;
    const mark = MARKS.find(([least]) => lost >= least)?.[1];
    return mark ? [{ ply: index + 1, chance, mark }] : [];
  });
}
