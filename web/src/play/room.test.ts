import { expect, test } from "vitest";
import { fanLayout } from "../art/fan.ts";
import { handHeight, pairCardSize, roomOf } from "./room.ts";

test("few pairs are shown large, many small enough to fit", () => {
  expect(pairCardSize(1, 332, 140, 80)).toBe(80);
  const many = pairCardSize(12, 332, 140, 80);
  expect(many).toBeLessThan(40);
  expect(many).toBeGreaterThanOrEqual(22);
  expect(pairCardSize(12, 660, 190, 100)).toBeGreaterThan(many);
});

test("a hand's room holds the fan of any usual hand, raised cards among it", () => {
  for (let count = 1; count <= 8; count += 1) {
    const { height } = fanLayout(count, 400, 84);
    expect(height + 84 * 0.13).toBeLessThanOrEqual(handHeight(84));
  }
});

test("each window has its shape", () => {
  expect(roomOf(1280, 800).shape).toBe("wide");
  expect(roomOf(390, 844).shape).toBe("tall");
  expect(roomOf(844, 390).shape).toBe("low");
  expect(roomOf(1024, 768)).toMatchObject({ shape: "wide", terse: true, compact: false });
});

test("on the narrowest phone a hand of cards leaves room for the unit and the pad", () => {
  const { card } = roomOf(360, 640);
  expect(handHeight(card)).toBeLessThan(640 * 0.2);
});
