import { expect, test } from "vitest";
import { tell } from "./sentences.ts";
import { byName, sentenceText } from "./telling.ts";
import type { GameEvent } from "./terms.ts";
import { CLASSIC, tableView } from "./testing.ts";

const NAMING = byName(tableView(), 1);
const lines = (...events: GameEvent[]) =>
  tell(events, null, CLASSIC).map(({ sentence }) => sentenceText(sentence, NAMING));

test("one's own cards are named, others' are not", () => {
  expect(
    lines(
      { type: "CardDrawn", seat: 1, card: 8, why: "turn" },
      { type: "CardDrawn", seat: 2, card: null, why: "turn" },
      { type: "CardTaken", seat: 2, loser: 1, position: 0, card: 11, why: "last" },
      { type: "CardTaken", seat: 2, loser: 3, position: 0, card: null, why: "last" },
    ),
  ).toEqual([
    "You drew an eight.",
    "Jun drew a card.",
    "Jun took the Smiling Joker from you.",
    "Jun took a card from Mara.",
  ]);
});

test("a pair is named by what lies there", () => {
  expect(
    lines(
      { type: "PairLaid", seat: 2, pair: [6, 6], duties: [] },
      { type: "PairLaid", seat: 1, pair: [11, 7], duties: [] },
    ),
  ).toEqual(["Jun laid two sixes.", "You laid the Smiling Joker and a seven."]);
});

test("a deal tells who deals, and by which card of the cut", () => {
  const deal: GameEvent = {
    type: "Dealt",
    edition: CLASSIC,
    seats: [1, 2, 3, 4],
    dealer: 3,
    cuts: [[2, 9, 10, 12]],
    hands: [null, null, null, null],
    pile: null,
  };
  expect(lines(deal)).toEqual(["New game: Mara cut a ten and deals."]);
  expect(lines({ ...deal, cuts: [] })).toEqual(["New game: Mara deals."]);
  expect(
    lines({
      ...deal,
      dealer: 1,
      cuts: [
        [10, 10],
        [9, 2],
      ],
    }),
  ).toEqual(["New game: you cut a ten after a tie and deal."]);
});

test("a turn that ends by a pass is told once", () => {
  expect(
    lines(
      { type: "Passed", seat: 2 },
      { type: "TurnEnded", seat: 2, why: "pass" },
      { type: "TurnBegan", seat: 3, duties: [] },
    ),
  ).toEqual(["Jun passed.", "Mara is next."]);
});
