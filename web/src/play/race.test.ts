import { expect, test } from "vitest";
import type { Mark, Outcome, RaceView } from "../wire.ts";
import { consequence, type Race, raceSentence, timelineMarks, verdictWindow } from "./race.ts";
import { byColour, sentenceText } from "./telling.ts";

const mark = (seat: number, ms: number | null, more: Partial<Mark> = {}): Mark => ({
  seat,
  time_us: ms === null ? null : ms * 1000,
  band_us: 1000,
  early: ms !== null && ms < 0,
  note: null,
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
      duel_limit_us: null,
      ...of,
    },
    outcome,
    earlyPays: true,
  };
}

const said = (told: Race, me: 1 | 2 | 3 | 4 | null = null) =>
  sentenceText(raceSentence(told), byColour(me));

const followed = race({
  marks: [mark(1, 262), mark(3, 349), mark(4, 311)],
  verdict: { last: [3] },
});

test("the last hand is named, and by how much", () => {
  expect(said(followed)).toBe("Green was last, by 38 ms.");
  expect(said(followed, 3)).toBe("You were last, by 38 ms.");
});

test("the two who could not be told apart are named in a jam", () => {
  const jam = race({
    marks: [mark(1, 305), mark(3, 309), mark(4, 200)],
    verdict: { jam: true },
  });
  expect(said(jam)).toBe("Coral and Green were within 4 ms: jam.");
  expect(verdictWindow(jam)).toEqual({ kind: "jam", pile: [2, 4, 1, 3] });
});

test("who fell for a fake is named, you among them", () => {
  const fake = race({ action: "fake", marks: [mark(4, -80)], verdict: { early: [4] } }, "fooled");
  expect(said(fake)).toBe("Blue fell for the fake.");
  expect(said(fake, 4)).toBe("You fell for the fake.");
  expect(said(race({ action: "fake" }, "fizzled"))).toBe("A fake! Nobody fell for it.");
});

test("a duel that was touched in time has no loser", () => {
  const duel = { marks: [mark(1, 312)], duel_limit_us: 400_000 };
  expect(said(race(duel), 1)).toBe("Nobody was last: you touched in time.");
  const late = race({ ...duel, marks: [mark(1, 431)], verdict: { last: [1] } });
  expect(said(late, 1)).toBe("You were last: 31 ms over the limit of 400 ms.");
});

test("who never touched is told so, one or several", () => {
  const one = race({ marks: [mark(1, 200), mark(3, null)], verdict: { last: [3] } });
  expect(said(one)).toBe("Green did not touch in time.");
  const two = race({ marks: [mark(1, null), mark(3, null)], verdict: { last: [1, 3] } });
  expect(said(two, 1)).toBe("You and Green did not touch in time.");
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
    { seat: 1, ms: -40, band_ms: 1, note: "early", last: false },
    { seat: 3, ms: null, band_ms: 1, note: undefined, last: true },
  ]);
});

test("who was early pays before the last one does, where early touches cost", () => {
  const early = race({
    marks: [mark(1, -40), mark(3, 349), mark(4, 311)],
    verdict: { early: [1], last: [3] },
  });
  const text = (told: Race) => sentenceText(consequence(told), byColour(1));
  expect(text(early)).toBe("Yellow takes a card from you and Green.");
  expect(text({ ...early, earlyPays: false })).toBe("Yellow takes a card from Green.");
  const all = race({ marks: [mark(1, -40)], verdict: { early: [1] }, duel_limit_us: 400_000 });
  expect(verdictWindow(all)).toEqual({ kind: "word", text: "EARLY" });
  expect(text(all)).toBe("Yellow takes a card from you.");
});

test("what follows from a race is told to whom it concerns", () => {
  const text = (told: Race) => sentenceText(consequence(told), byColour(2));
  expect(text(followed)).toBe("You take a card from Green.");
  expect(text(race({ verdict: { jam: true } }))).toBe(
    "You lay the pair, and the pile gives the card.",
  );
  expect(text(race({ verdict: { jam: true } }, "void"))).toBe(
    "Nothing counts: the pair stays in the hand.",
  );
});
