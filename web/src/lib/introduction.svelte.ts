// How far a reader has come in an introduction. What is asked for and what it does is told by the server; here it is
// only compared with what was touched.
import type { IntroductionInfo, LegalMove, StepInfo } from "../protocol";
import type { Arrow } from "./arrows";
import { Stage } from "./stage.svelte";
import { changed } from "./timeline";

/** So many wrong tries until the answer is pointed out. */
const PATIENCE = 2;

export class Lesson {
  at = $state(0);
  done = $state(false);
  /** Tries in this step that were not what is asked for. */
  wrong = $state(0);
  readonly stage = new Stage();

  readonly step: StepInfo = $derived.by(() => this.introduction.steps[this.at]!);
  readonly last = $derived.by(() => this.at === this.introduction.steps.length - 1);
  readonly asks = $derived(this.step.tasks.length > 0 || this.step.touch.length > 0);
  /** What can be touched: any legal move, or any stone. Whether it is the right one is seen when it is made. */
  readonly moves: LegalMove[] = $derived(
    this.done ? [] : this.step.touch.length ? this.step.stones.map(({ point }) => ({ text: point, path: [point] })) : this.step.moves,
  );
  readonly arrows: Arrow[] = $derived.by(() => {
    if (this.done) return [];
    const shown = this.wrong >= PATIENCE ? [this.answer] : [];
    return [...this.step.marks.map((point) => [point]), ...shown].filter((path) => path.length > 0).map((path) => ({ path, weight: 0.8 }));
  });

  /** The way of one right answer. */
  private get answer(): string[] {
    return this.step.tasks[0]?.played[0]?.path ?? this.step.touch.slice(0, 1);
  }

  constructor(readonly introduction: IntroductionInfo) {
    this.go(0);
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

  /** Do what is asked for in the reader's place. */
  show(): void {
    const task = this.step.tasks[0];
    if (task) this.play(task.text);
    else this.wrong = PATIENCE;
  }

  private play(text: string): void {
    let stones = this.step.stones;
    for (const played of this.step.tasks.find((one) => one.text === text)?.played ?? []) {
      this.stage.play(stones, played);
      stones = changed(stones, played.changes);
    }
    this.done = true;
  }
}
