/**
 * One race in plain words, and as the timeline wants it.
 *
 * Laws:
 * - this room tells what the unit and the rules have decided; it judges nothing itself;
 * - a difference that is told is the difference of the figures that are shown, and never one that another verdict
 *   would follow from: times that are near each other are shown to the tenth of a millisecond.
 */
import type { Seat } from "../art/seats.ts";
import type { TimelineMark } from "../art/timeline.ts";
import type { UnitWindow } from "../art/unit.ts";
import type { Mark, Outcome, RaceView } from "../wire.ts";
import { DOUBT_NOTES } from "./doubts.ts";
import { does, listed, type Sentence } from "./telling.ts";
import { asSeat } from "./terms.ts";

/** A race, or a fake, and what the rules make of it (`null`: not known any more, after coming back). */
export interface Race {
  readonly race: RaceView;
  readonly outcome: Outcome | null;
  /** By the edition in play, who touches before the contact pays (M10); then he is not compared with the others. */
  readonly earlyPays: boolean;
}

/** What a verdict hangs on: the last hand's time, and what it is measured by. */
interface Decision {
  /** The next hand before it; `null`: the limit of a duel. */
  readonly other: Mark | null;
  /** How far the one is from the other as both are shown, in milliseconds. */
  readonly apart: number;
  /** They are near: all times of the race are shown to the tenth, so that their order is seen. */
  readonly near: boolean;
}

/** Nearer than this, times are shown to the tenth. */
const NEAR_US = 10_000;
/** A band that is worth a word. */
const WIDE_US = 2_000;

const seats = (hands: readonly number[] | undefined): Seat[] => (hands ?? []).map(asSeat);
const ms = (us: number): number => Math.round(us / 1000);
const tenths = (us: number): number => Math.round(us / 100) / 10;

/** Who was last and why, in one sentence. */
export function raceSentence(told: Race): Sentence {
  const { race, outcome } = told;
  const slammer = asSeat(race.seat);
  const { early = [], last = [], jam = false, short = false } = race.verdict;
  if (race.action === "fake") return fakeSentence(seats(early));
  if (short) return [does(slammer, "let go too soon: a short press.")];
  if (jam) return jamSentence(told);
  if (outcome === "empty") return [does(slammer, "had no pair!")];
  if (race.marks.length === 0)
    return [does(slammer, "slammed, and nobody had a card to race for.")];
  const [loser, ...more] = seats(last);
  if (loser === undefined) return spared(told);
  if (more.length > 0) return [...listed(seats(last)), " did not touch in time."];
  return lastSentence(loser, told);
}

function fakeSentence(fooled: readonly Seat[]): Sentence {
  if (fooled.length === 0) return ["A fake! Nobody fell for it."];
  return [...listed(fooled), " fell for the fake."];
}

function jamSentence(told: Race): Sentence {
  const { race } = told;
  const [last, other] = seats(race.alike);
  if (last === undefined || other === undefined) return ["The unit jammed."];
  if (race.jam === "doubt") {
    return ["The unit could not be sure when ", does(last, "touched"), ": jam."];
  }
  const apart = decision(told)?.apart ?? 0;
  const both = listed([other, last]);
  return apart > 0
    ? [...both, ` were within ${apart} ms: jam.`]
    : [...both, " touched at the same time: jam."];
}

function lastSentence(loser: Seat, told: Race): Sentence {
  const { race } = told;
  const was = does(loser, "was last", "were last");
  if (markOf(race, loser)?.time_us == null) return [does(loser, "did not touch in time.")];
  const decided = decision(told);
  if (race.duel_limit_us) {
    const limit = `the limit of ${ms(race.duel_limit_us)} ms`;
    return [was, decided?.apart ? `: ${decided.apart} ms over ${limit}.` : `: just over ${limit}.`];
  }
  if (decided) return [was, ` by ${decided.apart} ms.`];
  const early = seats(race.verdict.early);
  return early.length > 0
    ? [was, ": ", ...listed(early), " touched before the hand landed."]
    : [was, "."];
}

function spared({ race, earlyPays }: Race): Sentence {
  const early = seats(race.verdict.early);
  const [only] = race.marks;
  if (race.duel_limit_us !== null && only && (early.length === 0 || !earlyPays)) {
    const isSurelyInTime = only.time_us === null || only.time_us <= race.duel_limit_us;
    const seat = asSeat(only.seat);
    return isSurelyInTime
      ? ["Nobody was last: ", does(seat, "touched in time.")]
      : [
          "Nobody was last: ",
          does(seat, "came"),
          ` too near the limit of ${ms(race.duel_limit_us)} ms to be sure.`,
        ];
  }
  return ["Nobody was last: ", ...listed(early), " touched before the hand landed."];
}

/** What follows from it by the rules, for whoever is new to them; empty where the sentence says it all. */
export function consequence({ race, outcome, earlyPays }: Race): Sentence {
  const slammer = asSeat(race.seat);
  const { early = [], last = [], jam = false } = race.verdict;
  const takes = (from: readonly Seat[]): Sentence => [
    does(slammer, "takes", "take"),
    " a card from ",
    ...listed(from),
    ".",
  ];
  switch (outcome) {
    case "short":
      return ["Nothing counts, and the turn is over."];
    case "void":
      return ["Nothing counts: the pair stays in the hand."];
    case "empty":
      return ["It costs, and nobody else loses a card."];
    case "fooled":
      return takes(seats(early));
    case "pair": {
      const paying = earlyPays ? seats(early) : [];
      if (jam) return [does(slammer, "lays", "lay"), " the pair, and the pile gives the card."];
      const chosen = seats(last);
      if (chosen.length > 1)
        return [does(slammer, "chooses", "choose"), " which of them pays a card."];
      const payers = [...paying, ...chosen];
      return payers.length > 0 ? takes(payers) : [];
    }
    default:
      return [];
  }
}

