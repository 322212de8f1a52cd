/**
 * One race again, slowly: what is seen of it at a moment.
 *
 * Laws: pure; times are milliseconds of the race, 0 is the contact, or the moment the hand went back;
 * a hand is down from its measured time on and never before; how it came there nobody measured, so every hand comes the
 * same way; who never touched never comes; the verdict is shown once all that it hangs on has been.
 */
import type { Seat } from "../art/seats.ts";
import type { Glove, Place, UnitHand, UnitWindow } from "../art/unit.ts";
import type { RaceView } from "../wire.ts";
import { type Race, verdictWindow } from "./race.ts";
import { REACH_MS } from "./scene.ts";

/** A hand is seen to come so long before its touch. */
const APPROACH_MS = 130;
/** What is shown before the first movement, after the last one, and after the verdict. */
const BEFORE_MS = 50;
const JUDGING_MS = 90;
const AFTER_MS = 180;

export interface Film {
  readonly from: number;
  readonly to: number;
  /** When the verdict is in. */
  readonly verdictAt: number;
  /** What is worth stopping at, in order: the contact or the withdrawal, each touch, the verdict. */
  readonly moments: readonly number[];
}

/** How long a race is to be shown, and what happens in it. */
export function filmOf(race: RaceView): Film {
  const touches = race.marks.flatMap(({ time_us }) => (time_us === null ? [] : [time_us / 1000]));
  const limit = race.duel_limit_us === null ? 0 : race.duel_limit_us / 1000;
  const verdictAt = Math.max(0, limit, ...touches) + JUDGING_MS;
  return {
    from: Math.min(-REACH_MS, ...touches.map((touch) => touch - APPROACH_MS)) - BEFORE_MS,
    to: verdictAt + AFTER_MS,
    verdictAt,
    moments: [...new Set([0, ...touches, verdictAt])].toSorted((a, b) => a - b),
  };
}

/** The first moment worth stopping at after this one, or the last one before it; `null`: there is none. */
export function nextMoment({ moments }: Film, at: number, way: 1 | -1): number | null {
  const found =
    way > 0 ? moments.find((moment) => moment > at) : moments.findLast((moment) => moment < at);
  return found ?? null;
}

/** What a seat's glove does at a moment of the race. */
export function gloveAt(race: RaceView, seat: Seat, at: number): Glove {
  if (seat === race.seat) {
    if (at < -REACH_MS) return "away";
    if (at < 0) return at < -REACH_MS / 2 ? "reaching" : "hovering";
    return race.action === "slam" ? "landed" : "withdrawing";
  }
  const time = race.marks.find((mark) => mark.seat === seat)?.time_us ?? null;
  if (time === null || at < time / 1000 - APPROACH_MS) return "away";
  return at < time / 1000 ? "reaching" : "landed";
}

/** The hands round the unit at a moment of a race; `race` null: nothing is going on. `cards`: how many each one holds. */
export function handsAt(
  race: RaceView | null,
  at: number,
  places: ReadonlyMap<Seat, Place>,
  cards: ReadonlyMap<Seat, number>,
): UnitHand[] {
  return [...places].map(([seat, place]) => {
    const glove = race ? gloveAt(race, seat, at) : "away";
    const isIn = (cards.get(seat) ?? 0) > 0 || glove === "landed";
    return {
      seat,
      place,
      glove,
      plastic: !isIn ? "absent" : glove === "landed" ? "pressed" : "up",
    };
  });
}

/** What the unit's window shows at a moment of the race: its verdict once that is in. */
export function windowAt(told: Race, film: Film, at: number): UnitWindow {
  return at >= film.verdictAt ? verdictWindow(told) : { kind: "ready" };
}
