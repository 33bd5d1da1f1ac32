// What players, seats and pieces are called.
import type { BoardInfo, Glyph, Words } from "../protocol";
import { translate } from "./i18n";

/** A player's name; the server calls its computer players by their agent, and deleted accounts by a code. */
export function playerName(name: string): string {
  const level = /^level:(\d+)$/.exec(name);
  const opponent = /^(?:net|evaluator):(.+)$/.exec(name);
  if (name.startsWith("deleted:")) return translate("deletedPlayer");
  if (opponent) return `${translate("computer")} (${opponent[1]!})`;
  return level ? `${translate("computer")} (${translate("levelN", { level: level[1]! })})` : name;
}

/** Names one after the other as they are shown, the same ones counted: five computers are not five names. */
export function countedNames(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names.map(playerName)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name));
}

export function listNames(names: readonly string[]): string {
  return countedNames(names).join(translate("listComma"));
}

export function seatName(board: BoardInfo | null, seat: number): Words {
  return board?.seats[seat]?.name ?? { en: `Seat ${seat + 1}`, zh: `座位${seat + 1}` };
}

/** The kinds of piece on a board, by the code that stands for them in messages. */
export function glyphsOf(board: BoardInfo | null): ReadonlyMap<string, Glyph> {
  return new Map(board?.glyphs.map((glyph) => [glyph.code, glyph]));
}
