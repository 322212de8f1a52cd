/**
 * What the table's page knows: every message of the server folded into one value.
 *
 * Laws:
 * - pure: the moment is an argument, in milliseconds of the page's own clock;
 * - a Welcome alone is enough to show everything, so coming back is the same as coming: what was missed is told, and not
 *   played again;
 * - what is shown for a while carries the moment until which it is.
 */
import type { Seat } from "../art/seats.ts";
import {
  type Cue,
  type Emote,
  type Flag,
  REACH_US,
  type TableView,
  type View,
  type Welcome,
} from "../wire.ts";
import type { Clock } from "./clock.ts";
import type { Race } from "./race.ts";
import { catchUp, endedEarly, follow, judged, type Story, UNTOLD } from "./story.ts";
import { asSeat, type ServerMessage } from "./terms.ts";

/** A verdict stays readable so long, or until the next hand moves. */
export const VERDICT_MS = 6_500;
/** Hands stay down so long after a verdict. */
export const HANDS_DOWN_MS = 1_300;
/** A hand on its way is over the unit after so long. */
export const REACH_MS = REACH_US / 1000;
const EMOTE_MS = 2_600;

export interface ActiveCue {
  readonly id: Cue["cue"];
  readonly kind: Cue["kind"];
  readonly seat: Seat;
  /** When it arrived. */
  readonly since: number;
}

export interface Verdict extends Race {
  readonly handsUntil: number;
  readonly until: number;
}

export interface ShownEmote {
  readonly seat: Seat;
  readonly emote: Emote;
  readonly until: number;
}

export interface Scene extends Story {
  /** One's own seat; `null`: watching. */
  readonly seat: Seat | null;
  readonly table: TableView;
  /** Where the table's log stood with the last message that told: the position on the screen. */
  readonly seq: number;
  /** For who watches: all of it is shown so much later. */
  readonly delayMs: number;
  readonly view: View | null;
  /** What the active hand is doing; `null`: nothing is going on. */
  readonly cue: ActiveCue | null;
  /** Hands that have come down in this race. */
  readonly down: readonly Seat[];
  /** The last race, while it is told. */
  readonly verdict: Verdict | null;
  readonly emotes: readonly ShownEmote[];
  /** For the host: what is odd about a seat's connection. */
  readonly flags: ReadonlyMap<Seat, readonly Flag[]>;
  /** One's own hand rests until then. */
  readonly lockedUntil: number;
  /** The open duty's clock; `null`: none. */
  readonly clock: Clock | null;
  /** The last game ended without a count. */
  readonly calledOff: boolean;
  /** A quick match: when bots take the free seats; `null`: it is none, or they have. */
  readonly fills: Clock | null;
}

/** The scene after a message that arrived at `now`. Messages before the first Welcome change nothing. */
export function receive(scene: Scene | null, message: ServerMessage, now: number): Scene | null {
  if (message.type === "Welcome") return welcomed(scene, message, now);
  if (!scene) return null;
  switch (message.type) {
    case "TableChanged":
      return {
        ...scene,
        table: message.table,
        fills: clockOf(message.table.fills_ms, now, scene.fills),
      };
    case "Moved":
      return moved(scene, message, now);
    case "Cue":
      return cued(scene, message, now);
    case "Touched":
      return touched(scene, asSeat(message.seat));
    case "Locked":
      return { ...scene, lockedUntil: now + message.for_ms };
    case "Flagged": {
      const flags = new Map(scene.flags).set(asSeat(message.seat), message.flags);
      return { ...scene, flags };
    }
    case "Emoted": {
      const seat = asSeat(message.seat);
      const others = scene.emotes.filter((shown) => shown.seat !== seat);
      const shown = { seat, emote: message.emote, until: now + EMOTE_MS };
      return { ...scene, emotes: [...others, shown] };
    }
    case "CalledOff":
      return {
        ...scene,
        ...endedEarly(scene),
        calledOff: true,
        clock: null,
        cue: null,
        down: [],
        verdict: null,
      };
    case "Delayed":
    case "Refused":
    case "Bye":
      return scene;
  }
}

