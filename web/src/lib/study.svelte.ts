// A game that is looked at from all sides: a start, a tree of moves, and where in it we are. The server says what may
// be done and what each move does; here is only remembered what it said.
import type { AskPosition, BoardInfo, ChanceResult, GameInfo, LegalMove, ReadRecord, ShownPosition, Stone } from "../protocol";
import * as api from "./api";
import type { Arrow } from "./arrows";
import { Stage } from "./stage.svelte";
import { changed } from "./timeline";
import { beside, branch, grow, line, plant, promote, prune, ROOT, way, type Branch, type Tree } from "./tree";
import { explain } from "./words";

type Options = ShownPosition["options"];

const KEY = "boyi.analysis";
/** More than this is not kept for the next visit. */
const MOST_KEPT = 1_000_000;

interface Kept {
  game: string;
  options: Options;
  start: string;
  first: Stone[];
  branches: Branch[];
  next: number;
  at: number;
  players: string[];
}

export class Study {
  game: GameInfo | null = $state.raw(null);
  board: BoardInfo | null = $state.raw(null);
  options: Options = $state.raw({});
  start = $state("");
  tree: Tree = $state.raw(plant());
  at = $state(ROOT);
  /** The position that is looked at, once it is known. */
  shown: ShownPosition | null = $state.raw(null);
  /** A move was made after which chance decides; the reader says what. */
  awaiting: { moves: string[]; chance: ChanceResult[] } | null = $state.raw(null);
  arrows: Arrow[] = $state.raw([]);
  problem = $state("");
  /** Of a game that was read. */
  players: string[] = $state.raw([]);
  result: number[] | null = null;
  reason = "";
  /** Counts the games that were begun here. */
  epoch = $state(0);

  readonly stage = new Stage();
  readonly way = $derived(way(this.tree, this.at));
  readonly line = $derived(line(this.tree, this.at));
  readonly moves: LegalMove[] = $derived(this.awaiting ? [] : (this.shown?.moves ?? []));

  private first: Stone[] = $state.raw([]);
  private positions = new Map<number, ShownPosition>();
  private asked = 0;

  // ------------------------------------------------------------------ beginning

  /** Begin anew: any game, from a text, from stones or with moves. False, and a word about it, where that cannot be. */
  async begin(game: GameInfo, wish: Omit<AskPosition, "game"> = {}, record?: ReadRecord): Promise<boolean> {
    const number = (this.asked += 1);
    try {
      const shown = await api.position({ game: game.name, ...wish });
      const board = await api.board(game.name, shown.options);
      if (number !== this.asked) return false;
      let tree = plant();
      let last = ROOT;
      for (const ply of shown.plies) ({ tree, id: last } = grow(tree, last, ply));
      Object.assign(this, {
        game, board, options: shown.options, start: shown.start, first: shown.start_stones, tree, awaiting: null, arrows: [], problem: "",
        players: record?.players ?? [], result: record?.result ?? null, reason: record?.reason ?? "", positions: new Map(), epoch: this.epoch + 1,
      });
      if (shown.plies.length) this.go(ROOT);
      else this.show(ROOT, shown);
      return true;
    } catch (error) {
      if (number === this.asked) this.problem = explain(error);
      return false;
    }
  }

