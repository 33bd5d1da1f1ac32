// The stones on a board in motion. A stage is told what stands where (`set`) and what moves are made (`play`); it
// plays them one after the other along their paths. Whoever draws it only draws `pieces`.
import { tick } from "svelte";
import type { Change, Stone } from "../protocol";
import type { Place } from "./geometry";
import { moving } from "./preferences.svelte";
import { changed, duration, LEG, REST, timeline, type Travel } from "./timeline";

export interface Piece {
  id: number;
  point: string;
  glyph: string;
}

export interface Shown {
  path: string[];
  changes: Change[];
}

interface Scene extends Shown {
  before: Stone[];
  /** It was dragged there by hand: only what follows is still to be seen. */
  dragged: boolean;
}

/** More moves than this waiting to be shown are not shown but done. */
const PATIENCE = 4;

export class Stage {
  pieces: Piece[] = $state([]);
  /** The path of the last move. */
  trail: string[] = $state([]);
  playing = $state(false);

  /** Where the points are; whoever draws the stage keeps it true. */
  points: ReadonlyMap<string, Place> = new Map();
  /** What draws each piece: the outer group is moved, the inner one turned and faded. */
  readonly nodes = new Map<number, SVGGElement>();

  private next = 1;
  private queue: Scene[] = [];
  private running: Animation[] = [];
  private epoch = 0;
  /** Where a move was just dropped by hand. */
  private held: { from: string; to: string; id: number } | null = null;

  /** Put these stones on the board, at once. */
  set(stones: Stone[], trail: string[] = []): void {
    this.epoch += 1;
    this.queue = [];
    this.playing = false;
    for (const animation of this.running) animation.cancel();
    this.running = [];
    this.held = null;
    this.arrange(stones);
    this.trail = trail;
  }

  /** A move that begins where `before` stands. */
  play(before: Stone[], move: Shown): void {
    const dragged = this.held !== null && this.held.from === move.path[0] && this.held.to === move.path.at(-1);
    this.queue.push({ before, path: move.path, changes: move.changes, dragged });
    if (!this.playing) void this.run();
  }

  /** A piece was dropped on a point: it stays there until the server says what became of it. */
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
      const scene = this.queue.shift();
      if (!scene) break;
      const after = changed(scene.before, scene.changes);
      const still = !moving() || document.hidden || this.queue.length >= PATIENCE;
      if (!still) await this.animate(scene, epoch);
      if (epoch !== this.epoch) return;
      this.held = null;
      for (const animation of this.running) animation.cancel();
      this.running = [];
      this.arrange(after);
      this.trail = scene.path;
    }
    if (epoch === this.epoch) this.playing = false;
  }

  private async animate(scene: Scene, epoch: number): Promise<void> {
    const { travels, acts } = timeline(scene.path, scene.changes, this.points);
    const moves = scene.dragged ? [] : travels;
    const early = scene.dragged ? Math.max(0, ...travels.map(duration)) : 0;

    // What will be placed is there from the beginning, unseen; what travels comes to lie on top.
    if (!scene.dragged) this.arrange(scene.before);
    const held = this.held?.id;
    const travelling = new Map<Travel, Piece>();
    for (const travel of moves) {
      const piece = this.pieces.find((one) => one.point === travel.from);
      if (piece) travelling.set(travel, piece);
    }
    const onTop = new Set([...travelling.values()].map((piece) => piece.id));
    this.pieces = [...this.pieces.filter((one) => !onTop.has(one.id)), ...this.pieces.filter((one) => onTop.has(one.id))];
    const acting = acts.map((act) => {
      const at = Math.max(0, act.at - early);
      if (act.kind === "placed") {
        const piece = { id: this.next++, point: act.point, glyph: act.glyph };
        this.pieces.push(piece);
        return { act, at, id: piece.id };
      }
      // A piece that travels is turned where it arrives; one that is captured there was there before.
      const travel = act.kind === "captured" ? undefined : travels.find((one) => one.to === act.point);
      const arrived = travel && (travelling.get(travel) ?? this.pieces.find((one) => one.id === held));
      const piece = arrived ?? this.pieces.find((one) => one.point === act.point && one.id !== held);
      return { act, at, id: piece?.id ?? 0 };
    });
    this.trail = [];
    await tick();
    if (epoch !== this.epoch) return;

    const waits: Promise<unknown>[] = [];
    const start = (node: Element | null | undefined, frames: Keyframe[], timing: KeyframeAnimationOptions): Promise<unknown> => {
      if (!node) return Promise.resolve();
      const animation = node.animate(frames, timing);
      this.running.push(animation);
      return animation.finished.catch(() => undefined);
    };
    for (const [travel, piece] of travelling) {
      waits.push(start(this.nodes.get(piece.id), this.frames(travel), { duration: duration(travel), fill: "forwards" }));
    }
    for (const { act, at, id } of acting) {
      const inner = this.nodes.get(id)?.firstElementChild;
      const timing = { delay: at, duration: act.length, fill: "both" } as const;
      switch (act.kind) {
        case "placed":
          waits.push(start(inner, [{ opacity: 0, transform: "scale(1.35)" }, { opacity: 1, transform: "scale(1)" }], { ...timing, easing: "cubic-bezier(.2,.8,.3,1)" }));
          break;
        case "captured":
          waits.push(start(inner, [{ opacity: 1, transform: "scale(1)" }, { opacity: 0, transform: "scale(0.72)" }], { ...timing, easing: "ease-in" }));
          break;
        case "turned":
        case "marked":
          waits.push(
            start(inner, [{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], { ...timing, duration: act.length / 2, easing: "ease-in" }).then(async () => {
              if (epoch !== this.epoch) return;
              const piece = this.pieces.find((one) => one.id === id);
              if (piece) piece.glyph = act.glyph;
              await start(inner, [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: act.length / 2, fill: "both", easing: "ease-out" });
            }),
          );
          break;
      }
    }
    await Promise.all(waits);
  }

  /** A rest on every landing, and between them a little nearer to the eye. */
  private frames(travel: Travel): Keyframe[] {
    const whole = duration(travel);
    const frames: Keyframe[] = [];
    const add = (time: number, [x, y]: Place, scale: number, easing: string): void => {
      frames.push({ offset: Math.min(1, time / whole), transform: `translate(${x}px, ${y}px) scale(${scale})`, easing });
    };
    travel.way.slice(0, -1).forEach((name, leg) => {
      const from = this.points.get(name) ?? [0, 0];
      const to = this.points.get(travel.way[leg + 1]!) ?? from;
      const time = leg * (LEG + REST);
      add(time, from, 1, "ease-in");
      add(time + LEG / 2, [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], 1.1, "ease-out");
      add(time + LEG, to, 1, "linear");
      if (leg === travel.way.length - 2) add(whole, to, 1, "linear");
    });
    return frames;
  }

  /** Make the pieces stand as these stones do; whoever stays where he is stays the same piece. */
  private arrange(stones: Stone[]): void {
    const standing = new Map(this.pieces.map((piece) => [piece.point, piece]));
    this.pieces = stones.map(({ point, glyph }) => {
      const piece = standing.get(point);
      return piece && piece.glyph === glyph ? piece : { id: this.next++, point, glyph };
    });
  }
}