/** Whether there are times worth a timeline: of a contact, and of somebody who followed it. */
export function hasTimes({ race }: Race): boolean {
  return race.action === "slam" && !race.verdict.short && race.marks.length > 0;
}

/** Whether anybody touched at all. */
export function isTouched({ race }: Race): boolean {
  return race.marks.some(({ time_us }) => time_us !== null);
}

/** The marks of the timeline: whoever took part, and when. */
export function timelineMarks(told: Race): TimelineMark[] {
  const { race, outcome } = told;
  const last = new Set(outcome === "empty" ? [] : race.verdict.last);
  const shown = decision(told)?.near ? tenths : ms;
  return race.marks.map((mark) => ({
    seat: asSeat(mark.seat),
    ms: mark.time_us === null ? null : mark.time_us / 1000,
    shown: mark.time_us === null ? null : shown(mark.time_us),
    band_ms: mark.band_us / 1000,
    note: noteOf(mark),
    last: last.has(mark.seat),
  }));
}

/** The two a jam lies between, if it was for want of a difference. */
export function jammed({ race }: Race): readonly Seat[] {
  return race.jam === "close" ? seats(race.alike) : [];
}

/**
 * So near the two that decided would have had to be, or were, to jam, in milliseconds; `null`: there were no two.
 * Rounded so that it agrees with what is shown of them.
 */
export function shownTau(told: Race): number | null {
  const decided = decision(told);
  if (!decided?.other || told.race.jam === "doubt") return null;
  return told.race.jam === "close"
    ? Math.max(Math.ceil(told.race.tau_us / 100) / 10, decided.apart)
    : Math.min(Math.floor(told.race.tau_us / 100) / 10, decided.apart);
}

/** The limit of a duel in milliseconds; `null`: it was none. */
export function duelLimit({ race }: Race): number | null {
  return race.duel_limit_us === null ? null : race.duel_limit_us / 1000;
}

/** What the unit's window shows once the verdict is in: the paddles in the order they came down. */
export function verdictWindow({ race, outcome }: Race): UnitWindow {
  const { last = [], jam = false, short = false, early = [] } = race.verdict;
  const down = byTime(race.marks).map(({ seat }) => asSeat(seat));
  if (race.action === "fake") return { kind: "word", text: early.length > 0 ? "FOOLED" : "FAKE" };
  const pile = [asSeat(race.seat), ...down];
  if (short) return { kind: "word", text: "SHORT" };
  if (jam) return { kind: "jam", pile };
  if (outcome === "empty") return { kind: "word", text: "NO PAIR" };
  const losers = seats(last);
  const [loser] = losers;
  if (loser === undefined) return { kind: "word", text: sparedWord(race) };
  if (losers.length > 1) return { kind: "word", text: losers.join(" & ") };
  return { kind: "last", seat: loser, pile: [...pile.filter((seat) => seat !== loser), loser] };
}

function sparedWord({ marks, verdict }: RaceView): string {
  if (marks.length === 0) return "DOWN";
  return verdict.early?.length ? "EARLY" : "IN TIME";
}

/** What the verdict hangs on; `null`: on no two times. */
function decision({ race, earlyPays }: Race): Decision | null {
  const { last: [loser] = [], jam = false, early = [] } = race.verdict;
  const [alike, other] = race.alike;
  const last = markOf(race, jam ? alike : loser);
  if (last?.time_us == null) return null;
  if (race.duel_limit_us) return measured(last, null, race.duel_limit_us, race);
  const isCompared = ({ seat }: Mark) => seat !== last.seat && !(earlyPays && early.includes(seat));
  const next = jam ? markOf(race, other) : byTime(race.marks.filter(isCompared)).at(-1);
  if (next?.time_us == null) return null;
  return measured(last, next, next.time_us, race);
}

function measured(last: Mark, other: Mark | null, otherUs: number, { tau_us }: RaceView): Decision {
  const lastUs = last.time_us ?? otherUs;
  const near = lastUs - otherUs < Math.max(NEAR_US, 2 * tau_us);
  const apart = near ? tenths(lastUs) - tenths(otherUs) : ms(lastUs) - ms(otherUs);
  return { other, near, apart: Math.round(apart * 10) / 10 };
}

function noteOf({ doubt, early, band_us }: Mark): string | undefined {
  if (doubt !== null) return DOUBT_NOTES[doubt];
  if (early) return "early";
  return band_us >= WIDE_US ? `± ${ms(band_us)} ms` : undefined;
}

function markOf(race: RaceView, seat: number | undefined): Mark | undefined {
  return race.marks.find((mark) => mark.seat === seat);
}

/** Those who touched, the first one first. */
function byTime(marks: readonly Mark[]): Mark[] {
  return marks
    .filter(({ time_us }) => time_us !== null)
    .sort((a, b) => (a.time_us ?? 0) - (b.time_us ?? 0) || a.seat - b.seat);
}