  /** Go on where the last visit ended, if it was with this game. */
  async recall(game: GameInfo): Promise<boolean> {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as Kept | null;
      if (kept?.game !== game.name || kept.branches.length < 2) return false;
      const board = await api.board(game.name, kept.options);
      Object.assign(this, {
        game, board, options: kept.options, start: kept.start, first: kept.first, players: kept.players, result: null, reason: "",
        tree: { branches: new Map(kept.branches.map((one) => [one.id, one])), next: kept.next }, positions: new Map(), epoch: this.epoch + 1,
      });
      this.go(kept.at);
      return true;
    } catch {
      return false;
    }
  }

  private keep(): void {
    if (!this.game) return;
    const kept: Kept = {
      game: this.game.name, options: this.options, start: this.start, first: this.first, branches: [...this.tree.branches.values()], next: this.tree.next,
      at: this.at, players: this.players,
    };
    const text = JSON.stringify(kept);
    if (text.length < MOST_KEPT) localStorage.setItem(KEY, text);
  }

  // ------------------------------------------------------------------ going about

  /** What stood on the board after a move. */
  private stones(id: number): Stone[] {
    return way(this.tree, id).reduce((stones, move) => changed(stones, move.changes), this.first);
  }

  /** Look at the position after a move. */
  go(id: number): void {
    const target = branch(this.tree, id);
    const before = this.at;
    this.arrows = [];
    this.awaiting = null;
    this.problem = "";
    this.at = target.id;
    if (target.id !== ROOT && target.parent === before) this.stage.play(this.stones(before), target);
    else this.stage.set(this.stones(target.id), target.path);
    this.shown = this.positions.get(target.id) ?? null;
    if (!this.shown) void this.load(target.id);
    this.keep();
  }

  private show(id: number, shown: ShownPosition): void {
    this.positions.set(id, shown);
    this.at = id;
    this.shown = shown;
    this.stage.set(shown.stones, branch(this.tree, id).path);
    this.keep();
  }

  private async load(id: number): Promise<void> {
    const number = (this.asked += 1);
    const moves = way(this.tree, id).map((move) => move.text);
    try {
      const shown = await api.position({ ...this.place(), moves, known: moves.length });
      if (number !== this.asked) return;
      this.positions.set(id, shown);
      this.shown = shown;
    } catch (error) {
      if (number === this.asked) this.problem = explain(error);
    }
  }

  /** Game, options and start, as the server wants them. */
  place(): { game: string; options: Options; start: string } {
    return { game: this.game!.name, options: this.options, start: this.start };
  }

  /** So many moves along the line that is looked at, or back. */
  look(count: number): void {
    const move = this.line[Math.min(count, this.line.length) - 1];
    const target = move?.id ?? ROOT;
    if (target !== this.at) this.go(target);
  }

  beside(step: number): void {
    const other = beside(this.tree, this.at, step);
    if (other !== this.at) this.go(other);
  }

  // ------------------------------------------------------------------ changing

  /** Make a move here: it becomes a branch, or is one already. */
  async play(text: string): Promise<void> {
    const here = this.at;
    const before = this.way.map((move) => move.text);
    const known = branch(this.tree, here).children.find((id) => branch(this.tree, id).text === text);
    if (known !== undefined) {
      this.go(known);
      return;
    }
    await this.make(here, [...before, text]);
  }

  /** What chance decided after the move that was just made. */
  async decide(result: ChanceResult): Promise<void> {
    const awaiting = this.awaiting;
    this.awaiting = null;
    if (awaiting) await this.make(this.at, [...awaiting.moves.slice(0, -1), result.text]);
  }

  private async make(here: number, moves: string[]): Promise<void> {
    const number = (this.asked += 1);
    try {
      const shown = await api.position({ ...this.place(), moves, known: moves.length - 1 });
      if (number !== this.asked) return;
      if (shown.chance.length) {
        this.awaiting = { moves, chance: shown.chance };
        return;
      }
      const { tree, id } = grow(this.tree, here, shown.plies[0]!);
      this.tree = tree;
      this.positions.set(id, shown);
      this.go(id);
    } catch (error) {
      if (number !== this.asked) return;
      this.problem = explain(error);
      this.stage.set(this.stones(here), branch(this.tree, here).path); // what was dragged goes back
    }
  }

  /** Nothing is decided: the move was not made. */
  refuse(): void {
    this.awaiting = null;
    this.stage.set(this.stones(this.at), branch(this.tree, this.at).path);
  }

  /** Play moves one after the other, as an engine proposes them. */
  async follow(moves: string[]): Promise<void> {
    for (const move of moves) {
      await this.play(move);
      if (this.awaiting || this.problem) return;
    }
  }

  promote(id = this.at): void {
    this.tree = promote(this.tree, id);
    this.keep();
  }

  remove(id = this.at): void {
    const { parent } = branch(this.tree, id);
    const inside = this.way.some((move) => move.id === id);
    this.tree = prune(this.tree, id);
    if (inside) this.go(parent);
    else this.keep();
  }

  leavePage(): void {
    this.asked += 1;
    this.stage.set([]);
  }
}
