import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ClientMessage } from "../play/terms.ts";
import { MINE, view, welcome } from "../play/testing.ts";
import { LiveTable } from "./table.svelte.ts";
import { FakeSocket } from "./testing.ts";

let now: number;
let frames: FrameRequestCallback[];
let live: LiveTable;

beforeEach(() => {
  now = 10_000;
  frames = [];
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("requestAnimationFrame", (callback: FrameRequestCallback) => frames.push(callback));
  vi.stubGlobal("cancelAnimationFrame", () => {});
  vi.spyOn(performance, "now").mockImplementation(() => now);
  live = new LiveTable("ABCDEF");
  FakeSocket.newest.onopen?.();
  FakeSocket.newest.says(welcome());
});

afterEach(() => {
  live.close();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A frame of the screen: it begins now, and what was asked of it is done a little later. */
function paint(busy = 0): void {
  const began = now;
  now += busy;
  for (const callback of frames.splice(0)) callback(began);
}

function cue(kind: "reach" | "contact" | "withdraw", id: string): void {
  FakeSocket.newest.says({ type: "Cue", cue: id, kind, seat: 2 });
}

function slam(timeStamp: number): void {
  live.press("slam-down", stamped(timeStamp));
}

function stamped(timeStamp: number): Event {
  const event = new Event("keydown");
  Object.defineProperty(event, "timeStamp", { value: timeStamp });
  return event;
}

const said = <Kind extends ClientMessage["type"]>(type: Kind) => FakeSocket.newest.said(type);

const PASS = { type: "Pass", seat: 1 } as const;
const myTurn = (seq: number) => welcome({ seq, view: view(MINE) });

/** The line breaks, and is mended; the table tells where it stands. */
function comeBackTo(seq: number): void {
  FakeSocket.newest.onclose?.();
  expect(live.isConnected).toBe(false);
  vi.advanceTimersByTime(0);
  FakeSocket.newest.onopen?.();
  FakeSocket.newest.says(myTurn(seq));
}

test("a move names the position it is meant for, and one press is one move", () => {
  FakeSocket.newest.says(myTurn(17));
  live.act(PASS);
  live.act(PASS);
  expect(said("Act")).toEqual([{ type: "Act", command: PASS, after: 17 }]);
});

test("a move that was never answered is sent again to the position it was meant for", () => {
  FakeSocket.newest.says(myTurn(17));
  live.act(PASS);
  comeBackTo(17);
  expect(said("Hello")).toMatchObject([{ since: 17 }]);
  expect(said("Act")).toEqual([{ type: "Act", command: PASS, after: 17 }]);
});

test("a move that was done, or came too late, is not sent again", () => {
  FakeSocket.newest.says(myTurn(17));
  live.act(PASS);
  comeBackTo(18);
  expect(said("Act")).toEqual([]);
  comeBackTo(18);
  expect(said("Act")).toEqual([]);
});

test("while there is no connection, hands rest", () => {
  FakeSocket.newest.says(myTurn(17));
  FakeSocket.newest.onclose?.();
  const sentBefore = FakeSocket.newest.sent.length;
  live.act(PASS);
  slam(10_000);
  live.press("reach-down", stamped(10_000));
  expect(FakeSocket.newest.sent).toHaveLength(sentBefore);
  expect(live.own.kind).toBe("rest");
});

test("a watcher is told that all of it comes later, until the first of it is there", () => {
  FakeSocket.newest.says({ type: "Delayed", by_ms: 3_000 });
  expect(live.firstSeenAt).toBe(13_000);
  FakeSocket.newest.says(welcome({ seat: null, delay_ms: 3_000 }));
  expect(live.firstSeenAt).toBeNull();
  expect(live.scene?.delayMs).toBe(3_000);
});

test("how a reach ends is said to be shown from the frame that paints it, never sooner", () => {
  cue("reach", "r");
  paint();
  cue("contact", "c");
  expect(said("Shown")).toEqual([]);
  paint();
  expect(said("Shown")).toMatchObject([{ cue: "c" }]);
});

test("of two cues that fall into one frame only the painted one is said to be shown", () => {
  cue("reach", "r");
  cue("contact", "c");
  paint();
  expect(said("Shown")).toMatchObject([{ cue: "c" }]);
});

test("a claim counts from the sending of Shown to the event's own stamp, if it is heard of soon", () => {
  cue("contact", "c");
  now = 10_016;
  paint(3); // Shown leaves at 10,019
  now = 10_264; // a little late to hear of the touch
  slam(10_262.4);
  expect(said("Touch")).toEqual([{ type: "Touch", cue: "c", claim_us: 243_400 }]);
});

test("a press between a contact's coming and its painting is of the cue on the screen, and claims nothing", () => {
  cue("reach", "r");
  paint();
  now = 10_400;
  cue("contact", "c");
  slam(10_399);
  expect(said("Touch")).toEqual([{ type: "Touch", cue: "r", claim_us: null }]);
});

test.each([0, 1_780_000_000_000])("a stamp of %d is of no clock of ours: no claim", (stamp) => {
  cue("contact", "c");
  paint();
  now = 10_300;
  slam(stamp);
  expect(said("Touch")).toEqual([{ type: "Touch", cue: "c", claim_us: null }]);
});

test("one touch a race is sent, however many presses", () => {
  cue("contact", "c");
  paint();
  slam(10_001);
  slam(10_050);
  expect(said("Touch")).toHaveLength(1);
});

test("what was shown to nobody for want of a connection is no measure for a claim", () => {
  cue("contact", "c");
  FakeSocket.newest.readyState = 3;
  paint();
  FakeSocket.newest.readyState = 1;
  slam(10_200);
  expect(said("Touch")).toEqual([{ type: "Touch", cue: "c", claim_us: null }]);
});

test("frames are measured while nothing goes on, and told with the cue", () => {
  for (let frame = 0; frame < 20; frame += 1) {
    paint();
    now += 1000 / 30;
  }
  cue("contact", "c");
  paint();
  expect(said("Shown")[0]?.frame_us).toBeCloseTo(33_333, -2);
});

test("the clock's grain is found by reading it now and then, and told with the cue", () => {
  for (let reading = 0; reading < 60; reading += 1) {
    now = Math.floor((10_000 + reading * 7.3) / 100) * 100;
    vi.advanceTimersByTime(7);
  }
  cue("contact", "c");
  paint();
  expect(said("Shown")[0]?.grain_us).toBe(100_000);
});

test("stamps of presses that are coarser than the clock itself count for its grain", () => {
  for (let reading = 0; reading < 30; reading += 1) {
    now = 10_000 + Math.round(reading * 71.3) / 10;
    vi.advanceTimersByTime(7);
  }
  now = 20_000;
  for (const at of [10_010, 10_033, 10_101, 10_150, 10_212, 10_300, 10_347, 10_391, 10_402]) {
    window.dispatchEvent(stamped(at + 5_000));
  }
  cue("contact", "c");
  paint();
  expect(said("Shown")[0]?.grain_us).toBe(100);
  for (const at of [10_459, 10_505, 10_571]) window.dispatchEvent(stamped(at + 5_000));
  cue("contact", "d");
  paint();
  expect(said("Shown")[1]?.grain_us).toBe(1_000);
});
