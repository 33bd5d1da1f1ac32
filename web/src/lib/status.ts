// How a game stands, in a line: whose turn it is, or who has won.
import type { Standing } from "../protocol";
import { localized, translate } from "./i18n";

/** Whose turn it is (`who`, as the reader is to be told), what they have to do, and whether they are in check. */
export function turnText(who: string, { task, checked }: Standing): string {
  return [who, task ? localized(task) : "", checked ? translate("check") : ""].filter(Boolean).join(" · ");
}

/** The seats that have won, given the places by seat, 1 for the best; none if the game is drawn. */
export function winners(places: number[]): number[] {
  const best = places.flatMap((place, seat) => (place === 1 ? [seat] : []));
  return best.length === places.length ? [] : best;
}

/** Who has won, for a reader who did not play. */
export function winnerText(places: number[], name: (seat: number) => string): string {
  const won = winners(places);
  return won.length ? translate("winner", { name: won.map(name).join(", ") }) : translate("drawn");
}

/** Who has won and why; a reason that says nothing more is left out. */
export function endText(who: string, reason: string): string {
  return !reason || reason.toLowerCase() === who.toLowerCase() ? who : `${who} — ${reason}`;
}

/** The result for a reader at `seat`, or for one who watched (null): who has won, or how they fared, and why. */
export function resultText(places: number[], reason: string, seat: number | null, name: (seat: number) => string): string {
  const place = seat === null ? undefined : places[seat];
  const who =
    place === undefined || winners(places).length === 0 ? winnerText(places, name)
    : place === 1 ? translate("won")
    : places.length === 2 ? translate("lost")
    : translate("place", { place });
  return endText(who, reason);
}
