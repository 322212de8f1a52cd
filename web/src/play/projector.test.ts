import { expect, test } from "vitest";
import {
  filmAt,
  firstShow,
  frameOf,
  MOVE_MS,
  run,
  scrub,
  stepTo,
  toggle,
  toggleRace,
  VERDICT_MS,
} from "./projector.ts";
import { reelOf } from "./reel.ts";
import type { Film } from "./slowmotion.ts";
import { replay } from "./testing.ts";

const REEL = reelOf(replay());
const START = firstShow(REEL, 0, 10);
const RACE = 2;
const FILM = filmAt(REEL, RACE) as Film;

test("a race one steps to runs in slow motion, and stops at its end", () => {
  let show = stepTo(START, REEL, RACE, true);
  expect(show).toMatchObject({ running: "race", filmAt: FILM.from });
  show = run(show, REEL, 1_000);
  expect(show.filmAt).toBeCloseTo(FILM.from + 100);
  show = run(show, REEL, 60_000);
  expect(show).toMatchObject({ running: "still", filmAt: FILM.to, at: RACE });
});

test("the same time at real speed shows ten times as much", () => {
  const show = { ...stepTo(START, REEL, RACE, true), slower: 1 };
  expect(run(show, REEL, 100).filmAt).toBeCloseTo(FILM.from + 100);
});

test("a race on the way back, or where motion is not wanted, is shown as it ended", () => {
  expect(stepTo(START, REEL, RACE, false)).toMatchObject({ running: "still", filmAt: FILM.to });
});

test("no step leads out of the game", () => {
  expect(stepTo(START, REEL, -1, true).at).toBe(0);
  expect(stepTo(START, REEL, 99, true).at).toBe(REEL.frames.length - 1);
  expect(() => frameOf(REEL, 99)).toThrow(RangeError);
});

test("a game that runs shows every move, every race from its beginning to its end, and stops", () => {
  let show = toggle(START, REEL);
  const seen: number[] = [];
  const filmed = new Map<number, number[]>();
  for (let tick = 0; tick < 100_000 && show.running !== "still"; tick += 1) {
    if (seen.at(-1) !== show.at) seen.push(show.at);
    if (filmAt(REEL, show.at)) {
      filmed.set(show.at, [...(filmed.get(show.at) ?? []), show.filmAt]);
    }
    show = run(show, REEL, 40);
  }
  expect(show.running).toBe("still");
  expect(seen).toEqual(REEL.frames.map((_, at) => at));
  expect([...filmed.keys()]).toEqual(REEL.races);
  for (const [at, times] of filmed) {
    expect(times[0]).toBe(filmAt(REEL, at)?.from);
    expect(times.at(-1)).toBe(filmAt(REEL, at)?.to);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }
});

test("a verdict is told for longer than a move", () => {
  const moving = toggle(START, REEL);
  expect(run(moving, REEL, MOVE_MS - 1).at).toBe(0);
  expect(run(moving, REEL, MOVE_MS).at).toBe(1);
  const told = toggle(stepTo(START, REEL, RACE, false), REEL);
  expect(run(told, REEL, VERDICT_MS - 1).at).toBe(RACE);
  expect(run(told, REEL, VERDICT_MS).at).toBe(RACE + 1);
});

test("stopped in the middle of a race, the game goes on from there", () => {
  const middle = run(stepTo(toggle(START, REEL), REEL, RACE, true), REEL, 2_000);
  const stopped = toggle(middle, REEL);
  expect(stopped).toMatchObject({ running: "still", filmAt: middle.filmAt });
  expect(run(stopped, REEL, 9_999)).toEqual(stopped);
  expect(run(toggle(stopped, REEL), REEL, 100).filmAt).toBeCloseTo(middle.filmAt + 10);
});

test("at its end the game begins anew", () => {
  const end = stepTo(START, REEL, REEL.frames.length - 1, false);
  expect(toggle(end, REEL)).toMatchObject({ at: 0, running: "game" });
});

test("a race that has run can be run again, a move cannot", () => {
  const over = stepTo(START, REEL, RACE, false);
  expect(toggleRace(over, REEL)).toMatchObject({ running: "race", filmAt: FILM.from });
  expect(toggleRace(START, REEL)).toEqual(START);
});

test("to look at one moment stops the film there, within the race", () => {
  const running = stepTo(START, REEL, RACE, true);
  expect(scrub(running, REEL, 120)).toMatchObject({ running: "still", filmAt: 120 });
  expect(scrub(running, REEL, 99_999).filmAt).toBe(FILM.to);
  expect(scrub(running, REEL, -99_999).filmAt).toBe(FILM.from);
});
