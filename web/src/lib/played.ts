// Games that are over, one's own games, and players: a function for each request.
import type { AskMyFile, AskMyGames, FinishedInfo, MyGames, Profile } from "../protocol";
import { base } from "./base";
import { download, request } from "./http";
import { ownTokens, tokenIn } from "./session";

export type Filter = Omit<AskMyGames, "tokens" | "after">;

/** A page of the games that we have played, as anyone we have been in this browser. */
export const myGames = (filter: Filter, after: MyGames["next"] = null): Promise<MyGames> => request("POST", "/api/my-games", { tokens: ownTokens(), ...filter, after } satisfies AskMyGames);

/** The same games as one file. */
export const myFile = (filter: Filter, format: string): Promise<Blob> => download("POST", "/api/my-games/file", { tokens: ownTokens(), ...filter, format } satisfies AskMyFile);

const place = (room: string, number: number): string => `/api/records/${encodeURIComponent(room)}/${number}`;

export const finishedGame = (room: string, number: number): Promise<FinishedInfo> => request("GET", `${place(room, number)}/game`, undefined, tokenIn(room));

/** `picture.svg` and `picture.png` show the final position, `animation.svg` plays the game. */
export type PictureName = "picture.svg" | "picture.png" | "animation.svg";

export const picture = (room: string, number: number, name: PictureName): Promise<Blob> => download("GET", `${place(room, number)}/${name}`, undefined, tokenIn(room));

/** Where a picture is that anyone may see. */
export const pictureAddress = (room: string, number: number, name: PictureName): string => `${base}${place(room, number)}/${name}`;

export const profile = (name: string): Promise<Profile> => request("GET", `/api/people/${encodeURIComponent(name)}`);

/** The address of a game's page, after `base`. */
export const gamePath = (room: string, number: number): string => `/game/${encodeURIComponent(room)}/${number}`;

/** A rating; the average is 0. */
export const eloText = (elo: number): string => (elo > 0 ? `+${elo}` : String(elo).replace("-", "−"));

/** Have the browser save a file. */
export function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
