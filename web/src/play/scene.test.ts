import { expect, test } from "vitest";
import type { Moved, RaceView, Welcome } from "../wire.ts";
import { unitHands, unitWindow } from "./gloves.ts";
import { AT_REST } from "./ownhand.ts";
import {
  flagsOf,
  HANDS_DOWN_MS,
  nextChange,
  receive,
  type Scene,
  settle,
  touched,
  VERDICT_MS,
} from "./scene.ts";
import type { ServerMessage } from "./terms.ts";
import { seatView, tableView, view, welcome } from "./testing.ts";

function fold(...messages: (ServerMessage | Welcome)[]): Scene {
  const scene = messages.reduce<Scene | null>(
    (before, one, i) => receive(before, one, i * 100),
    null,
  );
  if (!scene) throw new Error("no Welcome among the messages");
  return scene;
}

const RACE: RaceView = {
  seat: 2,
  action: "slam",
  marks: [
    { seat: 1, time_us: 262_000, band_us: 1_000, early: false, doubt: null },
    { seat: 3, time_us: 349_000, band_us: 1_000, early: false, doubt: null },
    { seat: 4, time_us: null, band_us: 0, early: false, doubt: null },
  ],
  verdict: { last: [4] },
  tau_us: 2_000,
  jam: null,
  alike: [],
  duel_limit_us: null,
};

const REACH: ServerMessage = { type: "Cue", cue: "r", kind: "reach", seat: 2 };
const CONTACT: ServerMessage = { type: "Cue", cue: "c", kind: "contact", seat: 2 };
const JUDGED: Moved = {
  type: "Moved",
  events: [
    { type: "Slammed", seat: 2 },
    {
      type: "Judged",
      seat: 2,
      verdict: { last: [4] },
      outcome: "pair",
      duties: [],
      ends_turn: null,
    },
  ],
  view: view(),
  race: RACE,
  clock_ms: 20_000,
  seq: 11,
};

const gloves = (scene: Scene, now: number) =>
  Object.fromEntries(unitHands(scene, AT_REST, now).map(({ seat, glove }) => [seat, glove]));

test("nothing is shown before the Welcome, and everything after it", () => {
  expect(receive(null, REACH, 0)).toBeNull();
  const scene = fold(welcome({ clock_ms: 5_000, race: RACE }));
  expect(scene.clock).toEqual({ until: 5_000, whole: 5_000 });
  expect(scene.last?.race).toEqual(RACE);
});

test("a hand reaches, hovers and lands before everyone's eyes", () => {
  const reaching = fold(welcome(), REACH);
  expect(gloves(reaching, 100)[2]).toBe("reaching");
  expect(gloves(reaching, 400)[2]).toBe("hovering");
  const landed = fold(welcome(), REACH, CONTACT);
  expect(gloves(landed, 201)).toEqual({ 1: "away", 2: "landed", 3: "away", 4: "away" });
});

test("a hand that comes down is seen at once, one's own before the server says so", () => {
  const racing = fold(welcome(), REACH, CONTACT, { type: "Touched", seat: 3 });
  expect(gloves(touched(racing, 1), 300)).toEqual({
    1: "landed",
    2: "landed",
    3: "landed",
    4: "away",
  });
});

test("what nobody waits for is no touch", () => {
  expect(touched(fold(welcome()), 1).down).toEqual([]);
});

test("after the verdict the hands stay down for a moment, the verdict for longer", () => {
  const judged = fold(welcome(), REACH, CONTACT, JUDGED);
  const at = 300;
  expect(gloves(judged, at + 1)).toEqual({ 1: "landed", 2: "landed", 3: "landed", 4: "away" });
  expect(unitWindow(judged)).toEqual({ kind: "last", seat: 4, pile: [2, 1, 3, 4] });
  expect(nextChange(judged, at)).toBe(at + HANDS_DOWN_MS);
  expect(gloves(judged, at + HANDS_DOWN_MS + 1)[2]).toBe("away");
  expect(settle(judged, at + VERDICT_MS).verdict).toBeNull();
  expect(settle(judged, at + VERDICT_MS).last?.race).toEqual(RACE);
});

test("the next reach takes the last verdict away", () => {
  const again = fold(welcome(), REACH, CONTACT, JUDGED, REACH);
  expect(again.verdict).toBeNull();
  expect(again.down).toEqual([]);
  expect(unitWindow(again)).toEqual({ kind: "ready" });
});

test("coming back to the same game keeps what was told, another game begins anew", () => {
  const before = fold(welcome(), REACH, CONTACT, JUDGED);
  const back = receive(before, welcome({ race: RACE, seq: 11, missed: [] }), 9_000);
  expect(back?.told).toEqual(before.told);
  const other = receive(before, welcome({ table: tableView({ game_number: 2 }) }), 9_000);
  expect(other?.told).toEqual([]);
});

test.each([
  ["while the hand hovered", [REACH]],
  ["in the race", [REACH, CONTACT]],
] as const)("a reach cut off %s by a restart is gone from the table", (_, cut) => {
  const before = fold(welcome({ seq: 10 }), ...cut, { type: "Touched", seat: 2 });
  const back = receive(before, welcome({ seq: 12, delay_ms: 0, missed: [] }), 9_000) as Scene;
  expect(back.cue).toBeNull();
  expect(back.down).toEqual([]);
  expect(back.seq).toBe(12);
  expect(unitWindow(back)).toEqual({ kind: "ready" });
});

test("coming back shows the position as it is now, not as it was", () => {
  const before = fold(welcome({ seq: 10 }));
  const now = view({ pile: 3 });
  const back = receive(before, welcome({ seq: 10, view: now, missed: [] }), 9_000) as Scene;
  expect(back.view).toEqual(now);
});

test("a hand without cards has no part at the unit", () => {
  const players = view().players.map((player) =>
    player.seat === 3 ? { ...player, cards: 0 } : player,
  );
  const scene = fold(welcome({ view: view({ players }) }));
  expect(unitHands(scene, AT_REST, 0).find(({ seat }) => seat === 3)?.plastic).toBe("absent");
});

test("who takes another hand before the game is found there", () => {
  const waiting = tableView({ phase: "waiting", seats: [seatView(1), seatView(2)] });
  const moved = tableView({ phase: "waiting", seats: [seatView(2), { ...seatView(1), seat: 4 }] });
  const scene = fold(
    welcome({ table: waiting, view: null }),
    welcome({ seat: 4, table: moved, view: null }),
    { type: "TableChanged", table: moved },
  );
  expect(scene.seat).toBe(4);
});

test("what is odd about a connection is known until it is told anew", () => {
  const flagged = fold(
    welcome(),
    { type: "Flagged", seat: 2, flags: ["haste"] },
    { type: "Flagged", seat: 3, flags: ["delay"] },
    { type: "Flagged", seat: 2, flags: [] },
  );
  expect(flagsOf(flagged, 2)).toEqual([]);
  expect(flagsOf(flagged, 3)).toEqual(["delay"]);
  expect(flagsOf(receive(flagged, welcome(), 0) as Scene, 3)).toEqual([]);
});

test("one emote a seat is shown, for a while", () => {
  const scene = fold(
    welcome(),
    { type: "Emoted", seat: 2, emote: "wow" },
    { type: "Emoted", seat: 2, emote: "clap" },
  );
  expect(scene.emotes.map(({ emote }) => emote)).toEqual(["clap"]);
  expect(settle(scene, 9_999).emotes).toEqual([]);
});
