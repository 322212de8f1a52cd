/** What a seat's plate says: its line, its bars, its signs. Pure. */
import type { BadgeKind } from "../art/badges.ts";
import type { PlayerView, SeatView } from "../wire.ts";

/** How good a connection is: 0 lost to 3; `undefined`: a bot, or not yet known. */
export function barsOf(seat: SeatView): 0 | 1 | 2 | 3 | undefined {
  if (seat.bot !== null) return undefined;
  if (seat.presence === "away") return 0;
  if (seat.rtt_ms === null) return undefined;
  return seat.rtt_ms < 80 ? 3 : seat.rtt_ms < 180 ? 2 : 1;
}

/** The signs worth knowing during play. */
export function badgesOf(seat: SeatView | undefined): BadgeKind[] {
  if (!seat) return [];
  if (seat.bot !== null) return ["bot"];
  return seat.presence === "away" ? ["away"] : [];
}

/** "18 points · 3 cards", or where room is short "18 · 3 cards". */
export function standing(player: PlayerView, short = false): string {
  const points = short
    ? String(player.laid_points)
    : `${player.laid_points} ${player.laid_points === 1 ? "point" : "points"}`;
  const cards = `${player.cards} ${player.cards === 1 ? "card" : "cards"}`;
  return `${points} · ${cards}`;
}
