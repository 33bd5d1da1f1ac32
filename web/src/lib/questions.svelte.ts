// "Learn from your mistakes": each mistake of a player is a question on the board. The review says what is accepted.
import type { LegalMove, ReviewedMove } from "../protocol";
import type { Arrow } from "./arrows";

type Answer = "asked" | "right" | "shown";

export class Questions {
  at = $state(0);
  answer: Answer = $state("asked");
  /** The last try: what was played in the game, or another move that is no better. */
  wrong: "" | "played" | "other" = $state("");
  hinted = $state(false);
  /** How many were found without being shown. */
  found = $state(0);
  done = $state(false);
  /** The accepted move that was found. */
  private right: LegalMove | null = $state.raw(null);

  constructor(readonly mistakes: ReviewedMove[]) {}

  readonly mistake: ReviewedMove | undefined = $derived.by(() => this.mistakes[this.at]);
  readonly solution = $derived.by(() => this.right?.text ?? this.mistake?.look?.best.moves[0] ?? "");

  readonly arrows: Arrow[] = $derived.by(() => {
    const best = this.mistake?.look?.best.path ?? [];
    if (this.done || !best.length) return [];
    if (this.answer === "right") return [{ path: this.right?.path ?? best, weight: 1, tone: "good" }];
    if (this.answer === "shown") return [{ path: best, weight: 1, tone: "good" }];
    return this.hinted ? [{ path: best.slice(0, 1), weight: 0.9 }] : [];
  });

  choose(move: LegalMove): void {
    const look = this.mistake?.look;
    if (!look || this.answer !== "asked") return;
    if (look.accepted.includes(move.text)) {
      this.right = move;
      this.answer = "right";
      this.found += 1;
      this.wrong = "";
    } else this.wrong = look.played.moves[0] === move.text ? "played" : "other";
  }

  show(): void {
    this.answer = "shown";
    this.wrong = "";
  }

  next(): void {
    if (this.at + 1 >= this.mistakes.length) this.done = true;
    else this.begin(this.at + 1);
  }

  again(): void {
    this.found = 0;
    this.done = false;
    this.begin(0);
  }

  private begin(at: number): void {
    this.at = at;
    this.answer = "asked";
    this.wrong = "";
    this.hinted = false;
    this.right = null;
  }
}
