// One WebSocket to one room that stays: it comes back by itself after every break, tells the server what it has
// seen, and sends again what was not answered. The server does nothing twice, so neither does it.
import { PROTOCOL, type Ack, type Display, type FromClient, type FromServer, type Nack } from "../protocol";

type Wish = Exclude<FromClient, { type: "hello" } | { type: "pong" }>;
/** A request without its number, which the connection gives. */
export type Request = Wish extends infer One ? (One extends Wish ? Omit<One, "id" | "seen"> : never) : never;
export type Reply = Ack | Nack | Extract<FromServer, { id: number | null }> | Display;

export type Link = "connecting" | "open" | "lost" | "refused";

interface Pending {
  frame: string;
  resolve: (reply: Reply) => void;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
/** After these, coming back by oneself would not help. */
const FINAL = new Set(["no_room", "password", "banned", "closed", "protocol", "unreadable"]);
/** Without a word from the server for so long, the line is taken for dead. */
const SILENCE = 15_000;

export class Connection {
  private socket: WebSocket | null = null;
  private readonly client = crypto.getRandomValues(new Uint32Array(3)).join("-");
  private readonly pending = new Map<number, Pending>();
  private next = 1;
  private wait = FIRST_WAIT;
  private timer = 0;
  private silence = 0;
  private closed = false;

  constructor(
    private readonly room: string,
    private readonly hooks: {
      /** Who we are, and what opens the room if it is locked. */
      token: () => string;
      password: () => string;
      /** The last event known; null to be told everything. */
      seen: () => number | null;
      heard: (message: FromServer) => void;
      link: (link: Link, code?: string) => void;
    },
  ) {
    this.open();
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
  }

  /** Ask for something; the answer is an ack, a nack, or what was asked for. */
  ask(request: Request): Promise<Reply> {
    const id = this.next++;
    const frame = JSON.stringify({ ...request, id, seen: this.hooks.seen() ?? 0 });
    return new Promise((resolve) => {
      this.pending.set(id, { frame, resolve });
      if (this.ready) this.socket!.send(frame);
    });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    this.socket?.close();
  }

  /** Who one is has changed: say hello again, and be told everything as the new one. */
  again(): void {
    this.socket?.close();
  }

  private ready = false;

  private open(): void {
    clearTimeout(this.timer);
    this.hooks.link("connecting");
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.socket = socket;
    this.ready = false;
    this.watch();
    socket.onopen = () => {
      const hello: FromClient = { type: "hello", room: this.room, token: this.hooks.token(), password: this.hooks.password(), client: this.client, seen: this.hooks.seen(), protocol: PROTOCOL };
      socket.send(JSON.stringify(hello));
    };
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.watch();
      this.hear(JSON.parse(String(event.data)) as FromServer);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.lose();
    };
  }

  private hear(message: FromServer): void {
    switch (message.type) {
      case "ping":
        this.socket?.send(JSON.stringify({ type: "pong", number: message.number } satisfies FromClient));
        return;
      case "welcome":
        this.wait = FIRST_WAIT;
        this.ready = true;
        this.hooks.link("open");
        this.hooks.heard(message);
        for (const { frame } of this.pending.values()) this.socket?.send(frame);
        return;
      case "goodbye":
        if (FINAL.has(message.code)) {
          this.closed = true;
          this.hooks.link("refused", message.code);
        }
        this.hooks.heard(message);
        return;
    }
    this.hooks.heard(message);
    if ("id" in message && message.id !== null) {
      this.pending.get(message.id)?.resolve(message);
      this.pending.delete(message.id);
    }
  }

  private lose(): void {
    this.ready = false;
    this.socket = null;
    clearTimeout(this.silence);
    if (this.closed) return;
    this.hooks.link("lost");
    // Not all at the same moment, when a server comes back and many wait for it.
    this.timer = window.setTimeout(() => this.open(), this.wait * (0.7 + 0.6 * Math.random()));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 1.7);
  }

  private watch(): void {
    clearTimeout(this.silence);
    this.silence = window.setTimeout(() => this.socket?.close(), SILENCE);
  }

  private readonly hurry = (): void => {
    if (this.closed || this.socket || document.visibilityState === "hidden") return;
    this.wait = FIRST_WAIT;
    this.open();
  };
}
