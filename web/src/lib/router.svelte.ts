// Where we are: `/`, `/room/ID`, `/rules/GAME`, `/analysis`, `/analysis/GAME`, `/analysis/GAME/ROOM/NUMBER`,
// `/learn/GAME`, `/results` and `/results/PATH`.
export interface Where {
  page: "lobby" | "room" | "rules" | "analysis" | "learn" | "results" | "lost";
  name: string;
}

export function parse(path: string): Where {
  const [page = "", name = "", ...rest] = path.split("/").filter(Boolean).map(decodeURIComponent);
  if (page === "") return { page: "lobby", name: "" };
  if (page === "room" && name && rest.length === 0) return { page: "room", name };
  if (page === "rules" && name && rest.length === 0) return { page: "rules", name };
  if (page === "learn" && name && rest.length === 0) return { page: "learn", name };
  if (page === "results") return { page: "results", name: [name, ...rest].filter(Boolean).join("/") };
  if (page === "analysis" && rest.length !== 1 && rest.length < 3) return { page: "analysis", name: [name, ...rest].join("/") };
  return { page: "lost", name: path };
}

function here(): Where {
  try {
    return parse(location.pathname);
  } catch {
    return { page: "lost", name: location.pathname };
  }
}

export const where: Where = $state(here());

export function go(path: string): void {
  history.pushState(null, "", path);
  arrive();
  scrollTo(0, 0);
}

function arrive(): void {
  Object.assign(where, here());
}

/** Links within the page do not load it anew. */
export function listen(): () => void {
  const click = (event: MouseEvent): void => {
    const link = (event.target as Element | null)?.closest("a");
    if (!link || link.origin !== location.origin || link.target || event.defaultPrevented) return;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.hash) return;
    event.preventDefault();
    go(link.pathname);
  };
  addEventListener("popstate", arrive);
  document.addEventListener("click", click);
  return () => {
    removeEventListener("popstate", arrive);
    document.removeEventListener("click", click);
  };
}
