/** The small signs a plate can carry, and their words. */
export type BadgeKind = "bot" | "away" | "host" | "ready" | "flag";

export const BADGE_WORDS: Readonly<Record<BadgeKind, string>> = {
  bot: "a bot",
  away: "away, a bot plays on",
  host: "host of this table",
  ready: "ready",
  flag: "something about this connection",
};
