import { flushSync, mount, unmount } from "svelte";
import { expect, test } from "vitest";
import Avatar from "./Avatar.svelte";
import { AVATARS, avatarLook, EYES, HAT_INKS, HATS, HEADS, INKS, MOUTHS } from "./avatars.ts";
import { contrast, luminance } from "./testing.ts";

test.each([
  [0, "mitten leaf-side dots smile sprout leaf"],
  [1, "drop coral-side specs smirk none leaf"],
  [AVATARS - 1, "flower sky specs tongue bow coral"],
])("number %i has had this face from the first day on", (number, told) => {
  const { head, inks, eyes, mouth, hat, hatInk } = avatarLook(number);
  expect([head, inks.ground, eyes, mouth, hat, hatInk].join(" ")).toBe(told);
});

test("all there is to draw is drawn, and about as often", () => {
  const looks = Array.from({ length: 6_000 }, (_, number) => avatarLook(number));
  const parts = [
    [HEADS, looks.map(({ head }) => head)],
    [INKS, looks.map(({ inks }) => inks)],
    [EYES, looks.map(({ eyes }) => eyes)],
    [MOUTHS, looks.map(({ mouth }) => mouth)],
    [HATS, looks.map(({ hat }) => hat)],
  ] as const;
  for (const [all, drawn] of parts) {
    for (const one of all) {
      const share = drawn.filter((other) => other === one).length / looks.length;
      expect(share).toBeGreaterThan(0.7 / all.length);
      expect(share).toBeLessThan(1.3 / all.length);
    }
  }
});

test("of four at a table, hardly any two have the same shape on the same ground", () => {
  let alike = 0;
  for (let table = 0; table < 1_000; table++) {
    const faces = [0, 1, 2, 3].map((seat) => avatarLook(table * 4 + seat));
    alike += 4 - new Set(faces.map(({ head, inks }) => `${head} ${inks.ground}`)).size;
  }
  expect(alike).toBeLessThan(120); // six pairs a table, one in 91 of them
});

test.each(INKS)("ink is read on $head, and $head stands out from $ground", (inks) => {
  expect(contrast("ink", inks.head)).toBeGreaterThanOrEqual(3);
  expect(contrast(inks.head, inks.ground)).toBeGreaterThanOrEqual(1.5);
  expect(luminance(inks.side)).toBeLessThan(luminance(inks.head));
});

test("a hat is never of its head's ink or of the ground's", () => {
  for (let number = 0; number < 2_000; number++) {
    const { inks, hatInk } = avatarLook(number);
    expect([inks.head, inks.ground]).not.toContain(hatInk);
    expect(HAT_INKS).toContain(hatInk);
  }
});

test("beside a name it is decoration; alone it says whose it is", () => {
  const drawn = mount(Avatar, { target: document.body, props: { number: 7 } });
  flushSync();
  expect(document.querySelector("svg")?.getAttribute("aria-hidden")).toBe("true");
  unmount(drawn);
  const named = mount(Avatar, { target: document.body, props: { number: 7, label: "Mara" } });
  flushSync();
  expect(document.querySelector("[role=img]")?.getAttribute("aria-label")).toBe("Mara");
  unmount(named);
});
