import { type Component, flushSync, mount, tick, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { reelOf } from "../../play/reel.ts";
import { replay } from "../../play/testing.ts";
import Replay from "./Replay.svelte";
import ReplayPage from "./ReplayPage.svelte";
import ShareButton from "./ShareButton.svelte";

let mounted: Record<string, unknown> | undefined;
let frames: FrameRequestCallback[];
let now: number;

beforeEach(() => {
  frames = [];
  now = 1_000;
  history.replaceState(null, "", "/g/abc123");
  vi.stubGlobal("requestAnimationFrame", (callback: FrameRequestCallback) => frames.push(callback));
  vi.stubGlobal("cancelAnimationFrame", () => {});
  vi.spyOn(performance, "now").mockImplementation(() => now);
});

afterEach(() => {
  if (mounted) unmount(mounted);
  mounted = undefined;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function show<Props extends object>(component: Component<Props>, props: NoInfer<Props>): void {
  mounted = mount(component, { target: document.body, props });
  flushSync();
}

/** The screen draws for so long. */
function pass(ms: number): void {
  for (let left = ms; left > 0; left -= 40) {
    now += 40;
    for (const callback of frames.splice(0)) callback(now);
    flushSync();
  }
}

function key(name: string, target: EventTarget = document.body): void {
  target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
  flushSync();
}

const slider = (label: string) =>
  document.querySelector<HTMLInputElement>(`[aria-label="${label}"]`);
const move = () => slider("Move")?.getAttribute("aria-valuetext") ?? "";
const unit = () => document.querySelector(".unit[role=img]")?.getAttribute("aria-label") ?? "";
const button = (name: string) =>
  [...document.querySelectorAll("button")].find(
    (one) => (one.getAttribute("aria-label") ?? one.textContent?.trim()) === name,
  );
const press = (name: string) => {
  button(name)?.click();
  flushSync();
};

describe("a finished game", () => {
  beforeEach(() => show(Replay, { reel: reelOf(replay()) }));

  test("is gone through by keys: move by move, race by race, to its ends", () => {
    const seen = ["ArrowRight", "ArrowLeft", "]", "]", "[", "End", "Home"].map((name) => {
      key(name);
      return Number(/Move (\d+) of 7/.exec(move())?.[1]);
    });
    expect(seen).toEqual([2, 1, 3, 6, 3, 7, 1]);
  });

  test("leaves a slider's own keys and a button's Space to them", () => {
    const moment = document.createElement("input");
    document.body.append(moment);
    key("ArrowRight", moment);
    expect(move()).toContain("Move 1 of 7");
    key(" ", button("A move on"));
    expect(button("Play")).toBeDefined();
    moment.remove();
  });

  test("shows a race as it was: nobody, then the contact, then each hand at its time, then the verdict", () => {
    key("]");
    expect(unit()).toBe("The Slam-o-matic: ready");
    const seen: string[] = [];
    for (let i = 0; i < 46; i += 1) {
      pass(200);
      const down = [...unit().matchAll(/hand (\d) is down/g)].map(([, hand]) => hand).join("");
      if (seen.at(-1) !== down) seen.push(down);
    }
    expect(seen).toEqual(["", "1", "13", "123"]);
    expect(unit()).toContain("2 was last");
    expect(button("Run the race")).toBeDefined();
  });

  test("stops a race at the moment one asks for", () => {
    key("]");
    const moment = slider("Moment of the race");
    if (!moment) throw new Error("a race can be looked at");
    moment.value = "300";
    moment.dispatchEvent(new Event("input", { bubbles: true }));
    flushSync();
    expect(unit()).toContain("hand 1 is down, hand 3 is down");
    expect(moment.getAttribute("aria-valuetext")).toBe("300 ms after contact");
    press("To the next touch");
    expect(unit()).toContain("hand 2 is down");
    press("To the touch before");
    press("To the touch before");
    expect(unit()).not.toContain("hand 3 is down");
    expect(unit()).toContain("hand 1 is down");
  });

  test("runs by itself from beginning to end", () => {
    press("Play");
    expect(button("Stop")).toBeDefined();
    pass(60_000);
    expect(move()).toContain("Move 7 of 7");
    expect(button("Play")).toBeDefined();
    expect(document.body.textContent).toContain("The end");
  });

  test("stands still for who wants it still", () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    key("]");
    expect(unit()).toContain("2 was last");
    expect(frames).toEqual([]);
  });

  test("lays all hands open", () => {
    key("ArrowRight");
    const hands = [...document.querySelectorAll("[aria-label='The table'] article")].map(
      (seat) => seat.querySelectorAll("svg.card").length,
    );
    expect(hands.toSorted()).toEqual([2, 2, 3]);
    expect(document.querySelector("article [aria-label*='face-down']")).toBeNull();
  });
});

describe("sharing", () => {
  const calls: [string, RequestInit | undefined][] = [];
  const written: string[] = [];
  const link = "http://localhost/g/abc123#3";

  beforeEach(() => {
    calls.length = 0;
    written.length = 0;
    vi.stubGlobal("fetch", async (url: URL, init?: RequestInit) => {
      calls.push([url.pathname, init]);
      return new Response("{}");
    });
    vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (text) => {
      written.push(text);
    });
  });

  const settled = async () => {
    for (let i = 0; i < 10; i += 1) await Promise.resolve();
    await tick();
  };

  test("a public game's link is copied at once", async () => {
    show(ShareButton, { game: replay({ public: true }).game, link });
    press("Share");
    await settled();
    expect(written).toEqual([link]);
    expect(calls).toEqual([]);
  });

  test("a private one stays private unless one says otherwise", async () => {
    show(ShareButton, { game: replay().game, link });
    press("Share");
    press("Keep it private");
    await settled();
    expect(calls).toEqual([]);
    expect(written).toEqual([]);
    press("Share");
    press("Make it public");
    await settled();
    expect(calls.map(([path, init]) => [path, init?.method])).toEqual([
      ["/api/games/abc123/share", "POST"],
    ]);
    expect(written).toEqual([link]);
  });
});

describe("a game that is not to be had", () => {
  const answer = async (status: number, body: object) => {
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify(body), { status }));
    show(ReplayPage, { id: "abc123" });
    await vi.waitFor(() => expect(document.body.textContent).not.toContain("Fetching the game"));
  };

  test("says so, where there is none for these eyes", async () => {
    await answer(404, { code: "no-game", text: "there is no such game" });
    expect(document.body.textContent).toContain("No such game");
    expect(button("Try again")).toBeUndefined();
  });

  test("can be asked for again, where the server is in trouble", async () => {
    await answer(503, { code: "unavailable", text: "try again in a moment" });
    expect(button("Try again")).toBeDefined();
  });

  test("can be read, where it is too long to be shown", async () => {
    await answer(409, { code: "not-now", text: "this game is too long" });
    expect(button("Download the record")).toBeDefined();
  });
});
