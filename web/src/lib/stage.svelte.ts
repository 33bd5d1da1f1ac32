// The stones on a board, animated. A stage is given a position (`set`) or a move (`play`); moves are queued and
// animated one after the other along their paths. A board draws `pieces` and nothing else.
import { tick } from "svelte";
import type { Change, Stone } from "../protocol";
import type { Place } from "./geometry";
import { stonesAfterChanges } from "./history";
import { atLeisure } from "./leisure";
import { animated } from "./preferences.svelte";
import { duration, LEG, REST, timeline, type Travel } from "./timeline";

interface Piece {
  id: number;
  point: string;
  glyph: string;
}

interface Move {
  path: string[];
  changes: Change[];
}

interface QueuedMove extends Move {
  /** The stones before the move. */
  before: Stone[];
  /** The piece was dragged there by hand: only what follows is still to be animated. */
  dragged: boolean;
}

/** Stones that are put on a board at once when nobody waits for them. */
const FEW = 6;
/** With as many moves waiting as this, a move is made without animation. */
const MAX_QUEUED = 4;

export class Stage {
  pieces: Piece[] = $state([]);
  /** The path of the last move. */
  trail: string[] = $state([]);
  playing = $state(false);

  /** Where the points are; the board that draws the stage sets it. */
  points: ReadonlyMap<string, Place> = new Map();
  /** The element of each piece: the outer group is moved, the inner one turned and faded. */
  readonly nodes = new Map<number, SVGGElement>();

  private next = 1;
  private queue: QueuedMove[] = [];
  private running: Animation[] = [];
  /** Changes when what is being animated is to be abandoned. */
  private epoch = 0;
  /** The stones that are being put on the board a few at a time. */
  private filling: Stone[] | null = null;
  /** A piece that was just dropped by hand. */
  private held: { from: string; to: string; id: number } | null = null;

  /** Put these stones on the board, without animation. */
  set(stones: Stone[], trail: string[] = []): void {
    this.epoch += 1;
    this.queue = [];
    this.filling = null;
    this.playing = false;
    this.cancelAnimations();
    this.held = null;
    this.arrange(stones);
    this.trail = trail;
  }

  /** Put these stones on the board a few at a time, for a picture that nobody waits for. */
  fill(stones: Stone[], trail: string[] = []): void {
    this.set([], trail);
    this.filling = stones;
    for (let end = FEW; end < stones.length + FEW; end += FEW) {
      atLeisure(() => {
        if (this.filling === stones) this.arrange(stones.slice(0, end));
      });
    }
  }

  /** Animate a move, after those that are waiting. */
  play(before: Stone[], move: Move): void {
    this.filling = null;
    const dragged = this.held !== null && this.held.from === move.path[0] && this.held.to === move.path.at(-1);
    this.queue.push({ before, path: move.path, changes: move.changes, dragged });
    if (!this.playing) void this.run();
  }

  /** What is being animated is over now: the reader goes on. */
  hurry(): void {
    for (const animation of this.running) animation.finish();
  }

  /** A piece was dropped on a point: it stays there until the server answers. */
  hold(from: string, to: string): void {
    const piece = this.pieces.find((one) => one.point === from);
    if (!piece) return;
    this.held = { from, to, id: piece.id };
    piece.point = to;
  }

  private async run(): Promise<void> {
    const epoch = this.epoch;
    this.playing = true;
    while (epoch === this.epoch) {
      const move = this.queue.shift();
      if (!move) break;
      if (animated() && !document.hidden && this.queue.length < MAX_QUEUED) await this.animate(move, epoch);
      if (epoch !== this.epoch) return;
      this.held = null;
      this.cancelAnimations();
      this.arrange(stonesAfterChanges(move.before, move.changes));
      this.trail = move.path;
    }
    if (epoch === this.epoch) this.playing = false;
  }

  private cancelAnimations(): void {
    for (const animation of this.running) animation.cancel();
    this.running = [];
  }

