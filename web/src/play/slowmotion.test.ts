import { expect, test } from "vitest";
import { roundTheUnit } from "../art/unit.ts";
import type { RaceView } from "../wire.ts";
import type { Race } from "./race.ts";
import { filmOf, gloveAt, handsAt, nextMoment, windowAt } from "./slowmotion.ts";

const RACE: RaceView = {
  seat: 2,
  action: "slam",
  marks: [
    { seat: 1, time_us: 262_400, band_us: 1_000, early: false, doubt: null },
    { seat: 3, time_us: 349_000, band_us: 1_000, early: false, doubt: null },
    { seat: 4, time_us: null, band_us: 0, early: false, doubt: null },
  ],
  verdict: { last: [4] },
  tau_us: 2_000,
  jam: null,
  alike: [],
  duel_limit_us: null,
};
const TOLD: Race = { race: RACE, outcome: "pair", earlyPays: false };
const FILM = filmOf(RACE);

/** When this seat's hand is first seen to be down, to a fifth of a millisecond. */
function downAt(race: RaceView, seat: 1 | 2 | 3 | 4): number | null {
  const { from, to } = filmOf(race);
  for (let at = from; at <= to; at += 0.2) if (gloveAt(race, seat, at) === "landed") return at;
  return null;
}

test("hands come down at their measured times, the contact at 0, who never touched never", () => {
  expect(downAt(RACE, 2)).toBeCloseTo(0, 0);
  expect(downAt(RACE, 1)).toBeCloseTo(262.4, 0);
  expect(downAt(RACE, 3)).toBeCloseTo(349, 0);
  expect(downAt(RACE, 4)).toBeNull();
});

test("an early touch comes down before the contact, and is seen whole", () => {
  const marks = RACE.marks.map((mark) =>
    mark.seat === 1 ? { ...mark, time_us: -300_000, early: true } : mark,
  );
  const early = { ...RACE, marks };
  expect(downAt(early, 1)).toBeCloseTo(-300, 0);
  expect(gloveAt(early, 1, filmOf(early).from)).toBe("away");
});

test("a fake's hand comes, hovers and goes back, and never lands", () => {
  const fake: RaceView = { ...RACE, action: "fake", verdict: { early: [1] } };
  expect(gloveAt(fake, 2, -300)).toBe("away");
  expect(gloveAt(fake, 2, -10)).toBe("hovering");
  expect(gloveAt(fake, 2, 0)).toBe("withdrawing");
  expect(downAt(fake, 2)).toBeNull();
  expect(downAt(fake, 1)).toBeCloseTo(262.4, 0);
});

test("the verdict is shown after the last touch, and after the limit of a duel", () => {
  expect(windowAt(TOLD, FILM, 349)).toEqual({ kind: "ready" });
  expect(windowAt(TOLD, FILM, FILM.verdictAt)).toMatchObject({ kind: "last", seat: 4 });
  expect(FILM.to).toBeGreaterThan(FILM.verdictAt);
  const duel = { ...RACE, marks: RACE.marks.slice(0, 1), duel_limit_us: 400_000 };
  expect(filmOf(duel).verdictAt).toBeGreaterThan(400);
});

test("one can go from touch to touch, and back", () => {
  const { moments, from, to } = FILM;
  expect(moments).toEqual([0, 262.4, 349, FILM.verdictAt]);
  const there = [];
  for (let at: number | null = from; at !== null; at = nextMoment(FILM, at, 1)) there.push(at);
  expect(there).toEqual([from, ...moments]);
  expect(nextMoment(FILM, to, -1)).toBe(FILM.verdictAt);
  expect(nextMoment(FILM, 0, -1)).toBeNull();
});

test("a race nobody could run has its contact, and its verdict", () => {
  const alone = filmOf({ ...RACE, marks: [] });
  expect(alone.moments).toHaveLength(2);
  expect(alone.moments[0]).toBe(0);
});

test("where nothing is going on all hands are away, and who holds no card has none at the unit", () => {
  const places = roundTheUnit(1, [1, 2, 3]);
  const cards = new Map([
    [1, 3],
    [2, 0],
    [3, 1],
  ] as const);
  const hands = handsAt(null, 0, places, cards);
  expect(hands.every(({ glove }) => glove === "away")).toBe(true);
  expect(hands.map(({ seat, plastic }) => [seat, plastic])).toEqual([
    [1, "up"],
    [2, "absent"],
    [3, "up"],
    [4, "absent"],
  ]);
});
