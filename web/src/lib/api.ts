// The server's HTTP interface, a function for each request.
import { base } from "./base";
import type {
  Analysis, AskAnalysis, AskNotation, AskPosition, AskRecord, BoardInfo, FinishedSummary, GameInfo, IntroductionInfo, NewRoom, PeopleScore, PictureInfo, RatingRow, ReadRecord,
  ResultInfo, ResultSummary, RoomSummary, ShownPosition,
} from "../protocol";
import { cached, download, encodePath, Refused, request } from "./http";
import { enter, forget, tokenIn } from "./session";

// ---------------------------------------------------------------------- games

export const games = (): Promise<GameInfo[]> => cached("/api/games");

export const game = async (name: string): Promise<GameInfo | undefined> => (await games()).find((one) => one.name === name);

export function board(game: string, options: Record<string, unknown> = {}): Promise<BoardInfo> {
  const query = new URLSearchParams(Object.entries(options).map(([name, value]) => [name, String(value)])).toString();
  return cached(`/api/games/${encodeURIComponent(game)}/board${query ? `?${query}` : ""}`);
}

/** A game's rules, in both languages, as Markdown. */
export const rules = (game: string): Promise<{ game: GameInfo; rules: string; pictures: Record<string, PictureInfo> }> => cached(`/api/games/${encodeURIComponent(game)}`);

export const introduction = (game: string): Promise<IntroductionInfo> => cached(`/api/games/${encodeURIComponent(game)}/introduction`);

export const ratings = (game: string): Promise<RatingRow[]> => request("GET", `/api/ratings?game=${encodeURIComponent(game)}`);

// ---------------------------------------------------------------------- rooms

export const rooms = (): Promise<RoomSummary[]> => request("GET", "/api/rooms");

/** A new room, made by a player of this name. */
export async function createRoom(name: string, settings: NewRoom): Promise<RoomSummary> {
  const { token } = await enter(name);
  try {
    return await request("POST", "/api/rooms", settings, token);
  } catch (error) {
    if (!(error instanceof Refused && error.code === "token")) throw error;
    forget(); // the server does not know us any more: a new database
    return request("POST", "/api/rooms", settings, (await enter(name)).token);
  }
}

export const finishedGames = (): Promise<FinishedSummary[]> => request("GET", "/api/records");

/** A finished game of a room, as a file. */
export const recordOf = (room: string, number: string): Promise<Blob> =>
  download("GET", `/api/records/${encodeURIComponent(room)}/${encodeURIComponent(number)}`, undefined, tokenIn(room));

// ---------------------------------------------------------------------- analysis

export const analyse = (question: AskAnalysis): Promise<Analysis> => request("POST", "/api/analysis", question);

export const position = (question: AskPosition): Promise<ShownPosition> => request("POST", "/api/positions", question);

/** The moves of a game in another notation. */
export const notated = (question: AskNotation): Promise<string[]> => request("POST", "/api/notation", question);

/** The games in a file. */
export const readRecords = (file: Blob, name = ""): Promise<ReadRecord[]> => request("POST", `/api/records?name=${encodeURIComponent(name)}`, file);

export const writeRecord = (record: AskRecord): Promise<Blob> => download("POST", "/api/records/written", record);

// ---------------------------------------------------------------------- results

export const results = (): Promise<ResultSummary[]> => request("GET", "/api/results");

export const result = (path: string): Promise<ResultInfo> => request("GET", `/api/results/${encodePath(path)}`);

/** How people do against the computer's levels, by the games of this server. */
export const peopleScores = (): Promise<PeopleScore[]> => request("GET", "/api/people-scores");

export const resultPicture = (path: string): string => `${base}/api/result-pictures/${encodePath(path)}`;
