import { describe, expect, test } from "vitest";
import { day, histogram, ordinal, percent, reactionsSaid, share, streakSaid } from "./numbers.ts";

describe("the histogram of reaction times", () => {
  test("of nothing there is none", () => {
    expect(histogram([])).toBeNull();
  });

  test("of one time is one bar, and its median is that time", () => {
    const drawn = histogram([243]);
    expect(drawn).toEqual({
      bars: [{ from: 240, to: 250, count: 1 }],
      slower: 0,
      most: 1,
      median: 243,
      middle: [243, 243],
      count: 1,
    });
  });

  test("has every time in one bar, whatever order they come in", () => {
    const times = Array.from({ length: 500 }, (_, i) => 180 + ((i * 7919) % 300));
    const drawn = histogram(times);
    const shown = drawn?.bars.reduce((sum, { count }) => sum + count, 0) ?? 0;
    expect(shown + (drawn?.slower ?? 0)).toBe(500);
    expect(histogram(times.toReversed())).toEqual(drawn);
  });

  test("has bars of one width, side by side, and not too many of them", () => {
    for (const spread of [1, 30, 300, 900, 3_000]) {
      const times = Array.from({ length: 200 }, (_, i) => 150 + (i * spread) / 200);
      const bars = histogram(times)?.bars ?? [];
      expect(bars.length).toBeLessThanOrEqual(22);
      const widths = new Set(bars.map(({ from, to }) => to - from));
      expect(widths.size).toBe(1);
      expect(bars.slice(1).map(({ from }) => from)).toEqual(bars.slice(0, -1).map(({ to }) => to));
    }
  });

  test("puts the slowest few together, so that one sleepy race makes no bar thin", () => {
    const times = [...Array.from({ length: 99 }, (_, i) => 200 + i), 9_000];
    const drawn = histogram(times);
    expect(drawn?.slower).toBe(1);
    expect(drawn?.bars.at(-1)?.to).toBe(300);
    expect(histogram([175, 282, 300, 354, 368, 660])).toMatchObject({ slower: 1, count: 6 });
    expect(histogram([200, 260])?.slower).toBe(0);
  });

  test("says the median and the middle half", () => {
    expect(reactionsSaid(histogram([100, 200, 300, 400, 500]) as never)).toBe(
      "Your median is 300 ms, half of them from 200 to 400; from 5 races.",
    );
    expect(reactionsSaid(histogram([210, 210, 210, 210]) as never)).toBe(
      "Your median is 210 ms, half of them at 210 ms; from 4 races.",
    );
    expect(reactionsSaid(histogram([250]) as never)).toBe("Your median is 250 ms, from one race.");
  });
});

test("a share says what it was counted from", () => {
  expect(share(23, 64)).toBe("23 of 64, 36 %");
  expect(share(0, 0)).toBe("none yet");
});

test("a percentage is never rounded to never or always", () => {
  expect(percent(1, 1_000)).toBe("under 1 %");
  expect(percent(999, 1_000)).toBe("over 99 %");
  expect(percent(0, 5)).toBe("0 %");
  expect(percent(5, 5)).toBe("100 %");
  expect(percent(0, 0)).toBe("–");
});

test.each([
  [0, ""],
  [1, "You won your last game."],
  [3, "You have won 3 in a row."],
  [-1, "Your last game was not won."],
  [-4, "4 games since the last one you won."],
])("a streak of %i is said", (streak, said) => {
  expect(streakSaid(streak)).toBe(said);
});

test("places are ordinals", () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map(ordinal)).toEqual(
    "1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th".split(" "),
  );
});

test("a day is read from microseconds", () => {
  expect(day(Date.UTC(2026, 4, 17, 12) * 1_000, "en-GB")).toBe("17 May 2026");
});