/** What the host is told of a seat's connection. */
export function flagsOf(scene: Scene, seat: number): readonly Flag[] {
  return scene.flags.get(asSeat(seat)) ?? [];
}

/** A hand is down: one's own, shown before the server says so, or another's. */
export function touched(scene: Scene, seat: Seat): Scene {
  if (!scene.cue || scene.down.includes(seat)) return scene;
  return { ...scene, down: [...scene.down, seat] };
}

/** The scene once `now` has come: what was shown for a while is gone. */
export function settle(scene: Scene, now: number): Scene {
  const emotes = scene.emotes.filter(({ until }) => until > now);
  const verdict = scene.verdict && scene.verdict.until > now ? scene.verdict : null;
  if (emotes.length === scene.emotes.length && verdict === scene.verdict) return scene;
  return { ...scene, emotes, verdict };
}

/** The next moment at which something shown for a while ends; `null`: none. */
export function nextChange(scene: Scene, now: number): number | null {
  const moments = [
    scene.verdict?.handsUntil,
    scene.verdict?.until,
    scene.lockedUntil,
    scene.cue?.kind === "reach" ? scene.cue.since + REACH_MS : undefined,
    ...scene.emotes.map(({ until }) => until),
  ].filter((moment) => moment !== undefined && moment > now) as number[];
  return moments.length ? Math.min(...moments) : null;
}

function welcomed(before: Scene | null, message: Welcome, now: number): Scene {
  const known = before?.table.game_number === message.table.game_number ? before : null;
  const reaching = message.reaching === null ? null : asSeat(message.reaching);
  return {
    seat: message.seat === null ? null : asSeat(message.seat),
    table: message.table,
    seq: message.seq,
    delayMs: message.delay_ms,
    view: message.view,
    // A reach one finds on coming back has a cue of its own on the way; until then the hand is seen.
    cue: reaching ? { id: "", kind: "reach", seat: reaching, since: now - REACH_MS } : null,
    down: [],
    verdict: message.missed?.length ? null : (known?.verdict ?? null),
    ...catchUp(known ?? UNTOLD, known?.seq ?? null, message),
    emotes: [],
    flags: new Map(), // what there is to tell the host is told anew
    lockedUntil: 0,
    clock: clockOf(message.clock_ms, now),
    calledOff: known?.calledOff ?? false,
    fills: clockOf(message.table.fills_ms, now, known?.fills),
  };
}

function cued(scene: Scene, message: Cue, now: number): Scene {
  const cue = { id: message.cue, kind: message.kind, seat: asSeat(message.seat), since: now };
  if (message.kind !== "reach") return { ...scene, cue };
  return { ...scene, cue, down: [], verdict: null };
}

function moved(
  scene: Scene,
  message: Extract<ServerMessage, { type: "Moved" }>,
  now: number,
): Scene {
  const { edition } = message.view;
  const dealt = message.events.some(({ type }) => type === "Dealt");
  const race = judged(message.events, message.race, edition);
  const next: Scene = {
    ...scene,
    ...follow(scene, message.events, race, edition),
    view: message.view,
    seq: message.seq,
    clock: clockOf(message.clock_ms, now),
    verdict: dealt ? null : scene.verdict,
    calledOff: dealt ? false : scene.calledOff,
  };
  if (!race) return next;
  return {
    ...next,
    cue: null,
    down: [],
    verdict: {
      ...race,
      handsUntil: now + HANDS_DOWN_MS,
      until: now + VERDICT_MS,
    },
  };
}

/** `known`: the same clock as it was told before, whose whole time is known. */
function clockOf(leftMs: number | null, now: number, known?: Clock | null): Clock | null {
  return leftMs === null ? null : { until: now + leftMs, whole: known?.whole ?? leftMs };
}
