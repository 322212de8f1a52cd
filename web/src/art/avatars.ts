/**
 * The faces people have here: cut from paper, one for every number.
 *
 * Laws: a number always gives the same face, in every browser; neighbouring numbers give faces that look nothing alike;
 * two faces differ in shape and ground before they differ in colour of a hat, so that they are told apart at 28 px;
 * inks are names of the palette in tokens.css.
 */

/** What the head is cut as. */
export const HEADS = ["hand", "mitten", "moon", "sun", "block", "drop", "flower"] as const;
export const EYES = ["dots", "wide", "wink", "glad", "sleepy", "specs"] as const;
export const MOUTHS = ["smile", "grin", "oh", "smirk", "tongue", "straight"] as const;
export const HATS = ["none", "cone", "crown", "cap", "bow", "sprout"] as const;

/** A ground and the head upon it: of one light enough for ink, the other far enough from it. */
export interface Inks {
  readonly ground: string;
  readonly head: string;
  readonly side: string;
}

export const INKS: readonly Inks[] = [
  { ground: "navy-rim", head: "sunny", side: "sunny-side" },
  { ground: "sky", head: "paper", side: "paper-side" },
  { ground: "coral", head: "sunny-light", side: "sunny-side" },
  { ground: "leaf", head: "paper", side: "paper-side" },
  { ground: "sunny", head: "paper", side: "paper-side" },
  { ground: "sky-tint", head: "coral", side: "coral-side" },
  { ground: "navy", head: "sky", side: "sky-side" },
  { ground: "leaf-tint", head: "sky", side: "sky-side" },
  { ground: "coral-tint", head: "leaf", side: "leaf-side" },
  { ground: "sunny-tint", head: "coral", side: "coral-side" },
  { ground: "leaf-side", head: "sunny-light", side: "sunny-side" },
  { ground: "coral-side", head: "sky-tint", side: "sky-side" },
  { ground: "sky-side", head: "coral-tint", side: "coral" },
];

/** What hats are cut from. */
export const HAT_INKS = ["coral", "navy-rim", "leaf", "sky", "sunny"] as const;

export interface AvatarLook {
  readonly inks: Inks;
  readonly head: (typeof HEADS)[number];
  readonly eyes: (typeof EYES)[number];
  readonly mouth: (typeof MOUTHS)[number];
  readonly hat: (typeof HATS)[number];
  readonly hatInk: string;
}

/** Numbers are below this. */
export const AVATARS = 2 ** 31;

/** The face of a number. */
export function avatarLook(number: number): AvatarLook {
  const draw = drawer(number);
  const head = draw(HEADS);
  const inks = draw(INKS);
  const hats = HAT_INKS.filter((ink) => ink !== inks.ground && ink !== inks.head);
  return {
    inks,
    head,
    eyes: draw(EYES),
    mouth: draw(MOUTHS),
    hat: draw(HATS),
    hatInk: draw(hats),
  };
}

/** Picks, one after the other, from a stream that starts at the number (splitmix32: small, and well mixed from 0 on). */
function drawer(number: number): <Item>(items: readonly Item[]) => Item {
  let state = number | 0;
  return (items) => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed = (mixed ^ (mixed >>> 15)) >>> 0;
    return items[mixed % items.length] as (typeof items)[number];
  };
}
