/**
 * What is told of a game: its moves in words, and its last race.
 *
 * Laws: pure; a move is told once, whether one was there or comes back to it; what is missing is said to be missing.
 */
import type { Edition, RaceView, Welcome } from "../wire.ts";
import type { Race } from "./race.ts";
import { type Told, tell } from "./sentences.ts";
import type { GameEvent } from "./terms.ts";

export interface Story {
  readonly told: readonly Told[];
  /** The last race, for as long as the game lasts. */
  readonly last: Race | null;
}

export const UNTOLD: Story = { told: [], last: null };

const HISTORY = 80;
const GAP: Told = {
  kind: "move",
  sentence: ["You were away too long: what happened then is missing here."],
};

/** The story with one move more; a deal begins another. `race`: the one these events settled. */
export function follow(
  story: Story,
  events: readonly GameEvent[],
  race: Race | null,
  edition: Edition,
): Story {
  const { told, last } = events.some(({ type }) => type === "Dealt") ? UNTOLD : story;
  return { told: [...told, ...tell(events, race, edition)].slice(-HISTORY), last: race ?? last };
}

/** The story of a game that ends without a count. */
export function endedEarly(story: Story): Story {
  const line: Told = { kind: "turn", sentence: ["The game was called off."] };
  return { ...story, told: [...story.told, line] };
}

/** What there is to tell after coming back: what was known of the same game, and what was missed of it. */
export function catchUp(known: Story, knownSeq: number | null, welcome: Welcome): Story {
  const edition = welcome.view?.edition ?? welcome.table.edition;
  if (welcome.missed !== null) {
    const caught = welcome.missed.reduce(
      (story, { events, race }) => follow(story, events, judged(events, race, edition), edition),
      known,
    );
    return { told: caught.told, last: caught.last ?? unexplained(welcome, edition) };
  }
  const isWhole = known.told.length === 0 || knownSeq === welcome.seq;
  return {
    told: isWhole ? known.told : [...known.told, GAP],
    last: isWhole && known.last ? known.last : unexplained(welcome, edition),
  };
}

/** The race these events settled; one that nobody could run is told as well (B10). */
export function judged(
  events: readonly GameEvent[],
  race: RaceView | null,
  edition: Edition,
): Race | null {
  const verdict = events.find((event) => event.type === "Judged");
  if (!verdict) return null;
  const fake = verdict.outcome === "fooled" || verdict.outcome === "fizzled";
  const unopposed: RaceView = {
    seat: verdict.seat,
    action: fake ? "fake" : "slam",
    marks: [],
    verdict: verdict.verdict,
    tau_us: 0,
    jam: null,
    alike: [],
    duel_limit_us: null,
  };
  return {
    race: race ?? unopposed,
    outcome: verdict.outcome,
    earlyPays: edition.early_touch === "pays",
  };
}

/** The last race as a Welcome alone tells it: what the rules made of it is not known. */
function unexplained({ race }: Welcome, edition: Edition): Race | null {
  return race && { race, outcome: null, earlyPays: edition.early_touch === "pays" };
}
