/** Made-up players and hands for the stage. */
import type { Face } from "../cards.ts";
import type { Pair } from "../laid.ts";
import type { Seat } from "../seats.ts";
import type { TimelineMark } from "../timeline.ts";
import { type Glove, type Plastic, roundTheUnit, type UnitHand } from "../unit.ts";

export const PLAYERS = [
  { seat: 1, name: "You", points: 27, cards: 5, bars: 3 },
  { seat: 2, name: "Jun", points: 18, cards: 3, bars: 3 },
  { seat: 3, name: "Mara", points: 31, cards: 5, bars: 3 },
  { seat: 4, name: "Robin", points: 24, cards: 4, bars: 2 },
] as const;

export const OWN_HAND: readonly Face[] = [3, 7, 7, 10, "smiling"];

export const PAIRS: Readonly<Record<Seat, readonly Pair[]>> = {
  1: [
    [4, 4],
    [9, 9],
    [1, 1],
  ],
  2: [[9, 9]],
  3: [
    [8, 8],
    [5, "smiling"],
    [2, 2],
  ],
  4: [
    [2, 2],
    [10, 10],
  ],
};

export const RACE: readonly TimelineMark[] = [
  { seat: 1, ms: 262, shown: 262, band_ms: 4, last: false },
  { seat: 4, ms: 311, shown: 311, band_ms: 9, last: false },
  { seat: 3, ms: 349, shown: 349, band_ms: 6, note: "last", last: true },
];

/** The four hands as seat 1 sees them; gloves and plastic hands in the order of the seats. */
export function hands(gloves: readonly Glove[], plastic: readonly Plastic[] = []): UnitHand[] {
  const places = roundTheUnit(1, [1, 2, 3, 4]);
  return ([1, 2, 3, 4] as const).map((seat, i) => ({
    seat,
    place: places.get(seat) ?? "bottom",
    plastic: plastic[i] ?? "up",
    glove: gloves[i] ?? "away",
  }));
}
