import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ClientMessage, ServerMessage } from "../play/terms.ts";
import { welcome } from "../play/testing.ts";
import { Connection, type Link } from "./socket.ts";

/** A socket whose other end is the test. */
class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: ClientMessage[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(data: string): void {
    this.sent.push(JSON.parse(data));
  }

  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }

  opens(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  says(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

let hidden = false;
let links: Link[] = [];
let heard: string[] = [];
let seq: number | null = null;
let connection: Connection;
const newest = () => FakeSocket.all.at(-1) as FakeSocket;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  vi.spyOn(Math, "random").mockReturnValue(1);
  FakeSocket.all = [];
  links = [];
  heard = [];
  hidden = false;
  seq = null;
  connection = new Connection(new URL("ws://host/ws/ABCDEF"), "a-secret-ticket-of-mine", {
    message: ({ type }) => heard.push(type),
    link: (link) => links.push(link),
    seq: () => seq,
  });
});

afterEach(() => {
  connection.close();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function comeToTheTable(): FakeSocket {
  newest().opens();
  newest().says(welcome());
  return newest();
}

const HELLO = { type: "Hello", ticket: "a-secret-ticket-of-mine" };

test("the first message is Hello with the seat's ticket", () => {
  comeToTheTable();
  expect(newest().sent[0]).toEqual({ ...HELLO, since: null });
  expect(links.at(-1)).toBe("open");
});

test("who comes back says what he has seen", () => {
  const first = comeToTheTable();
  seq = 41;
  first.close();
  vi.advanceTimersByTime(0);
  newest().opens();
  expect(newest().sent[0]).toEqual({ ...HELLO, since: 41 });
});

test("a lost connection is taken up at once, then with growing waits", () => {
  comeToTheTable().close();
  vi.advanceTimersByTime(0);
  expect(FakeSocket.all).toHaveLength(2);
  newest().close();
  vi.advanceTimersByTime(399);
  expect(FakeSocket.all).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(FakeSocket.all).toHaveLength(3);
  newest().close();
  vi.advanceTimersByTime(800);
  expect(FakeSocket.all).toHaveLength(4);
});

test("a page that comes back does not wait for the next attempt", () => {
  comeToTheTable().close();
  vi.advanceTimersByTime(0);
  newest().close();
  window.dispatchEvent(new Event("online"));
  expect(FakeSocket.all).toHaveLength(3);
});

test("a page that slept opens a new socket, and the old one is not heard any more", () => {
  const old = comeToTheTable();
  hidden = true;
  document.dispatchEvent(new Event("visibilitychange"));
  expect(old.sent.at(-1)).toEqual({ type: "Hidden", hidden: true });
  vi.advanceTimersByTime(60_000);
  hidden = false;
  document.dispatchEvent(new Event("visibilitychange"));
  expect(FakeSocket.all).toHaveLength(2);
  heard = [];
  old.says({ type: "Bye", reason: "newer-tab", text: "" });
  expect(heard).toEqual([]);
});

test("a page that looked away for a moment says that it is back", () => {
  const socket = comeToTheTable();
  hidden = true;
  document.dispatchEvent(new Event("visibilitychange"));
  vi.advanceTimersByTime(1_000);
  hidden = false;
  document.dispatchEvent(new Event("visibilitychange"));
  expect(FakeSocket.all).toHaveLength(1);
  expect(socket.sent.at(-1)).toEqual({ type: "Hidden", hidden: false });
});

test.each(["freeze", "pagehide"])("a page that goes by %s says so at once, and once", (kind) => {
  const socket = comeToTheTable();
  document.dispatchEvent(new Event(kind, { bubbles: true }));
  window.dispatchEvent(new Event("pagehide"));
  expect(socket.sent.slice(1)).toEqual([{ type: "Hidden", hidden: true }]);
  document.dispatchEvent(new Event("resume"));
  expect(socket.sent.at(-1)).toEqual({ type: "Hidden", hidden: false });
});

test("a page kept while another was shown says that it is back", () => {
  const socket = comeToTheTable();
  window.dispatchEvent(new Event("pagehide"));
  window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  expect(socket.sent.at(-1)).toEqual({ type: "Hidden", hidden: false });
});

test("a network that is gone is told at once, one that is back is used at once", () => {
  comeToTheTable();
  window.dispatchEvent(new Event("offline"));
  expect(links.at(-1)).toBe("lost");
  vi.advanceTimersByTime(0);
  newest().close();
  window.dispatchEvent(new Event("online"));
  expect(FakeSocket.all).toHaveLength(3);
});

test("a page nobody looks at takes up no lost connection until it is seen: its seat may be played elsewhere", () => {
  const socket = comeToTheTable();
  hidden = true;
  document.dispatchEvent(new Event("visibilitychange"));
  socket.close();
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all).toHaveLength(1);
  hidden = false;
  document.dispatchEvent(new Event("visibilitychange"));
  expect(FakeSocket.all).toHaveLength(2);
});

test("a server that restarts is gone back to soon, each page at a moment of its own", () => {
  comeToTheTable().says({ type: "Bye", reason: "restart", text: "" });
  newest().close();
  vi.advanceTimersByTime(1_499);
  expect(FakeSocket.all).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(FakeSocket.all).toHaveLength(2);
});

test.each(["newer-tab", "removed", "banned", "left", "closed", "refused"] as const)(
  "after a Bye for good (%s) nothing is tried any more",
  (reason) => {
    comeToTheTable().says({ type: "Bye", reason, text: "" });
    vi.advanceTimersByTime(60_000);
    window.dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(1);
    expect(links.at(-1)).toBe("ended");
  },
);

test("a move nobody answers shows that the line is dead", () => {
  comeToTheTable();
  connection.send({ type: "Reach" });
  vi.advanceTimersByTime(4_999);
  expect(FakeSocket.all).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(FakeSocket.all).toHaveLength(2);
});

test("any word at all shows that the line lives", () => {
  const socket = comeToTheTable();
  connection.send({ type: "Reach" });
  vi.advanceTimersByTime(4_000);
  socket.says({ type: "Touched", seat: 2 });
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all).toHaveLength(1);
});

test("what has to come by the clock and does not, shows that the line is dead; a quiet table does not", () => {
  comeToTheTable();
  vi.advanceTimersByTime(600_000);
  expect(FakeSocket.all).toHaveLength(1);
  connection.expect(20_000);
  vi.advanceTimersByTime(24_999);
  expect(FakeSocket.all).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(FakeSocket.all).toHaveLength(2);
});

test("a watcher, who sees all of it later, waits for it", () => {
  newest().opens();
  newest().says({ type: "Delayed", by_ms: 20_000 });
  vi.advanceTimersByTime(20_000);
  expect(FakeSocket.all).toHaveLength(1);
  expect(links.at(-1)).toBe("connecting");
  newest().says(welcome({ seat: null }));
  expect(links.at(-1)).toBe("open");
});

test("a socket that never opens is given up", () => {
  vi.advanceTimersByTime(6_001);
  expect(FakeSocket.all.length).toBeGreaterThan(1);
});

test("what cannot be sent now is dropped: later it would mean something else", () => {
  comeToTheTable().close();
  expect(connection.send({ type: "Land" })).toBe(false);
});
