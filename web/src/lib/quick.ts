// Games that begin with one click.
import type { ClockRule, GameInfo } from "../protocol";
import * as api from "./api";
import { translate } from "./i18n";
import { ladderOf, lastLevel } from "./ladder";
import { setPlan, type Plan } from "./plans";
import { preferences } from "./preferences.svelte";
import { go } from "./router.svelte";

/** What we are called in a room. */
export const ownName = (): string => preferences.name.trim() || translate("you");

/** Play the computer at the level that was last played, and move first. */
export function playComputer(game: GameInfo, clock: ClockRule | null = null): Promise<void> {
  const ladder = ladderOf(game, players(game));
  const level = lastLevel(game, ladder);
  return create(game, clock, level, { seat: 0, level, seconds: level === ladder?.levels.length ? 1 : null, opponent: "" });
}

/** A room for those who are sent its link. */
export function playFriend(game: GameInfo): Promise<void> {
  return create(game, null, lastLevel(game, ladderOf(game, players(game))), { seat: 0, level: null, seconds: null, opponent: "" });
}

const players = (game: GameInfo): number => game.players[0] ?? 2;

async function create(game: GameInfo, clock: ClockRule | null, level: number, plan: Plan): Promise<void> {
  const options = game.players.length > 1 ? { players: players(game) } : {};
  const { room } = await api.createRoom(ownName(), { game: game.name, options, clock, public: false, ai_level: level });
  setPlan(room, plan);
  preferences.game = game.name;
  go(`/room/${room}`);
}
