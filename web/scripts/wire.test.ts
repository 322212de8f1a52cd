// @vitest-environment node

import { expect, test } from "vitest";
import { constantsOf, typesOf } from "./wire.js";

/** The shape of schema that msgspec prints: tagged structs, fixed tuples, unions by reference. */
const SCHEMA = {
  title: "Wire",
  type: "object",
  properties: { to_table: { $ref: "#/$defs/ToTable" } },
  required: ["to_table"],
  $defs: {
    ToTable: {
      anyOf: [{ $ref: "#/$defs/Lay" }, { $ref: "#/$defs/Touch" }],
      discriminator: {
        propertyName: "type",
        mapping: { lay: "#/$defs/Lay", touch: "#/$defs/Touch" },
      },
    },
    Lay: {
      title: "Lay",
      description: "A pair is laid.",
      type: "object",
      properties: {
        type: { enum: ["lay"] },
        pace: { $ref: "#/$defs/Pace", default: "normal" },
        pair: {
          type: "array",
          prefixItems: [{ type: "integer" }, { type: "string" }],
          items: false,
          minItems: 2,
          maxItems: 2,
        },
      },
      required: ["type", "pair"],
    },
    Touch: {
      title: "Touch",
      type: "object",
      properties: {
        type: { enum: ["touch"] },
        at_us: { anyOf: [{ type: "integer" }, { type: "null" }] },
      },
      required: ["type", "at_us"],
    },
    Pace: { title: "Pace", enum: ["normal", "relaxed"] },
  },
};

test("a union of messages stays told apart by its tag", async () => {
  const types = await typesOf(SCHEMA);
  expect(types).toContain("export type ToTable = Lay | Touch;");
  expect(types).toContain('type: "lay";');
  expect(types).toContain("at_us: number | null;");
});

test("a tuple keeps its length and the type at each place", async () => {
  expect(await typesOf(SCHEMA)).toContain("pair: [number, string];");
});

test("a field with a default has the very type it refers to", async () => {
  expect(await typesOf(SCHEMA)).toContain("pace?: Pace;");
});

test("a type is headed by its own docstring alone", async () => {
  const types = await typesOf(SCHEMA);
  expect(types).toContain("/**\n * A pair is laid.\n */\nexport interface Lay {");
  expect(types).not.toContain("was referenced by");
});

test("numbers are carried as they are, and never left out", () => {
  const values = {
    PROTOCOL: 7,
    MAX_NAME: 20,
    FILL_US: 20_000_000,
    REACH_US: 220_000,
    BETWEEN_REACHES_US: 1_000_000,
  };
  expect(constantsOf(values)).toContain("export const PROTOCOL = 7;\n");
  expect(constantsOf(values)).toContain("export const REACH_US = 220000;\n");
  expect(() => constantsOf({ ...values, REACH_US: Number.NaN })).toThrow("REACH_US");
});
