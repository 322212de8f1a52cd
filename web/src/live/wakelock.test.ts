import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepAwake } from "./wakelock.ts";

class Lock {
  released = false;
  async release(): Promise<void> {
    this.released = true;
  }
}

let locks: Lock[] = [];
let hidden = false;
let allowed = true;

/** The next turn of the loop: what was promised is done. */
const promised = () => new Promise((done) => setTimeout(done));

async function look(away: boolean): Promise<void> {
  hidden = away;
  document.dispatchEvent(new Event("visibilitychange"));
  await promised();
}

beforeEach(() => {
  locks = [];
  hidden = false;
  allowed = true;
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  vi.stubGlobal("navigator", {
    wakeLock: {
      request: async () => {
        if (!allowed) throw new Error("the battery is low");
        locks.push(new Lock());
        return locks.at(-1);
      },
    },
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("the screen is kept awake, and let go in the end", async () => {
  const release = keepAwake();
  await promised();
  expect(locks).toHaveLength(1);
  release();
  expect(locks[0]?.released).toBe(true);
  await look(false);
  expect(locks).toHaveLength(1);
});

test("a page that is seen again asks again, for its lock was taken away; one that still has it does not", async () => {
  const release = keepAwake();
  await promised();
  await look(false);
  expect(locks).toHaveLength(1);
  await look(true);
  if (locks[0]) locks[0].released = true;
  await look(false);
  expect(locks).toHaveLength(2);
  release();
});

test("a lock that comes too late is let go at once", async () => {
  keepAwake()();
  await promised();
  expect(locks[0]?.released).toBe(true);
});

test("a browser that says no, or knows nothing of it, is no trouble", async () => {
  allowed = false;
  keepAwake()();
  vi.stubGlobal("navigator", {});
  keepAwake()();
  await promised();
  expect(locks).toEqual([]);
});
