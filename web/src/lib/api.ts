// The server's HTTP interface, a function for each request.
import { base } from "./base";
import type {
  Analysis, AskAnalysis, AskExplorer, AskNotation, AskPosition, AskRecord, AskReview, BoardInfo, ExploredPosition, FinishedSummary, FoundOpponent, GameInfo, ImportedGames, IntroductionInfo, LiveGame, NewRoom, OwnGames, OwnRoom, PeopleScore, PictureInfo,
  RatingRow, ReadRecord, ResultInfo, ResultSummary, RoomSummary, SeekOpponent, ShownPosition, ShownReview, SoughtGame,
} from "../protocol";
import { cached, download, encodePath, Refused, request } from "./http";
import { enter, forget, rememberIn, tokenIn } from "./session";

// ---------------------------------------------------------------------- games

export const games = (): Promise<GameInfo[]> => cached("/api/games");

/** A game by its name, also one that is not listed; undefined if there is none. */
export const game = async (name: string): Promise<GameInfo | undefined> =>
  (await games()).find((one) => one.name === name) ?? rules(name).then((found) => found.game, () => undefined);

export function boardPath(game: string, options: Record<string, unknown> = {}): string {
  const query = new URLSearchParams(Object.entries(options).map(([name, value]) => [name, String(value)])).toString();
  return `/api/games/${encodeURIComponent(game)}/board${query ? `?${query}` : ""}`;
}

export const board = (game: string, options: Record<string, unknown> = {}): Promise<BoardInfo> => cached(boardPath(game, options));

/** A game's rules, in both languages, as Markdown. */
export const rules = (game: string): Promise<{ game: GameInfo; rules: string; pictures: Record<string, PictureInfo> }> => cached(`/api/games/${encodeURIComponent(game)}`);

export const introduction = (game: string): Promise<IntroductionInfo> => cached(`/api/games/${encodeURIComponent(game)}/introduction`);

export const lesson = (game: string, name: string): Promise<IntroductionInfo> => cached(`/api/games/${encodeURIComponent(game)}/lessons/${encodeURIComponent(name)}`);

export const ratings = (game: string): Promise<RatingRow[]> => request("GET", `/api/ratings?game=${encodeURIComponent(game)}`);

// ---------------------------------------------------------------------- rooms

export const rooms = (): Promise<RoomSummary[]> => request("GET", "/api/rooms");

/** A room that we know, in the name under which it knows us. */
export const room = (id: string): Promise<RoomSummary> => request("GET", `/api/rooms/${encodeURIComponent(id)}`, undefined, tokenIn(id));

/** Where the owner of this token is playing. */
export const ownRooms = (token: string): Promise<OwnRoom[]> => request("GET", "/api/rooms/own", undefined, token);

/** Games that can be watched, with their boards. */
export const liveGames = (): Promise<LiveGame[]> => request("GET", "/api/live-games");

/** What people look for an opponent for. */
export const soughtGames = (): Promise<SoughtGame[]> => request("GET", "/api/opponents");

/** A new room, made by a player of this name. */
export const createRoom = (name: string, settings: NewRoom): Promise<RoomSummary> => asPerson(name, (token) => request("POST", "/api/rooms", settings, token));

/** Wait for an opponent; the room is empty if nobody came in time. */
export function seekOpponent(name: string, wish: SeekOpponent, signal: AbortSignal): Promise<FoundOpponent> {
  return asPerson(name, async (token) => {
    const found = await request<FoundOpponent>("POST", "/api/opponents", wish, token, signal);
    if (found.room) rememberIn(found.room, token);
    return found;
  });
}

/** Do something as a person of this name. */
async function asPerson<Answer>(name: string, work: (token: string) => Promise<Answer>): Promise<Answer> {
  const { token } = await enter(name);
  try {
    return await work(token);
  } catch (error) {
    if (!(error instanceof Refused && error.code === "token")) throw error;
    forget(); // the server does not know us any more: a new database
    return work((await enter(name)).token);
  }
}

export const finishedGames = (): Promise<FinishedSummary[]> => request("GET", "/api/records");

/** A finished game of a room, as a file. */
export const recordOf = (room: string, number: string): Promise<Blob> =>
  download("GET", `/api/records/${encodeURIComponent(room)}/${encodeURIComponent(number)}`, undefined, tokenIn(room));

// ---------------------------------------------------------------------- analysis

export const analyse = (question: AskAnalysis): Promise<Analysis> => request("POST", "/api/analysis", question);

export const position = (question: AskPosition): Promise<ShownPosition> => request("POST", "/api/positions", question);

/** The name of an opening, and what was played in a position. */
export const explore = (question: AskExplorer): Promise<ExploredPosition> => request("POST", "/api/explorer", question);

/** What was played in the games of a file. */
export const countGames = (file: Blob, name: string): Promise<OwnGames> => request("POST", `/api/explorer/games?name=${encodeURIComponent(name)}`, file);

/** The moves of a game in another notation. */
export const notated = (question: AskNotation): Promise<string[]> => request("POST", "/api/notation", question);

/** The games in whatever was pasted, or in a file; `game` is the likeliest one. */
export const imported = (file: Blob, name: string, game: string): Promise<ImportedGames> =>
  request("POST", `/api/imports?name=${encodeURIComponent(name)}&game=${encodeURIComponent(game)}`, file);

/** The games in a file of a known format. */
export const readRecords = (file: Blob, name = ""): Promise<ReadRecord[]> => request("POST", `/api/records?name=${encodeURIComponent(name)}`, file);

export const writeRecord = (record: AskRecord): Promise<Blob> => download("POST", "/api/records/written", record);

/** Have a game reviewed, in the background. */
export const beginReview = (question: AskReview): Promise<ShownReview> => request("POST", "/api/reviews", question, question.room ? tokenIn(question.room) : undefined);

export const review = (id: string): Promise<ShownReview> => request("GET", `/api/reviews/${encodeURIComponent(id)}`);

// ---------------------------------------------------------------------- results

export const results = (): Promise<ResultSummary[]> => request("GET", "/api/results");

export const result = (path: string): Promise<ResultInfo> => request("GET", `/api/results/${encodePath(path)}`);

/** How people do against the computer's levels, by the games of this server. */
export const peopleScores = (): Promise<PeopleScore[]> => request("GET", "/api/people-scores");

export const resultPicture = (path: string): string => `${base}/api/result-pictures/${encodePath(path)}`;
