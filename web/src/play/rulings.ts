/**
 * Every ruling of an edition in plain words: what a player must know of it, and what a host can choose.
 * Law: each value of each ruling has its sentence here; the types see to it that none is missing.
 */
import type { Edition } from "../wire.ts";

/** The rulings that are a choice among a few. */
export type ChoiceKey =
  | "joker"
  | "dealer"
  | "empty_hand_draw"
  | "pile_out"
  | "early_touch"
  | "jam"
  | "empty_slam"
  | "pass_with_pair"
  | "ending"
  | "scoring"
  | "tie";

/** The rulings that are a number. */
export type NumberKey = "full_press_ms" | "free_fakes" | "duel_limit_ms";

export interface Answer {
  /** A few words, for a choice. */
  readonly label: string;
  /** One sentence, for a player. */
  readonly says: string;
}

type Answers = { readonly [Key in ChoiceKey]: Readonly<Record<Edition[Key], Answer>> };

export const ANSWERS: Answers = {
  joker: {
    "wild-once": {
      label: "wild",
      says: "The Smiling Joker makes a pair with any one number; both are laid.",
    },
    kept: {
      label: "kept",
      says: "The Joker pairs with nothing: whoever holds it at the end scores it.",
    },
  },
  dealer: {
    cut: { label: "cut for it", says: "Before each game all cut; the highest card deals." },
    chosen: {
      label: "named",
      says: "The host names the dealer, or chance does; then the deal moves to the left.",
    },
  },
  empty_hand_draw: {
    one: { label: "one card", says: "Each turn begins with one card from the pile." },
    two: {
      label: "two cards",
      says: "Each turn begins with one card from the pile; with an empty hand, with two.",
    },
  },
  pile_out: {
    "no-draw": { label: "no draw", says: "When the pile is out there is nothing left to draw." },
    "from-opponent": {
      label: "from an opponent",
      says: "When the pile is out one draws, unseen, from an opponent.",
    },
  },
  early_touch: {
    free: {
      label: "free",
      says: "Touching before the slammer’s hand has landed costs nothing, if it does land.",
    },
    pays: {
      label: "costs a card",
      says: "Touching before the slammer’s hand has landed costs a card; such a hand cannot be last.",
    },
  },
  jam: {
    "pile-card": {
      label: "card from the pile",
      says: "In a jam the pair is laid, and the slammer draws from the pile instead.",
    },
    void: { label: "nothing counts", says: "In a jam nothing counts: the pair stays in the hand." },
  },
  empty_slam: {
    "loses-card": {
      label: "costs a card",
      says: "Slamming without a pair costs a card, which goes under the pile; twice in a turn ends it.",
    },
    "ends-turn": { label: "ends the turn", says: "Slamming without a pair ends the turn." },
  },
  pass_with_pair: {
    allowed: { label: "always", says: "One may pass at any time, with a pair in hand too." },
    "not-once-pile-is-out": {
      label: "while there is a pile",
      says: "Once the pile is out, nobody may pass with a pair in hand.",
    },
  },
  ending: {
    "last-card": {
      label: "last card drawn",
      says: "The game ends with the turn in which the pile’s last card is taken.",
    },
    "all-pairs": { label: "all pairs laid", says: "The game ends when all pairs are laid." },
  },
  scoring: {
    "face-values": {
      label: "card values",
      says: "Cards laid count their value (Smiling Joker 10), cards held count against you (Sad Joker 20).",
    },
    junior: {
      label: "junior",
      says: "A card laid counts 1 (Smiling Joker 5), a card held costs 1 (Sad Joker 5).",
    },
    pairs: { label: "pairs", says: "A pair counts 1, the Joker in hand 2." },
  },
  tie: {
    shared: { label: "shared", says: "The highest count wins; equal counts share the win." },
    "face-values": {
      label: "by card values",
      says: "The highest count wins; among equals a pair counts its number and the Joker 20.",
    },
  },
};

/** What is asked, in the order of play. */
export const QUESTIONS: Readonly<Record<ChoiceKey | NumberKey, string>> = {
  joker: "The Smiling Joker is",
  dealer: "The dealer is",
  empty_hand_draw: "With an empty hand one draws",
  pile_out: "When the pile is out one draws",
  early_touch: "Touching too early is",
  jam: "A jam brings",
  empty_slam: "A slam without a pair",
  pass_with_pair: "One may pass with a pair",
  full_press_ms: "A slam must be held for (ms)",
  free_fakes: "Free fakes in a turn",
  duel_limit_ms: "With one opponent, time to touch (ms)",
  ending: "The game ends with the",
  scoring: "Points for",
  tie: "A tie is",
};

