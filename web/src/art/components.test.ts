import { type Component, flushSync, mount, unmount } from "svelte";
import { afterEach, describe, expect, test, vi } from "vitest";
import Card from "./Card.svelte";
import type { Face } from "./cards.ts";
import Fan from "./Fan.svelte";
import PaperPile from "./Pile.svelte";
import SeatPlate from "./SeatPlate.svelte";
import Unit from "./Unit.svelte";

let mounted: Record<string, unknown> | undefined;

function show<Props extends object>(component: Component<Props>, props: NoInfer<Props>) {
  mounted = mount(component, { target: document.body, props });
  flushSync();
}

afterEach(() => {
  if (mounted) unmount(mounted);
  mounted = undefined;
});

const named = (selector: string) =>
  [...document.querySelectorAll(selector)].map((el) => el.getAttribute("aria-label"));

describe("a card", () => {
  test.each<[Face, string]>([
    [7, "seven"],
    [10, "ten"],
    ["smiling", "Smiling Joker"],
    ["sad", "Sad Joker"],
    ["joker", "Joker"],
    [null, "face-down card"],
  ])("%s is called %s", (face, name) => {
    show(Card, { face });
    expect(named("svg")).toEqual([name]);
  });

  test("face down has nothing on it that tells what it is", () => {
    show(Card, { face: null });
    expect(document.querySelector("svg")?.textContent?.trim()).toBe("");
  });
});

describe("a fan", () => {
  test("to look at names its cards and has no buttons", () => {
    show(Fan, { cards: [3, "sad"], label: "Your hand" });
    expect(named("ul")).toEqual(["Your hand: 2 cards"]);
    expect(named("svg")).toEqual(["three", "Sad Joker"]);
    expect(document.querySelectorAll("button")).toHaveLength(0);
  });

  test("to pick from is one stop for Tab; arrows move in it and a click picks", () => {
    const onpick = vi.fn();
    show(Fan, { cards: [null, null, null], label: "Pick a card", onpick });
    const buttons = [...document.querySelectorAll("button")];
    expect(named("button")).toEqual(["card 1 of 3", "card 2 of 3", "card 3 of 3"]);
    expect(buttons.map((button) => button.tabIndex)).toEqual([0, -1, -1]);
    buttons[0]?.focus();
    for (const [key, at] of [
      ["ArrowRight", 1],
      ["End", 2],
      ["ArrowRight", 0],
      ["ArrowLeft", 2],
    ] as const) {
      document.activeElement?.dispatchEvent(
        new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
      );
      flushSync();
      expect(document.activeElement).toBe(buttons[at]);
    }
    expect(buttons.map((button) => button.tabIndex)).toEqual([-1, -1, 0]);
    buttons[1]?.click();
    expect(onpick.mock.calls).toEqual([[1]]);
  });
});

test("the pile is a button only when one may draw", () => {
  show(PaperPile, { count: 1 });
  expect(document.querySelector("button")).toBeNull();
  expect(named("[role=img]")).toContain("1 card in the pile");
  unmount(mounted ?? {});
  const ondraw = vi.fn();
  show(PaperPile, { count: 14, ondraw });
  const button = document.querySelector("button");
  expect(button?.getAttribute("aria-label")).toBe("Draw, 14 left in the pile");
  button?.click();
  expect(ondraw).toHaveBeenCalledOnce();
});

test("a plate tells seat, name and signs without colour", () => {
  show(SeatPlate, { seat: 3, name: "Mara", sub: "31 points", bars: 0, badges: ["away", "host"] });
  expect(named("[aria-label]")).toEqual([
    "Green, hand 3",
    "away, a bot plays on",
    "host of this table",
    "no connection",
  ]);
  expect(document.body.textContent).toContain("Mara");
});

describe("the unit's window", () => {
  const hands = ([1, 2, 3, 4] as const).map((seat, i) => ({
    seat,
    place: (["bottom", "left", "top", "right"] as const)[i] ?? "bottom",
    plastic: "pressed" as const,
    glove: "landed" as const,
  }));

  test("shows the loser's number on top of the pile, and no other", () => {
    show(Unit, { hands, window: { kind: "last", seat: 3, pile: [2, 1, 4, 3] } });
    const paddles = [...document.querySelectorAll(".paddle")];
    expect(paddles.map((paddle) => paddle.textContent?.trim())).toEqual(["", "", "", "3"]);
  });

  test("jammed shows paddles without any number", () => {
    show(Unit, { hands, window: { kind: "jam", pile: [2, 1, 4, 3] } });
    const paddles = [...document.querySelectorAll(".paddle")];
    expect(paddles.map((paddle) => paddle.textContent?.trim())).toEqual(["", "", "", ""]);
    expect(document.querySelector(".jam")?.textContent?.trim()).toBe("JAM");
  });
});
