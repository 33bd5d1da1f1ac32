/** A path on the board to point out. */
export interface Arrow {
  path: string[];
  /** How strongly it is drawn, from 0 to 1. */
  weight: number;
}
