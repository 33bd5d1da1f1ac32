// The notation that the reader has chosen for the moves of a family of games, and moves written in it. The server writes
// them; until it has answered, and where it cannot, they are shown in the game's own notation.
import type { GameInfo, Words } from "../protocol";
import * as api from "./api";
import { localized } from "./i18n";
import { preferences } from "./preferences.svelte";
import { lineThrough, movesTo, type Tree } from "./tree";

interface Game {
  game: string;
  options: Record<string, boolean | number | string>;
  start: string;
  moves: string[];
}

/** Interval between requests while the server cannot be reached. */
const RETRY_MS = 2_000;

/** The games by name, once they are known. */
let games: Record<string, GameInfo> = $state.raw({});
let asked = false;

function learnGames(): void {
  if (asked) return;
  asked = true;
  api.games().then((found) => (games = Object.fromEntries(found.map((one) => [one.name, one])))).catch(() => setTimeout(() => {
    asked = false;
    learnGames();
  }, RETRY_MS));
}

/** What the reader has chosen for a family of games, or what is usual in their language. */
export function chosenNotation(facts: { notation_family: string; usual_notation: Words }): string {
  return preferences.notations[facts.notation_family] ?? localized(facts.usual_notation);
}

export function chooseNotation(facts: { notation_family: string }, name: string): void {
  preferences.notations = { ...preferences.notations, [facts.notation_family]: name };
}

/** The notation of a game's moves; empty for the game's own. */
export function notationOf(game: string): string {
  learnGames();
  const facts = games[game];
  if (!facts) return "";
  const chosen = chosenNotation(facts);
  return facts.notations.some(({ name }) => name === chosen) ? chosen : "";
}

export class NotatedMoves {
  private texts: string[] = $state.raw([]);
  /** Notation, game, options and start of the texts, and the moves that they write. */
  private key = "";
  private moves: string[] = [];
  private requests = 0;
  private pending: Promise<void> = Promise.resolve();

  /** Keep up with a game; to be called in an effect. */
  follow(game: Game | null): void {
    const notation = game ? notationOf(game.game) : "";
    if (!game || !notation) {
      if (this.key) this.texts = [];
      this.key = "";
      this.requests += 1;
      return;
    }
    const { moves, ...setup } = game;
    const key = JSON.stringify([notation, setup]);
    if (key !== this.key) {
      this.key = key;
      this.moves = this.texts = [];
    }
    let known = 0;
    while (known < this.moves.length && known < moves.length && this.moves[known] === moves[known]) known += 1;
    if (known < this.texts.length) this.texts = this.texts.slice(0, known);
    const asking = known === this.moves.length && known === moves.length && this.texts.length < known;
    this.moves = moves;
    known = this.texts.length;
    if (known === moves.length || asking) return;
    const number = (this.requests += 1);
    this.pending = api.notated({ ...setup, moves, notation, known }).then((texts) => {
      if (number === this.requests) this.texts = [...this.texts.slice(0, known), ...texts];
    }).catch(() => undefined);
  }

  /** The move at `index`, given its text in the game's own notation. */
  text(index: number, own: string): string {
    return this.texts[index] ?? own;
  }

  /** The same, once the server has answered. */
  async written(index: number, own: string): Promise<string> {
    await this.pending;
    return this.text(index, own);
  }
}

/** All moves of a tree by their ids, those of the current line first. */
export class NotatedTree {
  names: Record<number, string> = $state.raw({});
  private key = "";
  private wanted: { setup: Omit<Game, "moves">; tree: Tree; at: number; notation: string } | null = null;
  private busy = false;

  /** Keep up with a tree; to be called in an effect. `epoch` tells one tree from the next. */
  follow(setup: Omit<Game, "moves"> | null, tree: Tree, at: number, epoch: number): void {
    const notation = setup ? notationOf(setup.game) : "";
    const key = JSON.stringify([notation, setup, epoch]);
    if (key !== this.key) {
      this.key = key;
      this.names = {};
    }
    this.wanted = setup && notation ? { setup, tree, at, notation } : null;
    if (!this.busy) void this.write();
  }

  private async write(): Promise<void> {
    this.busy = true;
    const refused = new Set<number>();
    for (let path = this.unwritten(refused); this.wanted && path; path = this.unwritten(refused)) {
      const { key } = this;
      const { setup, notation } = this.wanted;
      const known = path.findIndex((move) => !(move.id in this.names));
      try {
        const texts = await api.notated({ ...setup, notation, known, moves: path.map((move) => move.text) });
        if (key === this.key) this.names = { ...this.names, ...Object.fromEntries(texts.map((text, index) => [path![known + index]!.id, text])) };
      } catch {
        refused.add(path.at(-1)!.id);
      }
    }
    this.busy = false;
  }

  /** A line with moves that are not written yet. */
  private unwritten(refused: ReadonlySet<number>): { id: number; text: string }[] | null {
    if (!this.wanted) return null;
    const { tree, at } = this.wanted;
    const ends = [...tree.nodes.values()].filter((one) => !one.children.length).map((one) => one.id);
    const lines = [lineThrough(tree, at), ...ends.map((id) => movesTo(tree, id))];
    return lines.find((line) => line.length && !refused.has(line.at(-1)!.id) && line.some((move) => !(move.id in this.names))) ?? null;
  }
}
