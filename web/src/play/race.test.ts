import { describe, expect, test } from "vitest";
import type { Mark, Outcome, RaceView } from "../wire.ts";
import { doubtSentences } from "./doubts.ts";
import {
  consequence,
  jammed,
  type Race,
  raceSentence,
  shownTau,
  timelineMarks,
  verdictWindow,
} from "./race.ts";
import { byHand, byName, sentenceText } from "./telling.ts";
import { seatView, tableView } from "./testing.ts";

const mark = (seat: number, ms: number | null, more: Partial<Mark> = {}): Mark => ({
  seat,
  time_us: ms === null ? null : ms * 1000,
  band_us: 1000,
  early: ms !== null && ms < 0,
  doubt: null,
  ...more,
});

function race(of: Partial<RaceView>, outcome: Outcome | null = "pair"): Race {
  return {
    race: {
      seat: 2,
      action: "slam",
      marks: [],
      verdict: {},
      tau_us: 2000,
      jam: null,
      alike: [],
      duel_limit_us: null,
      ...of,
    },
    outcome,
    earlyPays: true,
  };
}

const TABLE = tableView({
  seats: ["Ann", "Jun", "Mara", "Robin"].map((name, i) => seatView(i + 1, { name })),
});
const said = (told: Race, me: 1 | 2 | 3 | 4 | null = null) =>
  sentenceText(raceSentence(told), byName(TABLE, me));

const followed = race({
  marks: [mark(1, 262), mark(3, 349), mark(4, 311)],
  verdict: { last: [3] },
});

test("the last hand is named, and by how much", () => {
  expect(said(followed)).toBe("Mara was last by 38 ms.");
  expect(said(followed, 3)).toBe("You were last by 38 ms.");
});

test("a listener hears the hand as well as the name", () => {
  expect(sentenceText(raceSentence(followed), byHand(TABLE, 1))).toBe(
    "Mara (Green) was last by 38 ms.",
  );
});

test("the two a jam lies between are named, whoever came between them", () => {
  const jam = race({
    marks: [mark(1, 305), mark(3, 309, { band_us: 4000 }), mark(4, 307)],
    verdict: { jam: true },
    tau_us: 5000,
    jam: "close",
    alike: [3, 1],
  });
  expect(said(jam)).toBe("Ann and Mara were within 4 ms: jam.");
  expect(said(jam, 3)).toBe("Ann and you were within 4 ms: jam.");
  expect(jammed(jam)).toEqual([3, 1]);
  expect(shownTau(jam)).toBe(5);
  expect(verdictWindow(jam)).toEqual({ kind: "jam", pile: [2, 1, 4, 3] });
  const same = race({
    ...jam.race,
    marks: [mark(1, 305.01), mark(3, 305.04)],
  });
  expect(said(same)).toBe("Ann and Mara touched at the same time: jam.");
});

test("a jam for doubt accuses nobody, and is no matter of nearness", () => {
  const jam = race({
    marks: [mark(1, 305), mark(3, 349, { doubt: "late-word" })],
    verdict: { jam: true },
    jam: "doubt",
    alike: [3, 1],
  });
  expect(said(jam)).toBe("The unit could not be sure when Mara touched: jam.");
  expect(said(jam, 3)).toBe("The unit could not be sure when you touched: jam.");
  expect(jammed(jam)).toEqual([]);
  expect(shownTau(jam)).toBeNull();
});

test("why a time is not the one its page told is said, once for each", () => {
  const told = race({
    marks: [mark(1, 305, { doubt: "claim" }), mark(3, 349), mark(4, 380, { doubt: "unseen" })],
    verdict: { last: [4] },
  });
  expect(doubtSentences(told).map((sentence) => sentenceText(sentence, byName(TABLE, 4)))).toEqual([
    "Ann: the page told of an earlier touch than its connection allows, so that limit counts.",
    "You: the page had not yet said that it showed the hand, so the server timed the touch.",
  ]);
  expect(timelineMarks(told).map(({ note }) => note)).toEqual([
    "corrected",
    undefined,
    "not confirmed",
  ]);
});

