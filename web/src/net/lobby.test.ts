import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ListedTable } from "../wire.ts";
import { watchLobby } from "./lobby.ts";

class FakeStream {
  static readonly CLOSED = 2;
  static newest: FakeStream;
  static opened = 0;
  readyState = 1;
  onmessage: ((event: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(readonly url: URL) {
    FakeStream.newest = this;
    FakeStream.opened += 1;
  }

  close(): void {
    this.readyState = 2;
  }

  says(...codes: string[]): void {
    this.onmessage?.({ data: JSON.stringify({ tables: codes.map(table) }) });
  }

  breaks(forGood: boolean): void {
    this.readyState = forGood ? 2 : 0;
    this.onerror?.();
  }
}

function table(code: string): ListedTable {
  return {
    code,
    host: "Ada",
    edition: "Classic",
    players: 1,
    free: 3,
    phase: "waiting",
    rated: false,
    watchers: 0,
  };
}

let told: string[];
let asked: number;
let stop: () => void;
let hidden: boolean;

beforeEach(() => {
  told = [];
  asked = 0;
  hidden = false;
  FakeStream.opened = 0;
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeStream);
  vi.stubGlobal("fetch", async () => {
    asked += 1;
    return Response.json({ tables: [table("ASKED")] });
  });
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  start();
});

afterEach(() => {
  stop();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function start(): void {
  stop = watchLobby((tables) => told.push(tables.map(({ code }) => code).join(" ")));
}

function hide(now: boolean): void {
  hidden = now;
  document.dispatchEvent(new Event("visibilitychange"));
}

test("a stream that speaks is all one needs", async () => {
  FakeStream.newest.says("A");
  await vi.advanceTimersByTimeAsync(120_000);
  FakeStream.newest.says("A", "B");
  expect(told).toEqual(["A", "A B"]);
  expect(asked).toBe(0);
});

test("a stream that is held up on its way is helped by asking, until it speaks", async () => {
  await vi.advanceTimersByTimeAsync(12_500);
  expect(asked).toBe(3);
  expect(told).toEqual(["ASKED", "ASKED", "ASKED"]);
  FakeStream.newest.says("A");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(3);
});

test("while a broken stream comes back, one asks; a refused one is tried again later", async () => {
  FakeStream.newest.says("A");
  FakeStream.newest.breaks(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toBe(1);
  expect(FakeStream.opened).toBe(1);
  FakeStream.newest.breaks(true);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(FakeStream.opened).toBe(2);
  FakeStream.newest.says("B");
  expect(told.at(-1)).toBe("B");
});

test("without streams one asks at once, and goes on asking", async () => {
  stop();
  vi.stubGlobal("EventSource", undefined);
  start();
  await vi.advanceTimersByTimeAsync(8_500);
  expect(asked).toBe(3);
});

test("a page nobody sees holds no stream and asks nothing; seen again, it looks at once", async () => {
  FakeStream.newest.says("A");
  hide(true);
  expect(FakeStream.newest.readyState).toBe(FakeStream.CLOSED);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toBe(0);
  hide(false);
  expect(FakeStream.opened).toBe(2);
});

test("after it is stopped nothing is told or asked any more", async () => {
  stop();
  await vi.advanceTimersByTimeAsync(120_000);
  hide(true);
  hide(false);
  expect(FakeStream.opened).toBe(1);
  expect(asked).toBe(0);
});
