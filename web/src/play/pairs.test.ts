import { expect, test } from "vitest";
import { pairedPlaces } from "./pairs.ts";
import { CLASSIC, MODERN } from "./testing.ts";

test("cards of one rank are pointed out, the others are not", () => {
  expect(pairedPlaces([2, 5, 5, 9], MODERN)).toEqual([1, 2]);
  expect(pairedPlaces([2, 5, 9], MODERN)).toEqual([]);
});

test("the joker is pointed out only where it is wild and has a number to go with", () => {
  expect(pairedPlaces([5, 11], CLASSIC)).toEqual([1]);
  expect(pairedPlaces([5, 11], MODERN)).toEqual([]);
  expect(pairedPlaces([11, 12], CLASSIC)).toEqual([]);
  expect(pairedPlaces([5, 5, 12], CLASSIC)).toEqual([0, 1]);
});
