/** Calling a game off while somebody is gone: who is, who wants it, and who is still to be asked. Pure. */
import type { SeatView, TableView } from "../wire.ts";

export interface Ballot {
  /** People whose page is gone; who got up for good is a bot by now. */
  readonly gone: readonly SeatView[];
  /** People at the table who want it. */
  readonly forIt: readonly SeatView[];
  /** Those who have not said so. */
  readonly open: readonly SeatView[];
}

/** The ballot at this table; `null`: the game cannot be called off now. */
export function ballotOf({ seats, end_votes: votes }: TableView): Ballot | null {
  if (votes === null) return null;
  const people = seats.filter(({ bot }) => bot === null);
  const here = people.filter(({ presence }) => presence === "here");
  return {
    gone: people.filter(({ presence }) => presence === "away"),
    forIt: here.filter(({ seat }) => votes.includes(seat)),
    open: here.filter(({ seat }) => !votes.includes(seat)),
  };
}

/** Why there is something to vote on, as a sentence. */
export function goneInWords({ gone }: Ballot): string {
  const names = gone.map(({ name }) => name);
  if (names.length === 0) return "Somebody has left, and a bot plays on in that seat.";
  const all = [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");
  return names.length === 1
    ? `${all} is gone, and a bot stands in.`
    : `${all} are gone, and bots stand in.`;
}
