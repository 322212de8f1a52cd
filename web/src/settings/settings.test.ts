import { expect, test } from "vitest";
import { DEFAULTS, readSettings, readTickets, withoutTicket, withTicket } from "./settings.ts";

test("nothing stored, or nonsense, means the defaults", () => {
  expect(readSettings(null)).toEqual(DEFAULTS);
  expect(readSettings("[")).toEqual(DEFAULTS);
  expect(readSettings('{"keys":{"slam":7},"calm":"yes","name":5,"coached":-1}')).toEqual(DEFAULTS);
});

test("what was stored comes back", () => {
  const mine = { ...DEFAULTS, name: "Ada", calm: true, keys: { ...DEFAULTS.keys, slam: "j" } };
  expect(readSettings(JSON.stringify(mine))).toEqual(mine);
});

test("two actions never share a key", () => {
  expect(readSettings('{"keys":{"slam":"f"}}').keys).toEqual(DEFAULTS.keys);
});

test("the tables of the last evenings are remembered, the oldest forgotten", () => {
  let tickets = readTickets('{"OLD":{"ticket":"secret","at":1},"BAD":{"ticket":3}}');
  expect(Object.keys(tickets)).toEqual(["OLD"]);
  for (let n = 0; n < 20; n++) tickets = withTicket(tickets, `T${n}`, "secret", 10 + n);
  expect(tickets.OLD).toBeUndefined();
  expect(tickets.T19?.ticket).toBe("secret");
  expect(withoutTicket(tickets, "T19").T19).toBeUndefined();
});
