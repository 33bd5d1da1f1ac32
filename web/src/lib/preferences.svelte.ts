// What the reader has chosen, kept in this browser.
import { store, stored } from "./storage";

export type Language = "en" | "zh";
type Scheme = "auto" | "light" | "dark";
/** What boards are made of. */
export const SURFACES = ["wood", "paper", "bamboo", "slate", "rosewood"] as const;
type Surface = (typeof SURFACES)[number];
/** What stands on pieces: traditional or simplified characters, pictures, or letters. */
export const PIECE_SETS = ["characters", "simplified", "pictures", "letters"] as const;
export type Pieces = (typeof PIECE_SETS)[number];

interface Preferences {
  language: Language;
  scheme: Scheme;
  surface: Surface;
  pieces: Pieces;
  /** The reader was asked for them, or has changed them. */
  piecesChosen: boolean;
  coordinates: boolean;
  largeCoordinates: boolean;
  motion: boolean;
  sounds: boolean;
  /** The phone is felt when something happens. */
  haptics: boolean;
  /** Stones of many players bear signs. */
  marks: boolean;
  name: string;
  level: number;
  /** By game, the level that was last played. */
  levels: Record<string, number>;
  /** The game that was last played or looked at; empty for a newcomer. */
  game: string;
  /** The clock of the last search for an opponent, as "10+5", and whether the computer steps in. */
  seekClock: string;
  stepIn: boolean;
  /** The analysis board's engine is on, and shows so many lines. */
  engine: boolean;
  lines: number;
  /** By family of games, the notation of their moves that was chosen; empty for the game's own. */
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
    language, scheme: "auto", surface: "wood", pieces: "characters", piecesChosen: false, coordinates: true, largeCoordinates: false, motion: true, sounds: true, haptics: true, marks: true,
    name: guestName(language), level: 3, levels: {}, game: "", seekClock: "10+5", stepIn: true, engine: true, lines: 3, notations: {},
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
    root.dataset["coordinates"] = preferences.largeCoordinates ? "large" : "";
  });
}
