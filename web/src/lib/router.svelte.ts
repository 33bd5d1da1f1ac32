// Which page the address names: `/`, `/play/GAME`, `/room/ID`, `/rules/GAME`, `/learn`, `/learn/GAME`, `/learn/GAME/LESSON`, `/analysis`, `/analysis/GAME`,
// `/analysis/GAME/ROOM/NUMBER`, `/review/ID`, `/results`, `/results/PATH`, `/puzzles`, `/puzzles/GAME`, `/puzzles/GAME/ID`,
// `/games` (one's own), `/game/ROOM/NUMBER`, `/people/NAME`, `/ratings` or `/ratings/GAME`, `/help/TOPIC`.
// Links within the page do not reload it.
import { base } from "./base";

export interface Route {
  page: "lobby" | "room" | "rules" | "analysis" | "learn" | "review" | "results" | "puzzles" | "games" | "game" | "people" | "ratings" | "help" | "unknown";
  name: string;
}

function parse(path: string): Route {
  const [page = "", name = "", ...rest] = path.split("/").filter(Boolean).map(decodeURIComponent);
  if (page === "") return { page: "lobby", name: "" };
  if (page === "play" && name && rest.length === 0) return { page: "lobby", name };
  if ((page === "room" || page === "rules" || page === "review" || page === "help") && name && rest.length === 0) return { page, name };
  if (page === "results") return { page: "results", name: [name, ...rest].filter(Boolean).join("/") };
  if (page === "learn") return { page, name: [name, ...rest].filter(Boolean).join("/") };
  if (page === "puzzles" && rest.length < 2) return { page, name: [name, ...rest].filter(Boolean).join("/") };
  if (page === "games" && !name) return { page, name: "" };
  if (page === "game" && name && rest.length === 1) return { page, name: `${name}/${rest[0]!}` };
  if (page === "people" && name && rest.length === 0) return { page, name };
  if (page === "ratings" && rest.length === 0) return { page, name };
  if (page === "analysis" && rest.length !== 1 && rest.length < 3) return { page: "analysis", name: [name, ...rest].join("/") };
  return { page: "unknown", name: path };
}

function here(): Route {
  try {
    return parse(location.pathname.slice(base.length));
  } catch {
    return { page: "unknown", name: location.pathname };
  }
}

export const route: Route = $state(here());

/** Show another page, by its address after `base`. */
export function go(path: string): void {
  history.pushState(null, "", base + path);
  arrive();
  scrollTo(0, 0);
}

function arrive(): void {
  Object.assign(route, here());
}

/** Follow links within the page, and the browser's back and forward. */
export function listen(): () => void {
  const click = (event: MouseEvent): void => {
    const link = (event.target as Element | null)?.closest("a");
    if (!link || link.origin !== location.origin || link.target || event.defaultPrevented) return;
    if (!link.pathname.startsWith(`${base}/`)) return;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.hash) return;
    event.preventDefault();
    go(link.pathname.slice(base.length));
  };
  addEventListener("popstate", arrive);
  document.addEventListener("click", click);
  return () => {
    removeEventListener("popstate", arrive);
    document.removeEventListener("click", click);
  };
}
