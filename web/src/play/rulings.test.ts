import { expect, test } from "vitest";
import {
  ANSWERS,
  deckSays,
  editionInBrief,
  NUMBER_RANGES,
  numberSays,
  playsLike,
  QUESTIONS,
  ruleBook,
} from "./rulings.ts";
import { CLASSIC, MODERN } from "./testing.ts";

const text = (edition = CLASSIC) =>
  ruleBook(edition)
    .flatMap(({ lines }) => lines)
    .join("\n");

test("every ruling of an edition is asked, answered and in the book", () => {
  const keys = Object.keys(CLASSIC).filter((key) => key !== "name" && key !== "deck");
  expect(Object.keys(QUESTIONS).sort()).toEqual(keys.sort());
  expect([...Object.keys(ANSWERS), ...Object.keys(NUMBER_RANGES)].sort()).toEqual(keys.sort());
  for (const edition of [CLASSIC, MODERN]) {
    for (const [key, answers] of Object.entries(ANSWERS)) {
      const value = edition[key as keyof typeof ANSWERS];
      expect(text(edition)).toContain((answers as Record<string, { says: string }>)[value]?.says);
    }
  }
});

test("no two answers of one ruling say the same", () => {
  for (const answers of Object.values(ANSWERS)) {
    const said = Object.values(answers as Record<string, { says: string; label: string }>);
    expect(new Set(said.map(({ says }) => says)).size).toBe(said.length);
    expect(new Set(said.map(({ label }) => label)).size).toBe(said.length);
  }
});

test("the deck is counted", () => {
  expect(deckSays(CLASSIC.deck, "wild-once")).toBe(
    "42 cards: 1 to 10, four of each, a Smiling and a Sad Joker.",
  );
  expect(deckSays(MODERN.deck, "kept")).toBe("41 cards: 1 to 10, four of each and one Joker.");
});

test("zero means that there is no such rule", () => {
  expect(numberSays("full_press_ms", 0)).toContain("counts");
  expect(numberSays("free_fakes", 0)).toContain("no faking");
  expect(numberSays("duel_limit_ms", 0)).toContain("always last");
  expect(numberSays("free_fakes", 1)).toMatch(/^One fake/);
});

test("the book speaks of the Sad Joker only where there is one", () => {
  expect(text(CLASSIC)).toContain("Sad Joker pairs with nothing");
  expect(text(MODERN)).not.toContain("Sad Joker");
});

test("a name does not make another edition, a ruling does", () => {
  expect(playsLike(CLASSIC, { ...CLASSIC, name: "Ours" })).toBe(true);
  expect(playsLike(CLASSIC, { ...CLASSIC, free_fakes: 3 })).toBe(false);
  expect(editionInBrief(CLASSIC)).not.toEqual(editionInBrief(MODERN));
});
