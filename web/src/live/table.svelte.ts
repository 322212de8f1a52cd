/**
 * A table as a page lives it: its connection, its scene, one's own hand.
 *
 * Laws:
 * - what a cue means for the eye is on the screen before `Shown` is sent: state is flushed when the cue arrives, and
 *   `Shown` leaves from the animation frame that paints it; of a cue that was never painted nothing is said;
 * - a move carries the position it is meant for; one that was never answered is sent again to the same position, or not at
 *   all; while there is no connection, hands rest;
 * - a touch names the cue that was painted, not one that has merely arrived; its claim counts from the very moment
 *   `Shown` was sent to the event's own stamp, both of one clock, and is left out where the stamp is of another;
 * - everything that decides is in `play/`; here are only clocks, frames and sockets.
 */
import { flushSync } from "svelte";
import { ApiError, joinTable, lookAt } from "../net/api.ts";
import { socketAddress } from "../net/base.ts";
import { sentence } from "../net/call.ts";
import { Connection, type Link } from "../net/socket.ts";
import {
  AT_REST,
  type Input,
  type OwnHand,
  type PressInput,
  type Situation,
  step,
  wakeAt,
} from "../play/ownhand.ts";
import {
  type ActiveCue,
  nextChange,
  REACH_MS,
  receive,
  type Scene,
  settle,
  touched,
} from "../play/scene.ts";
import type { ClientMessage, Command, ServerMessage } from "../play/terms.ts";
import { type Move, unanswered } from "../play/unanswered.ts";
import { store } from "../settings/store.svelte.ts";
import { type Act, BETWEEN_REACHES_US, type Bye, type Emote, PROTOCOL } from "../wire.ts";
import { Instruments } from "./instruments.ts";

/** How long a notice stays: a moment to see it, and the time to read it. */
const NOTICE_MS = 3_000;
const LETTER_MS = 50;
/** Refusals of what happens by itself, or too late to matter. */
const SILENT: ReadonlySet<string> = new Set(["unknown-cue", "too-fast", "stale"]);
/** A table that does not answer for one of these may answer in a moment. */
const IN_A_MOMENT: ReadonlySet<string> = new Set([
  "unreachable",
  "elsewhere",
  "unavailable",
  "too-fast",
]);
/** It is asked what has become of a table that cannot be reached: once a blip would be over, and now and then after it. */
const LOOK_EVERY = 4;
/** After these the ticket is of no use any more. */
const SEAT_GONE: ReadonlySet<Bye["reason"]> = new Set(["removed", "banned", "left", "closed"]);

export interface Notice {
  readonly text: string;
  readonly number: number;
}

export class LiveTable {
  scene = $state.raw<Scene | null>(null);
  own = $state.raw<OwnHand>(AT_REST);
  link = $state<Link>("connecting");
  /** For who watches: when the first of it is to be seen, by the page's own clock; `null`: it is, or nothing is late. */
  firstSeenAt = $state<number | null>(null);
  /** Why the server has sent this page away. */
  bye = $state.raw<Bye | null>(null);
  /** Why there is nothing to connect to. */
  missing = $state<string | null>(null);
  /** The server speaks a newer language than this page. */
  stale = $state(false);
  notice = $state.raw<Notice | null>(null);
  /** The page's clock, as of the last change of what is shown. */
  now = $state(performance.now());
  /** The slam key or pad is down. */
  slamHeld = $state(false);
  /** Hands go back before the next reach may begin. */
  reachAgainAt = $state(0);

  #connection: Connection | null = null;
  #ticket: string | null = null;
  readonly #instruments = new Instruments();
  /** The cue on the screen, and when that was said; `null`: it could not be said. */
  #painted: { readonly cue: ActiveCue; readonly saidAt: number | null } | null = null;
  #unanswered: Move | null = null;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #waking: ReturnType<typeof setTimeout> | undefined;
  #noticing: ReturnType<typeof setTimeout> | undefined;
  #losses = 0;
  #notices = 0;

  constructor(readonly code: string) {
    this.connect();
  }

  /** One's own seat, or `null`: watching. */
  get seat() {
    return this.scene?.seat ?? null;
  }

  get isConnected(): boolean {
    return this.link === "open";
  }

  get isHost(): boolean {
    const { seat } = this;
    return this.scene?.table.seats.some((taken) => taken.seat === seat && taken.host) ?? false;
  }

