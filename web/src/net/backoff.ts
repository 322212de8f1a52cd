/** When to try again: the first time at once, then ever later, each client at a moment of its own. */

const FIRST_MS = 400;
const LONGEST_MS = 8_000;

/**
 * The wait before attempt number `attempt` (from 0) after a connection was lost, in ms.
 * `chance` is from 0 to 1: it spreads those who were all cut off at the same moment.
 */
export function backoffMs(attempt: number, chance: number): number {
  if (attempt <= 0) return 0;
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return Math.round(longest * (0.5 + chance / 2));
}
