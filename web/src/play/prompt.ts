/**
 * Whose turn it is and what one may do now, in one line.
 * Law: it follows from the scene alone; what one may do is what the server lists as legal.
 */
import type { Seat } from "../art/seats.ts";
import type { OwnHand } from "./ownhand.ts";
import { pairedPlaces } from "./pairs.ts";
import type { Scene } from "./scene.ts";
import { does, type Sentence } from "./telling.ts";
import { asSeat, type Duty } from "./terms.ts";

export interface Prompt {
  readonly sentence: Sentence;
  /** It is for oneself to act. */
  readonly mine: boolean;
  /** The seat it speaks of, for its colour. */
  readonly seat: Seat | null;
}

export function promptOf(scene: Scene, own: OwnHand): Prompt {
  const { view, seat: me, cue } = scene;
  const others = (seat: Seat | null, ...sentence: Sentence): Prompt => ({
    sentence,
    mine: false,
    seat,
  });
  const mine = (sentence: string): Prompt => ({ sentence: [sentence], mine: true, seat: me });
  if (!view || view.ended) return others(null, "The game is over.");

  if (own.kind === "reach") {
    if (own.slam) return mine("Down it goes!");
    return mine(
      own.by === "latch" ? "Slam, or tap Reach again to fake." : "Slam, or let go to fake.",
    );
  }
  if (cue && cue.seat !== me) return race(scene, cue.seat);

  const duty = view.duties[0];
  if (view.to_act === null) return others(asSeat(view.turn), "The unit judges…");
  const actor = asSeat(view.to_act);
  if (actor !== me) return others(actor, ...waiting(duty, actor));
  if (!duty) return mine(freeTurn(scene));
  return mine(ownDuty(duty, view.pile > 0));
}

/** A hand goes for the unit that is not one's own. */
function race(scene: Scene, seat: Seat): Prompt {
  const kind = scene.cue?.kind;
  const { seat: me, view } = scene;
  const others = (...sentence: Sentence): Prompt => ({ sentence, mine: false, seat });
  if (kind === "withdraw") return others("A fake!");
  const cards = view?.players.find((player) => player.seat === me)?.cards ?? 0;
  const inRace = me !== null && cards > 0;
  if (kind === "contact" && inRace && !scene.down.includes(me)) {
    return { sentence: ["SLAM!"], mine: true, seat: me };
  }
  if (kind === "contact") return others("Hands down!");
  return others(does(seat, "is reaching…"));
}

function freeTurn(scene: Scene): string {
  const { view } = scene;
  if (!view) return "";
  const may = new Set(view.legal.map(({ type }) => type));
  if (!may.has("Slam")) return "No cards: pass.";
  const hand = view.players.find(({ seat }) => seat === scene.seat)?.hand ?? [];
  const paired = pairedPlaces(hand, view.edition).length > 0;
  if (paired) {
    return may.has("Pass")
      ? "You have a pair: slam! Or fake, or pass."
      : "You have a pair: you must slam.";
  }
  return may.has("Fake") ? "No pair: fake with Reach, or pass." : "No pair: pass.";
}

function ownDuty(duty: Duty, isPile: boolean): string {
  switch (duty.type) {
    case "MustDraw":
      return isPile ? "Your turn: draw a card." : "Your turn: draw from an opponent.";
    case "MustLay":
      return "Which pair do you lay?";
    case "MustTake":
    case "MustBury":
      return "Pick a card.";
    case "MustChoose":
      return "Who pays a card?";
    case "AwaitVerdict":
      return "The unit judges…";
  }
}

function waiting(duty: Duty | undefined, actor: Seat): Sentence {
  if (!duty) return ["Watch ", { seat: actor }, "…"];
  switch (duty.type) {
    case "MustDraw":
      return [does(actor, "draws…")];
    case "MustLay":
      return [does(actor, "lays a pair…")];
    case "MustTake":
    case "MustBury":
      return [does(actor, "picks a card from"), " ", { seat: asSeat(duty.loser) }, "…"];
    case "MustChoose":
      return [does(actor, "chooses who pays…")];
    case "AwaitVerdict":
      return ["The unit judges…"];
  }
}
