/**
 * A word at the right moment for whoever plays for the first time.
 * Law: it explains what is on the screen now, never what might come; after a few races it is silent.
 */
import { type KeyMap, keyName } from "./keys.ts";
import { pairedPlaces } from "./pairs.ts";
import { consequence } from "./race.ts";
import type { Scene } from "./scene.ts";
import type { Sentence } from "./telling.ts";
import { asSeat } from "./terms.ts";

/** So many races are explained. */
export const COACHED_RACES = 3;

/** What to tell now; `null`: nothing. `keys`: the player's keys, where there is a keyboard. */
export function coachLine(scene: Scene, keys: KeyMap | null): Sentence | null {
  const { view, seat: me, cue, verdict } = scene;
  if (!view || me === null || view.ended) return null;
  const press = keys ? `press ${keyName(keys.slam)}` : "hit SLAM";
  if (cue?.seat === me) {
    if (cue.kind !== "reach") return null;
    return ["Nobody knows whether it will land. Draw back, and whoever touched pays you."];
  }
  if (cue) {
    switch (cue.kind) {
      case "reach":
        return [
          { seat: cue.seat },
          " is reaching… ",
          `${press} only when the hand lands. It may be a fake!`,
        ];
      case "contact":
        return scene.down.includes(me)
          ? ["Your hand is down. Now the others…"]
          : ["It landed: slam! The last one pays a card."];
      case "withdraw":
        return ["It drew back: a fake. Whoever touched pays a card."];
    }
  }
  if (verdict) {
    const follows = consequence(verdict);
    return follows.length > 0 ? follows : null;
  }
  if (view.to_act !== me) {
    if (view.to_act === null || view.duties.length > 0) return null;
    return [{ seat: asSeat(view.to_act) }, ` may slam any moment: ${press} when the hand lands.`];
  }
  if (view.duties[0]?.type === "MustDraw" && view.pile > 0) {
    return [
      keys
        ? `Every turn begins with a card: click the pile, or press ${keyName(keys.draw)}.`
        : "Every turn begins with a card: tap the pile.",
    ];
  }
  if (view.duties.length > 0) return null;
  const hand = view.players.find(({ seat }) => seat === me)?.hand ?? [];
  if (pairedPlaces(hand, view.edition).length > 0) {
    return ["Two alike are a pair. Slam, and the last of the others gives you a card."];
  }
  return ["Reach shows your hand and takes it back. Who falls for it gives you a card."];
}