export const NUMBER_RANGES: Readonly<Record<NumberKey, { highest: number; step: number }>> = {
  full_press_ms: { highest: 200, step: 10 },
  free_fakes: { highest: 20, step: 1 },
  duel_limit_ms: { highest: 2000, step: 50 },
};

/** The sentence of a ruling that is a number. */
export function numberSays(key: NumberKey, value: number): string {
  switch (key) {
    case "full_press_ms":
      return value === 0
        ? "However short a slam, it counts."
        : `A slam let go within ${value} ms is a short press and ends the turn.`;
    case "free_fakes":
      return value === 0
        ? "There is no faking: a hand that reaches must land."
        : `${value === 1 ? "One fake" : `${value} fakes`} a turn may go by that nobody falls for.`;
    case "duel_limit_ms":
      return value === 0
        ? "With only one opponent in the race, that one is always last."
        : `With only one opponent in the race, that one is last only after ${value} ms.`;
  }
}

/** The cards in the box. */
export function deckSays(
  { highest, smiling, sad }: Edition["deck"],
  joker: Edition["joker"],
): string {
  const jokers =
    smiling && sad
      ? ", a Smiling and a Sad Joker"
      : smiling
        ? joker === "kept"
          ? " and one Joker"
          : " and a Smiling Joker"
        : sad
          ? " and a Sad Joker"
          : "";
  const count = highest * 4 + Number(smiling) + Number(sad);
  return `${count} cards: 1 to ${highest}, four of each${jokers}.`;
}

/** A section of the rule book. */
export interface Section {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** The rule book of an edition: what holds everywhere, and what this edition rules. */
export function ruleBook(edition: Edition): readonly Section[] {
  const says = <Key extends ChoiceKey>(key: Key): string =>
    (ANSWERS[key] as Readonly<Record<Edition[Key], Answer>>)[edition[key]].says;
  const number = (key: NumberKey) => numberSays(key, edition[key]);
  const { smiling, sad } = edition.deck;
  return [
    {
      heading: "Cards",
      lines: [
        deckSays(edition.deck, edition.joker),
        "Everyone gets four. Two of one number are a pair.",
        ...(smiling ? [says("joker")] : []),
        ...(sad ? ["The Sad Joker pairs with nothing; only another’s taking rids you of it."] : []),
        says("dealer"),
      ],
    },
    {
      heading: "A turn",
      lines: [
        says("empty_hand_draw"),
        says("pile_out"),
        "Then slam, fake or pass, as often as you like; only a pass ends the turn, or a mistake that says so.",
        says("pass_with_pair"),
      ],
    },
    {
      heading: "The slam",
      lines: [
        "With a pair in hand, bring your hand down on the unit. All others slam at once.",
        "The last one down loses: you lay the pair, then take one card from the loser, unseen.",
        "Whoever has not touched when the window closes is last; of several, the slammer chooses.",
        number("duel_limit_ms"),
        says("early_touch"),
        "What the unit cannot tell apart is a jam.",
        says("jam"),
      ],
    },
    {
      heading: "The fake",
      lines: [
        "Reach for the unit and draw back: whoever touches it has fallen for it and pays you a card.",
        number("free_fakes"),
        "A hand without cards takes no part, neither in a race nor in a fake.",
      ],
    },
    {
      heading: "Mistakes",
      lines: [
        says("empty_slam"),
        number("full_press_ms"),
        "Touching when nothing is going on costs nothing, but the hand must rest for a moment.",
      ],
    },
    { heading: "The end", lines: [says("ending"), says("scoring"), says("tie")] },
  ];
}

/** What matters most of an edition, in a few lines, for a waiting room. */
export function editionInBrief(edition: Edition): readonly string[] {
  const says = <Key extends ChoiceKey>(key: Key): string =>
    (ANSWERS[key] as Readonly<Record<Edition[Key], Answer>>)[edition[key]].says;
  return [
    deckSays(edition.deck, edition.joker),
    ...(edition.deck.smiling ? [says("joker")] : []),
    ...(["early_touch", "jam", "empty_slam", "ending", "scoring"] as const).map(says),
    numberSays("free_fakes", edition.free_fakes),
  ];
}

/** Two editions play alike, whatever their names. */
export function playsLike(a: Edition, b: Edition): boolean {
  const rulings = ({ name: _, deck, ...rest }: Edition) =>
    JSON.stringify([deck.highest, deck.smiling, deck.sad, Object.entries(rest).sort()]);
  return rulings(a) === rulings(b);
}
