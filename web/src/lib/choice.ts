// How a move is chosen among the legal moves, point by point. No rule of any game is known here: moves are paths,
// and each point that is touched narrows them down. A move is chosen by where it starts and where it ends; the
// points between need not be touched, but may be, to say which way.
import type { LegalMove } from "../protocol";

export interface Choice {
  /** The moves that are still possible. */
  moves: LegalMove[];
  /** The points touched so far. */
  touched: string[];
}

type Step =
  | { kind: "chosen"; move: LegalMove }
  /** Several moves look the same on the board: the player picks one by name. */
  | { kind: "ask"; moves: LegalMove[] }
  | { kind: "narrowed"; choice: Choice };

export function newChoice(moves: LegalMove[]): Choice {
  return { moves: moves.filter((move) => move.path.length > 0), touched: [] };
}

/** Moves that touch no point, such as a pass. */
export function offBoard(moves: LegalMove[]): LegalMove[] {
  return moves.filter((move) => move.path.length === 0);
}

export function touch(all: LegalMove[], choice: Choice, point: string): Step {
  const fresh = newChoice(all);
  if (choice.touched.length === 0) return start(fresh, point);

  const first = choice.touched[0];
  if (point === first) {
    const here = choice.moves.filter((move) => move.path.length === 1);
    return here.length ? finish(here) : { kind: "narrowed", choice: fresh };
  }
  const ending = choice.moves.filter((move) => move.path.length > 1 && move.path.at(-1) === point);
  if (ending.length) return finish(ending);
  const through = choice.moves.filter((move) => move.path.indexOf(point) > 0);
  if (through.length) return { kind: "narrowed", choice: { moves: through, touched: [...choice.touched, point] } };
  return start(fresh, point);
}

/** The points where a move can start. */
export function starts(choice: Choice): Set<string> {
  return new Set(choice.moves.map((move) => move.path[0]!));
}

/** The points that complete a move. */
export function ends(choice: Choice): Set<string> {
  if (choice.touched.length === 0) return new Set(choice.moves.filter((move) => move.path.length === 1).map((move) => move.path[0]!));
  return new Set(choice.moves.map((move) => move.path.at(-1)!));
}

/** The points that moves go through. */
export function waypoints(choice: Choice): Set<string> {
  const ending = ends(choice);
  if (choice.touched.length === 0) return new Set();
  return new Set(choice.moves.flatMap((move) => move.path.slice(1, -1)).filter((point) => !ending.has(point)));
}

function start(fresh: Choice, point: string): Step {
  const moves = fresh.moves.filter((move) => move.path[0] === point);
  if (moves.length === 0) return { kind: "narrowed", choice: fresh };
  if (moves.every((move) => move.path.length === 1)) return finish(moves);
  return { kind: "narrowed", choice: { moves, touched: [point] } };
}

function finish(moves: LegalMove[]): Step {
  const [only] = moves;
  return moves.length === 1 && only ? { kind: "chosen", move: only } : { kind: "ask", moves };
}
