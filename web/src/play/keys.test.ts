import { afterEach, expect, test } from "vitest";
import { actionOf, DEFAULT_KEYS, isGameKey, keyName, rebound } from "./keys.ts";

afterEach(() => {
  document.body.innerHTML = "";
});

/** A key pressed on the first element of this page. */
function pressed(key: string, html = "<main></main>", more: KeyboardEventInit = {}) {
  document.body.innerHTML = html;
  const event = new KeyboardEvent("keydown", { key, bubbles: true, ...more });
  let action: ReturnType<typeof actionOf> = null;
  const listen = (heard: KeyboardEvent) => {
    action = actionOf(heard, DEFAULT_KEYS);
  };
  document.addEventListener("keydown", listen);
  document.body.firstElementChild?.dispatchEvent(event);
  document.removeEventListener("keydown", listen);
  return action;
}

test("each action has its key, in either case", () => {
  expect(pressed(" ")).toBe("slam");
  expect(pressed("F", "<main></main>", { shiftKey: true })).toBe("reach");
  expect(pressed("p")).toBe("pass");
  expect(pressed("d")).toBe("draw");
  expect(pressed("x")).toBeNull();
});

test("Space typed in a text field does not slam", () => {
  expect(pressed(" ", "<input>")).toBeNull();
  expect(pressed(" ", "<textarea></textarea>")).toBeNull();
  expect(pressed("f", "<select></select>")).toBeNull();
});

test("keys are dead with modifiers, repeated, or under a dialog", () => {
  for (const more of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }, { repeat: true }]) {
    expect(pressed("f", "<main></main>", more)).toBeNull();
  }
  expect(pressed(" ", "<main></main><dialog open></dialog>")).toBeNull();
});

test("a key that repeats is still kept from the page", () => {
  document.body.innerHTML = "";
  expect(isGameKey(new KeyboardEvent("keydown", { key: " ", repeat: true }), DEFAULT_KEYS)).toBe(
    true,
  );
});

test("Enter draws, but does what a focused button says first", () => {
  expect(pressed("Enter")).toBe("draw");
  expect(pressed("Enter", "<button></button>")).toBeNull();
});

test("a key that is given to another action is exchanged, never lost", () => {
  const keys = rebound(DEFAULT_KEYS, "reach", " ");
  expect(keys).toEqual({ ...DEFAULT_KEYS, reach: " ", slam: "f" });
});

test("keys have names people know", () => {
  expect([" ", "f", "arrowup"].map(keyName)).toEqual(["Space", "F", "Arrowup"]);
});
