import { describe, expect, test } from "vitest";
import { SEATS, type Seat } from "./seats.ts";
import { bodyPath, roundTheUnit, SLEEVE, starPath, unitInWords } from "./unit.ts";

const order = (own: Seat, seated: readonly Seat[]) =>
  Object.fromEntries([...roundTheUnit(own, seated)].map(([seat, place]) => [place, seat]));

describe("who sits where round the unit", () => {
  test("one's own seat is at the bottom, whichever it is", () => {
    for (const own of SEATS) expect(order(own, SEATS).bottom).toBe(own);
  });

  test("four keep their order clockwise: the next to play is on the left", () => {
    expect(order(1, SEATS)).toEqual({ bottom: 1, left: 2, top: 3, right: 4 });
    expect(order(3, SEATS)).toEqual({ bottom: 3, left: 4, top: 1, right: 2 });
  });

  test("two face each other, wherever they sit", () => {
    for (const own of SEATS) {
      for (const other of SEATS.filter((seat) => seat !== own)) {
        expect(order(own, [own, other])).toMatchObject({ bottom: own, top: other });
      }
    }
  });

  test("of three the next to play is on the left, the one after on the right", () => {
    expect(order(2, [1, 2, 4])).toMatchObject({ bottom: 2, left: 4, right: 1 });
  });

  test("the hands nobody took fill the places left over: four hands, four places", () => {
    for (const own of SEATS) {
      for (const seated of [[], [own], [1, 3], [2, 3, 4], SEATS] as Seat[][]) {
        const places = roundTheUnit(own, seated);
        expect([...places.keys()].sort()).toEqual([1, 2, 3, 4]);
        expect(new Set(places.values()).size).toBe(4);
      }
    }
  });
});

describe("the drawing", () => {
  test("outlines are closed and made of numbers", () => {
    for (const path of [bodyPath(0), bodyPath(11), starPath(8, 13, 4), SLEEVE]) {
      expect(path).toMatch(/^M.*Z$/);
      expect(path).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  test("the rim lies inside the body", () => {
    const widest = (path: string) =>
      Math.max(...[...path.matchAll(/-?[\d.]+/g)].map(([n]) => Math.abs(Number(n))));
    expect(widest(bodyPath(11))).toBeLessThan(widest(bodyPath(0)));
  });
});

test("what the unit shows is told in words too", () => {
  const hand = { place: "left", plastic: "up" } as const;
  expect(unitInWords([{ ...hand, seat: 2, glove: "reaching" }], { kind: "ready" })).toBe(
    "The Slam-o-matic: ready, hand 2 is reaching",
  );
  expect(
    unitInWords([{ ...hand, seat: 3, glove: "landed" }], { kind: "last", seat: 3, pile: [3] }),
  ).toBe("The Slam-o-matic: 3 was last, hand 3 is down");
});
