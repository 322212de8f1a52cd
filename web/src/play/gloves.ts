/** What the unit shows at a moment: four plastic hands, the players' gloves, and its window. Pure. */
import { SEATS, type Seat } from "../art/seats.ts";
import {
  type Glove,
  type Plastic,
  roundTheUnit,
  type UnitHand,
  type UnitWindow,
} from "../art/unit.ts";
import type { OwnHand } from "./ownhand.ts";
import { verdictWindow } from "./race.ts";
import { REACH_MS, type Scene } from "./scene.ts";
import { asSeat } from "./terms.ts";

/** The four hands of the unit at `now`; one's own is shown as it is, before the server says so. */
export function unitHands(scene: Scene, own: OwnHand, now: number): UnitHand[] {
  const places = roundTheUnit(ownSeat(scene), seated(scene));
  return SEATS.flatMap((seat) => {
    const place = places.get(seat);
    if (!place) return [];
    const glove = gloveOf(scene, own, seat, now);
    return [{ seat, place, glove, plastic: plasticOf(scene, seat, glove) }];
  });
}

/** What the window of the unit shows at the moment. */
export function unitWindow(scene: Scene): UnitWindow {
  if (scene.verdict) return verdictWindow(scene.verdict);
  return { kind: "ready" };
}

/** Whose seat is at the bottom: one's own, or for who watches the lowest one taken. */
export function ownSeat(scene: Scene): Seat {
  return scene.seat ?? seated(scene)[0] ?? 1;
}

/** The seats in play, in order; before a game those taken. */
export function seated(scene: Scene): Seat[] {
  return (scene.view?.players ?? scene.table.seats).map(({ seat }) => asSeat(seat));
}

function gloveOf(scene: Scene, own: OwnHand, seat: Seat, now: number): Glove {
  const { cue, verdict } = scene;
  if (verdict && !cue && now < verdict.handsUntil) {
    const mark = verdict.race.marks.find((one) => one.seat === seat);
    if (mark) return mark.time_us === null ? "away" : "landed";
    if (seat === verdict.race.seat && verdict.race.action === "slam") return "landed";
  }
  if (scene.down.includes(seat)) return "landed";
  if (seat === scene.seat) {
    if (own.kind === "down" && !own.over) return "landed";
    if (own.kind === "reach") return now - own.since < REACH_MS ? "reaching" : "hovering";
  }
  if (cue?.seat !== seat) return "away";
  if (cue.kind === "contact") return "landed";
  if (cue.kind === "withdraw") return "withdrawing";
  return now - cue.since < REACH_MS ? "reaching" : "hovering";
}

/** A hand without cards has no part in the play, and no hand at the table none either (B9). */
function plasticOf(scene: Scene, seat: Seat, glove: Glove): Plastic {
  const cards = scene.view?.players.find((player) => player.seat === seat)?.cards;
  if (cards === undefined || (cards === 0 && glove !== "landed")) return "absent";
  return glove === "landed" ? "pressed" : "up";
}
