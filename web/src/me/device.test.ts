import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { joinTable, myGames, openTable, signOut } from "../net/api.ts";
import { put } from "../settings/shelf.ts";
import { store } from "../settings/store.svelte.ts";
import type { Person } from "../wire.ts";
import { device } from "./device.svelte.ts";

interface Asked {
  readonly call: string;
  readonly token: string | null;
  readonly body: Record<string, unknown>;
}

/** A server that knows its people by their tokens, and makes up names. */
class House {
  asked: Asked[] = [];
  people = new Map<string, Person>();
  /** Held back until let go. */
  gate: Promise<void> = Promise.resolve();
  /** It makes people, and knows none of them. */
  forgets = false;

  answer = async (url: URL, init: RequestInit = {}): Promise<Response> => {
    const call = `${init.method ?? "GET"} ${url.pathname.slice(1)}${url.search}`;
    const header = (init.headers as Record<string, string>).authorization;
    const token = header?.replace("Bearer ", "") ?? null;
    const body = JSON.parse((init.body as string | undefined) ?? "{}");
    this.asked.push({ call, token, body });
    await this.gate;
    const me = token === null || this.forgets ? null : (this.people.get(token) ?? null);
    if (token !== null && !me) return refusal(401, "no-person", "this device is not known here");
    switch (call) {
      case "POST api/me": {
        if (body.name === "Foul") return refusal(400, "bad-name", "choose another name");
        const fresh = `token-${this.people.size + 1}`;
        this.people.set(fresh, person(body.name ?? "Quiet Otter"));
        return Response.json({ token: fresh, me: this.people.get(fresh) });
      }
      case "GET api/me":
        return me ? Response.json(me) : refusal(401, "no-person", "who are you");
      case "PATCH api/me": {
        if (body.name === "Foul") return refusal(400, "bad-name", "choose another name");
        const changed = { ...(me as Person), ...body };
        this.people.set(token as string, changed);
        return Response.json(changed);
      }
      case "POST api/me/signout":
        this.people.delete(token as string);
        return new Response(null, { status: 204 });
      case "GET api/me/games":
        return me ? Response.json({ games: [] }) : refusal(401, "no-person", "who are you");
      default:
        return Response.json({ code: "ABCDEF", seat: 1, ticket: "ticket" });
    }
  };

  calls(): string[] {
    return this.asked.map(({ call }) => call);
  }
}

function person(name: string): Person {
  return {
    id: "p1",
    name,
    avatar: 7,
    has_account: false,
    passkeys: [],
    recovery_codes_left: 0,
    made_us: 0,
  };
}

function refusal(status: number, code: string, text: string): Response {
  return Response.json({ code, text }, { status });
}

let house: House;

beforeEach(() => {
  house = new House();
  vi.stubGlobal("fetch", house.answer);
  device.signOut();
});

afterEach(() => {
  vi.unstubAllGlobals();
  put("slamomatic.token", null);
});

test("looking makes nobody a person", async () => {
  await device.load();
  expect(device.person).toBeNull();
  expect(device.known).toBe(true);
  await expect(myGames()).rejects.toMatchObject({ code: "no-person" });
  expect(house.people.size).toBe(0);
});

test("who sits down becomes a guest first, under the name he has typed", async () => {
  store.change({ name: " Ada " });
  await joinTable("ABCDEF", { name: "Ada" });
  expect(house.calls()).toEqual(["POST api/me", "POST api/tables/ABCDEF/join"]);
  expect(house.asked[1]).toMatchObject({ token: "token-1", body: { name: "Ada" } });
  expect(store.token).toBe("token-1");
  expect(device.person?.name).toBe("Ada");
});

test("who has no name gets one from the server, and plays by it", async () => {
  await openTable({ name: "Guest", start: true });
  expect(house.asked[0]?.body).toEqual({});
  expect(house.asked[1]?.body).toMatchObject({ name: "Quiet Otter", start: true });
  expect(store.current.name).toBe("Quiet Otter");
});

test("never two guests at once", async () => {
  let go = () => {};
  house.gate = new Promise((resolve) => {
    go = resolve;
  });
  const both = [openTable({ name: "Guest" }), device.change({ name: "Ada" })];
  go();
  await Promise.all(both);
  expect(house.people.size).toBe(1);
  expect(device.person?.name).toBe("Ada");
});

test("a guest another tab has made is taken, not made again", async () => {
  house.people.set("other", person("Mara"));
  store.keepToken("other");
  await openTable({ name: "Guest" });
  expect(house.calls()).toEqual(["GET api/me", "POST api/tables"]);
  expect(house.asked[1]).toMatchObject({ token: "other", body: { name: "Mara" } });
});

test("a name typed since is told before one sits down by it", async () => {
  house.people.set("mine", person("Ada"));
  store.keepToken("mine");
  store.change({ name: "Ada the Second" });
  await openTable({ name: "Ada the Second" });
  expect(house.calls()).toEqual(["GET api/me", "PATCH api/me", "POST api/tables"]);
  expect(device.person?.name).toBe("Ada the Second");
});

test("a refused name makes nobody sit down, and the refusal is a sentence", async () => {
  store.change({ name: "Foul" });
  await expect(openTable({ name: "Foul" })).rejects.toThrow("Choose another name.");
  expect(house.calls()).toEqual(["POST api/me"]);
});

test("a token the server has forgotten is dropped, and a new guest made, once", async () => {
  store.keepToken("stale");
  store.change({ name: "Ada" });
  device.hear(person("Ada"));
  await openTable({ name: "Ada" });
  expect(house.calls()).toEqual(["POST api/tables", "POST api/me", "POST api/tables"]);
  expect(house.asked.map(({ token }) => token)).toEqual(["stale", null, "token-1"]);
  house.forgets = true;
  house.asked = [];
  await expect(openTable({ name: "Ada" })).rejects.toMatchObject({ code: "no-person" });
  expect(house.calls()).toEqual(["POST api/tables", "POST api/me", "POST api/tables"]);
});

test("a forgotten token is dropped by looking too, and nobody is made", async () => {
  store.keepToken("stale");
  await device.load();
  expect(store.token).toBeNull();
  expect(device.known).toBe(true);
  expect(house.people.size).toBe(0);
});

test("a token that another tab has replaced meanwhile stays", async () => {
  store.keepToken("stale");
  let go = () => {};
  house.gate = new Promise((resolve) => {
    go = resolve;
  });
  const loaded = device.load();
  store.keepToken("newer");
  go();
  await loaded;
  expect(store.token).toBe("newer");
});

test("without any storage a guest lasts as long as the page", async () => {
  vi.stubGlobal("localStorage", undefined);
  await openTable({ name: "Guest" });
  await openTable({ name: "Guest" });
  expect(house.people.size).toBe(1);
  expect(house.asked.at(-1)?.token).toBe("token-1");
});

test("signing out leaves nothing on the device", async () => {
  await openTable({ name: "Guest" });
  await signOut();
  expect(store.token).toBeNull();
  expect(device.person).toBeNull();
  expect(store.current.name).toBe("");
  expect(house.people.size).toBe(0);
});
