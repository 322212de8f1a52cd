import { expect, test } from "vitest";
import type { Missed, Moved, RaceView } from "../wire.ts";
import { receive, type Scene } from "./scene.ts";
import { byName, sentenceText } from "./telling.ts";
import { tableView, view, welcome } from "./testing.ts";

const RACE: RaceView = {
  seat: 2,
  action: "slam",
  marks: [
    { seat: 1, time_us: 262_000, band_us: 1_000, early: false, doubt: null },
    { seat: 3, time_us: 349_000, band_us: 1_000, early: false, doubt: null },
  ],
  verdict: { last: [3] },
  tau_us: 2_000,
  jam: null,
  alike: [],
  duel_limit_us: null,
};
const PASSED: Missed = { seq: 11, events: [{ type: "Passed", seat: 1 }], race: null };
const JUDGED: Missed = {
  seq: 13,
  race: RACE,
  events: [
    { type: "Slammed", seat: 2 },
    {
      type: "Judged",
      seat: 2,
      verdict: { last: [3] },
      outcome: "pair",
      duties: [],
      ends_turn: null,
    },
  ],
};
const DEALT: Missed = {
  seq: 15,
  race: null,
  events: [
    {
      type: "Dealt",
      seats: [1, 2],
      dealer: 2,
      cuts: [],
      hands: [null, null],
      pile: null,
      edition: view().edition,
    },
  ],
};

function moved({ seq, events, race }: Missed): Moved {
  return { type: "Moved", seq, events, race, view: view(), clock_ms: null };
}

function at(seq: number): Scene {
  return receive(null, welcome({ seq }), 0) as Scene;
}

const words = (scene: Scene | null) =>
  scene?.told.map(({ sentence }) => sentenceText(sentence, byName(scene.table, scene.seat)));

test("what was missed is told exactly as if one had been there", () => {
  const there = [PASSED, JUDGED].reduce<Scene | null>(
    (scene, move) => receive(scene, moved(move), 5),
    at(10),
  );
  const back = receive(at(10), welcome({ seq: 14, race: RACE, missed: [PASSED, JUDGED] }), 5);
  expect(words(back)).toEqual(words(there));
  expect(words(back)).toHaveLength(2);
  expect(back?.last).toEqual(there?.last);
  expect(back?.last?.outcome).toBe("pair");
});

test("a missed race is told, and not played again", () => {
  const back = receive(at(10), welcome({ seq: 13, race: RACE, missed: [JUDGED] }), 5);
  expect(back?.verdict).toBeNull();
  expect(back?.down).toEqual([]);
  expect(back?.cue).toBeNull();
});

test("a verdict one was reading stays, if nothing was missed", () => {
  const reading = receive(at(10), moved(JUDGED), 5);
  expect(receive(reading, welcome({ seq: 13, missed: [] }), 9)?.verdict).toEqual(reading?.verdict);
  expect(receive(reading, welcome({ seq: 14, missed: [PASSED] }), 9)?.verdict).toBeNull();
});

test("too much was missed: what was told stays, and it is said that something is missing", () => {
  const known = receive(at(10), moved(PASSED), 5);
  const back = receive(known, welcome({ seq: 99, missed: null }), 9);
  expect(words(back)?.slice(0, -1)).toEqual(words(known));
  expect(words(back)?.at(-1)).toContain("missing");
  expect(back?.seq).toBe(99);
});

test("nothing is said to be missing where nothing is: on arrival, and where the log still stands", () => {
  expect(words(at(99))).toEqual([]);
  const known = receive(at(10), moved(PASSED), 5);
  expect(words(receive(known, welcome({ seq: 11, missed: null }), 9))).toEqual(words(known));
});

test("who comes back to the next game is told of that one from its deal on", () => {
  const known = receive(at(10), moved(PASSED), 5);
  const next = welcome({ seq: 15, table: tableView({ game_number: 2 }), missed: [JUDGED, DEALT] });
  const back = receive(known, next, 9);
  expect(words(back)).toEqual(["New game: Jun deals."]);
  expect(back?.last).toBeNull();
});

test("a game that was called off is told to be", () => {
  expect(words(receive(at(10), { type: "CalledOff" }, 5))?.at(-1)).toBe("The game was called off.");
});
