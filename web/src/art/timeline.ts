/**
 * Where everything of a race's timeline goes: pure geometry, in pixels; times in milliseconds after contact.
 *
 * Laws: a shape on the axis stands exactly at its time; what gives way is only its flag (shape and figure above the axis),
 * which keeps the order of the times, never overlaps another and never leaves the width;
 * who did not touch has no time, so no place on the axis, but one in a field of its own at the far end.
 */
import type { Seat } from "./seats.ts";

/** One seat's time in a race. */
export interface TimelineMark {
  readonly seat: Seat;
  /** Milliseconds after contact, negative before it; `null`: did not touch. */
  readonly ms: number | null;
  /** The same as it is written, rounded. */
  readonly shown: number | null;
  /** How uncertain the time is, to either side, in milliseconds. */
  readonly band_ms: number;
  /** A word or two: "early", "shown late". */
  readonly note?: string | undefined;
  /** The unit says: this one was last. */
  readonly last: boolean;
}

export interface Flag {
  readonly mark: TimelineMark;
  readonly text: string;
  readonly note: string;
  /** Middle and width of the flag. */
  readonly x: number;
  readonly width: number;
  /** Where its shape stands on the axis, and how far its band reaches to either side. */
  readonly at: number;
  readonly band: number;
}

export interface TimelineLayout {
  readonly flags: readonly Flag[];
  readonly ticks: readonly { readonly ms: number; readonly x: number }[];
  /** The axis runs from here to there. */
  readonly from: number;
  readonly to: number;
  /** Where time 0, the contact, is. */
  readonly zero: number;
  /** The field of those who did not touch, if there are any. */
  readonly silent: { readonly from: number; readonly to: number } | null;
  /** The two times a jam lies between. */
  readonly jam: { readonly from: number; readonly to: number } | null;
  /** Where the limit is, if there is one. */
  readonly limit: number | null;
  /** Where any moment is; before and after the axis, its ends. */
  readonly placeOf: (ms: number) => number;
}

const EDGE = 18;
const SILENT = 104;
const GAP = 6;
/** Widths of a flag's parts: its shape, a figure of its time, a letter of its note, and what surrounds them. */
const SHAPE = 26;
const FIGURE = 9.4;
const LETTER = 6.6;
const PADDING = 12;

/** Middles for boxes of `widths` in [`from`, `to`], each as near to its `wanted` middle as `gap` between them allows. */
export function placeLabels(
  wanted: readonly number[],
  widths: readonly number[],
  from: number,
  to: number,
  gap: number,
): number[] {
  const order = wanted
    .map((_, i) => i)
    .sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || a - b);
  // Boxes that would touch become one block, which stands where its members want it on average.
  const blocks: { members: number[]; width: number; left: number }[] = [];
  const settle = (members: number[]) => {
    const width =
      members.reduce((sum, i) => sum + (widths[i] ?? 0), 0) + gap * (members.length - 1);
    let offset = 0;
    let left = 0;
    for (const i of members) {
      const w = widths[i] ?? 0;
      left += ((wanted[i] ?? 0) - w / 2 - offset) / members.length;
      offset += w + gap;
    }
    return { members, width, left: Math.max(from, Math.min(left, to - width)) };
  };
  for (const i of order) {
    let block = settle([i]);
    let before = blocks.at(-1);
    while (before && before.left + before.width + gap > block.left) {
      blocks.pop();
      block = settle([...before.members, ...block.members]);
      before = blocks.at(-1);
    }
    blocks.push(block);
  }
  const middles: number[] = Array.from({ length: wanted.length }, () => 0);
  for (const block of blocks) {
    let left = block.left;
    for (const i of block.members) {
      const w = widths[i] ?? 0;
      middles[i] = left + w / 2;
      left += w + gap;
    }
  }
  return middles;
}

