// A room as this page knows it: the state that the server tells, the course of the game, and what is on the board.
import type { BoardInfo, FromServer, LastMove, LegalMove, RoomState, Words, Turn } from "../protocol";
import * as api from "./api";
import type { Arrow } from "./arrows";
import { Connection, type Link, type Reply, type Request } from "./connection";
import { passwordOf } from "./plans";
import { preferences } from "./preferences.svelte";
import { knock } from "./sound";
import { Stage } from "./stage.svelte";
import { apply, played, stonesAfter, type Course } from "./state";
import { named, say, words } from "./words";

export class Room {
  state: RoomState | null = $state(null);
  /** Who we are in it; null for somebody who only watches. */
  me: string | null = $state(null);
  link: Link = $state("connecting");
  /** Why the server would not have us. */
  refusal: string | null = $state(null);
  turn: Turn | null = $state.raw(null);
  board: BoardInfo | null = $state.raw(null);
  course: Course | null = $state.raw(null);
  /** After how many moves the game is shown; null for as it stands now. */
  looking: number | null = $state(null);
  /** Ways that are pointed out: a hint, or what an analysis found. */
  arrows: Arrow[] = $state.raw([]);
  /** A word to the reader that goes away again. */
  notice: string = $state("");
  /** What a screen reader is told. */
  spoken: string = $state("");

  readonly stage = new Stage();
  /** A move is on its way to the server. */
  private sending = $state(false);

  readonly seat = $derived.by(() => {
    const number = this.me === null ? -1 : (this.state?.seats.findIndex((seat) => seat.person === this.me) ?? -1);
    return number < 0 ? null : number;
  });
  readonly person = $derived(this.state?.persons.find((one) => one.person === this.me) ?? null);
  readonly hosting = $derived(this.me !== null && this.state?.host === this.me);
  readonly game = $derived(this.state?.game ?? null);
  readonly mine = $derived(this.turn !== null && this.state?.phase === "playing" && this.turn.seat === this.seat && this.looking === null);
  readonly moves: LegalMove[] = $derived(this.mine && this.turn && !this.sending ? this.turn.moves : []);
  readonly known = $derived(this.course ? this.course.skipped + this.course.moves.length : 0);

  private readonly connection: Connection;
  private ahead = 0;
  private boardKey = "";
  private quietly = 0;

  constructor(readonly id: string) {
    this.connection = new Connection(id, {
      token: () => api.tokenIn(id),
      password: () => passwordOf(id),
      seen: () => this.state?.seq ?? null,
      heard: (message) => this.hear(message),
      link: (link, code) => {
        if (link === "open" && this.link === "lost") this.say(words("restored"));
        // While it comes back by itself, a break that nobody notices is not spoken of.
        if (!(link === "connecting" && this.link === "lost")) this.link = link;
        if (code !== undefined) this.refusal = code;
      },
    });
  }

  leavePage(): void {
    this.connection.close();
    this.stage.set([]);
  }

  /** The time on the room's clock. */
  now(): number {
    return performance.now() + this.ahead;
  }

  // ------------------------------------------------------------------ asking

  async ask(request: Request): Promise<Reply> {
    const reply = await this.connection.ask(request);
    if (reply.type === "nack") this.say(say(reply.words) + (reply.detail && preferences.language === "en" ? `: ${reply.detail}` : ""));
    return reply;
  }

  /** Come in under the name we go by; watching needs no entering. */
  async enter(): Promise<boolean> {
    if (this.person) return true;
    try {
      const mine = await api.enter(preferences.name.trim() || words("you"));
      api.remember(this.id, mine.token);
      if (this.me !== mine.person) await this.reconnect();
    } catch (error) {
      this.say(error instanceof api.Refused ? say(error.words) : String(error));
      return false;
    }
    if (this.person) return true;
    const reply = await this.ask({ type: "join" });
    return reply.type === "ack" || (reply.type === "nack" && reply.code === "joined");
  }

