import { afterEach, expect, test, vi } from "vitest";
import {
  creationOptions,
  credentialJSON,
  deviceName,
  makePasskey,
  provePasskey,
  requestOptions,
  whyNoPasskeys,
} from "./passkeys.ts";

/** A browser's own class, as old as one likes: without the JSON form of anything. */
class OldCredential {
  id = "_-8";
  type = "public-key";
  rawId = buffer(0xff, 0xef);
  authenticatorAttachment = "platform";
  response: object = {};

  getClientExtensionResults(): object {
    return {};
  }
}

function buffer(...values: number[]): ArrayBuffer {
  return Uint8Array.from(values).buffer;
}

function browser(answer: () => Promise<unknown>, credential: unknown = OldCredential): void {
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("PublicKeyCredential", credential);
  vi.stubGlobal("navigator", { credentials: { create: answer, get: answer } });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

const CREATION = {
  rp: { name: "Slam-o-matic", id: "x.org" },
  user: { id: "_-8", name: "Ada", displayName: "Ada" },
  challenge: "AAECAw",
  pubKeyCredParams: [{ type: "public-key" as const, alg: -7 }],
  excludeCredentials: [{ type: "public-key" as const, id: "_w" }],
};

test("options are converted by hand where the browser cannot", () => {
  browser(async () => null);
  const made = creationOptions(CREATION);
  expect(made.challenge).toEqual(Uint8Array.of(0, 1, 2, 3));
  expect(made.user).toEqual({ id: Uint8Array.of(0xff, 0xef), name: "Ada", displayName: "Ada" });
  expect(made.excludeCredentials).toEqual([{ type: "public-key", id: Uint8Array.of(0xff) }]);
  expect(made.rp).toEqual(CREATION.rp);
  const asked = requestOptions({ challenge: "AAECAw", rpId: "x.org", allowCredentials: [] });
  expect(asked).toEqual({
    challenge: Uint8Array.of(0, 1, 2, 3),
    rpId: "x.org",
    allowCredentials: [],
  });
});

test("where the browser can convert, it does", () => {
  const parsed = { parsed: true };
  browser(async () => null, {
    parseCreationOptionsFromJSON: () => parsed,
    parseRequestOptionsFromJSON: () => parsed,
  });
  expect(creationOptions(CREATION)).toBe(parsed);
  expect(requestOptions({ challenge: "AA" })).toBe(parsed);
});

test("a new passkey's answer is written in base64url", async () => {
  const credential = new OldCredential();
  credential.response = {
    clientDataJSON: buffer(1, 2),
    attestationObject: buffer(0xfb, 0xff),
    getTransports: () => ["internal"],
  };
  browser(async () => credential);
  expect(await makePasskey({ ticket: "t", options: CREATION })).toEqual({
    id: "_-8",
    rawId: "_-8",
    type: "public-key",
    authenticatorAttachment: "platform",
    clientExtensionResults: {},
    response: { clientDataJSON: "AQI", attestationObject: "-_8", transports: ["internal"] },
  });
});

test("a proof's answer has its signature, and whose it is", () => {
  const credential = new OldCredential();
  credential.response = {
    clientDataJSON: buffer(1),
    authenticatorData: buffer(2),
    signature: buffer(3),
    userHandle: buffer(4),
  };
  expect(credentialJSON(credential as never)).toMatchObject({
    response: { clientDataJSON: "AQ", authenticatorData: "Ag", signature: "Aw", userHandle: "BA" },
  });
});

test("a toJSON that throws is done without", () => {
  const credential = Object.assign(new OldCredential(), {
    toJSON: () => {
      throw new TypeError("Illegal invocation");
    },
    response: { clientDataJSON: buffer(1), attestationObject: buffer(2) },
  });
  expect(credentialJSON(credential as never)).toMatchObject({
    id: "_-8",
    response: { attestationObject: "Ag", transports: [] },
  });
});

test.each([
  ["NotAllowedError", "no passkey was chosen"],
  ["InvalidStateError", "already"],
  ["SecurityError", "by the name of its host"],
  ["UnknownError", "what was said"],
])("a browser's %s is told in words", async (name, words) => {
  browser(async () => {
    throw new DOMException("what was said", name);
  });
  const asked = provePasskey({ ticket: "t", options: { challenge: "AA" } });
  await expect(asked).rejects.toThrow(words);
});

test("where there can be no passkey, it is said why", () => {
  browser(async () => null);
  expect(whyNoPasskeys()).toBeNull();
  vi.stubGlobal("PublicKeyCredential", undefined);
  expect(whyNoPasskeys()).toContain("knows no passkeys");
  vi.stubGlobal("isSecureContext", false);
  expect(whyNoPasskeys()).toContain("https");
});

test.each([
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/143.0 Safari/537.36",
    "Chrome, Linux",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) Version/18.4 Mobile Safari/604.1",
    "Safari, iPhone",
  ],
  ["Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Windows"],
  ["Mozilla/5.0 (Windows NT 10.0) Chrome/143.0 Safari/537.36 Edg/143.0", "Edge, Windows"],
  ["curl/8", "A browser"],
])("%s is called %s", (agent, name) => {
  expect(deviceName(agent)).toBe(name);
});
