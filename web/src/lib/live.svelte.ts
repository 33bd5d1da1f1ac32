// Live analysis: a socket on which the server's engines tell ever more of the position that is looked at.
import { base } from "./base";
import type { AskAnalysis, FromAnalysis, LiveAnalysis, ToAnalysis, Words } from "../protocol";
import { refusalText } from "./i18n";
import { session } from "./session";

/** Bytes of moves in one message; a longer game is said in parts. */
const MOST_BYTES = 6000;
const RETRY_MS = 2000;
/** Positions that follow each other sooner than this are asked about only when the reader stays: stepping through a game asks for little. */
const DELAY_MS = 100;
/** Analyses that are remembered here. */
const MOST_REMEMBERED = 300;

export interface Question extends Required<Pick<AskAnalysis, "game" | "options" | "start">> {
  moves: string[];
  lines: number;
  /** What the opponent would do after a pass. */
  threat: boolean;
  notation: string;
}

export class Live {
  /** What is known of the position that is looked at. */
  found: LiveAnalysis | null = $state.raw(null);
  /** The moves that led to it. */
  before: string[] = $state.raw([]);
  /** Why it is not analysed. */
  problem = $state("");
  /** The budget is used up: in what words, and whether it may go on by now. */
  exhausted: { words: Words; ready: boolean } | null = $state(null);

  private socket: WebSocket | null = null;
  private question: Question | null = null;
  private id = 0;
  /** The question of which the server knows the moves. */
  private said: Question | null = null;
  /** When the question was last changed. */
  private changed = -DELAY_MS;
  private timer = 0;
  private readyTimer = 0;
  private readonly known = new Map<string, LiveAnalysis>();

  constructor() {
    this.connect();
    document.addEventListener("visibilitychange", this.onVisible);
  }

  /** Look at a position from now on; null for none. */
  watch(question: Question | null): void {
    if (question && JSON.stringify(question) === JSON.stringify(this.question) && !this.exhausted && !this.problem) return;
    this.question = question;
    this.problem = "";
    this.exhausted = null;
    clearTimeout(this.timer);
    clearTimeout(this.readyTimer);
    this.id += 1;
    this.before = question?.moves ?? [];
    this.found = question ? (this.known.get(JSON.stringify(question)) ?? null) : null;
    const hasty = performance.now() < this.changed + DELAY_MS;
    this.changed = performance.now();
    if (!question) this.say({ type: "stop" });
    else if (hasty) this.timer = window.setTimeout(() => this.ask(), DELAY_MS);
    else this.ask();
  }

  /** Go on after the budget was used up. */
  goOn(): void {
    this.watch(this.question);
  }

  close(): void {
    this.question = null;
    clearTimeout(this.timer);
    clearTimeout(this.readyTimer);
    document.removeEventListener("visibilitychange", this.onVisible);
    this.socket?.close();
    this.socket = null;
  }

  private connect(): void {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${base}/ws/analysis`);
    this.socket = socket;
    this.said = null;
    socket.onopen = () => {
      const token = session()?.token;
      if (token && session()?.account) this.say({ type: "hello", token });
      this.ask();
    };
    socket.onmessage = (event) => {
      if (socket === this.socket) this.receive(JSON.parse(String(event.data)) as FromAnalysis);
    };
    socket.onclose = () => {
      if (socket !== this.socket) return;
      this.socket = null;
      this.retry();
    };
  }

  /** Ask again a little later, as long as a position is looked at. */
  private retry(): void {
    clearTimeout(this.timer);
    if (this.question) this.timer = window.setTimeout(() => this.ask(), RETRY_MS);
  }

  private say(message: ToAnalysis): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private ask(): void {
    const question = this.question;
    if (!question || document.visibilityState === "hidden") return;
    if (!this.socket) this.connect();
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    const { game, options, start, lines, threat, notation } = question;
    let kept = sharedMoves(this.said, question);
    do {
      const moves: string[] = [];
      for (let bytes = 0; kept + moves.length < question.moves.length && bytes < MOST_BYTES; ) {
        const move = question.moves[kept + moves.length]!;
        moves.push(move);
        bytes += 3 + new TextEncoder().encode(move).length;
      }
      this.say({ type: "analyse", id: this.id, game, options, start, kept, moves, lines, threat, notation });
      kept += moves.length;
    } while (kept < question.moves.length);
    this.said = question;
  }

  private receive(message: FromAnalysis): void {
    if (message.type === "goodbye") return;
    if (message.id !== this.id || !this.question) return;
    switch (message.type) {
      case "update":
        this.found = message.analysis;
        this.remember(message.analysis);
        return;
      case "exhausted":
        this.exhausted = { words: message.words, ready: false };
        this.readyTimer = window.setTimeout(() => {
          if (this.exhausted) this.exhausted.ready = true;
        }, message.retry_after_ms);
        return;
      case "nack":
        if (message.code === "flood") this.retry();
        else {
          this.problem = message.code === "game_over" ? "" : refusalText(message); // that it is over is said elsewhere
          this.found = null;
        }
    }
  }

  private remember(found: LiveAnalysis): void {
    const key = JSON.stringify(this.question);
    this.known.delete(key);
    this.known.set(key, found);
    if (this.known.size > MOST_REMEMBERED) this.known.delete(this.known.keys().next().value!);
  }

  /** Nothing is searched for a page that nobody sees. */
  private readonly onVisible = (): void => {
    if (document.visibilityState === "hidden") this.say({ type: "stop" });
    else if (!this.exhausted && !this.problem) this.ask();
  };
}

/** How many moves two questions begin with alike. */
function sharedMoves(said: Question | null, question: Question): number {
  if (!said || said.game !== question.game || said.start !== question.start || JSON.stringify(said.options) !== JSON.stringify(question.options)) return 0;
  let count = 0;
  while (count < said.moves.length && said.moves[count] === question.moves[count]) count += 1;
  return count;
}
