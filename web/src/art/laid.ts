/**
 * Where laid pairs lie: pure geometry, in pixels.
 *
 * Laws: two alike show one card's sign and the edge of its twin; an unlike pair (a wild joker and its card) shows both signs;
 * one row while every sign can be seen whole, then two; only where two are not enough do pairs cover each other.
 */
import type { Face } from "./cards.ts";

export type Pair = readonly [under: Face, over: Face];

export interface LaidLayout {
  readonly places: readonly { readonly x: number; readonly row: number }[];
  readonly rows: number;
}

const GAP = 4;

/** How far the lower card of a pair shows beside the upper one. */
export function pairPeek([under, over]: Pair, size: number): number {
  return under === over ? size * 0.18 : size * 0.72;
}

/** Places `pairs` of cards `size` wide in `width`. */
export function laidLayout(pairs: readonly Pair[], width: number, size: number): LaidLayout {
  const widths = pairs.map((pair) => size + pairPeek(pair, size) + GAP);
  const total = widths.reduce((sum, w) => sum + w, -GAP);
  const rows = total > width && pairs.length > 1 ? 2 : 1;
  const perRow = Math.ceil(pairs.length / rows);
  const places = widths.map((_, i) => {
    const row = Math.floor(i / perRow);
    const mates = widths.slice(row * perRow, (row + 1) * perRow);
    const span = mates.reduce((sum, w) => sum + w, -GAP);
    const start = widths.slice(row * perRow, i).reduce((sum, w) => sum + w, 0);
    const last = mates.at(-1) ?? 0;
    // What is too long is pushed together evenly, so that the last pair still ends inside.
    const squeeze =
      span > width && mates.length > 1 ? Math.max(0, width - last + GAP) / (span - last + GAP) : 1;
    return { x: start * squeeze, row };
  });
  return { places, rows };
}
