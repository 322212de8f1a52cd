import { expect, test } from "vitest";
import { AT_REST, type Input, type OwnHand, type Situation, step, wakeAt } from "./ownhand.ts";

const MINE: Situation = {
  mayReach: true,
  mayFake: true,
  spent: false,
  cue: null,
  contactShownAt: null,
};
const RACE: Situation = { ...MINE, mayReach: false, cue: "c1", contactShownAt: 1_000 };

/** Plays inputs one after the other; gives every message, and the hand at the end. */
function play(situation: Situation, ...inputs: Input[]) {
  let hand: OwnHand = AT_REST;
  const sent = inputs.flatMap((input) => {
    const next = step(hand, input, situation);
    hand = next.hand;
    return next.send;
  });
  return { hand, sent };
}

const at = (type: Input["type"], moment: number) => ({ type, at: moment, exact: true }) as Input;

test("a direct slam reaches, lands 220 ms later, and tells how long it was pressed", () => {
  const begun = play(MINE, at("slam-down", 0));
  expect(begun.sent).toEqual([{ type: "Reach" }]);
  expect(wakeAt(begun.hand)).toBe(220);
  const { sent } = play(MINE, at("slam-down", 0), at("wake", 220), at("slam-up", 300));
  expect(sent).toEqual([
    { type: "Reach" },
    { type: "Land" },
    { type: "Release", held_us: 300_000 },
  ]);
});

test("a press that ended on the way down is told with the landing", () => {
  const { sent } = play(MINE, at("slam-down", 0), at("slam-up", 12), at("wake", 220));
  expect(sent).toEqual([{ type: "Reach" }, { type: "Land" }, { type: "Release", held_us: 12_000 }]);
});

test("a hand that hovers lands at once", () => {
  const { sent, hand } = play(MINE, at("reach-down", 0), at("slam-down", 700));
  expect(sent).toEqual([{ type: "Reach" }, { type: "Land" }]);
  expect(hand.kind).toBe("down");
});

test("a slam during the reach waits for the hand to get there", () => {
  const early = play(MINE, at("reach-down", 0), at("slam-down", 100), at("reach-up", 150));
  expect(early.sent).toEqual([{ type: "Reach" }]);
  expect(wakeAt(early.hand)).toBe(220);
});

test("held and let go is a fake", () => {
  const { sent, hand } = play(MINE, at("reach-down", 0), at("reach-up", 800));
  expect(sent).toEqual([{ type: "Reach" }, { type: "Withdraw" }]);
  expect(hand).toEqual(AT_REST);
});

test("a tap hovers until it is tapped again", () => {
  const tapped = play(MINE, at("reach-down", 0), at("reach-up", 90));
  expect(tapped.sent).toEqual([{ type: "Reach" }]);
  expect(tapped.hand).toMatchObject({ kind: "reach", by: "latch" });
  const { sent } = play(
    MINE,
    at("reach-down", 0),
    at("reach-up", 90),
    at("reach-down", 900),
    at("reach-up", 950),
  );
  expect(sent).toEqual([{ type: "Reach" }, { type: "Withdraw" }]);
});

test("without a fake left a reach that is let go lands", () => {
  const { sent } = play({ ...MINE, mayFake: false }, at("reach-down", 0), at("reach-up", 800));
  expect(sent).toEqual([
    { type: "Reach" },
    { type: "Land" },
    { type: "Release", held_us: 1_000_000 },
  ]);
});

test("in another's race a slam is a touch, its time from the contact's own frame", () => {
  expect(play(RACE, at("slam-down", 1_250.4)).sent).toEqual([
    { type: "Touch", cue: "c1", claim_us: 250_400 },
  ]);
  expect(play({ ...RACE, contactShownAt: null }, at("slam-down", 900)).sent).toEqual([
    { type: "Touch", cue: "c1", claim_us: null },
  ]);
});

test("a press whose own moment is not known touches, but claims nothing", () => {
  const press: Input = { type: "slam-down", at: 1_250.4, exact: false };
  expect(play(RACE, press).sent).toEqual([{ type: "Touch", cue: "c1", claim_us: null }]);
});

test("a touch when nothing is going on is sent all the same", () => {
  const idle = { ...RACE, cue: null, contactShownAt: null };
  expect(play(idle, at("slam-down", 50)).sent).toEqual([
    { type: "Touch", cue: null, claim_us: null },
  ]);
});

test("a hand that is down already does not touch again", () => {
  expect(play({ ...RACE, spent: true }, at("slam-down", 50)).sent).toEqual([]);
});

test("a finger the browser took away is never a short press", () => {
  const { sent } = play(MINE, at("slam-down", 0), at("wake", 220), at("slam-taken", 221));
  expect(sent.at(-1)).toEqual({ type: "Release", held_us: 1_000_000 });
  const reach = play(MINE, at("reach-down", 0), at("reach-taken", 400));
  expect(reach.hand).toMatchObject({ by: "latch" });
});

test("after a hover that ran out the hand is at rest again", () => {
  const latched = [at("reach-down", 0), at("reach-up", 90)];
  expect(play(MINE, ...latched, at("withdrawn", 1_500)).hand).toEqual(AT_REST);
  const landed = play(MINE, ...latched, at("landed", 1_500), at("over", 2_000));
  expect(landed.hand).toEqual(AT_REST);
  expect(landed.sent).toEqual([{ type: "Reach" }, { type: "Release", held_us: 1_000_000 }]);
});

test("a press held past the verdict still tells when it ends", () => {
  const { sent, hand } = play(
    MINE,
    at("slam-down", 0),
    at("wake", 220),
    at("over", 900),
    at("slam-up", 1_500),
  );
  expect(sent.at(-1)).toEqual({ type: "Release", held_us: 1_500_000 });
  expect(hand).toEqual(AT_REST);
});

test("a press whose end was never seen does not hold the hand for ever", () => {
  const { sent } = play(
    MINE,
    at("slam-down", 0),
    at("wake", 220),
    at("over", 900),
    at("slam-down", 5_000),
  );
  expect(sent.at(-1)).toEqual({ type: "Reach" });
});
