/**
 * One seat's connection to a table, kept alive through sleep, tunnels and restarts.
 *
 * Laws:
 * - the first message on every socket is Hello, with the last `seq` this page has seen; a socket that was replaced is
 *   never listened to again;
 * - a lost connection is taken up at once, then with growing waits, and after a restart soon, but not all at once; a page
 *   that comes back, or a network that does, does not wait at all;
 * - a page that was away for long opens a new socket whatever the old one says: a socket that slept looks alive; so does
 *   one whose network is gone, or on which what had to come has not come;
 * - a page that cannot be seen any more says so at once, however it went: its hand is a bot's until it is back; and until
 *   then it takes up no lost connection, for its seat may be played from another page by now;
 * - after a Bye that is final nothing is tried any more.
 */
import type { ClientMessage, ServerMessage } from "../play/terms.ts";
import type { ByeReason } from "../wire.ts";
import { backoffMs, restartMs } from "./backoff.ts";

export type Link = "connecting" | "open" | "lost" | "ended";

export interface Listener {
  message(message: ServerMessage): void;
  link(link: Link): void;
  /** The last `seq` seen of this table; `null`: none. */
  seq(): number | null;
}

/** After these the seat or the table is gone, or someone else's. */
const FINAL: ReadonlySet<ByeReason> = new Set([
  "newer-tab",
  "removed",
  "banned",
  "left",
  "closed",
  "refused",
]);
/** Something always comes of these, be it a refusal. A browser's page hears of no ping: this is how it tests its line. */
const ANSWERED: ReadonlySet<ClientMessage["type"]> = new Set(["Act", "Reach", "Ready", "Say"]);
/** So long a server and any usable line may take to answer. */
export const PATIENCE_MS = 5_000;
const OPENING_MS = 6_000;
const ASLEEP_MS = 5_000;

type Timer = ReturnType<typeof setTimeout> | undefined;

export class Connection {
  #socket: WebSocket | null = null;
  #attempt = 0;
  #timer: Timer;
  #hiddenSince: number | null = null;
  #restarts = false;
  #ended = false;
  /** By when something must have been heard; `null`: nothing is awaited. */
  #due: number | null = null;
  #dueTimer: Timer;

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
    if (ANSWERED.has(message.type)) this.expect(0);
    return true;
  }

  /** By the rules something must come in so long: if nothing does, not even a little later, the line is dead. */
  expect(withinMs: number): void {
    const due = performance.now() + withinMs + PATIENCE_MS;
    if (this.#due !== null && this.#due <= due) return;
    this.#due = due;
    clearTimeout(this.#dueTimer);
    this.#dueTimer = setTimeout(() => this.#renew(), withinMs + PATIENCE_MS);
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
      this.send({ type: "Hello", ticket: this.ticket, since: this.listener.seq() });
      if (document.hidden) this.#tellHidden(true);
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#heard(JSON.parse(String(data)) as ServerMessage);
    };
    socket.onclose = () => this.#lost(socket);
  }

  #heard(message: ServerMessage): void {
    this.#awaitNothing();
    // A watcher's Welcome comes late, and that is said at once: the line is good.
    if (message.type === "Welcome" || message.type === "Delayed") {
      clearTimeout(this.#timer);
      this.#attempt = 0;
      this.#restarts = false;
    }
    if (message.type === "Delayed") this.expect(message.by_ms);
    if (message.type === "Welcome") this.listener.link("open");
    this.listener.message(message);
    if (message.type !== "Bye") return;
    this.#restarts = message.reason === "restart";
    if (!FINAL.has(message.reason)) return;
    this.close();
    this.listener.link("ended");
  }

  #lost(socket: WebSocket): void {
    if (socket !== this.#socket || this.#ended) return;
    this.#drop();
    clearTimeout(this.#timer);
    this.listener.link("lost");
    const chance = Math.random();
    const wait = this.#restarts ? restartMs(chance) : backoffMs(this.#attempt, chance);
    this.#restarts = false;
    this.#attempt += 1;
    if (!document.hidden) this.#timer = setTimeout(() => this.#open(), wait);
  }

  #drop(): void {
    const old = this.#socket;
    this.#socket = null;
    this.#awaitNothing();
    old?.close();
  }

  #awaitNothing(): void {
    this.#due = null;
    clearTimeout(this.#dueTimer);
  }

  /** A new socket, whatever the old one says. */
  readonly #renew = (): void => {
    if (this.#ended) return;
    this.#attempt = Math.max(this.#attempt, 1);
    this.#open();
  };

  /** Without a network no socket lives, though it may look as if it did. */
  readonly #offline = (): void => {
    if (this.#socket) this.#lost(this.#socket);
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
    if (asleep || this.#socket?.readyState !== WebSocket.OPEN) this.#renew();
    else this.#tellHidden(false);
  };

  #listen(on: boolean): void {
    const listen = on ? "addEventListener" : "removeEventListener";
    document[listen]("visibilitychange", this.#seen);
    document[listen]("freeze", this.#gone);
    document[listen]("resume", this.#back);
    window[listen]("pagehide", this.#gone);
    window[listen]("online", this.#renew);
    window[listen]("offline", this.#offline);
    window[listen]("pageshow", this.#thawed as EventListener);
  }

  /** Only a seat can be away. */
  #tellHidden(hidden: boolean): void {
    if (this.ticket !== null) this.send({ type: "Hidden", hidden });
  }
}
