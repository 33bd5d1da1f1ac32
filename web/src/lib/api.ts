// The server over HTTP, and who we are to it.
import type { AskNotation, IntroductionInfo, PictureInfo, ResultInfo, ResultSummary } from "../protocol";
import type { Analysis, AskAnalysis, AskPosition, AskRecord, BoardInfo, FinishedSummary, GameInfo, Nack, NewRoom, RatingRow, ReadRecord, RoomSummary, Session, ShownPosition, Words } from "../protocol";

/** A request that the server refused, in its own words. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    readonly words: Words,
    readonly detail = "",
  ) {
    super(words.en);
  }
}

const UNREACHABLE: Words = { en: "the server cannot be reached", zh: "无法连接服务器" };

async function request<Answer>(method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
  const response = await fetched(method, path, body, token);
  return (await response.json().catch(() => null)) as Answer;
}

/** An answer that is no refusal. What is sent is JSON, or a file as it is. */
async function fetched(method: string, path: string, body?: unknown, token?: string): Promise<Response> {
  const headers: Record<string, string> = {};
  const file = body instanceof Blob;
  if (body !== undefined && !file) headers["Content-Type"] = "application/json";
  if (token) headers["Authorization"] = `Bearer ${token}`;
  let response: Response;
  try {
    response = await fetch(path, { method, headers, ...(body === undefined ? {} : { body: file ? body : JSON.stringify(body) }) });
  } catch {
    throw new Refused("unreachable", UNREACHABLE);
  }
  if (!response.ok) {
    const refusal = ((await response.json().catch(() => null)) ?? {}) as Partial<Nack>;
    throw new Refused(refusal.code ?? String(response.status), refusal.words ?? UNREACHABLE, refusal.detail ?? "");
  }
  return response;
}

/** What does not change while the page is open is asked for once. */
const kept = new Map<string, Promise<unknown>>();

function once<Answer>(path: string): Promise<Answer> {
  let promise = kept.get(path);
  if (!promise) {
    promise = request<Answer>("GET", path);
    promise.catch(() => kept.delete(path));
    kept.set(path, promise);
  }
  return promise as Promise<Answer>;
}

export const games = (): Promise<GameInfo[]> => once("/api/games");

export function board(game: string, options: Record<string, unknown> = {}): Promise<BoardInfo> {
  const query = new URLSearchParams(Object.entries(options).map(([name, value]) => [name, String(value)])).toString();
  return once(`/api/games/${encodeURIComponent(game)}/board${query ? `?${query}` : ""}`);
}

/** A game's rules, in both languages, as Markdown. */
export const rules = (game: string): Promise<{ game: GameInfo; rules: string; pictures: Record<string, PictureInfo> }> => once(`/api/games/${encodeURIComponent(game)}`);

export const introduction = (game: string): Promise<IntroductionInfo> => once(`/api/games/${encodeURIComponent(game)}/introduction`);

/** The moves of a game in another notation. */
export const notated = (wish: AskNotation): Promise<string[]> => request("POST", "/api/notation", wish);

export const results = (): Promise<ResultSummary[]> => request("GET", "/api/results");

const within = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

export const result = (path: string): Promise<ResultInfo> => request("GET", `/api/results/${within(path)}`);

export const resultPicture = (path: string): string => `/api/result-pictures/${within(path)}`;

export const finished = (): Promise<FinishedSummary[]> => request("GET", "/api/records");

export const analyse = (wish: AskAnalysis): Promise<Analysis> => request("POST", "/api/analysis", wish);

export const position = (wish: AskPosition): Promise<ShownPosition> => request("POST", "/api/positions", wish);

/** The games of a file, or of a text. */
export function read(file: Blob, name = ""): Promise<ReadRecord[]> {
  return request("POST", `/api/records?name=${encodeURIComponent(name)}`, file);
}

export async function write(wish: AskRecord): Promise<Blob> {
  return (await fetched("POST", "/api/records/written", wish)).blob();
}

/** A game of a room that is over, as a file. */
export async function recordOf(room: string, number: string): Promise<Blob> {
  return (await fetched("GET", `/api/records/${encodeURIComponent(room)}/${encodeURIComponent(number)}`, undefined, tokenIn(room))).blob();
}

export const ratings = (game: string): Promise<RatingRow[]> => request("GET", `/api/ratings?game=${encodeURIComponent(game)}`);

export const rooms = (): Promise<RoomSummary[]> => request("GET", "/api/rooms");

// ---------------------------------------------------------------------- who we are

const KEY = "boyi.session";

export interface Kept {
  person: string;
  name: string;
  token: string;
  /** The name is an account's, and nobody else's. */
  account?: boolean;
}

export function session(): Kept | null {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return found && typeof found === "object" && "token" in found ? (found as Kept) : null;
  } catch {
    return null;
  }
}

/** A token under this name: the one we have, or a new one. Who is logged in goes by the name of the account. */
export async function enter(name: string): Promise<Kept> {
  const before = session();
  if (before && (before.account || before.name === name)) return before;
  const { person, token } = await request<Session>("POST", "/api/session", { name });
  return keep({ person, name, token });
}

function keep(mine: Kept): Kept {
  localStorage.setItem(KEY, JSON.stringify(mine));
  return mine;
}

export async function logIn(name: string, password: string): Promise<Kept> {
  return keep(await request<Session>("POST", "/api/login", { name, password }));
}

export async function register(name: string, password: string): Promise<Kept> {
  return keep(await request<Session>("POST", "/api/accounts", { name, password }));
}

/** The token ends here, and at the server if it can be reached. */
export async function logOut(): Promise<void> {
  const token = session()?.token;
  forget();
  localStorage.setItem(ROOMS, JSON.stringify(known().filter(([, one]) => one !== token)));
  if (token) await request("DELETE", "/api/session", undefined, token).catch(() => undefined);
}

export function forget(): void {
  localStorage.removeItem(KEY);
}

// Whoever takes another name is somebody else to the server. The rooms he is in keep knowing him by the old one.
const ROOMS = "boyi.rooms";
const REMEMBERED = 50;

function known(): [string, string][] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(ROOMS) ?? "[]");
    return Array.isArray(found) ? (found as [string, string][]) : [];
  } catch {
    return [];
  }
}

/** By what a room knows us. */
export function tokenIn(room: string): string {
  return known().find(([name]) => name === room)?.[1] ?? session()?.token ?? "";
}

export function remember(room: string, token: string): void {
  localStorage.setItem(ROOMS, JSON.stringify([[room, token], ...known().filter(([name]) => name !== room)].slice(0, REMEMBERED)));
}

export function forgetIn(room: string): void {
  if (known().some(([name]) => name === room)) localStorage.setItem(ROOMS, JSON.stringify(known().filter(([name]) => name !== room)));
  else forget();
}

export async function create(name: string, wish: NewRoom): Promise<RoomSummary> {
  const mine = await enter(name);
  try {
    return await request("POST", "/api/rooms", wish, mine.token);
  } catch (error) {
    if (!(error instanceof Refused && error.code === "token")) throw error;
    forget(); // the server has forgotten us: a new database
    return request("POST", "/api/rooms", wish, (await enter(name)).token);
  }
}
