/**
 * Whose turn it is and what one may do now, in one line.
 * Law: it follows from the scene alone; what one may do is what the server lists as legal.
 */
import type { Seat } from "../art/seats.ts";
import type { OwnHand } from "./ownhand.ts";
import { pairedPlaces } from "./pairs.ts";
import type { Scene } from "./scene.ts";
import { does, type Sentence } from "./telling.ts";
import { asSeat, type Duty, nameAt } from "./terms.ts";

export interface Prompt {
  readonly sentence: Sentence;
  /** It is for oneself to act. */
  readonly mine: boolean;
  /** The seat it speaks of, for its colour. */
  readonly seat: Seat | null;
  /** The open duty's clock runs for oneself. */
  readonly timed: boolean;
}

export function promptOf(scene: Scene, own: OwnHand): Prompt {
  const { view, seat: me, cue } = scene;
  if (!view || view.ended) return told(null, "The game is over.");
  if (own.kind === "down" && !own.over) return told(me, "Hands down!");
  if (own.kind === "reach") return asked(me, reaching(own), false);
  if (cue && cue.seat !== me) return race(scene, cue.seat);

  const duty = view.duties[0];
  if (view.to_act === null) return told(asSeat(view.turn), "The unit judges…");
  const actor = asSeat(view.to_act);
  if (actor !== me) return told(actor, ...waiting(duty, actor));
  return asked(me, duty ? ownDuty(scene, duty) : freeTurn(scene), true);
}

function told(seat: Seat | null, ...sentence: Sentence): Prompt {
  return { sentence, mine: false, seat, timed: false };
}

function asked(me: Seat | null, sentence: string, timed: boolean): Prompt {
  return { sentence: [sentence], mine: true, seat: me, timed };
}

function reaching(own: Extract<OwnHand, { kind: "reach" }>): string {
  if (own.slam) return "Down it goes!";
  return own.by === "latch" ? "Slam, or tap Fake!" : "Slam, or let go to fake.";
}

/** A hand goes for the unit that is not one's own. */
function race(scene: Scene, seat: Seat): Prompt {
  const kind = scene.cue?.kind;
  const { seat: me, view } = scene;
  if (kind === "withdraw") return told(seat, "A fake!");
  if (kind === "reach") return told(seat, does(seat, "is reaching…"));
  const cards = view?.players.find((player) => player.seat === me)?.cards ?? 0;
  const must = me !== null && cards > 0 && !scene.down.includes(me);
  return must ? asked(me, "SLAM!", false) : told(seat, "Hands down!");
}

function freeTurn(scene: Scene): string {
  const { view } = scene;
  if (!view) return "";
  const may = new Set(view.legal.map(({ type }) => type));
  if (!may.has("Slam")) return "No cards: pass.";
  const hand = view.players.find(({ seat }) => seat === scene.seat)?.hand ?? [];
  const paired = pairedPlaces(hand, view.edition).length > 0;
  if (paired) {
    return may.has("Pass") ? "A pair! Slam, fake or pass." : "You must slam your pair.";
  }
  return may.has("Fake") ? "No pair: fake, or pass." : "No pair: pass.";
}

function ownDuty({ view, table }: Scene, duty: Duty): string {
  const legal = view?.legal ?? [];
  switch (duty.type) {
    case "MustDraw":
      if (view && view.pile > 0) return "Your turn: draw a card.";
      return "Your turn: draw from whom?";
    case "MustLay":
      return legal.length === 1 ? "Lay your pair." : "Which pair do you lay?";
    case "MustTake":
      return `Take a card from ${nameAt(table, duty.loser)}.`;
    case "MustBury":
      return `Pick a card ${nameAt(table, duty.loser)} loses.`;
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
