import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { press, SYNTHETIC_MS } from "./press.ts";

let pad: HTMLElement;
let heard: string[];
let stamps: number[];
let locked: boolean;
let detach: (() => void) | undefined;

beforeEach(() => {
  pad = document.createElement("button");
  pad.setPointerCapture = vi.fn();
  document.body.append(pad);
  heard = [];
  stamps = [];
  locked = false;
  detach =
    press({
      locked: () => locked,
      onpress: ({ timeStamp }) => {
        heard.push("press");
        stamps.push(timeStamp);
      },
      onrelease: ({ timeStamp }) => {
        heard.push("release");
        stamps.push(timeStamp);
      },
    })(pad) ?? undefined;
});

afterEach(() => {
  detach?.();
  pad.remove();
  vi.useRealTimers();
});

const pointer = (kind: string, pointerId = 1, button = 0) =>
  pad.dispatchEvent(new PointerEvent(kind, { pointerId, button, bubbles: true, cancelable: true }));
const key = (kind: string, name: string, repeat = false) => {
  const event = new KeyboardEvent(kind, { key: name, repeat, bubbles: true, cancelable: true });
  pad.dispatchEvent(event);
  return event;
};

describe("a press", () => {
  test("is heard on pointerdown, before any click, and holds its finger", () => {
    pointer("pointerdown");
    expect(heard).toEqual(["press"]);
    expect(pad.setPointerCapture).toHaveBeenCalledWith(1);
    pointer("pointerup");
    expect(heard).toEqual(["press", "release"]);
  });

  test("belongs to one finger: a second neither presses nor releases", () => {
    pointer("pointerdown", 1);
    pointer("pointerdown", 2);
    pointer("pointerup", 2);
    expect(heard).toEqual(["press"]);
    pointer("pointerup", 1);
    expect(heard).toEqual(["press", "release"]);
  });

  test("ends once when the browser takes the finger away", () => {
    pointer("pointerdown");
    pointer("pointercancel");
    pointer("lostpointercapture");
    expect(heard).toEqual(["press", "release"]);
  });

  test("is not made by the other buttons of a mouse", () => {
    pointer("pointerdown", 1, 2);
    expect(heard).toEqual([]);
  });

  test("by Space or Enter counts once while the key repeats, and goes no further", () => {
    const outside = vi.fn();
    window.addEventListener("keydown", outside);
    for (const name of [" ", "Enter"]) {
      heard.length = 0;
      expect(key("keydown", name).defaultPrevented).toBe(true);
      key("keydown", name, true);
      key("keyup", name);
      expect(heard).toEqual(["press", "release"]);
    }
    expect(outside).not.toHaveBeenCalled();
    key("keydown", "f");
    expect(outside).toHaveBeenCalledOnce();
    window.removeEventListener("keydown", outside);
  });

  test("by a click that came from no finger is held for a moment", () => {
    vi.useFakeTimers();
    pad.dispatchEvent(new MouseEvent("click", { detail: 0 }));
    expect(heard).toEqual(["press"]);
    vi.advanceTimersByTime(SYNTHETIC_MS);
    expect(heard).toEqual(["press", "release"]);
    const [down = 0, up = 0] = stamps;
    expect(up - down).toBeGreaterThanOrEqual(SYNTHETIC_MS);
  });

  test("is not made twice by the click that follows a finger", () => {
    pointer("pointerdown");
    pointer("pointerup");
    pad.dispatchEvent(new MouseEvent("click", { detail: 1 }));
    expect(heard).toEqual(["press", "release"]);
  });

  test("is not heard while locked, and one begun before still ends", () => {
    pointer("pointerdown");
    locked = true;
    pointer("pointerup");
    pointer("pointerdown");
    expect(heard).toEqual(["press", "release"]);
  });

  test("opens no menu", () => {
    const menu = new MouseEvent("contextmenu", { cancelable: true });
    pad.dispatchEvent(menu);
    expect(menu.defaultPrevented).toBe(true);
  });
});
