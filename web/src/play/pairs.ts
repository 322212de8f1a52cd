/** Pairs in one's own hand, to point them out; what may be laid is for the server to say. */
import type { Card, Edition } from "../wire.ts";
import { SAD, SMILING } from "./terms.ts";

/** The places in `hand` of cards that belong to a pair by this edition (B4, C4, M3). */
export function pairedPlaces(hand: readonly Card[], edition: Edition): number[] {
  const wild = edition.joker === "wild-once" && hand.includes(SMILING);
  const numbers = hand.filter((card) => card !== SMILING && card !== SAD);
  return hand.flatMap((card, place) => {
    if (card === SAD) return [];
    if (card === SMILING) return wild && numbers.length > 0 ? [place] : [];
    return numbers.filter((other) => other === card).length > 1 ? [place] : [];
  });
}
