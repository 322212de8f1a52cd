/**
 * What of a reel is on the screen, and what comes next while it runs.
 *
 * Laws: pure: the time that has passed is an argument, in milliseconds; a race one steps to is shown as it happened, one
 * that is only passed on the way back is shown as it ended; a game that runs stops at its end.
 */
import type { Frame, Reel } from "./reel.ts";
import { type Film, filmOf } from "./slowmotion.ts";

/** Still; one race runs; the game runs, race by race and move by move. */
export type Running = "still" | "race" | "game";

export interface Show {
  /** Which frame. */
  readonly at: number;
  /** Where in the film of its race; 0 where it has none. */
  readonly filmAt: number;
  readonly running: Running;
  /** So many times slower than it was. */
  readonly slower: number;
  /** How long this frame has been told. */
  readonly waited: number;
}

/** A move is shown so long while the game runs, a verdict longer. */
export const MOVE_MS = 1_300;
export const VERDICT_MS = 3_000;

export function frameOf(reel: Reel, at: number): Frame {
  const frame = reel.frames[at];
  if (!frame) throw new RangeError(`there is no frame ${at}`);
  return frame;
}

/** The film of a frame's race; `null`: it is none. */
export function filmAt(reel: Reel, at: number): Film | null {
  const { race } = frameOf(reel, at);
  return race && filmOf(race.race);
}

/** The beginning of the show. */
export function firstShow(reel: Reel, at: number, slower: number): Show {
  return stepTo({ at, filmAt: 0, running: "still", slower, waited: 0 }, reel, at, false);
}

/** Show another frame. `roll`: if it is a race, run it; otherwise it is shown as it ended. */
export function stepTo(show: Show, reel: Reel, at: number, roll: boolean): Show {
  const to = Math.max(0, Math.min(reel.frames.length - 1, at));
  const film = filmAt(reel, to);
  const rolls = roll && film !== null;
  const running = show.running === "game" ? "game" : rolls ? "race" : "still";
  const start = film ? (rolls ? film.from : film.to) : 0;
  return { ...show, at: to, filmAt: start, running, waited: 0 };
}

/** Run, or stand still. The game runs on from where it stands, from its beginning if it is at its end. */
export function toggle(show: Show, reel: Reel): Show {
  if (show.running !== "still") return { ...show, running: "still" };
  const isOver = show.at === reel.frames.length - 1 && isTold(show, reel);
  const from = isOver ? stepTo(show, reel, 0, false) : show;
  return { ...from, running: "game" };
}

/** Run this race, or stand still; from its beginning if it is at its end. */
export function toggleRace(show: Show, reel: Reel): Show {
  const film = filmAt(reel, show.at);
  if (!film) return show;
  if (show.running !== "still") return { ...show, running: "still" };
  return { ...show, running: "race", filmAt: show.filmAt >= film.to ? film.from : show.filmAt };
}

/** Look at one moment of this race. */
export function scrub(show: Show, reel: Reel, at: number): Show {
  const film = filmAt(reel, show.at);
  if (!film) return show;
  return { ...show, running: "still", filmAt: Math.max(film.from, Math.min(film.to, at)) };
}

/** The show after so long. */
export function run(show: Show, reel: Reel, passedMs: number): Show {
  if (show.running === "still") return show;
  const film = filmAt(reel, show.at);
  if (film && show.filmAt < film.to) {
    const now = Math.min(film.to, show.filmAt + passedMs / show.slower);
    const isOver = now === film.to && show.running === "race";
    return { ...show, filmAt: now, running: isOver ? "still" : show.running };
  }
  if (show.running === "race") return { ...show, running: "still" };
  const waited = show.waited + passedMs;
  if (waited < (film ? VERDICT_MS : MOVE_MS)) return { ...show, waited };
  if (show.at === reel.frames.length - 1) return { ...show, running: "still" };
  return stepTo(show, reel, show.at + 1, true);
}

function isTold(show: Show, reel: Reel): boolean {
  const film = filmAt(reel, show.at);
  return film === null || show.filmAt >= film.to;
}
