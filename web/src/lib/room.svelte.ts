// A room as this page knows it: its state, kept up to date by the server's events, and the requests that can be made.
import type { BoardInfo, FromServer, LegalMove, RoomState, Token, Turn } from "../protocol";
import { refreshAccount } from "./account.svelte";
import * as api from "./api";
import type { Arrow } from "./arrows";
import { Connection, type Link, type Reply, type Request } from "./connection";
import { played, tokensAt } from "./history";
import { errorText, localized, moveText, refusalText, translate } from "./i18n";
import { playerName } from "./names";
import { passwordOf } from "./plans";
import { Playback } from "./playback.svelte";
import { preferences } from "./preferences.svelte";
import { enter, forgetIn, rememberIn, session, tokenIn } from "./session";
import { knock } from "./sound";
import { apply } from "./state";
import { RoomTime } from "./time";

const NOTICE_MS = 5000;
/** A shorter stall of the server is hardly noticed. */
const NOTICED_STALL_MS = 1000;

export class Room {
  state: RoomState | null = $state(null);
  /** Who we are in it; null for a spectator who has not joined. */
  me: string | null = $state(null);
  link: Link = $state("connecting");
  /** The code with which the server refused us. */
  refusal: string | null = $state(null);
  turn: Turn | null = $state.raw(null);
  board: BoardInfo | null = $state.raw(null);
  /** What is pointed out on the board: a hint, or the lines of an analysis. */
  arrows: Arrow[] = $state.raw([]);
  /** A message to the reader, for a few seconds. */
  notice: string = $state("");
  /** What a screen reader announces. */
  announcement: string = $state("");

  readonly playback = new Playback(() => this.game?.stones ?? null);
  /** A move is on its way to the server. */
  private sending = $state(false);

  readonly seat = $derived.by(() => {
    const number = this.me === null ? -1 : (this.state?.seats.findIndex((seat) => seat.person === this.me) ?? -1);
    return number < 0 ? null : number;
  });
  readonly person = $derived(this.state?.persons.find((one) => one.person === this.me) ?? null);
  readonly isHost = $derived(this.me !== null && this.state?.host === this.me);
  readonly game = $derived(this.state?.game ?? null);
  readonly myTurn = $derived(this.turn !== null && this.state?.phase === "playing" && this.turn.seat === this.seat && this.playback.viewedPly === null);
  /** What lies beside the board in the position that is shown. */
  readonly tokens: Token[] = $derived.by(() => {
    const { history, viewedPly } = this.playback;
    return history && viewedPly !== null ? tokensAt(history, viewedPly) : (this.game?.standing.tokens ?? []);
  });
  readonly moves: LegalMove[] = $derived(this.myTurn && this.turn && !this.sending ? this.turn.moves : []);

  private readonly connection: Connection;
  private readonly time = new RoomTime();
  /** Events up to this one happened before we came. */
  private lastMissed = 0;
  /** The game and options that `board` was loaded for. */
  private boardKey = "";
  private noticeTimer = 0;

  constructor(readonly id: string) {
    this.connection = new Connection(id, {
      token: () => tokenIn(id),
      password: () => passwordOf(id),
      seen: () => this.state?.seq ?? null,
      received: (message) => this.receive(message),
      link: (link, code) => {
        if (link === "open" && this.link === "lost") this.notify(translate("reconnected"));
        // A first attempt to connect is shown as such, later ones as a lost connection.
        if (!(link === "connecting" && this.link === "lost")) this.link = link;
        if (code !== undefined) this.refusal = code;
      },
    });
  }

  leavePage(): void {
    this.connection.close();
    this.playback.stage.set([]);
  }

  /** The time on the room's clock. */
  now(): number {
    return this.time.now();
  }

  // ------------------------------------------------------------------ requests

  async ask(request: Request): Promise<Reply> {
    const reply = await this.connection.ask(request);
    if (reply.type === "nack") this.notify(refusalText(reply));
    return reply;
  }

  /** Join under our name; spectators need not. */
  async join(): Promise<boolean> {
    if (this.person) return true;
    try {
      const mine = await enter(preferences.name.trim() || translate("you"));
      rememberIn(this.id, mine.token);
      if (this.me !== mine.person) await this.reconnect();
    } catch (error) {
      this.notify(errorText(error));
      return false;
    }
    if (this.person) return true;
    const reply = await this.ask({ type: "join" });
    return reply.type === "ack" || (reply.type === "nack" && reply.code === "joined");
  }

  async sit(seat: number): Promise<boolean> {
    // After a log-in we sit down as the owner of the account.
    const mine = session();
    if (this.person && this.seat === null && mine?.account && mine.person !== this.me) await this.ask({ type: "leave" });
    if (!this.person && !(await this.join())) return false;
    if (this.seat !== null && this.seat !== seat) await this.ask({ type: "stand" });
    if ((await this.ask({ type: "sit", seat })).type !== "ack") return false;
    return (await this.ask({ type: "ready", ready: true })).type === "ack";
  }

