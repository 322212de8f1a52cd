/** How a table is laid out in the window there is, and how large things may be drawn. Pure geometry, in pixels. */

/** Wide: a screen. Tall: a phone, or a tablet upright. Low: a phone on its side. */
export type Shape = "wide" | "tall" | "low";

export interface Room {
  readonly shape: Shape;
  /** Things are small, and some are left out. */
  readonly compact: boolean;
  /** As few words as will do. */
  readonly terse: boolean;
  /** Widths of cards: in one's own hand, to pick from, in an opponent's fan, in the pile. */
  readonly card: number;
  readonly pick: number;
  readonly fan: number;
  readonly pile: number;
  /** The height of a letter of the mark. */
  readonly mark: number;
}

/** On a phone the mark stands beside three small buttons; it is so many times as wide as its letters are high. */
const BAR = 172;
const MARK_WIDE = 10.7;

/** The room of a window. */
export function roomOf(width: number, height: number): Room {
  const shape = width < height ? "tall" : height < 560 ? "low" : "wide";
  const compact = shape !== "wide";
  const card = cardOf(shape, width, height);
  return {
    shape,
    compact,
    terse: compact || width < 1180,
    card,
    pick: Math.min(card * 0.94, 84),
    fan: Math.max(52, Math.min(78, height * 0.068)),
    pile: compact ? 44 : 66,
    mark: compact ? Math.min(20, (width - BAR) / MARK_WIDE) : Math.min(36, width * 0.0245),
  };
}

function cardOf(shape: Shape, width: number, height: number): number {
  switch (shape) {
    case "tall":
      return Math.min(88, height * 0.108, width * 0.23);
    case "low":
      return Math.min(76, height * 0.19);
    case "wide":
      return Math.min(120, height * 0.14, width * 0.1);
  }
}

/** A pair lies as two cards, one partly on the other. */
const PAIR_WIDE = 1.62;
const CARD_TALL = 1.4;
/** What a pair's button has round its cards, and how far buttons stand from each other: see DutyPanel.svelte. */
const PADDING = 4;
const GAP = 8;

/** The width of a card with which `count` pairs fit into `width` by `height`, never more than `most`. */
export function pairCardSize(count: number, width: number, height: number, most: number): number {
  for (let size = Math.floor(most); size > 22; size -= 1) {
    const wide = size * PAIR_WIDE + 2 * PADDING + GAP;
    const high = size * CARD_TALL + 2 * PADDING + GAP;
    const rows = Math.ceil(count / Math.max(1, Math.floor((width + GAP) / wide)));
    if (rows * high - GAP <= height) return size;
  }
  return 22;
}

/** The height a hand of cards of this width takes, however many there are: so nothing moves when one comes or goes. */
export function handHeight(size: number): number {
  return Math.round(size * 1.76);
}
