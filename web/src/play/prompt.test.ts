import { expect, test } from "vitest";
import type { View } from "../wire.ts";
import { coachLine } from "./coach.ts";
import { DEFAULT_KEYS } from "./keys.ts";
import { AT_REST, type OwnHand } from "./ownhand.ts";
import { promptOf } from "./prompt.ts";
import { receive, type Scene, touched } from "./scene.ts";
import { byName, sentenceText } from "./telling.ts";
import { MINE, tableView, view, welcome } from "./testing.ts";

const NAMING = byName(tableView(), 1);

function sceneOf(more: Partial<View>, cue?: "reach" | "contact" | "withdraw"): Scene {
  const scene = receive(null, welcome({ view: view(more) }), 0);
  const cued = cue ? receive(scene, { type: "Cue", cue: "x", kind: cue, seat: 2 }, 0) : scene;
  if (!cued) throw new Error("no scene");
  return cued;
}

const line = (scene: Scene, own: OwnHand = AT_REST) =>
  sentenceText(promptOf(scene, own).sentence, NAMING);
const hint = (scene: Scene) => {
  const said = coachLine(scene, DEFAULT_KEYS);
  return said && sentenceText(said, NAMING);
};

test("everyone is told whose move it is", () => {
  expect(line(sceneOf({}))).toBe("Watch Jun…");
  expect(line(sceneOf({ duties: [{ type: "MustDraw", seat: 2 }] }))).toBe("Jun draws…");
  const takes: Partial<View> = {
    duties: [{ type: "MustTake", seat: 2, loser: 1, why: "last" }],
  };
  expect(line(sceneOf(takes))).toBe("Jun picks a card from you…");
});

test("in one's own turn the line says what is worth doing", () => {
  expect(line(sceneOf(MINE))).toBe("A pair! Slam, fake or pass.");
  const players = view().players.map((one) => ({
    ...one,
    hand: one.seat === 1 ? [3 as const] : null,
  }));
  expect(line(sceneOf({ ...MINE, players }))).toBe("No pair: fake, or pass.");
  const must: Partial<View> = { ...MINE, legal: [{ type: "Slam", seat: 1 }] };
  expect(line(sceneOf(must))).toBe("You must slam your pair.");
  expect(promptOf(sceneOf(MINE), AT_REST).timed).toBe(true);
});

test("a reach is announced, a landing calls for a slam, until one has slammed", () => {
  expect(line(sceneOf({}, "reach"))).toBe("Jun is reaching…");
  const landed = sceneOf({}, "contact");
  expect(line(landed)).toBe("SLAM!");
  expect(line(touched(landed, 1))).toBe("Hands down!");
  expect(line(sceneOf({}, "withdraw"))).toBe("A fake!");
});

test("who has no cards is not called to slam", () => {
  const players = view().players.map((one) => ({ ...one, cards: one.seat === 1 ? 0 : 4 }));
  expect(line(sceneOf({ players }, "contact"))).toBe("Hands down!");
});

test("one's own hand over the unit comes first", () => {
  const latched: OwnHand = { kind: "reach", since: 0, by: "latch", slam: null, reachDown: 0 };
  expect(line(sceneOf(MINE), latched)).toBe("Slam, or tap Fake!");
});

test("a newcomer is warned before the contact, called at it, and told why after it", () => {
  expect(hint(sceneOf({}, "reach"))).toContain("only when the hand lands");
  expect(hint(sceneOf({}, "contact"))).toContain("slam!");
  expect(hint(sceneOf({}, "withdraw"))).toContain("fake");
  expect(hint(sceneOf(MINE))).toContain("pair");
  const draw: Partial<View> = { to_act: 1, turn: 1, duties: [{ type: "MustDraw", seat: 1 }] };
  expect(hint(sceneOf(draw))).toContain("press D");
  const lay: Partial<View> = {
    to_act: 1,
    turn: 1,
    duties: [{ type: "MustLay", seat: 1, verdict: {} }],
  };
  expect(hint(sceneOf(lay))).toBeNull();
});
