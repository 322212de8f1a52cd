/**
 * What a card can be, for whoever draws it: its words, its ink, its short sign.
 * Law: this room knows how a card looks and is called, never what it is worth.
 */

/** A numbered card (1 to 10), one of the jokers, or `null`: a card lying face down. */
export type Face = number | "smiling" | "sad" | "joker" | null;

const NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** What a card is called when it is read aloud. */
export function faceInWords(face: Face): string {
  switch (face) {
    case null:
      return "face-down card";
    case "smiling":
      return "Smiling Joker";
    case "sad":
      return "Sad Joker";
    case "joker":
      return "Joker";
    default:
      return NUMBERS[face - 1] ?? String(face);
  }
}

/** The ink of a numbered card, as a CSS value. */
export function rankInk(rank: number): string {
  return `var(--rank-${rank})`;
}
