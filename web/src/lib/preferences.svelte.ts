// What the reader has chosen, kept in this browser.
import { store, stored } from "./storage";

export type Language = "en" | "zh";
type Scheme = "auto" | "light" | "dark";
type Surface = "wood" | "paper";
export type Pieces = "characters" | "letters";

interface Preferences {
  language: Language;
  scheme: Scheme;
  surface: Surface;
  pieces: Pieces;
  coordinates: boolean;
  motion: boolean;
  sound: boolean;
  name: string;
  level: number;
  /** By game, the notation of its moves; none for the game's own. */
  notations: Record<string, string>;
}

const KEY = "boyi.preferences";

/** A name for someone who has not chosen one. */
export function guestName(language: Language): string {
  const number = 100 + Math.floor(Math.random() * 900);
  return language === "zh" ? `棋友${number}` : `Guest ${number}`;
}

function read(): Preferences {
  const language: Language = navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
  const standard: Preferences = {
    language, scheme: "auto", surface: "wood", pieces: "characters", coordinates: true, motion: true, sound: false,
    name: guestName(language), level: 3, notations: {},
  };
  return { ...standard, ...(stored(KEY) as Partial<Preferences> | null) };
}

export const preferences = $state(read());

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether moves are animated. */
export function animated(): boolean {
  return preferences.motion && !reducedMotion.matches;
}

/** Store every change, and apply it to the document. */
export function keepPreferences(): void {
  $effect(() => {
    store(KEY, preferences);
    const root = document.documentElement;
    root.lang = preferences.language === "zh" ? "zh-Hans" : "en";
    root.dataset["scheme"] = preferences.scheme;
    root.dataset["surface"] = preferences.surface;
  });
}
