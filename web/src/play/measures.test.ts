import { describe, expect, test } from "vitest";
import { FRAMES, frameMs, framesOf, MOST_LAG_MS, momentOf, stepMs } from "./measures.ts";

/** Numbers in [0, 1) that are the same on every machine. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** What a clock of this grain says at a moment: it rounds down, and its fractions are not exact. */
const ticked = (moment: number, grain: number) =>
  grain === 0 ? moment : Math.floor(moment / grain) * grain + 4.7e-8;

describe("frames", () => {
  /** Frames of a screen with so many a second, of which every so-manyth is missed, seen by a clock of this grain. */
  function seen(hertz: number, grain: number, missed = Infinity): number[] {
    let moment = 1_234.567;
    const began: number[] = [];
    for (let i = 0; i <= FRAMES; i += 1) {
      began.push(ticked(moment, grain));
      moment += (1000 / hertz) * (i % missed === missed - 1 ? 3 : 1);
    }
    return framesOf(began);
  }

  test.each([30, 60, 90, 120, 144])("of %i a second are measured by every fine clock", (hertz) => {
    for (const grain of [0, 0.005, 0.1, 1]) {
      expect(frameMs(seen(hertz, grain), grain)).toBeCloseTo(1000 / hertz, 0);
      expect(Math.abs(frameMs(seen(hertz, grain), grain) * hertz - 1000)).toBeLessThan(25);
    }
  });

  test.each([30, 60, 120])(
    "of %i a second are measured by a coarse clock too, if less well",
    (hertz) => {
      for (const grain of [1000 / 60, 100]) {
        const measured = frameMs(seen(hertz, grain), grain);
        expect(Math.abs(measured - 1000 / hertz)).toBeLessThan(grain / 10 + 1);
      }
    },
  );

  test("that stutter now and then are told as they mostly are", () => {
    expect(frameMs(seen(60, 0.1, 4), 0.1)).toBeCloseTo(1000 / 60, 1);
    expect(frameMs(seen(30, 0.1, 5), 0.1)).toBeCloseTo(1000 / 30, 1);
  });

  test("of a page that mostly stutters are told as long as they are", () => {
    expect(frameMs(Array(FRAMES).fill(50), 0.1)).toBe(50);
  });

  test("are unknown while there are few, and a sleep is none", () => {
    expect(frameMs([16.7, 16.7], 0.1)).toBe(0);
    expect(framesOf([0, 16, 60_000, 60_016])).toEqual([16, 16]);
  });
});

describe("a clock's step", () => {
  const moments = (count: number, between: number) => {
    const next = chance(count);
    let moment = 50_000 * next();
    return Array.from({ length: count }, () => {
      moment += between * (0.3 + next());
      return moment;
    });
  };

  test.each([0.005, 0.02, 0.1, 1, 2, 10, 15.625, 16.667, 100])("of %d ms is found", (grain) => {
    for (const between of [7, 90, 800]) {
      const stamps = moments(60, between).map((moment) => ticked(moment, grain));
      expect(stepMs(stamps, 2)).toBeCloseTo(grain, 2);
    }
  });

  test("finer than any known is nought", () => {
    expect(stepMs(moments(20, 9), 10)).toBe(0);
  });

  test("is not guessed from a few stamps, nor from stamps that are all the same", () => {
    expect(stepMs([1, 2, 3], 10)).toBeNull();
    expect(stepMs(Array(50).fill(1200), 2)).toBeNull();
  });
});

describe("a moment", () => {
  test("is the event's own, also ahead by a rounding", () => {
    expect(momentOf(999.2, 1000, 0.1)).toEqual({ at: 999.2, exact: true });
    expect(momentOf(1001, 1000, 1)).toEqual({ at: 1001, exact: true });
    expect(momentOf(1100, 1000, 100)).toEqual({ at: 1100, exact: true });
  });

  test("lies no further back than is vouched for, however long the page did not hear of it", () => {
    for (const stamp of [990.2, 200, 1000 - MOST_LAG_MS - 0.1]) {
      expect(momentOf(stamp, 1000, 0.1)).toEqual({ at: 1000 - MOST_LAG_MS, exact: true });
    }
  });

  test.each([
    ["nought", 0],
    ["no number", Number.NaN],
    ["the wall clock's", 1_780_000_000_000],
    ["the machine's", 86_400_000],
    ["before the page", -300],
    ["long past", 2_000],
  ])("whose stamp is %s is when it was heard, and no claim", (_, stamp) => {
    expect(momentOf(stamp, 20_000, 0.1)).toEqual({ at: 20_000, exact: false });
  });
});
