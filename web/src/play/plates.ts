/** What a seat's plate says: its line, its bars, its signs. Pure. */
import type { BadgeKind } from "../art/badges.ts";
import type { Bars } from "../art/bars.ts";
import { SEATS, type Seat } from "../art/seats.ts";
import type { PlayerView, SeatView, TableView } from "../wire.ts";

/** How good a connection is; `undefined`: a bot has none. Good and fair end where the table tells of a change. */
export function barsOf(seat: SeatView): Bars | undefined {
  if (seat.bot !== null) return undefined;
  if (seat.presence === "away") return 0;
  if (seat.rtt_ms === null) return "unknown";
  return seat.rtt_ms <= 80 ? 3 : seat.rtt_ms <= 160 ? 2 : 1;
}

/** Whether a person is farther away than this table allows. */
export function isTooFar(seat: SeatView | undefined, cap_ms: number | null): boolean {
  return cap_ms !== null && seat?.rtt_ms != null && seat.rtt_ms > cap_ms;
}

/** The hands a newcomer may take; where only bots sit, they make room (but not in mid-game, and not behind a lock). */
export function freeHands({ seats, locked, phase }: TableView): Seat[] {
  if (locked || phase === "playing") return [];
  const isForBots = seats.every(({ bot }) => bot !== null);
  return SEATS.filter((hand) => isForBots || !seats.some(({ seat }) => seat === hand));
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