  async choose(move: LegalMove): Promise<void> {
    this.sending = true;
    const reply = await this.ask({ type: "move", move: move.text });
    this.sending = false;
    if (reply.type === "nack") this.playback.putBack();
  }

  /** Ask the computer for a move. */
  async hint(): Promise<void> {
    const reply = await this.ask({ type: "hint" });
    if (reply.type !== "hint" || !this.myTurn) return;
    this.arrows = reply.path.length ? [{ path: reply.path, weight: 1 }] : [];
    this.notify(`${translate("hint")}: ${moveText(reply.text)}`);
  }

  /** Show the last move of a seat again. */
  async replay(seat: number): Promise<void> {
    const reply = await this.ask({ type: "check", seat });
    if (reply.type === "display" && reply.move) this.playback.replay(reply.move);
  }

  /** Show the position after a ply of the game; null for the live one. */
  goTo(ply: number | null): void {
    this.arrows = [];
    this.playback.goTo(ply);
  }

  // ------------------------------------------------------------------ messages

  private receive(message: FromServer): void {
    switch (message.type) {
      case "welcome":
        this.me = message.person;
        this.time.set(message.now);
        this.lastMissed = message.seq;
        break;
      case "ping":
        if (message.now != null) this.time.set(message.now);
        break;
      case "room":
        this.state = message.state;
        this.turn = null;
        this.reset();
        break;
      case "event":
        if (this.state && message.seq > this.state.seq) this.applyEvent(message.seq, message.at, message.body);
        break;
      case "turn":
        this.turn = message;
        break;
      case "goodbye":
        if (message.code === "token") {
          forgetIn(this.id); // the server does not know us any more: reconnect as a spectator
          refreshAccount();
        }
        if (message.code === "stopping" || message.code === "flood") this.notify(localized(message.words));
        break;
    }
  }

  private applyEvent(seq: number, at: number, body: Extract<FromServer, { type: "event" }>["body"]): void {
    const state = this.state!;
    const before = state.game?.stones ?? [];
    apply(state, seq, at, body);
    if (state.game?.began === at && seq > this.lastMissed) this.time.set(at); // a turn begins when it is told
    const name = (seat: number | null): string => (seat === null ? "" : playerName(state.game?.names[seat] ?? ""));
    switch (body.kind) {
      case "created":
        this.reset();
        break;
      case "started":
        this.turn = null;
        this.playback.begin(body.stones, body.standing.tokens ?? []);
        void this.loadBoard();
        break;
      case "moved":
        this.turn = null;
        this.arrows = [];
        this.playback.play(before, played(body));
        this.announcement = [
          ...(body.seat === null ? [] : [translate("movedAnnouncement", { name: name(body.seat), move: body.text })]),
          ...body.drawn.map(localized),
        ].join(translate("andThen"));
        if (preferences.sound) knock(body.changes.some((change) => change.kind === "captured"));
        if (body.fallback) this.notify(translate("fallback"));
        break;
      case "taken_back":
        this.turn = null;
        this.arrows = [];
        this.playback.takeBack(body.moves);
        break;
      case "resigned":
        if (body.text) this.playback.add({ seat: body.seat, text: body.text, path: [], changes: [] });
        break;
      case "handed":
        if (body.level !== null && body.seat === this.seat) this.turn = null;
        break;
      case "stalled":
        if (body.ms >= NOTICED_STALL_MS) this.notify(translate("stalled", { seconds: Math.round(body.ms / 1000) }));
        break;
      case "ended":
        this.turn = null;
        this.announcement = `${translate("gameOver")}: ${localized(body.words)}`;
        if (body.truth) void this.loadHistory();
        break;
    }
  }

  /** The whole state is new. */
  private reset(): void {
    void this.loadBoard();
    const game = this.game;
    if (!game) {
      this.playback.clear();
      return;
    }
    this.playback.begin(game.stones, game.standing.tokens ?? [], game.plies.length);
    if (game.plies.length) void this.loadHistory();
  }

  /** Ask for the moves that we have not seen. */
  private async loadHistory(): Promise<void> {
    const reply = await this.connection.ask({ type: "history" });
    const game = this.game;
    if (reply.type !== "history" || !game || reply.number !== game.number) return;
    if (reply.plies.length !== game.plies.length) return; // the game has gone on since; what we saw will do
    this.playback.complete(reply.stones, reply.tokens ?? [], reply.plies);
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
      if (!this.game) this.playback.stage.set(board.stones);
    } catch (error) {
      this.boardKey = "";
      this.notify(errorText(error));
    }
  }

  private async reconnect(): Promise<void> {
    // The hello says who we are. A new person needs a new one, and the whole state as that person may see it.
    this.state = null;
    this.connection.reconnect();
    await new Promise<void>((resolve) => {
      const wait = setInterval(() => {
        if (this.state === null) return;
        clearInterval(wait);
        resolve();
      }, 30);
    });
  }

  private notify(text: string): void {
    this.notice = text;
    this.announcement = text;
    clearTimeout(this.noticeTimer);
    this.noticeTimer = window.setTimeout(() => (this.notice = ""), NOTICE_MS);
  }
}
