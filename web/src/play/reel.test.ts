import { expect, test } from "vitest";
import { frameIn, minutes, namingOf, nextRace, reelOf } from "./reel.ts";
import { sentenceText } from "./telling.ts";
import { replay } from "./testing.ts";

const REEL = reelOf(replay());
const NAMING = namingOf(REEL.replay.game, null);

test("every step is a frame with a name", () => {
  expect(REEL.frames.map(({ title }) => sentenceText(title, NAMING))).toEqual([
    "New game: Ann deals.",
    "Ann drew a seven.",
    "Jun was last by 87 ms.",
    "Ann laid two sevens.",
    "Ann passed.",
    "A fake! Nobody fell for it.",
    "All pairs are laid: the game is over.",
  ]);
});

test("one can go from race to race", () => {
  expect(REEL.races).toEqual([2, 5]);
  expect(nextRace(REEL, 0, 1)).toBe(2);
  expect(nextRace(REEL, 2, 1)).toBe(5);
  expect(nextRace(REEL, 5, 1)).toBeNull();
  expect(nextRace(REEL, 5, -1)).toBe(2);
  expect(nextRace(REEL, 2, -1)).toBeNull();
});

test("a link may point to a move; what points nowhere is the beginning", () => {
  expect(frameIn("#3", REEL)).toBe(2);
  for (const hash of ["", "#", "#0", "#99", "#-1", "#3x", "#1e1"]) {
    expect(frameIn(hash, REEL), hash).toBe(0);
  }
});

test("who reads of his own game is called you, all others are called by name", () => {
  const { call, me } = namingOf(REEL.replay.game, "p2");
  expect(me).toBe(2);
  expect(call(1)).toBe("Ann");
  expect(namingOf(REEL.replay.game, "somebody else").me).toBeNull();
  expect(namingOf(REEL.replay.game, null).me).toBeNull();
});

test("a game without a deal is none", () => {
  expect(() => reelOf({ ...REEL.replay, steps: [] })).toThrow(RangeError);
});

test("times of the game are read as a clock", () => {
  expect(minutes(0)).toBe("0:00");
  expect(minutes(187_900)).toBe("3:07");
});
