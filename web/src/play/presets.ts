/** The preset editions and the bots' levels, as a player chooses among them. */
import type { Level, Pace } from "../wire.ts";

export interface Preset {
  /** The name the server knows it by. */
  readonly value: string;
  readonly label: string;
  readonly says: string;
}

export const PRESETS: readonly Preset[] = [
  {
    value: "classic",
    label: "Classic",
    says: "The game of 1964: a wild joker, a sad one, and points by card values.",
  },
  {
    value: "classic-junior",
    label: "Classic Junior",
    says: "The game of 1964 with an easier count: every card laid is a point.",
  },
  {
    value: "modern",
    label: "Modern",
    says: "Pairs count, early touches cost, and nobody may sit on a pair at the end.",
  },
];

/** An edition's name for people, by whichever name it is known; one of somebody's own keeps its own. */
export function editionLabel(name: string): string {
  return PRESETS.find(({ value }) => value === name)?.label ?? name;
}

export const LEVELS: readonly { readonly value: Level; readonly label: string }[] = [
  { value: "gentle", label: "Gentle" },
  { value: "steady", label: "Steady" },
  { value: "sharp", label: "Sharp" },
];

export const PACES: readonly {
  readonly value: Pace;
  readonly label: string;
  readonly says: string;
}[] = [
  { value: "normal", label: "Normal", says: "20 seconds for each choice." },
  { value: "relaxed", label: "Relaxed", says: "A minute for each choice." },
  { value: "untimed", label: "No clock", says: "Take your time; whoever vanishes is replaced." },
];

/** Round trips a host may allow at most, in milliseconds; 0: any. */
export const ROUND_TRIPS: readonly { readonly value: number; readonly label: string }[] = [
  { value: 0, label: "Any" },
  { value: 300, label: "300 ms" },
  { value: 200, label: "200 ms" },
  { value: 100, label: "100 ms" },
];

/** What a cap on the round trip means. */
export function capSays(cap_ms: number | null): string {
  if (cap_ms === null) return "Any connection may play.";
  const strict = cap_ms === 300 ? ": the choice for strict play" : "";
  return `Nobody plays whose way to the server and back takes over ${cap_ms} ms${strict}.`;
}

/** What it means that games count for the ratings, or do not. */
export function ratedSays(rated: boolean): string {
  return rated
    ? "Rated: the order at the end moves everyone’s rating, and leaving counts as last. People only, an edition as it is."
    : "For fun: no rating moves.";
}
