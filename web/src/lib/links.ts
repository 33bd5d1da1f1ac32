// Links that people paste.
import { base } from "./base";

const PAGES = ["room", "analysis", "game", "review", "puzzles", "learn", "rules"];

/** The address, after `base`, that a link to this server names; "elsewhere" for a link to another one, null for what is no link. */
export function linked(text: string): string | "elsewhere" | null {
  const link = text.trim();
  if (/\s/.test(link) || !/^(https?:\/\/|\/)/i.test(link)) return null;
  let url: URL;
  try {
    url = new URL(link, location.href);
  } catch {
    return null;
  }
  const path = url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : "";
  if (url.origin === location.origin && PAGES.includes(path.split("/")[1] ?? "")) return path;
  return link.startsWith("/") ? null : "elsewhere";
}
