// The levels of the computer: which there are in a game, and what they are called.
import type { GameInfo, LadderInfo } from "../protocol";
import { localized, translate } from "./i18n";
import { preferences } from "./preferences.svelte";

/** What the highest level, or an opponent by name, may be given for a move. */
export const MOVE_SECONDS = [1, 3, 10] as const;
export type MoveSeconds = (typeof MOVE_SECONDS)[number];

/** The ladder of a game with so many players. */
export function ladderOf(game: GameInfo | null | undefined, players: number): LadderInfo | null {
  return game?.ladders.find((one) => one.players.includes(players)) ?? null;
}

/** A level that the ladder has: the one that was wished for, or its highest. */
export function levelIn(ladder: LadderInfo | null, level: number): number {
  return Math.min(level, ladder?.levels.length ?? level);
}

/** The level that the reader last played at this game; for a newcomer one that a beginner beats. */
export function lastLevel(game: GameInfo, ladder: LadderInfo | null): number {
  return levelIn(ladder, preferences.levels[game.name] ?? ladder?.difficulties[0]?.level ?? preferences.level);
}

/** What somebody is called who plays at a level; empty while the ladder is not known. */
export function levelTitle(ladder: LadderInfo | null, level: number): string {
  const found = ladder?.levels[levelIn(ladder, level) - 1];
  return found ? localized(found.title) : "";
}

/** What to expect of a level. */
export function levelMeaning(ladder: LadderInfo | null, level: number): string {
  const found = ladder?.levels[levelIn(ladder, level) - 1];
  if (!found) return "";
  const rating = found.rating === null ? "" : translate("levelRating", { rating: Math.round(found.rating / 10) * 10 });
  return [found.meaning ? localized(found.meaning) : "", rating].filter(Boolean).join(translate("levelJoin"));
}

/** What the computer in a seat is called: its opponent's name, or its level. */
export function computerName(ladder: LadderInfo | null, level: number, opponent: string): string {
  if (opponent) {
    const found = ladder?.opponents.find((one) => one.name === opponent);
    return found ? localized(found.title) : opponent;
  }
  return [translate("levelN", { level }), levelTitle(ladder, level)].filter(Boolean).join(" · ");
}
