/** The count at the end: how each point came about, in words. The points themselves are the server's. */
import type { Edition, Score, Source } from "../wire.ts";

export const SOURCE_WORDS: Readonly<Record<Source, string>> = {
  laid: "Laid",
  held: "Still in hand",
  aside: "Set aside",
};

/** Points with their sign, as one writes them: +12, −7, 0. */
export function points(value: number): string {
  if (value === 0) return "0";
  return value > 0 ? `+${value}` : `−${-value}`;
}

/** What one line's cards count by, in a few words. */
export function lineReason(source: Source, edition: Edition): string {
  switch (edition.scoring) {
    case "face-values":
      return source === "laid" ? "their value each" : "minus their value; Sad Joker −20";
    case "junior":
      return source === "laid" ? "1 each; Smiling Joker 5" : "−1 each; Sad Joker −5";
    case "pairs":
      return source === "laid" ? "1 for a pair" : "2 for the Joker, 0 for numbers";
  }
}

/** Winners first, then by total; the order of seats among equals. */
export function ranking(scores: readonly Score[]): Score[] {
  return [...scores].sort(
    (a, b) =>
      Number(b.wins) - Number(a.wins) ||
      b.total - a.total ||
      (b.tie_break ?? 0) - (a.tie_break ?? 0) ||
      a.seat - b.seat,
  );
}

/** How a tie at the top was broken, or shared; `null`: there was none. */
export function tieWords(scores: readonly Score[], edition: Edition): string | null {
  const top = Math.max(...scores.map(({ total }) => total));
  const tied = scores.filter(({ total }) => total === top);
  if (tied.length < 2) return null;
  if (edition.tie === "shared") return `Equal at ${top}: the win is shared.`;
  const winners = tied.filter(({ wins }) => wins);
  const how = "a pair counts its number, the Joker 20";
  return winners.length > 1
    ? `Equal at ${top}, and equal again by card values (${how}): the win is shared.`
    : `Equal at ${top}: card values decide (${how}).`;
}
