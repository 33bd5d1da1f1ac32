// The moves of a game in the notation that the reader likes. The server writes them; until it has, and where it cannot,
// they stand in the game's own writing.
import * as api from "./api";
import { preferences } from "./preferences.svelte";

export interface Written {
  game: string;
  options: Record<string, boolean | number | string>;
  start: string;
  moves: string[];
}

export class Notated {
  private texts: string[] = $state.raw([]);
  /** Of which moves, in which notation, they are. */
  private of = "";

  /** Keep up with a game; call it in an effect. */
  follow(written: Written | null): void {
    const notation = written ? (preferences.notations[written.game] ?? "") : "";
    if (!written || !notation) {
      if (this.of) this.texts = [];
      this.of = "";
      return;
    }
    const mine = JSON.stringify([notation, written]);
    if (mine === this.of) return;
    const same = this.of.startsWith(JSON.stringify([notation]).slice(0, -1));
    this.of = mine;
    if (!same) this.texts = [];
    api.notated({ ...written, notation }).then((texts) => {
      if (mine === this.of) this.texts = texts;
    }).catch(() => undefined);
  }

  /** Move number `index`, whose own text is this. */
  text(index: number, own: string): string {
    return this.texts[index] ?? own;
  }
}
