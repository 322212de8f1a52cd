/**
 * Sentences about players: words, and the seats they speak of.
 * Law: a sentence names a seat, not a person, until it is shown; then a seat is "you", a name, or its colour.
 */
import { type Seat, seatLook } from "../art/seats.ts";
import type { TableView } from "../wire.ts";
import { nameAt } from "./terms.ts";

/** A seat in a sentence. `verb` is what it does: how others do it, then how you do it. */
export interface Actor {
  readonly seat: Seat;
  readonly verb: readonly [theirs: string, yours: string];
}

export type Part = string | Actor | { readonly seat: Seat };
export type Sentence = readonly Part[];

/** How seats are called: by name where their shape is shown beside it, by name and hand where it can only be heard. */
export interface Naming {
  readonly me: Seat | null;
  readonly call: (seat: Seat) => string;
}

export function byName(table: TableView, me: Seat | null): Naming {
  return { me, call: (seat) => nameAt(table, seat) };
}

export function byHand(table: TableView, me: Seat | null): Naming {
  return { me, call: (seat) => `${nameAt(table, seat)} (${seatLook(seat).name})` };
}

/** "Jun draws", "you draw". */
export function does(seat: Seat, theirs: string, yours = theirs): Actor {
  return { seat, verb: [theirs, yours] };
}

/** One part as it is read. */
export function partText(part: Part, naming: Naming): string {
  if (typeof part === "string") return part;
  const mine = part.seat === naming.me;
  const who = mine ? "you" : naming.call(part.seat);
  return "verb" in part ? `${who} ${part.verb[mine ? 1 : 0]}` : who;
}

/** The whole sentence as it is read. */
export function sentenceText(sentence: Sentence, naming: Naming): string {
  const text = sentence.map((part) => partText(part, naming)).join("");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "a", "a and b", "a, b and c", of seats. */
export function listed(seats: readonly Seat[]): Sentence {
  return seats.flatMap((seat, i): Part[] => {
    const between = i === 0 ? "" : i === seats.length - 1 ? " and " : ", ";
    return between ? [between, { seat }] : [{ seat }];
  });
}
