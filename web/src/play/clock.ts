/** The clock of the open duty. Milliseconds. */

export interface Clock {
  /** When time is up, by the page's own clock. */
  readonly until: number;
  /** How much time there was. */
  readonly whole: number;
}

/** Whole seconds left, rounded up; never below 0. */
export function secondsLeft(clock: Clock, now: number): number {
  const left = Math.min(clock.whole, clock.until - now);
  return Math.max(0, Math.ceil(left / 1000));
}

/** How much of the clock is left, from 0 to 1, in whole seconds. */
export function shareLeft(clock: Clock, now: number): number {
  return clock.whole <= 0 ? 0 : Math.min(1, (secondsLeft(clock, now) * 1000) / clock.whole);
}
