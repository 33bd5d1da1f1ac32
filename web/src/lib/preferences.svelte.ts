// What the reader has chosen, kept in this browser.
export type Language = "en" | "zh";
export type Scheme = "auto" | "light" | "dark";
export type Surface = "wood" | "paper";
export type Pieces = "characters" | "letters";

interface Choices {
  language: Language;
  scheme: Scheme;
  surface: Surface;
  pieces: Pieces;
  coordinates: boolean;
  motion: boolean;
  sound: boolean;
  name: string;
  level: number;
  /** By game, how its moves are written; nothing for the game's own way. */
  notations: Record<string, string>;
}

const KEY = "boyi.preferences";

function read(): Choices {
  const language: Language = navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
  const number = 100 + Math.floor(Math.random() * 900);
  const standard: Choices = {
    language, scheme: "auto", surface: "wood", pieces: "characters", coordinates: true, motion: true, sound: false,
    name: language === "zh" ? `棋友${number}` : `Guest ${number}`, level: 3, notations: {},
  };
  try {
    return { ...standard, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Choices>) };
  } catch {
    return standard;
  }
}

export const preferences = $state(read());

const still = matchMedia("(prefers-reduced-motion: reduce)");

export function moving(): boolean {
  return preferences.motion && !still.matches;
}

/** Write every change down, and show it on the document. */
export function keepPreferences(): void {
  $effect(() => {
    localStorage.setItem(KEY, JSON.stringify(preferences));
    const root = document.documentElement;
    root.lang = preferences.language === "zh" ? "zh-Hans" : "en";
    root.dataset["scheme"] = preferences.scheme;
    root.dataset["surface"] = preferences.surface;
  });
}
