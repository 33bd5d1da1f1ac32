// Who we are to the server: a token under a name, and the tokens under which rooms know us.
import type { Deletion, NewReport, PasswordChange, Session, SessionInfo } from "../protocol";
import { download, request } from "./http";
import { store, stored } from "./storage";

const KEY = "boyi.session";
/** As many as the server reads. */
const MOST_TOKENS = 16;

export interface StoredSession {
  person: string;
  name: string;
  token: string;
  /** The name is an account's, and nobody else's. */
  account?: boolean;
}

export function session(): StoredSession | null {
  const found = stored(KEY);
  return found && typeof found === "object" && "token" in found ? (found as StoredSession) : null;
}

/** A token under this name: the one we have, or a new one. Who is logged in goes by the name of the account. */
export async function enter(name: string): Promise<StoredSession> {
  const before = session();
  if (before && (before.account || before.name === name)) return before;
  const { person, token } = await request<Session>("POST", "/api/session", { name });
  return keep({ person, name, token });
}

export async function logIn(name: string, password: string): Promise<StoredSession> {
  return keep(await request<Session>("POST", "/api/login", { name, password }));
}

export async function register(name: string, password: string): Promise<StoredSession> {
  return keep(await request<Session>("POST", "/api/accounts", { name, password }));
}

function keep(mine: StoredSession): StoredSession {
  const before = session();
  if (before && !before.account && before.token !== mine.token) store(FORMER, [before.token, ...formerTokens()].slice(0, MOST_FORMER));
  store(KEY, mine);
  return mine;
}

// Every nickname is a person of its own: their games are ours as long as we have their tokens.
const FORMER = "boyi.former";
const MOST_FORMER = 8;

function formerTokens(): string[] {
  const found = stored(FORMER);
  return Array.isArray(found) ? (found as string[]) : [];
}

/** All tokens that we have here: as whom we are here now, and as whom we were. */
export function ownTokens(): string[] {
  const own = session()?.token;
  return [...new Set([...(own ? [own] : []), ...formerTokens(), ...roomTokens().map(([, one]) => one)])].slice(0, MOST_TOKENS);
}

/** The token ends here, and at the server if it can be reached. */
export async function logOut(): Promise<void> {
  const token = session()?.token;
  forget();
  storeRooms(roomTokens().filter(([, one]) => one !== token));
  if (token) await request("DELETE", "/api/session", undefined, token).catch(() => undefined);
}

export function forget(): void {
  localStorage.removeItem(KEY);
}

// ---------------------------------------------------------------------- our account

const token = (): string => session()?.token ?? "";

/** Where we are logged in. */
export const sessions = (): Promise<SessionInfo[]> => request("GET", "/api/sessions", undefined, token());

export const endSession = (id: string): Promise<void> => request("DELETE", `/api/sessions/${encodeURIComponent(id)}`, undefined, token());

export const endOtherSessions = (): Promise<void> => request("DELETE", "/api/sessions", undefined, token());

export const changePassword = (change: PasswordChange): Promise<void> => request("POST", "/api/account/password", change, token());

/** All that the server keeps of us, as a file. */
export const ownData = (): Promise<Blob> => download("GET", "/api/account/data", undefined, token());

export async function deleteAccount(deletion: Deletion): Promise<void> {
  await request("POST", "/api/account/deletion", deletion, token());
  storeRooms(roomTokens().filter(([, one]) => one !== token()));
  forget();
}

/** Report someone, in the name under which their room knows us. */
export async function report(name: string, about: NewReport): Promise<void> {
  await request("POST", "/api/reports", about, tokenIn(about.room) || (await enter(name)).token);
}

// ---------------------------------------------------------------------- in rooms

// Under a new name we are another person to the server. The rooms we are in still know us by the old token.
const ROOMS = "boyi.rooms";
/** Older rooms than this many are forgotten. */
const MOST_ROOMS = 50;

type RoomToken = [room: string, token: string];

function roomTokens(): RoomToken[] {
  const found = stored(ROOMS);
  return Array.isArray(found) ? (found as RoomToken[]) : [];
}

function storeRooms(tokens: RoomToken[]): void {
  store(ROOMS, tokens);
}

/** The token under which a room knows us. */
export function tokenIn(room: string): string {
  return roomTokens().find(([name]) => name === room)?.[1] ?? session()?.token ?? "";
}

export function rememberIn(room: string, token: string): void {
  storeRooms([[room, token] as RoomToken, ...roomTokens().filter(([name]) => name !== room)].slice(0, MOST_ROOMS));
}

/** The token under which a room knew us is not valid any more, in no room. */
export function forgetIn(room: string): void {
  const ended = tokenIn(room);
  storeRooms(roomTokens().filter(([, one]) => one !== ended));
  if (session()?.token === ended) forget();
}
