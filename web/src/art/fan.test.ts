import { describe, expect, test } from "vitest";
import { CARD_RATIO, type FanCard, fanLayout, rowStep } from "./fan.ts";

/** The corners of a card where it lies. */
function corners(card: FanCard, size: number): [number, number][] {
  const a = (card.tilt * Math.PI) / 180;
  const [w, h] = [size / 2, (size * CARD_RATIO) / 2];
  const [cx, cy] = [card.x + w, card.y + h];
  return [
    [-w, -h],
    [w, -h],
    [w, h],
    [-w, h],
  ].map(([x = 0, y = 0]) => [
    cx + x * Math.cos(a) - y * Math.sin(a),
    cy + x * Math.sin(a) + y * Math.cos(a),
  ]);
}

const COUNTS = Array.from({ length: 14 }, (_, i) => i + 1);
const ROOMS = [
  [336, 78],
  [366, 84],
  [540, 112],
  [216, 56],
  [1000, 100],
] as const;

describe("a fan", () => {
  test("never leaves the width and the height it says it needs", () => {
    for (const [width, size] of ROOMS) {
      for (const count of COUNTS) {
        const { cards, height } = fanLayout(count, width, size);
        expect(cards).toHaveLength(count);
        for (const [x, y] of cards.flatMap((card) => corners(card, size))) {
          expect(x).toBeGreaterThanOrEqual(-0.01);
          expect(x).toBeLessThanOrEqual(width + 0.01);
          expect(y).toBeLessThanOrEqual(height + 0.01);
        }
      }
    }
  });

  test("is the same from the left as from the right", () => {
    for (const count of COUNTS) {
      const { cards, width } = fanLayout(count, 400, 80);
      cards.forEach((card, i) => {
        const twin = cards[count - 1 - i];
        expect(twin?.x).toBeCloseTo(width - card.x - 80);
        expect(twin?.y).toBeCloseTo(card.y);
        expect(twin?.tilt).toBeCloseTo(-card.tilt);
      });
    }
  });

  test("of ten cards at 336 px shows enough of each to read its index", () => {
    // The widest index, the ten's, ends at about 0.36 of a card's width.
    const { step } = fanLayout(10, 336, 78);
    expect(step).toBeGreaterThan(22);
  });

  test("of few cards is not stretched over the room", () => {
    const { step } = fanLayout(2, 1000, 100);
    expect(step).toBeLessThan(100);
  });

  test("of no cards still keeps its height, so that nothing jumps", () => {
    expect(fanLayout(0, 300, 50)).toMatchObject({ cards: [], height: 50 * CARD_RATIO });
  });

  test("without room lays the cards on each other instead of outside", () => {
    const { cards, step } = fanLayout(5, 40, 80);
    expect(step).toBe(0);
    expect(new Set(cards.map((card) => card.x)).size).toBe(1);
  });
});

test("arrows go round a row, Home and End to its ends, other keys nowhere", () => {
  expect(rowStep("ArrowRight", 4, 5)).toBe(0);
  expect(rowStep("ArrowLeft", 0, 5)).toBe(4);
  expect(rowStep("Home", 3, 5)).toBe(0);
  expect(rowStep("End", 1, 5)).toBe(4);
  expect(rowStep("Enter", 1, 5)).toBeNull();
});
