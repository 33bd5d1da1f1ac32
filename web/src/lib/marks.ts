// Signs on plain stones, around the origin in units of the point distance: colours alone do not tell six players apart for all.
import type { BoardInfo, Glyph } from "../protocol";

/** The outline of each sign. */
export const MARKS: Record<Exclude<Glyph["mark"], "">, string> = {
  disc: "M-0.13 0a0.13 0.13 0 1 0 0.26 0a0.13 0.13 0 1 0-0.26 0Z",
  ring: "M-0.19 0a0.19 0.19 0 1 0 0.38 0a0.19 0.19 0 1 0-0.38 0ZM-0.11 0a0.11 0.11 0 1 1 0.22 0a0.11 0.11 0 1 1-0.22 0Z",
  triangle: "M0-0.2L0.19 0.13H-0.19Z",
  square: "M-0.14-0.14H0.14V0.14H-0.14Z",
  diamond: "M0-0.21L0.19 0L0 0.21L-0.19 0Z",
  cross: "M-0.055-0.19H0.055V-0.055H0.19V0.055H0.055V0.19H-0.055V0.055H-0.19V-0.055H-0.055Z",
};

/** The sign on a seat's stones; empty for none. */
export function markOf(board: BoardInfo | null, seat: number | null): string {
  const mark = seat === null ? "" : (board?.glyphs.find((glyph) => glyph.seat === seat && glyph.mark)?.mark ?? "");
  return mark === "" ? "" : MARKS[mark];
}
