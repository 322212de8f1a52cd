import { expect, test } from "vitest";
import type { ServerMessage } from "./terms.ts";
import { MINE, view, welcome } from "./testing.ts";
import { type Move, unanswered } from "./unanswered.ts";

const PASS: Move = { type: "Act", command: { type: "Pass", seat: 1 }, after: 10 };
const back = (seq: number, more = MINE) => welcome({ seq, view: view(more) });

test("a move nobody answered is meant again for the same position", () => {
  expect(unanswered(PASS, back(10))).toEqual(PASS);
});

test("a move is never meant for another position: it may have been done, or the clock was faster", () => {
  expect(unanswered(PASS, back(11))).toBeNull();
  expect(unanswered(PASS, back(9))).toBeNull();
});

test("a move that is not legal any more is not meant any more", () => {
  expect(unanswered(PASS, back(10, { ...MINE, legal: [] }))).toBeNull();
  expect(unanswered(PASS, welcome({ seq: 10, view: null }))).toBeNull();
  const other = { ...MINE, legal: [{ type: "Take", seat: 1, loser: 2, position: 0 } as const] };
  const take: Move = {
    type: "Act",
    command: { position: 1, loser: 2, seat: 1, type: "Take" },
    after: 10,
  };
  expect(unanswered(take, back(10, other))).toBeNull();
  const same: Move = { ...take, command: { position: 0, loser: 2, seat: 1, type: "Take" } };
  expect(unanswered(same, back(10, other))).toEqual(same);
});

test("any move and any refusal answer it; what is said beside the game does not", () => {
  const moved: ServerMessage = {
    type: "Moved",
    events: [],
    view: view(),
    race: null,
    clock_ms: null,
    seq: 11,
  };
  expect(unanswered(PASS, moved)).toBeNull();
  expect(unanswered(PASS, { type: "Refused", code: "stale", text: "" })).toBeNull();
  expect(unanswered(PASS, { type: "Emoted", seat: 2, emote: "wow" })).toEqual(PASS);
});
