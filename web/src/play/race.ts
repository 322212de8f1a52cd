/**
 * One race in plain words, and as the timeline wants it.
 * Law: this room tells what the unit and the rules have decided; it judges nothing itself.
 */
import type { Seat } from "../art/seats.ts";
import type { TimelineMark } from "../art/timeline.ts";
import type { UnitWindow } from "../art/unit.ts";
import type { Mark, Outcome, RaceView } from "../wire.ts";
import { does, listed, type Sentence } from "./telling.ts";
import { asSeat } from "./terms.ts";

/** A race, or a fake, and what the rules make of it (`null`: not known any more, after coming back). */
export interface Race {
  readonly race: RaceView;
  readonly outcome: Outcome | null;
  /** By the edition in play, who touches before the contact pays (M10). */
  readonly earlyPays: boolean;
}

const seats = (hands: readonly number[] | undefined): Seat[] => (hands ?? []).map(asSeat);
const ms = (us: number): number => Math.round(us / 1000);

/** Who was last and why, in one sentence. */
export function raceSentence({ race, outcome }: Race): Sentence {
  const slammer = asSeat(race.seat);
  const { early = [], last = [], jam = false, short = false } = race.verdict;
  if (race.action === "fake") return fakeSentence(seats(early));
  if (short) return [does(slammer, "let go too soon: a short press.")];
  if (jam) return jamSentence(race.marks);
  if (outcome === "empty") return [does(slammer, "had no pair!")];
  if (race.marks.length === 0)
    return [does(slammer, "slammed, and nobody had a card to race for.")];
  const [loser, ...more] = seats(last);
  if (loser === undefined) return spared(race);
  if (more.length > 0) return [...listed(seats(last)), " did not touch in time."];
  return lastSentence(loser, race);
}

function fakeSentence(fooled: readonly Seat[]): Sentence {
  if (fooled.length === 0) return ["A fake! Nobody fell for it."];
  return [...listed(fooled), " fell for the fake."];
}

function jamSentence(marks: readonly Mark[]): Sentence {
  const [second, last] = byTime(marks).slice(-2);
  if (!second || !last) return ["The unit jammed."];
  const apart = ms((last.time_us ?? 0) - (second.time_us ?? 0));
  return [
    ...listed([asSeat(second.seat), asSeat(last.seat)]),
    apart < 1 ? " touched at the same time: jam." : ` were within ${apart} ms: jam.`,
  ];
}

function lastSentence(loser: Seat, race: RaceView): Sentence {
  const mark = race.marks.find(({ seat }) => seat === loser);
  const was = does(loser, "was last", "were last");
  if (mark?.time_us === null || mark === undefined) {
    return [does(loser, "did not touch in time.")];
  }
  if (race.duel_limit_us !== null) {
    if (race.duel_limit_us === 0) return [was, "."];
    const over = ms(mark.time_us - race.duel_limit_us);
    return over < 1
      ? [was, ": not within the limit."]
      : [was, `: ${over} ms over the limit of ${ms(race.duel_limit_us)} ms.`];
  }
  const before = byTime(race.marks).at(-2);
  if (before?.time_us === undefined || before.time_us === null) return [was, "."];
  const by = ms(mark.time_us - before.time_us);
  return by < 1 ? [was, ", by less than 1 ms."] : [was, `, by ${by} ms.`];
}

function spared(race: RaceView): Sentence {
  const early = seats(race.verdict.early);
  const [only] = race.marks;
  if (race.duel_limit_us !== null && only && early.length === 0) {
    return ["Nobody was last: ", does(asSeat(only.seat), "touched in time.")];
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

/** The marks of the timeline: whoever took part, and when. */
export function timelineMarks({ race, outcome }: Race): TimelineMark[] {
  const last = new Set(outcome === "empty" ? [] : race.verdict.last);
  return race.marks.map((mark) => ({
    seat: asSeat(mark.seat),
    ms: mark.time_us === null ? null : mark.time_us / 1000,
    band_ms: mark.band_us / 1000,
    note: mark.note ?? (mark.early ? "early" : undefined),
    last: last.has(mark.seat),
  }));
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

/** Those who touched, the first one first. */
function byTime(marks: readonly Mark[]): Mark[] {
  return marks
    .filter(({ time_us }) => time_us !== null)
    .sort((a, b) => (a.time_us ?? 0) - (b.time_us ?? 0) || a.seat - b.seat);
}