test("who fell for a fake is named, you among them", () => {
  const fake = race({ action: "fake", marks: [mark(4, -80)], verdict: { early: [4] } }, "fooled");
  expect(said(fake)).toBe("Robin fell for the fake.");
  expect(said(fake, 4)).toBe("You fell for the fake.");
  expect(said(race({ action: "fake" }, "fizzled"))).toBe("A fake! Nobody fell for it.");
});

test("a duel that was touched in time has no loser", () => {
  const duel = { marks: [mark(1, 312)], duel_limit_us: 400_000 };
  expect(said(race(duel), 1)).toBe("Nobody was last: you touched in time.");
  const late = race({ ...duel, marks: [mark(1, 431)], verdict: { last: [1] } });
  expect(said(late, 1)).toBe("You were last: 31 ms over the limit of 400 ms.");
});

test("a duel lost or won by a hair is told to the tenth, and one too near to tell is told so", () => {
  const duel = { duel_limit_us: 400_000 };
  const lost = race({ ...duel, marks: [mark(1, 400.3, { band_us: 0 })], verdict: { last: [1] } });
  expect(said(lost)).toBe("Ann was last: 0.3 ms over the limit of 400 ms.");
  expect(timelineMarks(lost)[0]?.shown).toBe(400.3);
  const spared = race({ ...duel, marks: [mark(1, 407, { band_us: 8000 })] });
  expect(said(spared)).toBe("Nobody was last: Ann came too near the limit of 400 ms to be sure.");
  expect(said(spared, 1)).toBe(
    "Nobody was last: you came too near the limit of 400 ms to be sure.",
  );
  const early = race({ ...duel, marks: [mark(1, -30)], verdict: { early: [1] } });
  expect(said(early)).toBe("Nobody was last: Ann touched before the hand landed.");
  expect(said({ ...early, earlyPays: false })).toBe("Nobody was last: Ann touched in time.");
});

test("who was early is no measure for the last, where early touches are not compared", () => {
  const marks = [mark(1, -40), mark(3, 1)];
  const only = race({ marks, verdict: { early: [1], last: [3] } });
  expect(said(only)).toBe("Mara was last: Ann touched before the hand landed.");
  expect(said({ ...only, earlyPays: false })).toBe("Mara was last by 41 ms.");
});

describe("sentence, figures and verdict agree", () => {
  /** Numbers in [0, 1) that are the same on every machine. */
  let state = 7;
  const next = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };

  /** A race as the unit would judge it: the latest is last unless another is nearer than both bands, or 2 ms. */
  function judged(): Race {
    const middle = 250_000 * next();
    const spread = [3_000, 15_000, 60_000][Math.floor(next() * 3)] ?? 0;
    const marks = [1, 3, 4].map((seat) => ({
      ...mark(seat, 0),
      time_us: Math.round(middle + spread * next() - (next() < 0.2 ? middle + 5_000 : 0)),
      band_us: Math.round(next() < 0.3 ? 8_000 * next() : 200),
    }));
    const earlyPays = next() < 0.5;
    const early = marks.filter(({ time_us }) => time_us < 0).map(({ seat }) => seat);
    const compared = marks
      .filter(({ seat }) => !earlyPays || !early.includes(seat))
      .sort((a, b) => b.time_us - a.time_us || b.seat - a.seat);
    const [last, ...others] = compared;
    const tauTo = (other: (typeof marks)[0]) =>
      Math.max(2_000, (last?.band_us ?? 0) + other.band_us);
    const alike = others.find((other) => (last?.time_us ?? 0) - other.time_us < tauTo(other));
    const [first] = others;
    const view: Partial<RaceView> = alike
      ? { verdict: { early, jam: true }, jam: "close", alike: [last?.seat ?? 0, alike.seat] }
      : { verdict: last ? { early, last: [last.seat] } : { early } };
    const decisive = alike ?? first;
    return {
      ...race({ ...view, marks, tau_us: decisive ? tauTo(decisive) : 2_000 }),
      earlyPays,
    };
  }

  test("in thousands of races, close ones most of all", () => {
    const seen = { jam: 0, last: 0, near: 0 };
    for (let i = 0; i < 5_000; i += 1) {
      const told = judged();
      const text = said(told);
      const shown = new Map(timelineMarks(told).map((one) => [one.seat as number, one.shown ?? 0]));
      const apart = Number(/(?:by|within) ([\d.]+) ms/.exec(text)?.[1] ?? 0);
      const tau = shownTau(told);
      if (told.race.verdict.jam) {
        const [a = 0, b = 0] = told.race.alike.map((seat) => shown.get(seat) ?? 0);
        expect(a - b).toBeCloseTo(apart, 6);
        expect(apart).toBeLessThanOrEqual(tau ?? Number.NaN);
        seen.jam += 1;
      } else if (text.includes(" by ")) {
        const [loser = 0] = told.race.verdict.last ?? [];
        const rest = timelineMarks(told).filter(
          ({ seat }) =>
            seat !== loser && !(told.earlyPays && told.race.verdict.early?.includes(seat)),
        );
        const before = Math.max(...rest.map((one) => one.shown ?? 0));
        expect((shown.get(loser) ?? 0) - before).toBeCloseTo(apart, 6);
        expect(apart).toBeGreaterThanOrEqual(tau ?? Number.NaN);
        seen.last += 1;
        if (apart < 10) seen.near += 1;
      }
    }
    expect(Math.min(seen.jam, seen.last, seen.near)).toBeGreaterThan(300);
  });
});

