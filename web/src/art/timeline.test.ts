import { describe, expect, test } from "vitest";
import type { Seat } from "./seats.ts";
import { figure, placeLabels, type TimelineMark, timelineLayout } from "./timeline.ts";

const mark = (seat: Seat, ms: number | null, rest: Partial<TimelineMark> = {}): TimelineMark => ({
  seat,
  ms,
  shown: ms === null ? null : Math.round(ms),
  band_ms: 5,
  last: false,
  ...rest,
});

/** A few hundred races that are the same on every machine. */
function* races(): Generator<TimelineMark[]> {
  let state = 20;
  const next = (below: number) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  const notes = ["", "early", "fell for it", "a bot", "a good deal too long a note"];
  for (let race = 0; race < 300; race += 1) {
    yield ([1, 2, 3, 4] as const).slice(next(3)).map((seat) =>
      mark(seat, next(6) === 0 ? null : next(race % 2 ? 30 : 2500) - 120, {
        note: notes[next(notes.length)],
        last: next(4) === 0,
      }),
    );
  }
}

describe("labels", () => {
  test("stay where they want to be when there is room", () => {
    expect(placeLabels([50, 200], [40, 40], 0, 300, 6)).toEqual([50, 200]);
  });

  test("that would overlap give way evenly", () => {
    expect(placeLabels([100, 100], [40, 40], 0, 300, 6)).toEqual([77, 123]);
  });

  test("never leave the room for want of a place", () => {
    expect(placeLabels([2, 4], [40, 40], 0, 300, 6)).toEqual([20, 66]);
    expect(placeLabels([299], [40], 0, 300, 6)).toEqual([280]);
  });
});

describe("a timeline", () => {
  test("never lets flags overlap or leave the width, on a phone as on a desk", () => {
    for (const marks of races()) {
      for (const width of [304, 340, 500]) {
        const { flags } = timelineLayout(marks, width);
        flags.forEach((flag, i) => {
          const before = flags[i - 1];
          expect(flag.x - flag.width / 2).toBeGreaterThanOrEqual(0);
          expect(flag.x + flag.width / 2).toBeLessThanOrEqual(width);
          if (before) {
            expect(flag.x - flag.width / 2).toBeGreaterThan(before.x + before.width / 2);
          }
        });
      }
    }
  });

  test("puts each shape exactly at its time, between two ticks", () => {
    for (const marks of races()) {
      const { flags, ticks } = timelineLayout(marks, 500);
      const [first, last] = [ticks[0], ticks.at(-1)];
      if (!first || !last) throw new Error("a timeline has ticks");
      for (const { mark, at } of flags) {
        if (mark.ms === null) continue;
        const share = (mark.ms - first.ms) / (last.ms - first.ms);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
        expect(at).toBeCloseTo(first.x + share * (last.x - first.x));
      }
    }
  });

  test("keeps its flags in the order of the times, the silent at the far end", () => {
    const { flags, silent, to } = timelineLayout(
      [mark(1, null, { last: true }), mark(2, 300), mark(3, -40), mark(4, 250)],
      500,
    );
    expect(flags.map((flag) => flag.mark.seat)).toEqual([3, 4, 2, 1]);
    expect(silent?.from).toBeGreaterThan(to);
    expect(flags.at(-1)?.at).toBeGreaterThan(to);
  });

  test("begins at contact, or before it if someone was early", () => {
    const calm = timelineLayout([mark(1, 200)], 400);
    expect(calm.zero).toBe(calm.from);
    const early = timelineLayout([mark(1, 200), mark(2, -1)], 400);
    expect(early.zero).toBeGreaterThan(early.from);
  });

  test("brackets the two a jam lies between, whoever came between them, and only then", () => {
    const marks = [mark(1, 100), mark(2, 301), mark(3, 303), mark(4, 306)];
    expect(timelineLayout(marks, 400).jam).toBeNull();
    const { jam, flags } = timelineLayout(marks, 400, [4, 2]);
    expect(jam).toEqual({ from: flags[1]?.at, to: flags[3]?.at });
    expect(timelineLayout([mark(1, 100)], 400, [1, 2]).jam).toBeNull();
  });

  test("has room for a limit that nobody came near", () => {
    const { limit, from, to } = timelineLayout([mark(1, 180)], 340, [], 400);
    expect(limit).toBeGreaterThan(from);
    expect(limit).toBeLessThanOrEqual(to);
    expect(timelineLayout([mark(1, 180)], 340).limit).toBeNull();
  });

  test("gives up notes before it gives up figures", () => {
    const marks = ([1, 2, 3, 4] as const).map((seat) =>
      mark(seat, 300 + seat, { note: "fell for the reach", last: seat === 4 }),
    );
    expect(timelineLayout(marks, 700).flags.every((flag) => flag.note)).toBe(true);
    const narrow = timelineLayout(marks, 340).flags;
    expect(narrow.map((flag) => flag.text)).toEqual(["301", "302", "303", "304"]);
    expect(narrow.slice(0, 3).every((flag) => flag.note === "")).toBe(true);
  });
});

test("figures have a tenth where it was kept, a true minus, and a dash for none", () => {
  expect([figure(262), figure(-8), figure(301.9), figure(-0.4), figure(null)]).toEqual([
    "262",
    "−8",
    "301.9",
    "−0.4",
    "–",
  ]);
});

test("any moment has its place on the axis, and what lies beyond it an end of it", () => {
  const layout = timelineLayout([mark(1, 250), mark(2, -40)], 400);
  expect(layout.placeOf(0)).toBe(layout.zero);
  expect(layout.placeOf(250)).toBe(layout.flags.find(({ mark: { seat } }) => seat === 1)?.at);
  expect(layout.placeOf(-10_000)).toBe(layout.from);
  expect(layout.placeOf(10_000)).toBe(layout.to);
});
