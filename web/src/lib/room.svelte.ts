// A room as this page knows it: its state, kept up to date by the server's events, and the requests that can be made.
import type { BoardInfo, FromServer, LadderInfo, LegalMove, RoomState, Token, Turn } from "../protocol";
import { refreshAccount } from "./account.svelte";
import * as api from "./api";
import { lineArrows, type Arrow, type Drawing } from "./arrows";
import { Connection, type Link, type Reply, type Request } from "./connection";
import { played, tokensAt } from "./history";
import { errorText, localized, moveText, refusalText, translate } from "./i18n";
import { ladderOf } from "./ladder";
import { playerName } from "./names";
import { chosenNotation, NotatedMoves } from "./notation.svelte";
import { passwordOf } from "./plans";
import { Playback } from "./playback.svelte";
import { preferences } from "./preferences.svelte";
import { enter, forgetIn, rememberIn, session, tokenIn } from "./session";
import { buzz, play } from "./sound";
import { apply } from "./state";
import { resultText, winners } from "./status";
import { RoomTime } from "./time";

const NOTICE_MS = 5000;
const HINT_MS = 10_000;
/** Moves of a hint that are written. */
const HINT_MOVES = 4;
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
  /** It was asked for, and did not come. */
  boardMissing = $state(false);
  /** The levels of the computer in this game. */
  ladder: LadderInfo | null = $state.raw(null);
  /** What is pointed out on the board: a hint, or the lines of an analysis. */
  arrows: Arrow[] = $state.raw([]);
  /** What the reader drew on the present position. */
  drawings: Drawing[] = $state.raw([]);
  /** A move that was chosen while others think, by its points; it is played if it is legal then. */
  premove: string[] = $state.raw([]);
  /** Our rating before and after a rated game; none while it is not known. */
  rating: { before: number | null; after: number | null } = $state({ before: null, after: null });
  /** A message to the reader, for a few seconds. */
  notice: string = $state("");
  /** What a screen reader announces. */
  announcement: string = $state("");

  readonly playback = new Playback(() => this.game?.stones ?? null);
  /** The moves in the reader's notation. */
  readonly notated = new NotatedMoves();
  /** The event of the last move that was announced. */
  private announced = 0;
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

  /** Others think, and we may choose ahead. */
  readonly canPremove = $derived.by(() => {
    const { seat, game } = this;
    if (seat === null || !game || this.state?.phase !== "playing" || this.turn !== null || this.sending || this.playback.viewedPly !== null) return false;
    return this.state.seats[seat]?.level === null && !game.left.includes(seat) && game.standing.turn !== seat;
  });
  /** A move of ours may be a single point: so it was in our last turn. */
  private singles = $state(true);
  readonly ahead = $derived(this.canPremove ? { seat: this.seat!, single: this.singles, path: this.premove } : null);

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
    this.premove = [];
    this.playback.stage.hurry(); // nobody waits for an animation
    const reply = await this.ask({ type: "move", move: move.text });
    this.sending = false;
    if (reply.type === "nack") this.playback.putBack();
  }

  chooseAhead(path: string[]): void {
    if (path.length) play("premove");
    if (path.length) buzz(8);
    this.premove = path;
  }

  /** It is our turn: play what was chosen ahead, if it is legal. */
  private playAhead(turn: Turn): void {
    const wanted = this.premove;
    this.premove = [];
    if (!wanted.length || this.playback.viewedPly !== null) return;
    const found = turn.moves.find(({ path }) => path[0] === wanted[0] && path.at(-1) === wanted.at(-1) && (path.length === 1) === (wanted.length === 1));
    if (found) void this.choose(found);
    else this.announcement = translate("premoveIllegal");
  }

  /** Ask the computer for the strongest move: it is drawn with what is expected to follow, and said why. */
  async hint(): Promise<void> {
    const reply = await this.ask({ type: "hint", notation: this.board ? chosenNotation(this.board) : "" });
    if (reply.type !== "hint" || !this.myTurn) return;
    this.arrows = lineArrows(reply.paths, "hint");
    const [move = reply.text, ...after] = (reply.written.length ? reply.written : reply.moves).slice(0, HINT_MOVES).map(moveText);
    const why = reply.why ? ` — ${localized(reply.why)}` : "";
    this.notify(`${translate("hint")}: ${move}${why}${after.length ? ` (${after.join(" ")})` : ""}`, HINT_MS);
  }

  /** Show the last move of a seat again. */
  async replay(seat: number): Promise<void> {
    const reply = await this.ask({ type: "check", seat });
    if (reply.type === "display" && reply.move) this.playback.replay(reply.move);
  }

  /** Show the position after a ply of the game; null for the live one. */
  goTo(ply: number | null): void {
    this.arrows = [];
    this.drawings = [];
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
        this.singles = message.moves.some((move) => move.path.length === 1);
        if (message.seat === this.seat) this.playAhead(message);
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
    const offered = this.seat !== null && (state.game?.draw.includes(this.seat) ?? false);
    apply(state, seq, at, body);
    if (state.game?.began === at && seq > this.lastMissed) this.time.set(at); // a turn begins when it is told
    const name = (seat: number | null): string => (seat === null ? "" : playerName(state.game?.names[seat] ?? ""));
    switch (body.kind) {
      case "created":
        this.reset();
        break;
      case "started":
        this.turn = null;
        this.premove = [];
        this.drawings = [];
        this.playback.begin(body.stones, body.standing.tokens ?? []);
        void this.loadBoard();
        void this.noteRating();
        break;
      case "moved":
        this.turn = null;
        this.arrows = [];
        this.drawings = [];
        this.playback.play(before, played(body));
        this.notateMoves();
        void this.notated.written((state.game?.plies.length ?? 1) - 1, body.text).then((move) => {
          if (seq < this.announced) return; // a later move was said already
          this.announced = seq;
          this.announcement = [
            ...(body.seat === null ? [] : [translate("movedAnnouncement", { name: name(body.seat), move: moveText(move) })]),
            ...body.drawn.map(localized),
            ...(body.checked == null ? [] : [translate("check")]),
          ].join(translate("andThen"));
        });
        this.sound(body.standing.checked ? "check" : body.changes.some((change) => change.kind === "captured") ? "capture" : "move", seq);
        if (body.seat !== this.seat && body.standing.turn === this.seat) buzz(20);
        // Who moves on has answered an offer, too.
        if (offered && body.seat !== null && body.seat !== this.seat && this.seat !== null && !state.game?.draw.includes(this.seat)) this.notify(translate("drawDeclined", { name: name(body.seat) }));
        if (body.fallback) this.notify(translate("fallback"));
        break;
      case "taken_back":
        this.turn = null;
        this.arrows = [];
        this.premove = [];
        this.drawings = [];
        this.playback.takeBack(body.moves);
        break;
      case "resigned":
        if (body.text) this.playback.add({ seat: body.seat, text: body.text, path: [], changes: [], checked: this.playback.checked });
        break;
      case "draw_declined":
      case "takeback_declined":
        if (body.seat !== this.seat) {
          const key = body.kind === "takeback_declined" ? "takebackDeclined" : body.why === "early" ? "drawEarly" : body.why === "plays_on" ? "drawPlaysOn" : "drawDeclined";
          this.notify(translate(key, { name: body.kind === "draw_declined" && body.why ? translate("computer") : name(body.seat) }));
        }
        break;
      case "handed":
        if (body.level !== null && body.seat === this.seat) {
          this.turn = null;
          this.premove = [];
        }
        break;
      case "stalled":
        if (body.ms >= NOTICED_STALL_MS) this.notify(translate("stalled", { seconds: Math.round(body.ms / 1000) }));
        break;
      case "ended":
        this.turn = null;
        this.premove = [];
        this.notice = ""; // it would cover the result
        this.arrows = [];
        this.announcement = `${translate("gameOver")}: ${resultText(body.places, localized(body.words), this.seat, name)}`;
        if (this.seat !== null) {
          const best = winners(body.places);
          this.sound(best.length === 0 ? "drawn" : best.includes(this.seat) ? "won" : "lost", seq);
          buzz([30, 60, 30]);
        }
        if (body.rated) void this.noteRating(true);
        if (body.truth) void this.loadHistory();
        break;
    }
  }

  /** Have the moves written in the reader's notation; also to be called in an effect. */
  notateMoves(): void {
    const settings = this.state?.settings;
    const game = this.game;
    this.notated.follow(settings && game?.plies.length ? { game: settings.game, options: { ...settings.options }, start: game.start, moves: game.plies.map((one) => one.text) } : null);
  }

  /** A sound of what happens now, not of what was missed. */
  private sound(sound: Parameters<typeof play>[0], seq: number): void {
    if (seq > this.lastMissed) play(sound);
  }

  /** Look our rating up: when a rated game begins, and when it is over. */
  private async noteRating(over = false): Promise<void> {
    const { game, person } = this;
    const name = this.state?.settings?.game;
    if (!game || !name || !person?.account || !(game.rated || over)) return;
    try {
      let row = (await api.ratings(name)).find((one) => one.name === person.name) ?? null;
      if (!row && over) {
        // The table has the best only.
        const { profile } = await import("./played");
        row = (await profile(person.name)).games.find((one) => one.game === name)?.rating ?? null;
      }
      const own = row?.elo ?? null;
      this.rating = over ? { ...this.rating, after: own } : { before: own, after: null };
    } catch {
      // it is told in the lobby
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
    if (this.state?.phase === "playing") void this.noteRating();
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
      this.boardMissing = false;
      this.ladder = ladderOf(await api.game(settings.game), settings.players);
      if (!this.game) this.playback.stage.set(board.stones);
    } catch (error) {
      this.boardKey = "";
      this.boardMissing = true;
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

  private notify(text: string, milliseconds = NOTICE_MS): void {
    this.notice = text;
    this.announcement = text;
    clearTimeout(this.noticeTimer);
    this.noticeTimer = window.setTimeout(() => (this.notice = ""), milliseconds);
  }
}
