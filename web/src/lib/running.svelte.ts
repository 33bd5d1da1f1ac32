// The reader's games that are being played: kept in this browser when a room is left, and asked about from time to time.
// Of an account, also those that began elsewhere.
import type { RoomSummary, Stone } from "../protocol";
import * as api from "./api";
import { Refused } from "./http";
import { rememberIn, session } from "./session";
import { store, stored } from "./storage";

export interface RunningGame {
  room: string;
  game: string;
  options: Record<string, boolean | number | string>;
  /** Ours. */
  seat: number;
  names: string[];
  /** The seat to act. */
  turn: number | null;
  moves: number;
  /** As we saw them last; none for a game that we have not seen here. */
  stones: Stone[];
}

const KEY = "boyi.running";
const MOST_GAMES = 5;
const REFRESH_MS = 15_000;

function read(): RunningGame[] {
  const found = stored(KEY);
  return Array.isArray(found) ? (found as RunningGame[]) : [];
}

/** The one that was left last comes first. */
export const running: { games: RunningGame[] } = $state({ games: read() });

function write(games: RunningGame[]): void {
  running.games = games.slice(0, MOST_GAMES);
  store(KEY, running.games);
}

export function keepRunning(game: RunningGame): void {
  write([game, ...read().filter((one) => one.room !== game.room)]);
}

export function dropRunning(room: string): void {
  if (running.games.some((one) => one.room === room)) write(read().filter((one) => one.room !== room));
}

function update({ room, phase, names, turn, moves }: RoomSummary): void {
  if (phase !== "playing") dropRunning(room);
  else write(read().map((one) => (one.room === room ? { ...one, names, turn, moves } : one)));
}

async function refresh(): Promise<void> {
  for (const { room } of read()) {
    try {
      update(await api.room(room));
    } catch (error) {
      if (error instanceof Refused && ["no_room", "password", "token"].includes(error.code)) dropRunning(room);
    }
  }
}

/** Games of our account that this browser has not seen. */
async function findOwn(): Promise<void> {
  const own = session();
  if (!own?.account) return;
  for (const { room, seat } of await api.ownRooms(own.token)) {
    if (read().some((one) => one.room === room.room)) continue;
    rememberIn(room.room, own.token);
    write([...read(), { room: room.room, game: room.game, options: {}, seat, names: room.names, turn: room.turn ?? null, moves: room.moves, stones: [] }]);
  }
}

/** Follow these games, also as other windows play them. */
export function watchRunning(): () => void {
  const look = (): void => void (document.hidden || refresh());
  const listen = (event: StorageEvent): void => void (event.key === KEY && (running.games = read()));
  const timer = setInterval(look, REFRESH_MS);
  const begin = setTimeout(() => {
    look();
    findOwn().catch(() => undefined);
  }, 500); // after the first page is drawn
  addEventListener("storage", listen);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    clearTimeout(begin);
    removeEventListener("storage", listen);
    document.removeEventListener("visibilitychange", look);
  };
}
