/**
 * The four seats as they look: ink, tones, shape and name. The single source for this.
 *
 * Laws: a seat is always told by colour and shape and number together, never by colour alone;
 * inks are names of the palette in tokens.css, so a hex is written in one place only.
 */

/** A hand of the unit, and whoever plays it. */
export type Seat = 1 | 2 | 3 | 4;

/** The outline that stands for a seat wherever colour might not be seen. */
export type Shape = "circle" | "triangle" | "square" | "diamond";

/** How one seat is drawn. Every colour is a CSS value. */
export interface SeatLook {
  readonly seat: Seat;
  /** What players call the seat: "Green was last". */
  readonly name: string;
  readonly shape: Shape;
  /** The flat colour of its things. */
  readonly ink: string;
  /** The darker side of its things. */
  readonly side: string;
  /** A light wash, for grounds behind text. */
  readonly tint: string;
  /** Its colour as text: readable (AA) on paper, on the cream ground and on its tint. */
  readonly text: string;
  /** What is written on its ink. */
  readonly on: string;
}

function look(seat: Seat, name: string, shape: Shape, ink: string, on: string): SeatLook {
  return {
    seat,
    name,
    shape,
    ink: `var(--${ink})`,
    side: `var(--${ink}-side)`,
    tint: `var(--${ink}-tint)`,
    text: `var(--${ink}-text)`,
    on: `var(--${on})`,
  };
}

const LOOKS: Readonly<Record<Seat, SeatLook>> = {
  1: look(1, "Coral", "circle", "coral", "paper"),
  2: look(2, "Yellow", "triangle", "sunny", "ink"),
  3: look(3, "Green", "square", "leaf", "paper"),
  4: look(4, "Blue", "diamond", "sky", "ink"),
};

export const SEATS: readonly Seat[] = [1, 2, 3, 4];

/** How `seat` is drawn. */
export function seatLook(seat: Seat): SeatLook {
  return LOOKS[seat];
}

/** The outline of `shape` round (0, 0) as path data; `r` is the radius of the circle, the others look as large. */
export function shapePath(shape: Shape, r: number): string {
  switch (shape) {
    case "circle":
      return `M${-r} 0a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`;
    case "triangle":
      return `M0 ${-1.22 * r}L${1.2 * r} ${0.92 * r}H${-1.2 * r}Z`;
    case "square":
      return `M${-0.9 * r} ${-0.9 * r}h${1.8 * r}v${1.8 * r}h${-1.8 * r}Z`;
    case "diamond":
      return `M0 ${-1.28 * r}L${1.2 * r} 0L0 ${1.28 * r}L${-1.2 * r} 0Z`;
  }
}

/** How far below (0, 0) the middle of a numeral sits in `shape`: a triangle carries its weight low. */
export function shapeMiddle(shape: Shape, r: number): number {
  return shape === "triangle" ? 0.3 * r : 0;
}
