/** A way on the board to point out. */
export interface Arrow {
  path: string[];
  /** From 0 to 1: how plainly. */
  weight: number;
}