  private async animate(move: QueuedMove, epoch: number): Promise<void> {
    const { travels, effects } = timeline(move.path, move.changes, this.points);
    const early = move.dragged ? Math.max(0, ...travels.map(duration)) : 0;

    // 1. What will be placed is there from the beginning, invisible; what travels comes to lie on top.
    if (!move.dragged) this.arrange(move.before);
    const held = this.held?.id;
    const travelling = new Map<Travel, Piece>();
    for (const travel of move.dragged ? [] : travels) {
      const piece = this.pieces.find((one) => one.point === travel.from);
      if (piece) travelling.set(travel, piece);
    }
    const onTop = new Set([...travelling.values()].map((piece) => piece.id));
    this.pieces = [...this.pieces.filter((one) => !onTop.has(one.id)), ...this.pieces.filter((one) => onTop.has(one.id))];
    const scheduled = effects.map((effect) => {
      const start = Math.max(0, effect.start - early);
      if (effect.kind === "placed") {
        const piece = { id: this.next++, point: effect.point, glyph: effect.glyph };
        this.pieces.push(piece);
        return { effect, start, id: piece.id };
      }
      // A piece that travels is turned where it arrives; one that is captured there was there before.
      const travel = effect.kind === "captured" ? undefined : travels.find((one) => one.to === effect.point);
      const arrived = travel && (travelling.get(travel) ?? this.pieces.find((one) => one.id === held));
      const piece = arrived ?? this.pieces.find((one) => one.point === effect.point && one.id !== held);
      return { effect, start, id: piece?.id ?? 0 };
    });
    this.trail = [];
    await tick();
    if (epoch !== this.epoch) return;

    // 2. All animations, each with its delay.
    const running: Promise<unknown>[] = [];
    const animate = (node: Element | null | undefined, frames: Keyframe[], timing: KeyframeAnimationOptions): Promise<unknown> => {
      if (!node) return Promise.resolve();
      const animation = node.animate(frames, timing);
      this.running.push(animation);
      return animation.finished.catch(() => undefined);
    };
    for (const [travel, piece] of travelling) {
      running.push(animate(this.nodes.get(piece.id), this.frames(travel), { duration: duration(travel), fill: "forwards" }));
    }
    for (const { effect, start, id } of scheduled) {
      const inner = this.nodes.get(id)?.firstElementChild;
      const timing = { delay: start, duration: effect.length, fill: "both" } as const;
      switch (effect.kind) {
        case "placed":
          running.push(animate(inner, [{ opacity: 0, transform: "scale(1.35)" }, { opacity: 1, transform: "scale(1)" }], { ...timing, easing: "cubic-bezier(.2,.8,.3,1)" }));
          break;
        case "captured":
          running.push(animate(inner, [{ opacity: 1, transform: "scale(1)" }, { opacity: 0, transform: "scale(0.72)" }], { ...timing, easing: "ease-in" }));
          break;
        case "turned":
        case "marked":
          running.push(
            animate(inner, [{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], { ...timing, duration: effect.length / 2, easing: "ease-in" }).then(async () => {
              if (epoch !== this.epoch) return;
              const piece = this.pieces.find((one) => one.id === id);
              if (piece) piece.glyph = effect.glyph;
              await animate(inner, [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: effect.length / 2, fill: "both", easing: "ease-out" });
            }),
          );
          break;
      }
    }
    await Promise.all(running);
  }

  /** A rest on every landing; between them the piece is a little larger. */
  private frames(travel: Travel): Keyframe[] {
    const whole = duration(travel);
    const frames: Keyframe[] = [];
    const add = (time: number, [x, y]: Place, scale: number, easing: string): void => {
      frames.push({ offset: Math.min(1, time / whole), transform: `translate(${x}px, ${y}px) scale(${scale})`, easing });
    };
    travel.path.slice(0, -1).forEach((name, leg) => {
      const from = this.points.get(name) ?? [0, 0];
      const to = this.points.get(travel.path[leg + 1]!) ?? from;
      const time = leg * (LEG + REST);
      add(time, from, 1, "ease-in");
      add(time + LEG / 2, [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], 1.1, "ease-out");
      add(time + LEG, to, 1, "linear");
      if (leg === travel.path.length - 2) add(whole, to, 1, "linear");
    });
    return frames;
  }

  /** Make the pieces stand as these stones do; a stone that stays where it is stays the same piece. */
  private arrange(stones: Stone[]): void {
    const standing = new Map(this.pieces.map((piece) => [piece.point, piece]));
    this.pieces = stones.map(({ point, glyph }) => {
      const piece = standing.get(point);
      return piece && piece.glyph === glyph ? piece : { id: this.next++, point, glyph };
    });
  }
}