  async sit(seat: number): Promise<boolean> {
    // Who has logged in since sits down as the owner of the account.
    const mine = api.session();
    if (this.person && this.seat === null && mine?.account && mine.person !== this.me) await this.ask({ type: "leave" });
    if (!this.person && !(await this.enter())) return false;
    if (this.seat !== null && this.seat !== seat) await this.ask({ type: "stand" });
    if ((await this.ask({ type: "sit", seat })).type !== "ack") return false;
    return (await this.ask({ type: "ready", ready: true })).type === "ack";
  }

  async choose(move: LegalMove): Promise<void> {
    this.sending = true;
    const reply = await this.ask({ type: "move", move: move.text });
    this.sending = false;
    if (reply.type === "nack" && this.game) this.stage.set(this.game.stones, this.stage.trail);
  }

  /** Ask the computer what it would play here. */
  async hint(): Promise<void> {
    const reply = await this.ask({ type: "hint" });
    if (reply.type !== "hint" || !this.mine) return;
    this.arrows = reply.path.length ? [{ path: reply.path, weight: 1 }] : [];
    this.say(`${words("hint")}: ${named(reply.text)}`);
  }

  /** Show the last move of a seat again, and then how the game stands. */
  async replay(seat: number): Promise<void> {
    const reply = await this.ask({ type: "check", seat });
    if (reply.type === "display" && reply.move) this.showAgain(reply.move);
  }

  private showAgain(move: LastMove): void {
    const game = this.game;
    if (!game) return;
    this.looking = null;
    this.stage.set(move.stones);
    this.stage.play(move.stones, move);
    this.replaying = true;
    const wait = setInterval(() => {
      if (this.stage.playing) return;
      clearInterval(wait);
      setTimeout(() => {
        this.replaying = false;
        if (this.looking === null && this.game && !this.stage.playing) this.toLive();
      }, 700);
    }, 60);
  }

  replaying = $state(false);

  // ------------------------------------------------------------------ looking back

  /** Show the game after so many moves; beyond the last one it is live again. */
  look(count: number | null): void {
    this.arrows = [];
    const course = this.course;
    if (!course || count === null || count >= this.known) {
      const forward = this.looking !== null && count !== null && this.looking === this.known - 1;
      this.looking = null;
      if (forward && course) this.stage.play(stonesAfter(course, this.known - 1), course.moves.at(-1)!);
      else this.toLive();
      return;
    }
    const target = Math.max(course.skipped, count);
    const from = this.looking ?? this.known;
    this.looking = target;
    const move = course.moves[target - course.skipped - 1];
    if (target === from + 1 && move) this.stage.play(stonesAfter(course, from), move);
    else this.stage.set(stonesAfter(course, target), move?.path ?? []);
  }

  private toLive(): void {
    const game = this.game;
    if (game) this.stage.set(game.stones, this.course?.moves.at(-1)?.path ?? []);
  }

  // ------------------------------------------------------------------ hearing

  private hear(message: FromServer): void {
    switch (message.type) {
      case "welcome":
        this.me = message.person;
        this.ahead = message.now - performance.now();
        break;
      case "room":
        this.state = message.state;
        this.turn = null;
        this.looking = null;
        this.begin();
        break;
      case "event":
        if (this.state && message.seq > this.state.seq) this.happen(message.seq, message.at, message.body);
        break;
      case "turn":
        this.turn = message;
        break;
      case "goodbye":
        if (message.code === "token") api.forgetIn(this.id); // a server that does not know us: come back as nobody
        if (message.code === "stopping" || message.code === "flood") this.say(say(message.words));
        break;
    }
  }