  /** Whether one may change how the table is played: the host, but not while strangers are matched. */
  get arranges(): boolean {
    return this.isHost && !this.scene?.fills;
  }

  /** Connect with the ticket this browser has, or only to watch. */
  connect(ticket: string | null = store.ticket(this.code)): void {
    this.#connection?.close();
    this.bye = null;
    this.missing = null;
    this.firstSeenAt = null;
    this.#losses = 0;
    this.#unanswered = null;
    this.#ticket = ticket;
    this.#connection = new Connection(socketAddress(this.code), this.#ticket, {
      message: (message) => this.#receive(message),
      link: (link) => this.#linked(link),
      seq: () => this.scene?.seq ?? null,
    });
  }

  close(): void {
    this.#connection?.close();
    this.#instruments.close();
    for (const timer of [this.#settling, this.#waking, this.#noticing]) clearTimeout(timer);
  }

  /** Whether it was sent: there may be no connection just now. */
  send(message: ClientMessage): boolean {
    return this.#connection?.send(message) ?? false;
  }

  /** What one asks for by a press; it is told if it could not be sent. */
  ask(message: ClientMessage): boolean {
    const isSent = this.isConnected && this.send(message);
    if (!isSent) this.tell("There is no connection just now. Try again in a moment.");
    return isSent;
  }

  /** A move for the position on the screen; a second one waits until the first is answered. */
  act(command: Act["command"]): void {
    if (!this.scene || this.#unanswered?.after === this.scene.seq) return;
    const move: Move = { type: "Act", command, after: this.scene.seq };
    if (this.ask(move)) this.#unanswered = move;
  }

  say(emote: Emote): void {
    this.ask({ type: "Say", emote });
  }

  /**
   * Sit down.
   *
   * @throws {ApiError} the server says why not.
   */
  async sitDown(name: string, hand?: number): Promise<void> {
    const { ticket } = await joinTable(this.code, hand ? { name, hand } : { name });
    store.keepTicket(this.code, ticket);
    this.connect();
  }

  /** Get up for good. */
  leave(): void {
    this.send({ type: "Leave" });
    store.dropTicket(this.code);
  }

  /** The legal commands of one kind. */
  legal<Kind extends Command["type"]>(kind: Kind): Extract<Command, { type: Kind }>[] {
    const legal = this.scene?.view?.legal ?? [];
    return legal.filter(
      (command): command is Extract<Command, { type: Kind }> => command.type === kind,
    );
  }

  /** A press or release of one's own hand. */
  press(type: PressInput["type"], event: Event): void {
    if (type === "slam-down") this.slamHeld = true;
    if (type === "slam-up" || type === "slam-taken") this.slamHeld = false;
    if (!this.scene || this.seat === null) return;
    if (!this.isConnected && (type === "slam-down" || type === "reach-down")) return;
    const moment = this.#instruments.moment(event);
    if (type === "slam-down" && moment.at < this.scene.lockedUntil) return;
    this.#step({ type, ...moment });
  }

  /** Put the verdict away before its time. */
  hushVerdict(): void {
    if (this.scene) this.scene = { ...this.scene, verdict: null };
  }

  tell(text: string): void {
    clearTimeout(this.#noticing);
    this.notice = { text, number: ++this.#notices };
    this.#noticing = setTimeout(
      () => {
        this.notice = null;
      },
      NOTICE_MS + text.length * LETTER_MS,
    );
  }

  #step(input: Input): void {
    const { hand, send } = step(this.own, input, this.#situation(input.at));
    for (const message of send) {
      this.send(message);
      if (message.type === "Touch" && message.cue !== null && this.scene && this.seat !== null) {
        this.scene = touched(this.scene, this.seat);
      }
    }
    this.own = hand;
    clearTimeout(this.#waking);
    const wake = wakeAt(hand);
    if (wake !== null) {
      const wait = Math.max(0, wake - performance.now());
      this.#waking = setTimeout(() => this.#step({ type: "wake", at: performance.now() }), wait);
    }
    this.#settle();
  }

  #situation(at: number): Situation {
    const scene = this.scene;
    const mine = this.legal("Slam").length > 0;
    const cue = scene?.cue ?? null;
    const painted = cue && this.#painted;
    return {
      mayReach: mine && !cue && at >= this.reachAgainAt,
      mayFake: this.legal("Fake").length > 0,
      spent: mine || (cue !== null && (!painted || scene?.down.includes(scene.seat ?? 1) === true)),
      cue: painted?.cue.id ?? null,
      contactShownAt: painted?.cue.kind === "contact" ? painted.saidAt : null,
    };
  }

  #receive(message: ServerMessage): void {
    if (message.type === "Welcome" && message.protocol !== PROTOCOL) {
      this.stale = true;
      this.#connection?.close();
      return;
    }
    const now = performance.now();
    const before = this.scene;
    this.scene = receive(before, message, now);
    this.#unanswered = unanswered(this.#unanswered, message);
    switch (message.type) {
      case "Delayed":
        this.firstSeenAt = now + message.by_ms;
        break;
      case "Welcome":
        this.bye = null;
        this.firstSeenAt = null;
        this.#painted = null;
        this.#instruments.watchFrames();
        this.#step({ type: "over", at: now });
        if (this.seat !== null) this.#greet();
        if (this.#unanswered) this.send(this.#unanswered);
        break;
      case "Cue":
        if (message.seat === this.seat && message.kind !== "reach") {
          this.#step({ type: message.kind === "contact" ? "landed" : "withdrawn", at: now });
        }
        flushSync();
        if (this.scene?.cue) this.#showInNextFrame(this.scene.cue);
        this.#instruments.watchFrames();
        break;
      case "Moved":
        if (this.scene?.verdict && this.scene.verdict !== before?.verdict) {
          this.reachAgainAt = now + BETWEEN_REACHES_US / 1000;
          this.#painted = null;
          this.#step({ type: "over", at: now });
          if (this.seat !== null) store.change({ coached: store.current.coached + 1 });
        }
        break;
      case "Refused":
        if (message.code === "not-now" || message.code === "illegal") {
          this.#step({ type: "refused", at: now });
        }
        if (!SILENT.has(message.code)) this.tell(sentence(message.text));
        break;
      case "Bye":
        this.bye = message;
        // The ticket is not taken, now or for good: this browser may still watch, or join anew.
        if (message.reason === "refused" && this.#ticket !== null) {
          queueMicrotask(() => this.connect(null));
        }
        if (SEAT_GONE.has(message.reason)) store.dropTicket(this.code);
        break;
    }
    // Whoever is to act has so long, and then the table acts for him: something always comes.
    if (this.scene?.clock) this.#connection?.expect(Math.max(0, this.scene.clock.until - now));
    this.#settle();
  }

  #showInNextFrame(cue: ActiveCue): void {
    requestAnimationFrame(() => {
      // Two cues may fall into one frame, or the page slept: what is painted is the last one.
      if (this.scene?.cue?.id !== cue.id) return;
      const measures = this.#instruments.measures();
      const now = performance.now();
      const isAsked = this.seat !== null && cue.kind !== "reach";
      const isSaid = isAsked && this.send({ type: "Shown", cue: cue.id, ...measures });
      this.#painted = { cue, saidAt: isSaid ? now : null };
    });
  }

  #greet(): void {
    const ticket = this.#ticket;
    if (ticket !== null) store.keepTicket(this.code, ticket);
    if (store.current.neverShort) this.send({ type: "Assist", never_short: true });
  }

  #linked(link: Link): void {
    this.link = link;
    this.#losses = link === "lost" ? this.#losses + 1 : 0;
    if (this.#losses > 0 && this.#losses % LOOK_EVERY === 0) void this.#lookForIt();
  }

  /** It cannot be reached: is there such a table, any more or at all? */
  async #lookForIt(): Promise<void> {
    try {
      await lookAt(this.code);
    } catch (error) {
      if (!(error instanceof ApiError) || IN_A_MOMENT.has(error.code)) return;
      this.missing = error.message;
      this.#connection?.close();
      if (error.code === "no-table") store.dropTicket(this.code);
    }
  }

  /** Show the present moment, and look again when something shown for a while ends. */
  #settle(): void {
    this.now = performance.now();
    clearTimeout(this.#settling);
    if (!this.scene) return;
    this.scene = settle(this.scene, this.now);
    const moments = [nextChange(this.scene, this.now), this.#handChange(), this.reachAgainAt];
    const next = moments.filter((moment) => moment !== null && moment > this.now) as number[];
    if (next.length === 0) return;
    this.#settling = setTimeout(
      () => this.#settle(),
      Math.max(1, Math.min(...next) - this.now + 1),
    );
  }

  /** When one's own hand has got to the unit. */
  #handChange(): number | null {
    return this.own.kind === "reach" ? this.own.since + REACH_MS : null;
  }
}
