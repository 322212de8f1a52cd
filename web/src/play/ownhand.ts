/**
 * One's own hand on the unit: presses of pads and keys in, messages out.
 *
 * Laws:
 * - pure: moments are arguments, in milliseconds of the page's clock;
 * - a direct slam is a reach that lands `REACH_MS` later, so nobody sees the difference from a reach that hovers;
 * - a touch claims a time only where the event itself told one, and a contact was said to be shown;
 * - a touch is sent once a race; what nobody waits for is sent all the same, the unit prices it (B13);
 * - a press that lands is told to have ended exactly once, however it ends.
 */
import type { Moment } from "./measures.ts";
import { REACH_MS } from "./scene.ts";
import type { ClientMessage } from "./terms.ts";

/** Shorter than this a press of Reach is a tap: the hand hovers until something else is pressed. */
export const TAP_MS = 250;
/** A finger the browser takes away (a call, a sixth touch) is no short press. */
const TAKEN_AWAY_MS = 1_000;

export type OwnHand =
  | { readonly kind: "rest" }
  | {
      readonly kind: "reach";
      readonly since: number;
      /** Held: withdrawn when let go. Latched: hovers until pressed again. Slam: on its way down. */
      readonly by: "hold" | "latch" | "slam";
      /** The slam's own press, once it has begun, and how long it lasted, once it has ended. */
      readonly slam: Press | null;
      /** When Reach was pressed, to tell a tap from a hold. */
      readonly reachDown: number;
    }
  | {
      readonly kind: "down";
      readonly slam: Press;
      /** The race is over, only the press is not. */
      readonly over: boolean;
    };

interface Press {
  readonly down: number;
  readonly up: number | null;
}

export const AT_REST: OwnHand = { kind: "rest" };

/** A press of pad or key begins, or ends; taken: the browser has taken the finger away. */
export interface PressInput extends Moment {
  readonly type: "slam-down" | "slam-up" | "slam-taken" | "reach-down" | "reach-up" | "reach-taken";
}

export type Input =
  | PressInput
  /** The moment asked for by {@link wakeAt} has come. */
  | { readonly type: "wake"; readonly at: number }
  /** The server shows one's own hand landed or withdrawn; or the race is over, or the page has come back. */
  | { readonly type: "landed" | "withdrawn" | "over" | "refused"; readonly at: number };

/** What the hand needs to know of the game. */
export interface Situation {
  /** One is free to slam. */
  readonly mayReach: boolean;
  /** A fake is left: a reach may be withdrawn. */
  readonly mayFake: boolean;
  /** The race on the screen is one's own, or one has touched already. */
  readonly spent: boolean;
  /** The cue painted last, if a race is on. */
  readonly cue: string | null;
  /** When `Shown` was sent for the contact; `null`: it was not. */
  readonly contactShownAt: number | null;
}

export interface Step {
  readonly hand: OwnHand;
  readonly send: readonly ClientMessage[];
}

export function step(hand: OwnHand, input: Input, now: Situation): Step {
  switch (input.type) {
    case "slam-down":
      return slamDown(hand, input, now);
    case "slam-up":
      return slamUp(hand, input.at);
    case "slam-taken":
      return slamUp(hand, Math.max(input.at, downAt(hand, input.at) + TAKEN_AWAY_MS));
    case "reach-down":
      return reachDown(hand, input.at, now);
    case "reach-up":
      return reachUp(hand, input.at, now);
    case "reach-taken":
      return stay(hand.kind === "reach" && hand.by === "hold" ? { ...hand, by: "latch" } : hand);
    case "wake":
      return hand.kind === "reach" && hand.slam && input.at >= hand.since + REACH_MS
        ? land(hand.slam)
        : stay(hand);
    case "landed":
      // It hovered as long as a hand may, and no fake was left.
      return hand.kind === "reach"
        ? land(hand.slam ?? { down: input.at, up: input.at + TAKEN_AWAY_MS }, true)
        : stay(hand);
    case "withdrawn":
    case "refused":
      return stay(hand.kind === "reach" ? AT_REST : hand);
    case "over":
      return stay(
        hand.kind === "down" && hand.slam.up === null ? { ...hand, over: true } : AT_REST,
      );
  }
}

/** When to step with "wake"; `null`: never. */
export function wakeAt(hand: OwnHand): number | null {
  return hand.kind === "reach" && hand.slam ? hand.since + REACH_MS : null;
}

function slamDown(hand: OwnHand, { at, exact }: Moment, now: Situation): Step {
  const press = { down: at, up: null };
  if (hand.kind === "reach") {
    if (hand.slam) return stay(hand);
    return at >= hand.since + REACH_MS ? land(press) : stay({ ...hand, slam: press, by: "slam" });
  }
  if (hand.kind === "down" && !hand.over) return stay(hand);
  if (now.mayReach) {
    return {
      hand: { kind: "reach", since: at, by: "slam", slam: press, reachDown: at },
      send: [{ type: "Reach" }],
    };
  }
  if (now.spent) return stay(hand);
  const { cue, contactShownAt } = now;
  const mayClaim = exact && cue !== null && contactShownAt !== null;
  const claim_us = mayClaim ? Math.round((at - contactShownAt) * 1000) : null;
  return { hand, send: [{ type: "Touch", cue, claim_us }] };
}

function slamUp(hand: OwnHand, at: number): Step {
  if (hand.kind === "rest" || !hand.slam || hand.slam.up !== null) return stay(hand);
  const slam = { ...hand.slam, up: at };
  if (hand.kind === "reach") return stay({ ...hand, slam });
  return {
    hand: hand.over ? AT_REST : { ...hand, slam },
    send: [released(slam.down, at)],
  };
}

function reachDown(hand: OwnHand, at: number, now: Situation): Step {
  if (hand.kind === "reach" && hand.by === "latch") return letGo(hand, at, now);
  if (hand.kind === "reach" || !now.mayReach) return stay(hand);
  return {
    hand: { kind: "reach", since: at, by: "hold", slam: null, reachDown: at },
    send: [{ type: "Reach" }],
  };
}

function reachUp(hand: OwnHand, at: number, now: Situation): Step {
  if (hand.kind !== "reach" || hand.by !== "hold") return stay(hand);
  if (at - hand.reachDown < TAP_MS) return stay({ ...hand, by: "latch" });
  return letGo(hand, at, now);
}

/** Withdrawn; where no fake is left the hand must land (B7). */
function letGo(hand: Extract<OwnHand, { kind: "reach" }>, at: number, now: Situation): Step {
  if (now.mayFake) return { hand: AT_REST, send: [{ type: "Withdraw" }] };
  const press = { down: at, up: at + TAKEN_AWAY_MS };
  return at >= hand.since + REACH_MS ? land(press) : stay({ ...hand, slam: press, by: "slam" });
}

/** The hand is down; a press that is over already is told at once. */
function land(slam: Press, known = false): Step {
  const send: ClientMessage[] = known ? [] : [{ type: "Land" }];
  if (slam.up !== null) send.push(released(slam.down, slam.up));
  return { hand: { kind: "down", slam, over: false }, send };
}

function released(down: number, up: number): ClientMessage {
  return { type: "Release", held_us: Math.max(0, Math.round((up - down) * 1000)) };
}

function downAt(hand: OwnHand, otherwise: number): number {
  return hand.kind === "rest" ? otherwise : (hand.slam?.down ?? otherwise);
}

function stay(hand: OwnHand): Step {
  return { hand, send: [] };
}
