// Writes src/wire.ts: the types of every wire message, from the schema that the server's own protocol prints, and the
// few numbers both sides must have alike. Python is the one source; with `--check`, a file that says anything else is
// an error.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

const WIRE = fileURLToPath(new URL("../src/wire.ts", import.meta.url));
const VENV_PYTHON = fileURLToPath(new URL("../../.venv/bin/python", import.meta.url));
/** The compiler's remark under each type: every one of them says the same. */
const PROVENANCE =
  /( \*\n)? \* This interface was referenced by .*\n \* via the `definition` .*\n/g;
const BANNER =
  "// Written by `npm run wire` from slamomatic.table and slamomatic.server.calls: change them there.";

/** What both sides must have alike: its name, the room it lives in, and what it means. */
const CONSTANTS = [
  ["PROTOCOL", "protocol", "Raised whenever an old client could no longer follow."],
  ["MAX_NAME", "protocol", "The letters of a name."],
  ["FILL_US", "timing", "A quick match waits so long for people; then bots take the free hands."],
  ["REACH_US", "timing", "A hand needs this long to get to the unit."],
  ["BETWEEN_REACHES_US", "timing", "From the end of one reach to the beginning of the next."],
];

/**
 * TypeScript for numbers by their name.
 *
 * @param {Readonly<Record<string, number>>} values
 * @returns {string}
 */
export function constantsOf(values) {
  return CONSTANTS.map(([name = "", , means]) => {
    if (!Number.isInteger(values[name])) throw new Error(`${name} is no whole number`);
    return `/** ${means} */\nexport const ${name} = ${values[name]};\n`;
  }).join("");
}

/**
 * TypeScript for a JSON schema.
 *
 * @param {unknown} schema
 * @returns {Promise<string>}
 */
export async function typesOf(schema) {
  const types = await compile(/** @type {object} */ (plain(schema)), "Wire", {
    additionalProperties: false, // a message says what its type says, and no more
    bannerComment: BANNER,
    unreachableDefinitions: true,
  });
  return types.replaceAll(PROVENANCE, "").replaceAll(/\/\*\*\n \*\/\n/g, "");
}

/**
 * The same schema in the older words that the compiler knows: a tuple is a list of `items`, and a
 * reference stands alone (beside a `default` it would become a second type, `Pace1`).
 *
 * @param {unknown} schema
 * @returns {unknown}
 */
function plain(schema) {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== "object" || schema === null) return schema;
  if ("$ref" in schema) return { $ref: schema.$ref };
  const { prefixItems, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, plain(value)]),
  );
  return prefixItems === undefined ? rest : { ...rest, items: prefixItems, additionalItems: false };
}

/**
 * What a piece of the server prints, as it is meant: JSON.
 *
 * @param {...string} args
 */
function ask(...args) {
  const python = process.env.PYTHON ?? (existsSync(VENV_PYTHON) ? VENV_PYTHON : "python3");
  const asked = spawnSync(python, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (asked.status !== 0) throw new Error(`${python} ${args.join(" ")} failed`);
  return JSON.parse(asked.stdout);
}

function readConstants() {
  const entries = CONSTANTS.map(([name, room]) => `"${name}": ${room}.${name}`);
  return ask(
    "-c",
    `import json; from slamomatic.table import protocol, timing; print(json.dumps({${entries}}))`,
  );
}

async function main() {
  const types = await typesOf(ask("-m", "slamomatic.server.schema"));
  const wire = `${types}\n${constantsOf(readConstants())}`;
  if (!process.argv.includes("--check")) {
    writeFileSync(WIRE, wire);
  } else if (!existsSync(WIRE) || readFileSync(WIRE, "utf8") !== wire) {
    console.error("src/wire.ts is not what the protocol says: run `npm run wire`, and commit it");
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
