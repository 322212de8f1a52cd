import { expect, test } from "vitest";
import { backoffMs, restartMs } from "./backoff.ts";

test("the first attempt is made at once", () => {
  expect(backoffMs(0, 0.9)).toBe(0);
});

test("later attempts wait longer, never longer than eight seconds, never in step", () => {
  const waits = [1, 2, 3, 4, 5, 6, 20].map((attempt) => backoffMs(attempt, 1));
  expect(waits).toEqual([400, 800, 1600, 3200, 6400, 8000, 8000]);
  expect(backoffMs(3, 0)).toBe(800);
});

test("after a restart all come back soon, and not all at once", () => {
  expect(restartMs(0)).toBe(300);
  expect(restartMs(1)).toBe(1500);
});
