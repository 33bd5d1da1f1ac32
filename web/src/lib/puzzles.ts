// Puzzles: what the server is asked, and the progress that this browser keeps for readers without an account.
import type { KeptPuzzle, PuzzleAnswer, PuzzleAttempt, PuzzleGame, PuzzleHint, PuzzleProgress, PuzzleRating, PuzzleSolution, ShownPuzzle } from "../protocol";
import { Refused, request } from "./http";
import { puzzleBundle } from "./offline";
import { forget, session } from "./session";
import { store, stored } from "./storage";

// ---------------------------------------------------------------------- the server

/** Ask as the account that the reader is logged in to, if any; a token that is not valid any more is forgotten. */
async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const own = session();
  const token = own?.account ? own.token : undefined;
  try {
    return await request<Answer>(method, path, body, token);
  } catch (error) {
    if (!(token && error instanceof Refused && error.code === "token")) throw error;
    forget();
    return request<Answer>(method, path, body);
  }
}

export const puzzleGames = (): Promise<PuzzleGame[]> => ask("GET", "/api/puzzles");

export interface Wanted {
  id?: string;
  day?: boolean;
  theme?: string;
  rating?: number | undefined;
  without?: string[];
}

/** Ids in one request; the server reads no more. */
const MOST_WITHOUT = 200;

export function nextPuzzle(game: string, { id, day, theme, rating, without }: Wanted): Promise<ShownPuzzle> {
  const query = new URLSearchParams();
  if (id) query.set("id", id);
  if (day) query.set("day", "1");
  if (theme) query.set("theme", theme);
  if (rating !== undefined) query.set("rating", String(Math.max(0, Math.round(rating))));
  if (without?.length) query.set("without", without.slice(-MOST_WITHOUT).join(","));
  return orKept(ask("GET", `/api/puzzles/${encodeURIComponent(game)}?${query.toString()}`), game, (bundle) => {
    const fitting = bundle.filter(({ puzzle }) => !theme || puzzle.themes.includes(theme));
    const unseen = fitting.filter(({ puzzle }) => !without?.includes(puzzle.id));
    const near = ({ puzzle }: KeptPuzzle): number => Math.abs(puzzle.rating - (rating ?? 1000));
    return (bundle.find(({ puzzle }) => puzzle.id === id) ?? [...(unseen.length ? unseen : fitting.length ? fitting : bundle)].sort((one, other) => near(one) - near(other))[0])?.puzzle;
  });
}

/** What the server answers; where it cannot be reached, what the puzzles that this browser keeps tell. */
async function orKept<Answer>(answer: Promise<Answer>, game: string, find: (bundle: KeptPuzzle[]) => Answer | undefined): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Refused && error.code === "unreachable")) throw error;
    const found = find(await puzzleBundle(game).catch(() => []));
    if (found === undefined) throw error;
    return found;
  }
}

/** The answers that are left of a kept puzzle after the moves that were made. */
function left(bundle: KeptPuzzle[], id: string, made: readonly string[]): PuzzleAnswer[] {
  const answers = bundle.find(({ puzzle }) => puzzle.id === id)?.answers ?? [];
  let plies = 0;
  return answers.filter((answer) => {
    const before = plies;
    plies += answer.plies.length;
    return before >= made.length;
  });
}

const path = (game: string, id: string): string => `/api/puzzles/${encodeURIComponent(game)}/${encodeURIComponent(id)}`;

export const answerPuzzle = (game: string, id: string, attempt: PuzzleAttempt): Promise<PuzzleAnswer> =>
  orKept(ask("POST", path(game, id), attempt), game, (bundle) => {
    const [right] = left(bundle, id, attempt.made ?? []);
    // What chance brought is written after the move.
    if (!right || right.plies[0]?.text.startsWith(attempt.move)) return right;
    return { ...right, verdict: "wrong", solved: false, plies: [] };
  });

export const hintFor = (game: string, id: string, progress: PuzzleProgress): Promise<PuzzleHint> =>
  orKept(ask("POST", `${path(game, id)}/hint`, progress), game, (bundle) => {
    const [right] = left(bundle, id, progress.made ?? []);
    return right && { point: right.plies[0]?.path[0] ?? "", own: null, change: 0 };
  });

export const solutionOf = (game: string, id: string, progress: PuzzleProgress): Promise<PuzzleSolution> =>
  orKept(ask("POST", `${path(game, id)}/solution`, progress), game, (bundle) => {
    const rest = left(bundle, id, progress.made ?? []);
    return rest.length ? { plies: rest.flatMap((answer) => answer.plies), own: null, change: 0 } : undefined;
  });

// ---------------------------------------------------------------------- in this browser

export interface Kept extends PuzzleRating {
  /** Puzzles that were tried, the latest last. */
  seen: string[];
  streak: number;
  rush: number;
  /** The day whose puzzle was solved, as 2026-11-18. */
  day: string;
}

const KEY = "boyi.puzzles";
const MOST_SEEN = 1000;
const NOTHING: Kept = { rating: 1000, tried: 0, solved: 0, seen: [], streak: 0, rush: 0, day: "" };

export function kept(game: string): Kept {
  const all = stored(KEY) as Record<string, Partial<Kept>> | null;
  return { ...NOTHING, ...all?.[game] };
}

export function keep(game: string, change: Partial<Kept>): Kept {
  const all = (stored(KEY) as Record<string, Partial<Kept>> | null) ?? {};
  const now = { ...kept(game), ...change };
  store(KEY, { ...all, [game]: now });
  return now;
}

/** Count the first attempt at a puzzle, as the server does for accounts (`server.puzzles.next_rating`). */
export function keepAttempt(game: string, puzzle: ShownPuzzle, solved: boolean): { own: Kept; change: number } {
  const before = kept(game);
  if (before.seen.includes(puzzle.id)) return { own: before, change: 0 };
  const expected = 1 / (1 + 10 ** ((puzzle.rating - before.rating) / 400));
  const rating = Math.max(100, Math.round(before.rating + (before.tried < 20 ? 60 : 24) * (Number(solved) - expected)));
  const own = keep(game, { rating, tried: before.tried + 1, solved: before.solved + Number(solved), seen: [...before.seen, puzzle.id].slice(-MOST_SEEN) });
  return { own, change: rating - before.rating };
}

/** Today, as the server counts days. */
export const today = (): string => new Date().toISOString().slice(0, 10);