  private happen(seq: number, at: number, body: Extract<FromServer, { type: "event" }>["body"]): void {
    const state = this.state!;
    const before = state.game?.stones ?? [];
    apply(state, seq, at, body);
    const name = (seat: number | null): string => (seat === null ? "" : playerName(state.game?.names[seat] ?? ""));
    switch (body.kind) {
      case "created":
        this.begin();
        break;
      case "started":
        this.course = { skipped: 0, first: body.stones, moves: [] };
        this.looking = null;
        this.turn = null;
        this.stage.set(body.stones);
        void this.loadBoard();
        break;
      case "moved":
        this.turn = null;
        this.arrows = [];
        if (this.course) this.course = { ...this.course, moves: [...this.course.moves, played(body)] };
        if (this.looking === null) {
          if (this.replaying) {
            this.replaying = false;
            this.stage.set(before);
          }
          this.stage.play(before, body);
        }
        this.spoken = words("movedAnnouncement", { name: name(body.seat), move: body.text });
        if (preferences.sound) knock(body.changes.some((change) => change.kind === "captured"));
        if (body.fallback) this.say(words("fallback"));
        break;
      case "taken_back":
        this.turn = null;
        this.arrows = [];
        if (this.course) this.course = { ...this.course, moves: this.course.moves.slice(0, -body.moves) };
        this.looking = null;
        this.toLive();
        break;
      case "resigned":
        if (body.text && this.course) this.course = { ...this.course, moves: [...this.course.moves, { seat: body.seat, text: body.text, path: [], changes: [] }] };
        break;
      case "handed":
        if (body.level !== null && body.seat === this.seat) this.turn = null;
        break;
      case "ended":
        this.turn = null;
        this.spoken = `${words("gameOver")}: ${say(body.words)}`;
        if (body.truth) void this.recall();
        break;
    }
  }

  /** Everything is new: what stands on the board, and the moves that led there. */
  private begin(): void {
    void this.loadBoard();
    const game = this.game;
    if (!game) {
      this.course = null;
      return;
    }
    if (game.plies.length === 0) this.course = { skipped: 0, first: game.stones, moves: [] };
    else {
      this.course = { skipped: game.plies.length, first: game.stones, moves: [] };
      void this.recall();
    }
    this.stage.set(game.stones);
  }

  /** Ask for the moves that we have not seen. */
  private async recall(): Promise<void> {
    const reply = await this.connection.ask({ type: "history" });
    const game = this.game;
    if (reply.type !== "history" || !game || reply.number !== game.number) return;
    if (reply.plies.length !== game.plies.length) return; // it has gone on since; what we saw will do
    this.course = { skipped: 0, first: reply.stones, moves: reply.plies };
    if (this.looking === null && !this.stage.playing) this.toLive();
  }

  private async loadBoard(): Promise<void> {
    const settings = this.state?.settings;
    if (!settings) return;
    const key = JSON.stringify([settings.game, settings.options]);
    if (key === this.boardKey) return;
    this.boardKey = key;
    try {
      const board = await api.board(settings.game, settings.options);
      this.board = board;
      if (!this.game) this.stage.set(board.stones);
    } catch (error) {
      this.boardKey = "";
      if (error instanceof api.Refused) this.say(say(error.words));
    }
  }

  private async reconnect(): Promise<void> {
    // Hello says who we are, so a new name needs a new hello, and the whole state as the new one may see it.
    this.state = null;
    this.connection.again();
    await new Promise<void>((resolve) => {
      const wait = setInterval(() => {
        if (this.state === null) return;
        clearInterval(wait);
        resolve();
      }, 30);
    });
  }

  say(text: string): void {
    this.notice = text;
    this.spoken = text;
    clearTimeout(this.quietly);
    this.quietly = window.setTimeout(() => (this.notice = ""), 5000);
  }
}

/** A player's name; the server calls its AI by what plays it. */
export function playerName(name: string): string {
  const level = /^level:(\d+)$/.exec(name);
  return level ? `${words("computer")} (${words("levelN", { level: level[1]! })})` : name;
}

export function seatName(board: BoardInfo | null, seat: number): Words {
  return board?.seats[seat]?.name ?? { en: `Seat ${seat + 1}`, zh: `座位${seat + 1}` };
}
