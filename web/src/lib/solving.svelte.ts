// A reader at one puzzle. The server says whether a move is right and what the opponent replies; here it is shown.
import type { BoardInfo, LegalMove, PlayedMove, PuzzleRating, ShownPuzzle, Standing, Stone } from "../protocol";
import * as api from "./api";
import type { Arrow } from "./arrows";
import { stonesAfterChanges } from "./history";
import { errorText } from "./i18n";
import { answerPuzzle, hintFor, keepAttempt, solutionOf } from "./puzzles";
import { session } from "./session";
import { Stage } from "./stage.svelte";

/** asked: it is the reader's turn; right: it was right and goes on; wrong: the last move was not good. */
export type Phase = "asked" | "right" | "wrong" | "solved" | "as_good" | "shown";

export class Solving {
  readonly stage = new Stage();
  puzzle: ShownPuzzle | null = $state.raw(null);
  board: BoardInfo | null = $state.raw(null);
  phase: Phase = $state("asked");
  /** The moves that may be played; none while the server is asked. */
  moves: LegalMove[] = $state.raw([]);
  standing: Standing | null = $state.raw(null);
  problem = $state("");
  /** Something was wrong, or help was asked for. */
  failed = $state(false);
  /** How the reader's rating stands after this puzzle, and by how much it changed. */
  own: PuzzleRating | null = $state.raw(null);
  change = $state(0);
  arrows: Arrow[] = $state.raw([]);
  /** The seat that is in check. */
  checked: number | null = $state(null);
  /** The moves of the puzzle so far, those that led to the question included. */
  line: string[] = $state.raw([]);

  readonly over = $derived(this.phase === "solved" || this.phase === "as_good" || this.phase === "shown");

  private made: string[] = [];
  private stones: Stone[] = [];
  private legal: LegalMove[] = [];
  /** Does it count for a rating? Streaks and rushes do not. */
  private rated = true;

  async open(puzzle: ShownPuzzle, rated: boolean): Promise<void> {
    this.board = await api.board(puzzle.game, puzzle.options);
    this.puzzle = puzzle;
    this.rated = rated;
    this.failed = false;
    this.change = 0;
    this.problem = "";
    this.arrows = [];
    this.phase = "asked";
    this.stones = puzzle.start_stones;
    this.stage.set(puzzle.start_stones);
    this.line = [];
    this.show(puzzle.lead);
    this.made = []; // what led to the question is no part of the solution
    this.turn(puzzle.standing, puzzle.moves);
  }

  async choose(move: LegalMove): Promise<void> {
    const puzzle = this.puzzle;
    if (!puzzle || this.over) return;
    this.moves = [];
    this.arrows = [];
    this.problem = "";
    try {
      const answer = await answerPuzzle(puzzle.game, puzzle.id, { made: this.made, move: move.text, rated: this.rated });
      if (this.puzzle !== puzzle) return;
      if (answer.verdict === "wrong") {
        this.stage.set(this.stones);
        this.phase = "wrong";
        this.fail(answer);
        this.moves = this.legal;
        return;
      }
      this.show(answer.plies);
      if (answer.solved) {
        this.phase = answer.verdict === "as_good" ? "as_good" : "solved";
        this.standing = answer.standing;
        if (!this.failed) this.note(true, answer);
      } else {
        this.phase = "right";
        this.turn(answer.standing, answer.moves);
      }
    } catch (error) {
      if (this.puzzle !== puzzle) return;
      this.problem = errorText(error);
      this.stage.set(this.stones);
      this.moves = this.legal;
    }
  }

  async hint(): Promise<void> {
    const puzzle = this.puzzle;
    if (!puzzle || this.over) return;
    try {
      const hint = await hintFor(puzzle.game, puzzle.id, { made: this.made, rated: this.rated });
      if (this.puzzle !== puzzle) return;
      this.fail(hint);
      if (hint.point) this.arrows = [{ path: [hint.point], weight: 0.9, tone: "hint" }];
    } catch (error) {
      this.problem = errorText(error);
    }
  }

  async giveUp(): Promise<void> {
    const puzzle = this.puzzle;
    if (!puzzle || this.over) return;
    this.moves = [];
    this.arrows = [];
    try {
      const solution = await solutionOf(puzzle.game, puzzle.id, { made: this.made, rated: this.rated });
      if (this.puzzle !== puzzle) return;
      this.fail(solution);
      this.phase = "shown";
      this.show(solution.plies);
    } catch (error) {
      this.problem = errorText(error);
      this.moves = this.legal;
    }
  }

  /** Whose turn it is, and what may be played. */
  private turn(standing: Standing, moves: LegalMove[]): void {
    this.standing = standing;
    this.checked = standing.checked ? standing.turn : null;
    this.legal = moves;
    this.moves = moves;
  }

  /** Make moves on the board, one after the other. */
  private show(plies: PlayedMove[]): void {
    for (const ply of plies) {
      this.stage.play(this.stones, ply);
      this.stones = stonesAfterChanges(this.stones, ply.changes);
      this.made.push(ply.text);
    }
    this.checked = plies.at(-1)?.checked ?? null;
    this.line = [...this.line, ...plies.map((ply) => ply.text)];
  }

  private fail(answer: { own: PuzzleRating | null; change: number }): void {
    if (!this.failed) this.note(false, answer);
    this.failed = true;
  }

  private note(solved: boolean, answer: { own: PuzzleRating | null; change: number }): void {
    if (!this.rated || !this.puzzle) return;
    if (session()?.account && answer.own) {
      this.own = answer.own;
      this.change = answer.change;
    } else {
      const { own, change } = keepAttempt(this.puzzle.game, this.puzzle, solved);
      this.own = { rating: own.rating, tried: own.tried, solved: own.solved };
      this.change = change;
    }
  }
}