/** Lays out the times of one race over `width` pixels; `jam`: the two it lies between, if it does; `limit` in ms. */
export function timelineLayout(
  marks: readonly TimelineMark[],
  width: number,
  jam: readonly Seat[] = [],
  limit: number | null = null,
): TimelineLayout {
  const sorted = [...marks].sort(
    (a, b) => (a.ms ?? Infinity) - (b.ms ?? Infinity) || a.seat - b.seat,
  );
  const timed = sorted.flatMap((mark) => (mark.ms === null ? [] : [mark.ms]));
  const quiet = sorted.length - timed.length;

  const from = EDGE;
  const to = width - EDGE - (quiet ? SILENT : 0);
  const silent = quiet ? { from: to + 16, to: width - EDGE + 6 } : null;

  const least = Math.min(0, ...timed);
  const most = Math.max(100, limit ?? 0, ...timed);
  const grain = tickGrain((most - least) / Math.max(2, (to - from) / 64));
  const low = least < 0 ? Math.floor((least - grain / 4) / grain) * grain : 0;
  const high = Math.ceil((most + grain / 8) / grain) * grain;
  const place = (ms: number) => from + ((ms - low) / (high - low)) * (to - from);

  let nth = 0;
  const spots = sorted.map((mark) => {
    if (mark.ms !== null) return place(mark.ms);
    nth += 1;
    return silent ? silent.from + ((nth - 0.5) / quiet) * (silent.to - silent.from) : to;
  });
  const texts = sorted.map((mark) => figure(mark.shown));
  const { notes, widths, gap } = fitFlags(sorted, texts, width - 4);
  const middles = placeLabels(spots, widths, 2, width - 2, gap);
  const scale = (to - from) / (high - low);
  const flags = sorted.map((mark, i) => ({
    mark,
    text: texts[i] ?? "",
    note: notes[i] ?? "",
    x: middles[i] ?? 0,
    width: widths[i] ?? 0,
    at: spots[i] ?? 0,
    band: mark.ms === null ? 0 : Math.max(mark.band_ms * scale, 1),
  }));

  const count = Math.round((high - low) / grain);
  const ticks = Array.from({ length: count + 1 }, (_, i) => {
    const ms = low + i * grain;
    return { ms, x: place(ms) };
  });
  const [a, b] = sorted.flatMap(({ seat, ms }) => (ms !== null && jam.includes(seat) ? [ms] : []));
  const tight = a !== undefined && b !== undefined;
  return {
    flags,
    ticks,
    from,
    to,
    zero: place(0),
    silent,
    jam: tight ? { from: place(a), to: place(b) } : null,
    limit: limit === null ? null : place(limit),
    placeOf: (ms) => place(Math.max(low, Math.min(high, ms))),
  };
}

/**
 * The notes there is room for, and how wide flags are with them. Where room is short the figures go first:
 * only the last one's note is kept, then none, then flags stand closer.
 */
function fitFlags(marks: readonly TimelineMark[], texts: readonly string[], room: number) {
  const measure = (notes: readonly string[], padding: number, gap: number) => {
    const widths = texts.map(
      (text, i) =>
        Math.max(SHAPE + text.length * FIGURE, (notes[i]?.length ?? 0) * LETTER) + padding,
    );
    return { notes, widths, gap, total: widths.reduce((sum, w) => sum + w + gap, -gap) };
  };
  const none = marks.map(() => "");
  const ways = [
    measure(
      marks.map((mark) => mark.note ?? ""),
      PADDING,
      GAP,
    ),
    measure(
      marks.map((mark) => (mark.last ? (mark.note ?? "") : "")),
      PADDING,
      GAP,
    ),
    measure(none, PADDING, GAP),
  ];
  return ways.find((way) => way.total <= room) ?? measure(none, PADDING / 3, GAP / 3);
}

/** A rounded time as the timeline writes it: a true minus sign, a dash for none. */
export function figure(ms: number | null): string {
  if (ms === null) return "–";
  const size = Number.isInteger(ms) ? String(Math.abs(ms)) : Math.abs(ms).toFixed(1);
  return ms < 0 ? `−${size}` : size;
}

/** The smallest round step between ticks that is at least `wanted` milliseconds. */
function tickGrain(wanted: number): number {
  const steps = [10, 20, 50, 100, 200, 250, 500, 1000, 2000, 5000];
  return steps.find((step) => step >= wanted) ?? 10_000;
}
