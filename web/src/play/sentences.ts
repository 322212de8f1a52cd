/**
 * What happened, in plain words: the game's events as a list one can read afterwards.
 * Law: nothing is told that the events do not say; a card is named only if the viewer was shown it.
 */
import { faceInWords } from "../art/cards.ts";
import type { Card, Edition, GameEnd, PairLaid, TurnEnd } from "../wire.ts";
import { type Race, raceSentence } from "./race.ts";
import { does, type Sentence } from "./telling.ts";
import { asSeat, faceOf, type GameEvent } from "./terms.ts";

/** One line of the history. `turn` begins a turn, `race` is a verdict. */
export interface Told {
  readonly kind: "turn" | "race" | "move";
  readonly sentence: Sentence;
}

/** The lines for the events of one message; its race, if it settled one, is told where the unit judged. */
export function tell(events: readonly GameEvent[], race: Race | null, edition: Edition): Told[] {
  return events.flatMap((event) => told(event, race, edition) ?? []);
}

function told(event: GameEvent, race: Race | null, edition: Edition): Told | null {
  const move = (...sentence: Sentence): Told => ({ kind: "move", sentence });
  switch (event.type) {
    case "Dealt":
      return dealt(event.cuts, asSeat(event.dealer), event.seats, edition);
    case "TurnBegan":
      return {
        kind: "turn",
        sentence: [does(asSeat(event.seat), "is next.", "are next.")],
      };
    case "CardDrawn": {
      const what = event.card === null ? "a card" : aCard(event.card, edition);
      const from =
        event.why === "jam" ? " for the jam." : event.why === "end" ? " left in the pile." : ".";
      return move(does(asSeat(event.seat), `drew ${what}${from}`));
    }
    case "CardTaken": {
      const what = event.card === null ? "a card" : aCard(event.card, edition);
      return move(
        does(asSeat(event.seat), `took ${what} from`),
        " ",
        {
          seat: asSeat(event.loser),
        },
        ".",
      );
    }
    case "CardBuried": {
      const what = event.card === null ? "a card" : aCard(event.card, edition);
      return move(
        does(asSeat(event.loser), `lost ${what}`),
        event.aside ? ": it is set aside, and still counts." : ": it goes under the pile.",
      );
    }
    case "Judged":
      return race ? { kind: "race", sentence: raceSentence(race) } : null;
    case "PairLaid":
      return move(does(asSeat(event.seat), `laid ${pairInWords(event.pair, edition)}.`));
    case "LoserChosen":
      return move(does(asSeat(event.seat), "chose"), " ", { seat: asSeat(event.loser) }, ".");
    case "Passed":
      return move(does(asSeat(event.seat), "passed."));
    case "TurnEnded":
      return TURN_ENDS[event.why] ? move(TURN_ENDS[event.why]) : null;
    case "GameEnded":
      return move(GAME_ENDS[event.why]);
    case "Slammed":
    case "Faked":
      return null;
  }
}

const TURN_ENDS: Readonly<Record<TurnEnd, string>> = {
  pass: "",
  short: "The turn is over.",
  empty: "The turn is over.",
  stall: "Too long without a pair: the turn is over.",
};

/** Why the game ended. */
export const GAME_ENDS: Readonly<Record<GameEnd, string>> = {
  "last-card": "The pile’s last card is gone: the game is over.",
  "all-pairs": "All pairs are laid: the game is over.",
  stall: "Nobody laid a pair for a long time: the game is over.",
};

function dealt(
  cuts: readonly (readonly Card[])[],
  dealer: 1 | 2 | 3 | 4,
  seats: readonly number[],
  edition: Edition,
): Told {
  const deals = does(dealer, "deals.", "deal.");
  const first = cuts[0];
  if (!first) return { kind: "move", sentence: ["New game: ", deals] };
  const place = seats.indexOf(dealer);
  const card = first[place];
  const again = cuts.length > 1 ? " after a tie" : "";
  const cut = card === undefined ? "cut highest" : `cut ${aCard(card, edition)}`;
  return {
    kind: "move",
    sentence: [
      "New game: ",
      does(dealer, `${cut}${again} and ${"deals"}.`, `${cut}${again} and deal.`),
    ],
  };
}

/** "a seven", "an eight", "the Smiling Joker". */
export function aCard(card: Card, edition: Edition): string {
  const face = faceOf(card, edition);
  const words = faceInWords(face);
  if (typeof face !== "number") return `the ${words}`;
  return `${face === 8 ? "an" : "a"} ${words}`;
}

/** "two sevens", "the Smiling Joker and a seven". */
export function pairInWords(pair: PairLaid["pair"], edition: Edition): string {
  const [first, second] = pair;
  if (first === second) return `two ${plural(faceInWords(faceOf(first, edition)))}`;
  return `${aCard(first, edition)} and ${aCard(second, edition)}`;
}

function plural(number: string): string {
  return number === "six" ? "sixes" : `${number}s`;
}
