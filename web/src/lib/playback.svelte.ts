// Which position of a game is on the board: the live one, or an earlier one that the reader has gone back to.
import type { LastMove, Stone, Token } from "../protocol";
import { stonesAt, type MoveHistory, type PlayedMove } from "./history";
import { Stage } from "./stage.svelte";

/** How long the position after a replayed move stays before the live one returns. */
const REPLAY_REST_MS = 700;

export class Playback {
  readonly stage = new Stage();
  history: MoveHistory | null = $state.raw(null);
  /** The ply that is shown; null for the live position. */
  viewedPly: number | null = $state(null);
  /** A move is being shown again. */
  replaying = $state(false);

  readonly lastPly = $derived(this.history ? this.history.skipped + this.history.moves.length : 0);

  /** The seat that the last move before the shown position left in check, as far as the moves are known. */
  readonly checked = $derived.by(() => {
    const { history, viewedPly } = this;
    if (!history || this.replaying) return null;
    const known = viewedPly === null ? history.moves : history.moves.slice(0, Math.max(0, viewedPly - history.skipped));
    return known.at(-1)?.checked ?? null;
  });

  /** `live` gives the stones of the live position; null where no game was begun. */
  constructor(private readonly live: () => Stone[] | null) {}

  // ------------------------------------------------------------------ the game goes on

  /** A game begins, or is seen for the first time, with `skipped` moves already made. */
  begin(stones: Stone[], tokens: Token[], skipped = 0): void {
    this.history = { skipped, first: stones, firstTokens: tokens, moves: [] };
    this.viewedPly = null;
    this.stage.set(stones);
  }

  /** There is no game yet. */
  clear(): void {
    this.history = null;
    this.viewedPly = null;
  }

  /** Add a move to the history. */
  add(move: PlayedMove): void {
    if (this.history) this.history = { ...this.history, moves: [...this.history.moves, move] };
  }

  /** Add a move, and show it if the live position is on the board. */
  play(before: Stone[], move: PlayedMove): void {
    this.add(move);
    if (this.viewedPly !== null) return;
    if (this.replaying) {
      this.replaying = false;
      this.stage.set(before);
    }
    this.stage.play(before, move);
  }

  takeBack(moves: number): void {
    if (this.history) this.history = { ...this.history, moves: this.history.moves.slice(0, -moves) };
    this.viewedPly = null;
    this.showLive();
  }

  /** All moves of the game have become known. */
  complete(first: Stone[], firstTokens: Token[], moves: PlayedMove[]): void {
    this.history = { skipped: 0, first, firstTokens, moves };
    if (this.viewedPly === null && !this.stage.playing) this.showLive();
  }

  /** Put a piece back that was moved by hand. */
  putBack(): void {
    const stones = this.live();
    if (stones) this.stage.set(stones, this.stage.trail);
  }

  // ------------------------------------------------------------------ looking back

  /** Show the position after a ply; null or beyond the last one, the live position. */
  goTo(ply: number | null): void {
    const { history, viewedPly: from, lastPly } = this;
    if (!history || ply === null || ply >= lastPly) {
      this.viewedPly = null;
      if (history && ply !== null && from === lastPly - 1) this.stage.play(stonesAt(history, from), history.moves.at(-1)!);
      else this.showLive();
      return;
    }
    const target = Math.max(history.skipped, ply);
    const before = from ?? lastPly;
    this.viewedPly = target;
    const move = history.moves[target - history.skipped - 1];
    if (target === before + 1 && move) this.stage.play(stonesAt(history, before), move);
    else this.stage.set(stonesAt(history, target), move?.path ?? []);
  }

  /** Show a move again, and then the live position. */
  replay(move: LastMove): void {
    if (!this.live()) return;
    this.viewedPly = null;
    this.stage.set(move.stones);
    this.stage.play(move.stones, move);
    this.replaying = true;
    const wait = setInterval(() => {
      if (this.stage.playing) return;
      clearInterval(wait);
      setTimeout(() => {
        this.replaying = false;
        if (this.viewedPly === null && !this.stage.playing) this.showLive();
      }, REPLAY_REST_MS);
    }, 60);
  }

  private showLive(): void {
    const stones = this.live();
    if (stones) this.stage.set(stones, this.history?.moves.at(-1)?.path ?? []);
  }
}
