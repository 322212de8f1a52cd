/**
 * A finished game as one steps through it: what each move is called, and where the races are.
 *
 * Laws: pure; every step of the record is a frame, and each frame has a name; a game is told as it is told at the table.
 */
import type { Seat } from "../art/seats.ts";
import type { GameInfo, GamePlayer, GameReplay, ReplayStep } from "../wire.ts";
import { type Race, raceSentence } from "./race.ts";
import { type Told, tell } from "./sentences.ts";
import { judged } from "./story.ts";
import type { Naming, Sentence } from "./telling.ts";
import { asSeat } from "./terms.ts";

export interface Frame {
  readonly step: ReplayStep;
  readonly race: Race | null;
  readonly told: readonly Told[];
  /** What this move is, in one sentence. */
  readonly title: Sentence;
}

export interface Reel {
  readonly replay: GameReplay;
  /** At least one: the deal. */
  readonly frames: readonly Frame[];
  /** Which frames are races. */
  readonly races: readonly number[];
}

/**
 * The reel of a game.
 *
 * @throws {RangeError} it has no moves.
 */
export function reelOf(replay: GameReplay): Reel {
  if (replay.steps.length === 0) throw new RangeError("a game begins with its deal");
  const frames = replay.steps.map((step) => {
    const { edition } = step.view;
    const race = judged(step.events, step.race, edition);
    const told = tell(step.events, race, edition);
    return { step, race, told, title: titleOf(race, told) };
  });
  return { replay, frames, races: frames.flatMap(({ race }, at) => (race ? [at] : [])) };
}

/** The nearest race after this frame, or before it; `null`: there is none. */
export function nextRace({ races }: Reel, at: number, way: 1 | -1): number | null {
  return (way > 0 ? races.find((one) => one > at) : races.findLast((one) => one < at)) ?? null;
}

/** The frame a link points to (`#12` is the twelfth); the first one, if it is none of these. */
export function frameIn(hash: string, reel: Reel): number {
  const number = /^#(\d{1,6})$/.exec(hash)?.[1];
  const at = number === undefined ? 0 : Number(number) - 1;
  return at >= 0 && at < reel.frames.length ? at : 0;
}

/** How the players of a game are called; `me`: who reads of it. */
export function namingOf({ players }: GameInfo, me: string | null): Naming {
  const mine = me === null ? undefined : players.find(({ person }) => person === me);
  return {
    me: mine ? asSeat(mine.seat) : null,
    call: (seat: Seat) => players.find((player) => player.seat === seat)?.name ?? `Hand ${seat}`,
  };
}

/** Those of a finished game in the order they came in. */
export function byPlace({ players }: GameInfo): GamePlayer[] {
  return players.toSorted((a, b) => a.place - b.place || a.seat - b.seat);
}

/** A time of the game: "3:07". */
export function minutes(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function titleOf(race: Race | null, told: readonly Told[]): Sentence {
  if (race) return raceSentence(race);
  const line = told.find(({ kind }) => kind === "move") ?? told[0];
  return line?.sentence ?? ["The game goes on."];
}
