/**
 * How cards lie in a fan: pure geometry, in pixels and degrees.
 *
 * Laws: no card leaves the width it was given, whatever its tilt; cards lie evenly, the first at the left and lowest,
 * the next partly on it, so that the upper left corner of each, where its index is, stays in sight;
 * few cards lie close, as in a hand, and are not stretched over the width.
 */

/** A card is this much taller than it is wide. */
export const CARD_RATIO = 1.4;

export interface FanCard {
  /** The left edge of the untilted card. */
  readonly x: number;
  /** Its upper edge; 0 is the highest card of the fan. */
  readonly y: number;
  /** Its tilt about its own middle, in degrees clockwise. */
  readonly tilt: number;
}

export interface FanLayout {
  readonly cards: readonly FanCard[];
  readonly width: number;
  /** From the top of the highest card to the lowest corner of the lowest, without what is raised. */
  readonly height: number;
  /** How much of each covered card is seen, in pixels. */
  readonly step: number;
}

/** Tilt between two neighbours at the most, and of the whole fan at the most, in degrees. */
const TILT_STEP = 3.6;
const TILT_ALL = 20;
/** The share of a card its neighbour leaves open when there is room. */
const EASY = 0.68;

/** `count` cards of width `size` in a fan not wider than `width`, middle of the fan in the middle of `width`. */
export function fanLayout(count: number, width: number, size: number): FanLayout {
  if (count <= 0) return { cards: [], width, height: size * CARD_RATIO, step: 0 };
  const half = Math.min((TILT_STEP * (count - 1)) / 2, TILT_ALL / 2);
  const tall = size * CARD_RATIO;
  const spanAt = (degrees: number) => {
    const a = (degrees * Math.PI) / 180;
    return {
      wide: size * Math.cos(a) + tall * Math.sin(a),
      high: size * Math.sin(a) + tall * Math.cos(a),
    };
  };
  const end = spanAt(half);
  const room = Math.max(0, width - end.wide);
  const step = count > 1 ? Math.min(size * EASY, room / (count - 1)) : 0;
  const spread = step * (count - 1);
  // The middles lie on a circle which the end cards meet at their own tilt.
  const sag = half > 0 ? (spread / 2) * Math.tan(((half / 2) * Math.PI) / 180) : 0;
  const cards = Array.from({ length: count }, (_, i) => {
    const t = count > 1 ? (2 * i) / (count - 1) - 1 : 0;
    return { x: (width - size) / 2 + (t * spread) / 2, y: t * t * sag, tilt: t * half };
  });
  const height = Math.max(tall, sag + (tall + end.high) / 2);
  return { cards, width, height, step };
}

/** Where an arrow key leads in a row of `count`, from `index`; `null` if the key is not one for a row. */
export function rowStep(key: string, index: number, count: number): number | null {
  switch (key) {
    case "ArrowLeft":
    case "ArrowUp":
      return (index + count - 1) % count;
    case "ArrowRight":
    case "ArrowDown":
      return (index + 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
