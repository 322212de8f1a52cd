/**
 * What a page can know of its own screen and clock: how long its frames take, how coarse its stamps are, and whether
 * an event's stamp is of the page's clock at all. Pure; milliseconds throughout.
 *
 * Law: a measure says what was seen, or that nothing can be said yet; it never flatters.
 */

/** So many frames are remembered, about the length of a race. */
export const FRAMES = 40;
/** Fewer tell nothing. */
const FEWEST_FRAMES = 8;
/** A frame that took longer is a page that slept. */
const ASLEEP_MS = 1_000;

/** The steps that browsers' clocks are known to make, the coarsest first. */
const STEPS_MS = [100, 1000 / 60, 15.625, 10, 2, 1, 0.1, 0.02, 0.005];
/** How far off a step a stamp may be, for fractions that are not exact. */
const STEP_SLACK = 0.05;
/** Over a longer time what is not exact in a step adds up. */
const LONGEST_GAP_MS = 5_000;

/** A stamp may be ahead of the clock by a rounding, and behind it by as long as the page was busy. */
const AHEAD_MS = 1;
const BEHIND_MS = 5_000;

/** The times between frames that began at these moments, the newest last. */
export function framesOf(began: readonly number[]): number[] {
  return gaps(began).filter((gap) => gap <= ASLEEP_MS);
}

/**
 * How long a frame takes: the mean of those like the median one, so that a stutter now and then counts for nothing,
 * and a coarse clock (`grain`) for little. 0: too few frames to tell.
 */
export function frameMs(frames: readonly number[], grain: number): number {
  if (frames.length < FEWEST_FRAMES) return 0;
  const sorted = [...frames].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const like = sorted.filter((frame) => Math.abs(frame - median) <= grain + median / 4);
  return like.reduce((sum, frame) => sum + frame, 0) / like.length;
}

/**
 * The step of the clock that made these stamps: the coarsest one on whose steps all of them lie.
 * 0: finer than any known; `null`: fewer than `fewest` steps seen, so nothing can be said.
 */
export function stepMs(stamps: readonly number[], fewest: number): number | null {
  const steps = gaps(stamps).filter((gap) => gap > 0 && gap <= LONGEST_GAP_MS);
  if (steps.length < fewest) return null;
  const isMultiple = (gap: number, step: number) => {
    const times = Math.round(gap / step);
    return times > 0 && Math.abs(gap - times * step) <= step * STEP_SLACK;
  };
  return STEPS_MS.find((step) => steps.every((gap) => isMultiple(gap, step))) ?? 0;
}

/**
 * Events are stamped before a page hears of them, touches on some devices by twenty milliseconds. The server can vouch
 * for no more than this; what is beyond it is the device's own lag, as its screen's and its panel's is.
 */
export const MOST_LAG_MS = 2;

/** When something happened, by the page's clock. */
export interface Moment {
  readonly at: number;
  /** The event itself tells; otherwise it is only known when it was heard. */
  readonly exact: boolean;
}

/**
 * When an event happened that is heard `now`, as far back as is vouched for. A stamp of nought, or of another clock (the wall's, the machine's), is
 * no stamp of ours.
 */
export function momentOf(stamp: number, now: number, grain: number): Moment {
  const isOurs = stamp > 0 && stamp <= now + Math.max(grain, AHEAD_MS) && stamp >= now - BEHIND_MS;
  return isOurs
    ? { at: Math.max(stamp, now - MOST_LAG_MS), exact: true }
    : { at: now, exact: false };
}

function gaps(moments: readonly number[]): number[] {
  return moments.slice(1).map((moment, i) => moment - (moments[i] ?? moment));
}
