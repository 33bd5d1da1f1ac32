// What the server's engines think of the positions of a tree of moves. Every position is known by the id of the move
// before it, 0 at the start.
import type { Analysis, AskAnalysis } from "../protocol";
import * as api from "./api";
import { Refused } from "./http";

/** Interval between requests while the server is busy. */
const RETRY_MS = 2_000;

/** Search effort of every position of a game, in nodes. */
export const NODES = 30_000;

export interface Question {
  /** The id of the position. */
  id: number;
  moves: string[];
  nodes: number;
}

export class Evaluation {
  /** The first player's winning chance in each position that was analysed. */
  chances: Record<number, number> = $state({});
  /** A whole game is being analysed. */
  reviewing = $state(false);

  /** `setup` gives the game, its options and the start. */
  constructor(private readonly setup: () => Pick<AskAnalysis, "game" | "options" | "start">) {}

  /** Ask the server, again while it is busy; null if the answer was no longer wanted meanwhile. */
  private async ask({ moves, nodes }: Question, wanted: () => boolean): Promise<Analysis | null> {
    while (wanted()) {
      try {
        return await api.analyse({ ...this.setup(), moves, lines: 1, nodes });
      } catch (error) {
        if (!(error instanceof Refused && error.code === "flood")) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    return null;
  }

  /** Note the winning chances that an analysis found. */
  note(id: number, { lines, turn }: Analysis): void {
    const odds = lines[0]?.odds;
    if (odds !== undefined) this.chances[id] = turn === 0 ? odds : 1 - odds;
  }

  /** Analyse all positions of a game that were not yet, until `stopReview`. All with the same effort: only then can they be compared. */
  async review(questions: () => Iterable<Question>): Promise<void> {
    this.reviewing = true;
    for (const question of questions()) {
      if (!this.reviewing) break;
      if (this.chances[question.id] !== undefined) continue;
      try {
        const analysis = await this.ask(question, () => this.reviewing);
        if (analysis) this.note(question.id, analysis);
      } catch (error) {
        if (!(error instanceof Refused && error.code === "game_over")) break;
      }
    }
    this.reviewing = false;
  }

  stopReview(): void {
    this.reviewing = false;
  }
}
