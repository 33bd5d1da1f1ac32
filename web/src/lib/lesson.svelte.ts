// A reader's progress through an introduction. The server says what each step asks for and what the right answers do;
// here it is only compared with what the reader does.
import type { IntroductionInfo, LegalMove, StepInfo } from "../protocol";
import type { Arrow } from "./arrows";
import { stonesAfterChanges } from "./history";
import { Stage } from "./stage.svelte";

/** After this many wrong tries the answer is pointed out. */
const MAX_WRONG = 2;

export class Lesson {
  at = $state(0);
  done = $state(false);
  /** Tries in this step that were not what is asked for. */
  wrong = $state(0);
  readonly stage = new Stage();

  readonly step: StepInfo = $derived.by(() => this.introduction.steps[this.at]!);
  readonly last = $derived.by(() => this.at === this.introduction.steps.length - 1);
  readonly asks = $derived(this.step.tasks.length > 0 || this.step.touch.length > 0);
  /** What can be touched: any legal move or any stone, right or wrong. */
  readonly moves: LegalMove[] = $derived(
    this.done ? [] : this.step.touch.length ? this.step.stones.map(({ point }) => ({ text: point, path: [point] })) : this.step.moves,
  );
  readonly arrows: Arrow[] = $derived.by(() => {
    if (this.done) return [];
    const shown = this.wrong >= MAX_WRONG ? [this.answer] : [];
    return [...this.step.marks.map((point) => [point]), ...shown].filter((path) => path.length > 0).map((path) => ({ path, weight: 0.8 }));
  });

  /** The path of one right answer. */
  private get answer(): string[] {
    return this.step.tasks[0]?.played[0]?.path ?? this.step.touch.slice(0, 1);
  }

  constructor(readonly introduction: IntroductionInfo, at = 0) {
    this.go(at);
  }

  go(number: number): void {
    this.at = Math.max(0, Math.min(this.introduction.steps.length - 1, number));
    this.done = false;
    this.wrong = 0;
    this.stage.set(this.step.stones);
  }

  choose(move: LegalMove): void {
    const task = this.step.tasks.find((one) => one.text === move.text);
    if (this.step.touch.includes(move.text) && !this.step.tasks.length) this.done = true;
    else if (task) this.play(task.text);
    else {
      this.wrong += 1;
      this.stage.set(this.step.stones); // a stone that was dragged goes back
    }
  }

  /** Show a right answer. */
  show(): void {
    const task = this.step.tasks[0];
    if (task) this.play(task.text);
    else this.wrong = MAX_WRONG;
  }

  private play(text: string): void {
    let stones = this.step.stones;
    for (const played of this.step.tasks.find((one) => one.text === text)?.played ?? []) {
      this.stage.play(stones, played);
      stones = stonesAfterChanges(stones, played.changes);
    }
    this.done = true;
  }
}
