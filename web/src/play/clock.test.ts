import { expect, test } from "vitest";
import { secondsLeft, shareLeft } from "./clock.ts";

const CLOCK = { until: 30_000, whole: 20_000 };

test("the last second is shown until it is over", () => {
  expect(secondsLeft(CLOCK, 9_800)).toBe(20);
  expect(secondsLeft(CLOCK, 20_000)).toBe(10);
  expect(secondsLeft(CLOCK, 29_999)).toBe(1);
  expect(secondsLeft(CLOCK, 32_000)).toBe(0);
});

test("the ring empties in steps of a second", () => {
  expect(shareLeft(CLOCK, 10_000)).toBe(1);
  expect(shareLeft(CLOCK, 19_500)).toBe(0.55);
  expect(shareLeft({ until: 0, whole: 0 }, 0)).toBe(0);
});
