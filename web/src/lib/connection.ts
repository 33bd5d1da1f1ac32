// A WebSocket to a room that reconnects by itself. It tells the server the last event it has seen, and sends
// unanswered requests again; the server carries out each of them once.
import { base } from "./base";
import { PROTOCOL, type Ack, type Display, type FromClient, type FromServer, type Nack } from "../protocol";

type Numbered = Exclude<FromClient, { type: "hello" } | { type: "pong" }>;
/** A request without its number, which the connection adds. */
export type Request = Numbered extends infer One ? (One extends Numbered ? Omit<One, "id" | "seen"> : never) : never;
export type Reply = Ack | Nack | Extract<FromServer, { id: number | null }> | Display;

export type Link = "connecting" | "open" | "lost" | "refused";

interface Pending {
  frame: string;
  resolve: (reply: Reply) => void;
}

const FIRST_RETRY_MS = 300;
const LONGEST_RETRY_MS = 8000;
/** Each wait is this many times as long as the one before. */
const BACKOFF = 1.7;
/** Refusals after which a reconnection would not help. */
const FINAL = new Set(["no_room", "password", "locked_out", "banned", "shut_out", "closed", "protocol", "unreadable"]);
/** After this time without a message from the server, the connection is taken for dead. The server pings at least every 11 seconds (`boyi.server.heartbeat`); a test compares. */
const SILENCE_MS = 20_000;

export class Connection {
  private socket: WebSocket | null = null;
  private readonly client = crypto.getRandomValues(new Uint32Array(3)).join("-");
  private readonly pending = new Map<number, Pending>();
  private next = 1;
  private retryMs = FIRST_RETRY_MS;
  private retryTimer = 0;
  private silenceTimer = 0;
  private closed = false;
  /** The server has answered our hello. */
  private ready = false;
  /** The connection is closed on purpose, to be opened again at once. */
  private renewing = false;

  constructor(
    private readonly room: string,
    private readonly hooks: {
      /** Who we are, and the room's password if it has one. */
      token: () => string;
      password: () => string;
      /** The last event that is known; null to be sent the whole state. */
      seen: () => number | null;
      received: (message: FromServer) => void;
      link: (link: Link, code?: string) => void;
    },
  ) {
    this.open();
    addEventListener("online", this.retryNow);
    document.addEventListener("visibilitychange", this.retryNow);
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
    clearTimeout(this.retryTimer);
    clearTimeout(this.silenceTimer);
    removeEventListener("online", this.retryNow);
    document.removeEventListener("visibilitychange", this.retryNow);
    this.socket?.close();
  }

  /** Reconnect, to say hello as another person; nothing is lost meanwhile. */
  reconnect(): void {
    this.renewing = this.socket !== null;
    this.socket?.close();
  }

  private open(): void {
    clearTimeout(this.retryTimer);
    this.hooks.link("connecting");
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${base}/ws`);
    this.socket = socket;
    this.ready = false;
    this.watchSilence();
    socket.onopen = () => {
      const hello: FromClient = { type: "hello", room: this.room, token: this.hooks.token(), password: this.hooks.password(), client: this.client, seen: this.hooks.seen(), protocol: PROTOCOL };
      socket.send(JSON.stringify(hello));
    };
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.watchSilence();
      this.receive(JSON.parse(String(event.data)) as FromServer);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.onClosed();
    };
  }

  private receive(message: FromServer): void {
    switch (message.type) {
      case "ping":
        this.socket?.send(JSON.stringify({ type: "pong", number: message.number } satisfies FromClient));
        this.hooks.received(message);
        return;
      case "welcome":
        this.retryMs = FIRST_RETRY_MS;
        this.ready = true;
        this.hooks.link("open");
        this.hooks.received(message);
        for (const { frame } of this.pending.values()) this.socket?.send(frame);
        return;
      case "goodbye":
        if (FINAL.has(message.code)) {
          this.closed = true;
          this.hooks.link("refused", message.code);
        }
        this.hooks.received(message);
        return;
    }
    this.hooks.received(message);
    if ("id" in message && message.id !== null) {
      this.pending.get(message.id)?.resolve(message);
      this.pending.delete(message.id);
    }
  }

  private onClosed(): void {
    this.ready = false;
    this.socket = null;
    clearTimeout(this.silenceTimer);
    if (this.closed) return;
    if (this.renewing) {
      this.renewing = false;
      this.open();
      return;
    }
    this.hooks.link("lost");
    // Random jitter, so that not all clients reconnect at the same moment when a server comes back.
    this.retryTimer = window.setTimeout(() => this.open(), this.retryMs * (0.7 + 0.6 * Math.random()));
    this.retryMs = Math.min(LONGEST_RETRY_MS, this.retryMs * BACKOFF);
  }

  private watchSilence(): void {
    clearTimeout(this.silenceTimer);
    this.silenceTimer = window.setTimeout(() => this.socket?.close(), SILENCE_MS);
  }

  private readonly retryNow = (): void => {
    if (this.closed || this.socket || document.visibilityState === "hidden") return;
    this.retryMs = FIRST_RETRY_MS;
    this.open();
  };
}
