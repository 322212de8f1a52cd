import { describe, expect, test } from "vitest";
import { laidLayout, type Pair, pairPeek } from "./laid.ts";

const pairs = (count: number): Pair[] =>
  Array.from({ length: count }, (_, i) => [(i % 10) + 1, (i % 10) + 1]);

describe("laid pairs", () => {
  test("end inside their width, however many", () => {
    for (let count = 1; count <= 20; count += 1) {
      const laid = pairs(count);
      laidLayout(laid, 170, 30).places.forEach(({ x }, i) => {
        const pair = laid[i];
        expect(pair && x + 30 + pairPeek(pair, 30)).toBeLessThanOrEqual(170.01);
      });
    }
  });

  test("lie in one row while all can be seen, then in two", () => {
    expect(laidLayout(pairs(3), 170, 30).rows).toBe(1);
    expect(laidLayout(pairs(8), 170, 30).rows).toBe(2);
    expect(laidLayout([], 170, 30)).toEqual({ places: [], rows: 1 });
  });

  test("keep their order, each further right than the one before it in its row", () => {
    const { places } = laidLayout(pairs(20), 170, 30);
    places.forEach((place, i) => {
      const before = places[i - 1];
      if (before && before.row === place.row) expect(place.x).toBeGreaterThan(before.x);
    });
  });

  test("show both signs of an unlike pair, and the twin's edge of a like one", () => {
    expect(pairPeek([7, 7], 30)).toBeLessThan(10);
    expect(pairPeek([5, "smiling"], 30)).toBeGreaterThan(20);
  });
});
