/**
 * When to try again: the first time at once, then ever later, each client at a moment of its own.
 * `chance` is from 0 to 1: it spreads those who were all cut off at the same moment. Milliseconds.
 */

const FIRST_MS = 400;
const LONGEST_MS = 8_000;
/** A server that restarts is away for a moment, and all its clients were told in the same one. */
const RESTART_MS = 300;
const RESTART_SPREAD_MS = 1_200;

/** The wait before attempt number `attempt` (from 0) after a connection was lost. */
export function backoffMs(attempt: number, chance: number): number {
  if (attempt <= 0) return 0;
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return Math.round(longest * (0.5 + chance / 2));
}

/** The wait before the first attempt after a server has said that it restarts. */
export function restartMs(chance: number): number {
  return Math.round(RESTART_MS + RESTART_SPREAD_MS * chance);
}
