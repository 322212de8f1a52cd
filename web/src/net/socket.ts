/**
 * One seat's connection to a table, kept alive through sleep, tunnels and restarts.
 *
 * Laws:
 * - the first message on every socket is Hello; a socket that was replaced is never listened to again;
 * - a lost connection is taken up at once, then with growing waits; a page that comes back, or a network that does,
 *   does not wait at all;
 * - a page that was away for long opens a new socket whatever the old one says: a socket that slept looks alive;
 * - a page that cannot be seen any more says so at once, however it went: its hand is a bot's until it is back;
 * - after a Bye that is final nothing is tried any more.
 */
import type { ClientMessage, ServerMessage } from "../play/terms.ts";
import type { ByeReason } from "../wire.ts";
import { backoffMs } from "./backoff.ts";

export type Link = "connecting" | "open" | "lost" | "ended";

export interface Listener {
  message(message: ServerMessage): void;
  link(link: Link): void;
}

/** After these the seat or the table is gone, or someone else's. */
const FINAL: ReadonlySet<ByeReason> = new Set([
  "newer-tab",
  "removed",
  "left",
  "closed",
  "refused",
]);
const OPENING_MS = 6_000;
const ASLEEP_MS = 5_000;

export class Connection {
  #socket: WebSocket | null = null;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hiddenSince: number | null = null;
  #ended = false;

  constructor(
    private readonly url: URL,
    private readonly ticket: string | null,
    private readonly listener: Listener,
  ) {
    this.#listen(true);
    this.#open();
  }

  /** Sends if there is a connection; what cannot be sent now would mean something else later, so it is dropped. */
  send(message: ClientMessage): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#listen(false);
    this.#drop();
  }

  #open(): void {
    this.#drop();
    clearTimeout(this.#timer);
    this.listener.link(this.#attempt === 0 ? "connecting" : "lost");
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    this.#timer = setTimeout(() => this.#lost(socket), OPENING_MS);
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.send({ type: "Hello", ticket: this.ticket });
      if (document.hidden) this.#tellHidden(true);
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      const message = JSON.parse(String(data)) as ServerMessage;
      if (message.type === "Welcome") {
        clearTimeout(this.#timer);
        this.#attempt = 0;
        this.listener.link("open");
      }
      this.listener.message(message);
      if (message.type === "Bye" && FINAL.has(message.reason)) {
        this.close();
        this.listener.link("ended");
      }
    };
    socket.onclose = () => this.#lost(socket);
  }

  #lost(socket: WebSocket): void {
    if (socket !== this.#socket || this.#ended) return;
    this.#drop();
    clearTimeout(this.#timer);
    this.listener.link("lost");
    this.#timer = setTimeout(() => this.#open(), backoffMs(this.#attempt, Math.random()));
    this.#attempt += 1;
  }

  #drop(): void {
    const old = this.#socket;
    this.#socket = null;
    old?.close();
  }

  readonly #now = (): void => {
    if (this.#ended || this.#socket?.readyState === WebSocket.OPEN) return;
    this.#attempt = Math.max(this.#attempt, 1);
    this.#open();
  };

  /** The page was kept frozen while another was shown, and its sockets with it. */
  readonly #thawed = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) this.#back();
  };

  readonly #seen = (): void => {
    if (document.hidden) this.#gone();
    else this.#back();
  };

  /** It went out of sight, or is about to be kept frozen: not every browser tells of both. */
  readonly #gone = (): void => {
    if (this.#ended || this.#hiddenSince !== null) return;
    this.#hiddenSince = performance.now();
    this.#tellHidden(true);
  };

  readonly #back = (): void => {
    if (this.#ended || document.hidden) return;
    const asleep = this.#hiddenSince !== null && performance.now() - this.#hiddenSince > ASLEEP_MS;
    this.#hiddenSince = null;
    if (this.#socket?.readyState !== WebSocket.OPEN) this.#now();
    else if (asleep) {
      this.#attempt = 1;
      this.#open();
    } else this.#tellHidden(false);
  };

  #listen(on: boolean): void {
    const listen = on ? "addEventListener" : "removeEventListener";
    document[listen]("visibilitychange", this.#seen);
    document[listen]("freeze", this.#gone);
    document[listen]("resume", this.#back);
    window[listen]("pagehide", this.#gone);
    window[listen]("online", this.#now);
    window[listen]("pageshow", this.#thawed as EventListener);
  }

  /** Only a seat can be away. */
  #tellHidden(hidden: boolean): void {
    if (this.ticket !== null) this.send({ type: "Hidden", hidden });
  }
}
