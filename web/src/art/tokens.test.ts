import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { REACH_US } from "../wire.ts";
import { SEATS, seatLook } from "./seats.ts";
import { contrast, hex } from "./testing.ts";

const css = readFileSync("src/art/tokens.css", "utf8");

const AA = 4.5;
const AA_LARGE = 3;

describe("text is AA on the ground it is printed on", () => {
  test.each(["paper", "cream", "ray"])("ink and soft text on %s", (ground) => {
    expect(contrast("ink", ground)).toBeGreaterThanOrEqual(AA);
    expect(contrast("soft", ground)).toBeGreaterThanOrEqual(AA);
  });

  test.each(SEATS)("seat %i's colour on paper, cream, rays and its own tint", (seat) => {
    const { text, tint } = seatLook(seat);
    for (const ground of ["paper", "cream", "ray", tint]) {
      expect(contrast(text, ground)).toBeGreaterThanOrEqual(AA);
    }
    expect(contrast("soft", tint)).toBeGreaterThanOrEqual(AA);
  });

  test.each(SEATS)("the numeral on seat %i's ink", (seat) => {
    const { ink, on } = seatLook(seat);
    expect(contrast(on, ink)).toBeGreaterThanOrEqual(AA_LARGE);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])("rank %i on a card", (rank) => {
    expect(contrast(`rank-${rank}`, "paper")).toBeGreaterThanOrEqual(AA);
  });

  test.each([
    ["paper", "coral", AA_LARGE],
    ["paper", "leaf", AA_LARGE],
    ["paper", "navy-rim", AA],
    ["paper", "navy", AA],
    ["paper", "coral-side", AA],
    ["paper", "leaf-side", AA],
    ["ink", "sunny", AA],
    ["ink", "paper-side", AA],
    ["sky-tint", "navy-rim", AA],
    ["navy", "cream", AA],
  ] as const)("%s on %s", (text, ground, least) => {
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(least);
  });
});

test("no two ranks share an ink, no two seats a shape or a name", () => {
  expect(new Set(Array.from({ length: 10 }, (_, i) => hex(`rank-${i + 1}`))).size).toBe(10);
  expect(new Set(SEATS.map((seat) => seatLook(seat).shape)).size).toBe(4);
  expect(new Set(SEATS.map((seat) => seatLook(seat).name)).size).toBe(4);
});

test("a hand is drawn to reach for as long as it takes at the table", () => {
  expect(css).toContain(`--reach-ms: ${REACH_US / 1000}ms;`);
});
