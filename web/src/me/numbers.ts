/**
 * What one's games say, ready to be drawn and read out.
 * Laws: no number without what it was counted from; a plot and its sentence say the same.
 */

/** So many bars at most, but for the last one, which takes all that is slower still. */
const MOST_BARS = 22;
const WIDTHS = [10, 20, 25, 50, 100, 200] as const;
/** Times so many middle halves beyond the middle would make all other bars thin: they share the last one. */
const FAR = 3;

export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Reaction times as bars of one width, in milliseconds; `slower` counts those beyond the last bar. */
export interface Histogram {
  readonly bars: readonly Bar[];
  readonly slower: number;
  readonly most: number;
  readonly median: number;
  /** A quarter is faster than this, and a quarter slower than that. */
  readonly middle: readonly [number, number];
  readonly count: number;
}

/** Of nothing there is no histogram: `null`. */
export function histogram(times_ms: readonly number[]): Histogram | null {
  const sorted = times_ms.toSorted((a, b) => a - b);
  const [fastest] = sorted;
  if (fastest === undefined) return null;
  const [quarter, threeQuarters] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  const far = threeQuarters + FAR * (threeQuarters - quarter);
  const drawn = sorted.findLast((time) => time <= far) ?? fastest;
  const width = WIDTHS.find((w) => (drawn - fastest) / w < MOST_BARS - 1) ?? 500;
  const start = Math.floor(fastest / width) * width;
  const bars = Array.from({ length: Math.floor((drawn - start) / width) + 1 }, (_, i) => {
    const [from, to] = [start + i * width, start + (i + 1) * width];
    return { from, to, count: sorted.filter((time) => time >= from && time < to).length };
  });
  const shown = bars.reduce((sum, { count }) => sum + count, 0);
  const slower = sorted.length - shown;
  return {
    bars,
    slower,
    most: Math.max(slower, ...bars.map(({ count }) => count)),
    median: Math.round(quantile(sorted, 0.5)),
    middle: [Math.round(quarter), Math.round(threeQuarters)],
    count: sorted.length,
  };
}

/** The histogram in words. */
export function reactionsSaid({ median, middle, count }: Histogram): string {
  const races = count === 1 ? "one race" : `${count} races`;
  if (count < 4) return `Your median is ${median} ms, from ${races}.`;
  const [fast, slow] = middle;
  const half =
    fast === slow ? `half of them at ${fast} ms` : `half of them from ${fast} to ${slow}`;
  return `Your median is ${median} ms, ${half}; from ${races}.`;
}

/** "23 of 64, 36 %"; of none: in words. */
export function share(part: number, all: number): string {
  return all === 0 ? "none yet" : `${part} of ${all}, ${percent(part, all)}`;
}

/** In whole percent, but never 0 or 100 while there is an exception. */
export function percent(part: number, all: number): string {
  if (all === 0) return "–";
  const exact = (100 * part) / all;
  const told = Math.round(exact);
  if (told === 0 && part > 0) return "under 1 %";
  if (told === 100 && part < all) return "over 99 %";
  return `${told} %`;
}

/** How it goes just now: games won in a row, or not won if negative. */
export function streakSaid(streak: number): string {
  if (streak === 0) return "";
  const run = Math.abs(streak);
  if (streak > 0) return run === 1 ? "You won your last game." : `You have won ${run} in a row.`;
  return run === 1 ? "Your last game was not won." : `${run} games since the last one you won.`;
}

/** "1st", "2nd", "3rd", "4th" … */
export function ordinal(place: number): string {
  const teen = place % 100 >= 11 && place % 100 <= 13;
  const ending = teen ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th");
  return `${place}${ending}`;
}

/** A day, as one writes it where this browser is at home; `us` since 1970. */
export function day(us: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(us / 1000);
}

/** A day and its time. */
export function moment(us: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(
    us / 1000,
  );
}

function quantile(sorted: readonly number[], q: number): number {
  const at = q * (sorted.length - 1);
  const [low, high] = [Math.floor(at), Math.ceil(at)];
  const [a = 0, b = 0] = [sorted[low], sorted[high]];
  return a + (b - a) * (at - low);
}
