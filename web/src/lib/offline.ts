// Puzzles, introductions and lessons for when the server cannot be reached. The service worker keeps what it has seen
// (public/worker.js); here everything is looked at once that a reader may want later.
import type { GameInfo, KeptPuzzle } from "../protocol";
import * as api from "./api";
import { base } from "./base";
import { cached, request } from "./http";

export const puzzleBundle = (game: string): Promise<KeptPuzzle[]> => cached(`/api/puzzle-bundles/${encodeURIComponent(game)}`);

/** How long the page may rest before it fetches what is not needed yet. */
const CALM_MS = 3_000;

let begun = false;

/** Fetch all that is wanted offline, once for each visit, when there is nothing else to do. */
export function keepOffline(): void {
  const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  const saving = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData;
  if (begun || !worker || saving || !import.meta.env.PROD) return;
  begun = true;
  setTimeout(() => {
    void worker.ready.then(fetchAll).catch(() => undefined); // another visit will do
  }, CALM_MS);
}

async function fetchAll(): Promise<void> {
  // The page itself and its parts, as far as they were loaded before the worker was there.
  const own = performance.getEntriesByType("resource").map((entry) => entry.name).filter((name) => name.startsWith(`${location.origin}${base}/assets/`));
  await Promise.all(own.map((name) => fetch(name)));
  await Promise.all([import("../pages/Learn.svelte"), import("../pages/Puzzles.svelte")]);
  const puzzles = await request<{ game: string }[]>("GET", "/api/puzzles");
  for (const game of await request<GameInfo[]>("GET", "/api/games")) await fetchGame(game, puzzles.some((one) => one.game === game.name));
  document.documentElement.dataset["offline"] = "ready";
}

async function fetchGame(game: GameInfo, puzzles: boolean): Promise<void> {
  const again = <Answer>(path: string): Promise<Answer> => request("GET", path);
  const path = `/api/games/${encodeURIComponent(game.name)}`;
  await again(api.boardPath(game.name, game.players.length > 1 ? { players: Math.max(...game.players) } : {}));
  const teaching = [...(game.introduction ? ["introduction"] : []), ...game.lessons.map((one) => `lessons/${encodeURIComponent(one.name)}`)];
  for (const one of teaching) {
    const { options } = await again<{ options: Record<string, unknown> }>(`${path}/${one}`);
    await again(api.boardPath(game.name, options));
  }
  if (!puzzles) return;
  const bundle = await again<KeptPuzzle[]>(`/api/puzzle-bundles/${encodeURIComponent(game.name)}`);
  if (bundle[0]) await again(api.boardPath(game.name, bundle[0].puzzle.options));
}
