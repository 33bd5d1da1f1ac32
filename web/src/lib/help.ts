// Which topic of the players' guides explains a page.
import type { Route } from "./router.svelte";

const TOPIC: Record<Route["page"], string> = {
  lobby: "play", room: "room", rules: "play", learn: "play", analysis: "analysis", review: "review", puzzles: "puzzles", results: "levels",
  games: "accounts", game: "accounts", people: "accounts", ratings: "accounts", help: "play", unknown: "play",
};

/** The address of help on a page, after `base`. */
export const helpOn = (page: Route["page"]): string => `/help/${TOPIC[page]}`;
