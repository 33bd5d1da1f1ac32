// The moves of a game in the notation that the reader has chosen. The server writes them; until it has answered, and
// where it cannot, they are shown in the game's own notation.
import * as api from "./api";
import { preferences } from "./preferences.svelte";

interface Game {
  game: string;
  options: Record<string, boolean | number | string>;
  start: string;
  moves: string[];
}

export class NotatedMoves {
  private texts: string[] = $state.raw([]);
  /** The notation and the moves that were asked for. */
  private asked = "";

  /** Keep up with a game; to be called in an effect. */
  follow(game: Game | null): void {
    const notation = game ? (preferences.notations[game.game] ?? "") : "";
    if (!game || !notation) {
      if (this.asked) this.texts = [];
      this.asked = "";
      return;
    }
    const wanted = JSON.stringify([notation, game]);
    if (wanted === this.asked) return;
    const same = this.asked.startsWith(JSON.stringify([notation]).slice(0, -1));
    this.asked = wanted;
    if (!same) this.texts = [];
    api.notated({ ...game, notation }).then((texts) => {
      if (wanted === this.asked) this.texts = texts;
    }).catch(() => undefined);
  }

  /** The move at `index`, given its text in the game's own notation. */
  text(index: number, own: string): string {
    return this.texts[index] ?? own;
  }
}
