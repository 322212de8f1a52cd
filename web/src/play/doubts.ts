/**
 * Where a page's word was not taken as it came, and what is odd about a connection: said plainly.
 * Law: nobody is accused; a slow phone, a busy browser and a bad network do all of this too.
 */
import type { Doubt, Flag } from "../wire.ts";
import type { Race } from "./race.ts";
import type { Sentence } from "./telling.ts";
import { asSeat } from "./terms.ts";

/** A word or two at the touch itself. */
export const DOUBT_NOTES: Readonly<Record<Doubt, string>> = {
  claim: "corrected",
  "late-word": "shown late",
  record: "corrected",
  unseen: "not confirmed",
  unwitnessed: "by arrival",
  "timed-by-server": "server’s time",
};

const DOUBTS: Readonly<Record<Doubt, string>> = {
  claim: "the page told of an earlier touch than its connection allows, so that limit counts.",
  "late-word":
    "the page was late to say it showed the hand, so the time runs from when it should have.",
  record: "the page has been a little off in its last races, so the time is corrected by that.",
  unseen: "the page had not yet said that it showed the hand, so the server timed the touch.",
  unwitnessed: "the browser was silent before the touch, so it is timed by when it arrived.",
  "timed-by-server": "the page’s own times could not be relied on, so the server timed the touch.",
};

/** Why the times of some are not those their pages told, a sentence each. */
export function doubtSentences({ race }: Race): Sentence[] {
  return race.marks.flatMap(({ seat, doubt }): Sentence[] =>
    doubt === null ? [] : [[{ seat: asSeat(seat) }, `: ${DOUBTS[doubt]}`]],
  );
}

/** What the host reads of a seat's connection, for each flag. */
export const FLAG_SENTENCES: Readonly<Record<Flag, string>> = {
  strikes:
    "Several times its page told what its connection does not allow, so the server times it. A fault of the browser can do this; it is no proof.",
  haste: "Its claims run ahead of its touches. The unit corrects for this; it is no proof.",
  delay:
    "It is often late to say that it shows the hand. The unit corrects for this; a slow device does it too.",
  silence:
    "Its browser goes silent before touches, so the server times them. Few connections do this by themselves; it is no proof.",
  frames:
    "Its screen draws slowly, so it tells late that it shows the hand. The unit allows for this; a phone that saves power does it too.",
  detour:
    "Its way to the server is longer in races than between them. The unit cannot correct for this; a busy network does it too.",
};

/** Below all of them. */
export const FLAGS_DECIDE_NOTHING = "This is for you alone to see, and decides nothing by itself.";
