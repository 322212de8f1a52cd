/**
 * The wire's words under the names the client uses.
 * Law: types come from wire.ts, which is generated; nothing of the protocol is written twice.
 */
import type { Face } from "../art/cards.ts";
import type { Seat } from "../art/seats.ts";
import type { Card, Edition, Moved, TableView, View, Wire } from "../wire.ts";

export type ClientMessage = Wire["client"];
export type ServerMessage = Wire["server"];
export type GameEvent = Moved["events"][number];
export type Command = View["legal"][number];
export type Duty = View["duties"][number];
export type Pair = readonly [Card, Card];

/** The smiling joker's and the sad joker's numbers on the wire. */
export const SMILING = 11;
export const SAD = 12;

/** A hand number of the wire as a seat. */
export function asSeat(hand: number): Seat {
  if (hand === 1 || hand === 2 || hand === 3 || hand === 4) return hand;
  throw new RangeError(`there is no hand ${hand}`);
}

/** How a card is drawn: a joker that is not wild wears the cap. */
export function faceOf(card: Card, edition: Edition): Face {
  if (card === SMILING) return edition.joker === "wild-once" ? "smiling" : "joker";
  return card === SAD ? "sad" : card;
}

/** The name of whoever sits at a hand. */
export function nameAt(table: TableView, seat: number): string {
  return table.seats.find((taken) => taken.seat === seat)?.name ?? `Hand ${seat}`;
}
