// A game under analysis: a starting position, a tree of moves, and the current node. The server says which moves are
// legal and what each does; here its answers are only kept.
import type { AskPosition, BoardInfo, ChanceResult, GameInfo, LegalMove, ReadRecord, ShownPosition, Stone } from "../protocol";
import * as api from "./api";
import type { Arrow, Drawing } from "./arrows";
import { Stage } from "./stage.svelte";
import { stonesAfterMoves } from "./history";
import { errorText } from "./i18n";
import { store, stored } from "./storage";
import { add, draw, lineThrough, movesTo, newTree, node, promote, remove, ROOT, sibling, type MoveNode, type Tree } from "./tree";

type Options = ShownPosition["options"];

const KEY = "boyi.analysis";
/** A study of this many characters is not kept for the next visit. */
const MOST_STORED = 1_000_000;

/** What local storage keeps for the next visit. */
interface StoredStudy {
  game: string;
  options: Options;
  start: string;
  first: Stone[];
  branches: MoveNode[];
  next: number;
  at: number;
  players: string[];
}

export class Study {
  game: GameInfo | null = $state.raw(null);
  board: BoardInfo | null = $state.raw(null);
  options: Options = $state.raw({});
  start = $state("");
  tree: Tree = $state.raw(newTree());
  at = $state(ROOT);
  /** The current position, once the server has described it. */
  shown: ShownPosition | null = $state.raw(null);
  /** A move after which chance decides: the reader chooses the outcome. */
  awaiting: { moves: string[]; chance: ChanceResult[] } | null = $state.raw(null);
  arrows: Arrow[] = $state.raw([]);
  problem = $state("");
  /** Of an imported game. */
  players: string[] = $state.raw([]);
  result: number[] | null = null;
  reason = "";
  /** Counts the games that were opened here. */
  epoch = $state(0);

  readonly stage = new Stage();
  /** The moves up to the current position. */
  readonly path = $derived(movesTo(this.tree, this.at));
  /** The same, and on to the end of the line. */
  readonly line = $derived(lineThrough(this.tree, this.at));
  readonly moves: LegalMove[] = $derived(this.awaiting ? [] : (this.shown?.moves ?? []));
  /** The seat that is in check. */
  readonly checked = $derived.by(() => {
    const standing = this.shown?.standing;
    return node(this.tree, this.at).checked ?? (standing?.checked ? standing.turn : null);
  });

  private first: Stone[] = $state.raw([]);
  private positions = new Map<number, ShownPosition>();
  /** The number of requests; answers to all but the last are dropped. */
  private requests = 0;

  /** `kept`: local storage keeps it for the next visit. */
  constructor(private readonly kept = true) {}

  // ------------------------------------------------------------------ opening

  /** Open any game: from a position's text, from stones, or with moves. False, and `problem` set, where that cannot be. */
  async open(game: GameInfo, from: Omit<AskPosition, "game"> = {}, record?: ReadRecord): Promise<boolean> {
    const number = (this.requests += 1);
    try {
      const shown = await api.position({ game: game.name, ...from });
      const board = await api.board(game.name, shown.options);
      if (number !== this.requests) return false;
      let tree = newTree();
      let last = ROOT;
      for (const ply of shown.plies) ({ tree, id: last } = add(tree, last, ply));
      Object.assign(this, {
        game, board, options: shown.options, start: shown.start, first: shown.start_stones, tree, awaiting: null, arrows: [], problem: "",
        players: record?.players ?? [], result: record?.result ?? null, reason: record?.reason ?? "", positions: new Map(), epoch: this.epoch + 1,
      });
      if (shown.plies.length) this.go(ROOT);
      else this.show(ROOT, shown);
      return true;
    } catch (error) {
      if (number === this.requests) this.problem = errorText(error);
      return false;
    }
  }

  /** Go on where the last visit ended, if it was with this game. */
  async restore(game: GameInfo): Promise<boolean> {
    try {
      const kept = stored(KEY) as StoredStudy | null;
      if (kept?.game !== game.name || kept.branches.length < 2) return false;
      const board = await api.board(game.name, kept.options);
      Object.assign(this, {
        game, board, options: kept.options, start: kept.start, first: kept.first, players: kept.players, result: null, reason: "",
        tree: { nodes: new Map(kept.branches.map((one) => [one.id, one])), next: kept.next }, positions: new Map(), epoch: this.epoch + 1,
      });
      this.go(kept.at);
      return true;
    } catch {
      return false;
    }
  }

  private keep(): void {
    if (!this.game || !this.kept) return;
    const study: StoredStudy = {
      game: this.game.name, options: this.options, start: this.start, first: this.first, branches: [...this.tree.nodes.values()], next: this.tree.next,
      at: this.at, players: this.players,
    };
    store(KEY, study, MOST_STORED);
  }

