import { expect, test } from "vitest";
import type { Score } from "../wire.ts";
import { lineReason, points, ranking, tieWords } from "./count.ts";
import { CLASSIC, MODERN } from "./testing.ts";

const score = (seat: number, total: number, more: Partial<Score> = {}): Score => ({
  seat,
  total,
  lines: [],
  tie_break: null,
  wins: false,
  ...more,
});

test("points are written with their sign", () => {
  expect([12, -7, 0].map(points)).toEqual(["+12", "−7", "0"]);
});

test("winners stand first, then the others by what they have", () => {
  const scores = [
    score(1, 3),
    score(2, 9, { tie_break: 10 }),
    score(3, 9, { tie_break: 30, wins: true }),
    score(4, 5),
  ];
  expect(ranking(scores).map(({ seat }) => seat)).toEqual([3, 2, 4, 1]);
});

test("a tie is explained by what broke it, or that nothing did", () => {
  const tied = [score(1, 9, { tie_break: 10 }), score(2, 9, { tie_break: 30, wins: true })];
  expect(tieWords(tied, MODERN)).toContain("card values decide");
  const shared = [score(1, 9, { wins: true }), score(2, 9, { wins: true })];
  expect(tieWords(shared, CLASSIC)).toBe("Equal at 9: the win is shared.");
  expect(tieWords([score(1, 9, { wins: true }), score(2, 3)], CLASSIC)).toBeNull();
});

test("each line says what its cards count by", () => {
  expect(lineReason("laid", CLASSIC)).not.toBe(lineReason("held", CLASSIC));
  expect(lineReason("held", MODERN)).toContain("Joker");
});
