/**
 * The geometry of the unit, and who sits where round it.
 *
 * Laws: one's own seat is always at the bottom; the others keep their order, clockwise as seen on the screen
 * (the turn goes left, and the left of whoever sits at the bottom is the left of the screen);
 * with fewer than four the table stays even: two face each other, a third takes the other side.
 * Units are those of the unit's own drawing: its centre is (0, 0), its lobes end at about 214.
 */
import { SEATS, type Seat } from "./seats.ts";

/** A side of the unit on the screen. */
export type Place = "bottom" | "left" | "top" | "right";

/** A plastic hand of the unit: up, pressed down, or without a part in the play. */
export type Plastic = "up" | "pressed" | "absent";

/** What a player's own hand does. */
export type Glove = "away" | "reaching" | "hovering" | "landed" | "withdrawing";

/** One hand round the unit, as Unit.svelte draws it. */
export interface UnitHand {
  readonly seat: Seat;
  readonly place: Place;
  readonly plastic: Plastic;
  readonly glove: Glove;
}

/** What the window shows. Piles run from the first paddle in to the last, which lies on top. */
export type UnitWindow =
  | { readonly kind: "ready" }
  | { readonly kind: "last"; readonly seat: Seat; readonly pile: readonly Seat[] }
  | { readonly kind: "jam"; readonly pile: readonly Seat[] }
  | { readonly kind: "word"; readonly text: string };

const CLOCKWISE: readonly Place[] = ["bottom", "left", "top", "right"];

const SIDES: Readonly<Record<number, readonly Place[]>> = {
  1: ["bottom"],
  2: ["bottom", "top"],
  3: ["bottom", "left", "right"],
  4: CLOCKWISE,
};

/** How far each place is turned from the bottom, in degrees clockwise. */
export const TURN: Readonly<Record<Place, number>> = { bottom: 0, left: 90, top: 180, right: 270 };

/** The way from the middle of the unit out to each place. */
export const OUTWARD: Readonly<Record<Place, readonly [x: number, y: number]>> = {
  bottom: [0, 1],
  left: [-1, 0],
  top: [0, -1],
  right: [1, 0],
};

/**
 * The place of each of the unit's four hands, `own` at the bottom (for a spectator: any seat).
 * Those in `seated` come first, in their order round the table; hands nobody took fill the places left over.
 */
export function roundTheUnit(own: Seat, seated: readonly Seat[]): ReadonlyMap<Seat, Place> {
  const order = [0, 1, 2, 3].map((step) => (((own - 1 + step) % 4) + 1) as Seat);
  const taken = order.filter((seat) => seat === own || seated.includes(seat));
  const sides = SIDES[taken.length] ?? CLOCKWISE;
  const places = new Map<Seat, Place>();
  taken.forEach((seat, i) => {
    const place = sides[i];
    if (place) places.set(seat, place);
  });
  const left = CLOCKWISE.filter((place) => !sides.includes(place));
  SEATS.filter((seat) => !places.has(seat)).forEach((seat, i) => {
    const place = left[i];
    if (place) places.set(seat, place);
  });
  return places;
}

/** Four lobes round a middle: circles of radius `90 - inset` about (0, ±124) and (±124, 0), joined by smooth waists. */
export function bodyPath(inset: number): string {
  const lobe = 90 - inset;
  const waist = 46 + inset;
  // A waist is a circle that touches two lobes; its middle is on the diagonal, 136 from both of theirs.
  const near = 124 + (11.5 * lobe) / 136;
  const far = (135.5 * lobe) / 136;
  const corners = [
    [near, -far, near, far],
    [far, near, -far, near],
    [-near, far, -near, -far],
    [-far, -near, far, -near],
  ] as const;
  const arcs = corners.map(
    ([x0, y0, x1, y1], i) =>
      `${i ? `A${waist} ${waist} 0 0 0` : "M"}${round(x0)} ${round(y0)}A${lobe} ${lobe} 0 0 1 ${round(x1)} ${round(y1)}`,
  );
  return `${arcs.join("")}A${waist} ${waist} 0 0 0 ${round(near)} ${round(-far)}Z`;
}

/** A star of `points` points round (0, 0), from `outer` to `inner` radius. */
export function starPath(points: number, outer: number, inner: number, turn = 0): string {
  const steps = Array.from({ length: points * 2 }, (_, i) => {
    const a = ((i * 180) / points + turn - 90) * (Math.PI / 180);
    const r = i % 2 ? inner : outer;
    return `${round(r * Math.cos(a))} ${round(r * Math.sin(a))}`;
  });
  return `M${steps.join("L")}Z`;
}

function round(v: number): number {
  return Math.round(v * 10) / 10;
}

/** What the unit shows, in words, for whoever does not see it. */
export function unitInWords(hands: readonly UnitHand[], window: UnitWindow): string {
  const say = (glove: Glove, word: string) =>
    hands.filter((hand) => hand.glove === glove).map((hand) => `hand ${hand.seat} ${word}`);
  const parts = [windowInWords(window)];
  parts.push(
    ...say("reaching", "is reaching"),
    ...say("hovering", "hovers"),
    ...say("landed", "is down"),
  );
  return `The Slam-o-matic: ${parts.join(", ")}`;
}

function windowInWords(window: UnitWindow): string {
  switch (window.kind) {
    case "ready":
      return "ready";
    case "last":
      return `${window.seat} was last`;
    case "jam":
      return "jammed";
    case "word":
      return window.text;
  }
}

/** A glove's sleeve, in the glove's own drawing: from the wrist out to an edge cut with pinking shears. */
export const SLEEVE = `M-33 64L-41 152${Array.from({ length: 7 }, (_, i) => {
  const step = 82 / 7;
  const x = -41 + i * step;
  return `L${round(x + step / 2)} 160L${round(x + step)} 152`;
}).join("")}L33 64Z`;