test("who never touched is told so, one or several", () => {
  const one = race({ marks: [mark(1, 200), mark(3, null)], verdict: { last: [3] } });
  expect(said(one)).toBe("Mara did not touch in time.");
  const two = race({ marks: [mark(1, null), mark(3, null)], verdict: { last: [1, 3] } });
  expect(said(two, 1)).toBe("You and Mara did not touch in time.");
  expect(verdictWindow(two)).toEqual({ kind: "word", text: "1 & 3" });
});

test("a slam without a pair says nothing of who was last", () => {
  const empty = race({ marks: [mark(1, 200)], verdict: { last: [1] } }, "empty");
  expect(said(empty, 2)).toBe("You had no pair!");
  expect(timelineMarks(empty)[0]?.last).toBe(false);
  expect(verdictWindow(empty)).toEqual({ kind: "word", text: "NO PAIR" });
});

test("the loser's paddle lies on top, the others below in the order they came", () => {
  expect(verdictWindow(followed)).toEqual({ kind: "last", seat: 3, pile: [2, 1, 4, 3] });
});

test("the timeline shows whole bands, silence, and who was early", () => {
  const marks = timelineMarks(
    race({ marks: [mark(1, -40), mark(3, null)], verdict: { early: [1], last: [3] } }),
  );
  expect(marks).toEqual([
    { seat: 1, ms: -40, shown: -40, band_ms: 1, note: "early", last: false },
    { seat: 3, ms: null, shown: null, band_ms: 1, note: undefined, last: true },
  ]);
});

test("who was early pays before the last one does, where early touches cost", () => {
  const early = race({
    marks: [mark(1, -40), mark(3, 349), mark(4, 311)],
    verdict: { early: [1], last: [3] },
  });
  const text = (told: Race) => sentenceText(consequence(told), byName(TABLE, 1));
  expect(text(early)).toBe("Jun takes a card from you and Mara.");
  expect(text({ ...early, earlyPays: false })).toBe("Jun takes a card from Mara.");
  const all = race({ marks: [mark(1, -40)], verdict: { early: [1] }, duel_limit_us: 400_000 });
  expect(verdictWindow(all)).toEqual({ kind: "word", text: "EARLY" });
  expect(text(all)).toBe("Jun takes a card from you.");
});

test("what follows from a race is told to whom it concerns", () => {
  const text = (told: Race) => sentenceText(consequence(told), byName(TABLE, 2));
  expect(text(followed)).toBe("You take a card from Mara.");
  expect(text(race({ verdict: { jam: true } }))).toBe(
    "You lay the pair, and the pile gives the card.",
  );
  expect(text(race({ verdict: { jam: true } }, "void"))).toBe(
    "Nothing counts: the pair stays in the hand.",
  );
});