  // ------------------------------------------------------------------ navigating

  /** The stones after a move. */
  private stones(id: number): Stone[] {
    return stonesAfterMoves(this.first, movesTo(this.tree, id));
  }

  /** Go to the position after a move. */
  go(id: number): void {
    const target = node(this.tree, id);
    const before = this.at;
    this.arrows = [];
    this.awaiting = null;
    this.problem = "";
    this.at = target.id;
    if (target.id !== ROOT && target.parent === before) this.stage.play(this.stones(before), target);
    else this.stage.set(this.stones(target.id), target.path);
    const shown = this.positions.get(target.id);
    if (shown) this.arrive(shown);
    else {
      this.shown = null;
      void this.load(target.id);
    }
    this.keep();
  }

  private show(id: number, shown: ShownPosition): void {
    this.positions.set(id, shown);
    this.at = id;
    this.arrive(shown);
    this.stage.set(shown.stones, node(this.tree, id).path);
    this.keep();
  }

  /** The current position is described. Where a game begins with chance, the reader says what came. */
  private arrive(shown: ShownPosition): void {
    this.shown = shown;
    if (this.at === ROOT && shown.chance.length && !node(this.tree, ROOT).children.length) this.awaiting = { moves: [], chance: shown.chance };
  }

  private async load(id: number): Promise<void> {
    const number = (this.requests += 1);
    const moves = movesTo(this.tree, id).map((move) => move.text);
    try {
      const shown = await api.position({ ...this.setup(), moves, known: moves.length });
      if (number !== this.requests) return;
      this.positions.set(id, shown);
      this.arrive(shown);
    } catch (error) {
      if (number === this.requests) this.problem = errorText(error);
    }
  }

  /** Game, options and start, as requests need them. */
  setup(): { game: string; options: Options; start: string } {
    return { game: this.game!.name, options: this.options, start: this.start };
  }

  /** Go to a ply of the current line. */
  goToPly(ply: number): void {
    const move = this.line[Math.min(ply, this.line.length) - 1];
    const target = move?.id ?? ROOT;
    if (target !== this.at) this.go(target);
  }

  /** Go to another variation in place of the current move. */
  goToSibling(step: number): void {
    const other = sibling(this.tree, this.at, step);
    if (other !== this.at) this.go(other);
  }

  // ------------------------------------------------------------------ editing

  /** Play a move here: a new variation, unless it is there already. */
  async play(text: string): Promise<void> {
    const here = this.at;
    const before = this.path.map((move) => move.text);
    const known = node(this.tree, here).children.find((id) => node(this.tree, id).text === text);
    if (known !== undefined) {
      this.go(known);
      return;
    }
    await this.addMove(here, [...before, text]);
  }

  /** Choose the outcome of chance after the move that was just made. */
  async decide(result: ChanceResult): Promise<void> {
    const awaiting = this.awaiting;
    this.awaiting = null;
    if (awaiting) await this.addMove(this.at, [...awaiting.moves.slice(0, -1), result.text]);
  }

  private async addMove(here: number, moves: string[]): Promise<void> {
    const number = (this.requests += 1);
    try {
      const shown = await api.position({ ...this.setup(), moves, known: moves.length - 1 });
      if (number !== this.requests) return;
      if (shown.chance.length) {
        this.awaiting = { moves, chance: shown.chance };
        return;
      }
      const { tree, id } = add(this.tree, here, shown.plies[0]!);
      this.tree = tree;
      this.positions.set(id, shown);
      this.go(id);
    } catch (error) {
      if (number !== this.requests) return;
      this.problem = errorText(error);
      this.putBack(here);
    }
  }

  /** No outcome is chosen: take the move back. */
  cancelChance(): void {
    this.awaiting = null;
    this.putBack();
  }

  /** What was dragged goes back to where it stood. */
  putBack(at = this.at): void {
    this.stage.set(this.stones(at), node(this.tree, at).path);
  }

  /** Play moves one after the other, such as a line of an engine. */
  async follow(moves: string[]): Promise<void> {
    for (const move of moves) {
      await this.play(move);
      if (this.awaiting || this.problem) return;
    }
  }

  /** What the reader drew on the current position. */
  readonly drawings: Drawing[] = $derived(node(this.tree, this.at).drawings ?? []);

  draw(drawings: Drawing[]): void {
    this.tree = draw(this.tree, this.at, drawings);
    this.keep();
  }

  promote(id = this.at): void {
    this.tree = promote(this.tree, id);
    this.keep();
  }

  remove(id = this.at): void {
    const { parent } = node(this.tree, id);
    const inside = this.path.some((move) => move.id === id);
    this.tree = remove(this.tree, id);
    if (inside) this.go(parent);
    else this.keep();
  }

  leavePage(): void {
    this.requests += 1;
    this.stage.set([]);
  }
}
