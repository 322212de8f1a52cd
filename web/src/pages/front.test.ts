import { type Component, flushSync, mount, tick, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { device } from "../me/device.svelte.ts";
import { store } from "../settings/store.svelte.ts";
import type { GameInfo, ListedTable, Person, Rank, Tally } from "../wire.ts";
import LadderPage from "./LadderPage.svelte";
import MePage from "./me/MePage.svelte";
import OpenTables from "./OpenTables.svelte";

const ADA: Person = {
  id: "ada",
  name: "Ada",
  avatar: 7,
  has_account: false,
  passkeys: [],
  recovery_codes_left: 0,
  made_us: Date.UTC(2026, 4, 17) * 1_000,
};

const UNPLAYED: Tally = {
  games: 0,
  wins: 0,
  editions: [],
  reactions_ms: [],
  fakes: 0,
  fakes_worked: 0,
  faked_at: 0,
  fell: 0,
  races: 0,
  last: 0,
  streak: 0,
  best_streak: 0,
};

const PLAYED: Tally = {
  games: 9,
  wins: 4,
  editions: [
    {
      edition: "Classic",
      games: 8,
      wins: 4,
      rating: { points: 1612, band: 71, games: 6, provisional: true },
    },
    { edition: "Ours", games: 1, wins: 0, rating: null },
  ],
  reactions_ms: [210, 230, 240, 250, 300],
  fakes: 12,
  fakes_worked: 5,
  faked_at: 10,
  fell: 1,
  races: 40,
  last: 9,
  streak: 2,
  best_streak: 3,
};

/** What the server answers to each call; a function is called, `undefined` is 204. */
let answers: Record<string, unknown>;
let asked: string[];
let mounted: Record<string, unknown> | undefined;

beforeEach(() => {
  answers = {};
  asked = [];
  vi.stubGlobal("EventSource", undefined);
  vi.stubGlobal("fetch", async (url: URL, init: RequestInit = {}) => {
    const call = `${init.method ?? "GET"} ${url.pathname.slice(1)}${url.search}`;
    asked.push(call);
    if (!(call in answers)) {
      return Response.json({ code: "no-person", text: "who are you" }, { status: 401 });
    }
    const answer = answers[call];
    if (answer instanceof Response) return answer;
    return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
  });
});

afterEach(() => {
  if (mounted) unmount(mounted);
  mounted = undefined;
  device.signOut();
  vi.unstubAllGlobals();
});

async function show<Props extends object>(
  component: Component<Props>,
  props: NoInfer<Props>,
): Promise<void> {
  mounted = mount(component, { target: document.body, props });
  await settle();
}

/** Until what was asked has been answered and drawn. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) {
    flushSync();
    await tick();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

function signedIn(tally: Tally, games: readonly GameInfo[] = []): void {
  store.keepToken("token");
  answers["GET api/me"] = ADA;
  answers["GET api/me/tally"] = tally;
  answers["GET api/me/games"] = { games };
}

function game(number: number, more: Partial<GameInfo> = {}): GameInfo {
  const player = (seat: number, name: string, person: string | null, bot: "steady" | null) => ({
    seat,
    name,
    person,
    avatar: seat,
    bot,
    place: seat,
    points: 40 - seat,
    won: seat === 1,
    left: false,
  });
  return {
    id: `game-${number}`,
    edition: "Classic",
    began_us: 1_000_000 * (1_000 - number),
    ended_us: 1_000_000 * (1_000 - number),
    rated: false,
    public: false,
    called_off: false,
    players: [player(1, "Ada", "ada", null), player(2, "Kit", null, "steady")],
    ...more,
  };
}

const said = () => document.body.textContent?.replaceAll(/\s+/g, " ") ?? "";
const button = (name: string) =>
  [...document.querySelectorAll("button")].find(
    (one) => (one.getAttribute("aria-label") ?? one.textContent)?.trim() === name,
  );

async function press(name: string): Promise<void> {
  const found = button(name);
  if (!found) throw new Error(`there is no button ${name}`);
  found.click();
  await settle();
}

async function type(label: string, text: string): Promise<void> {
  const field = [...document.querySelectorAll("label")]
    .find((one) => one.textContent?.includes(label))
    ?.querySelector("input");
  if (!field) throw new Error(`there is no field ${label}`);
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  await settle();
}

describe("the profile", () => {
  test("of nobody invites to play and to sign in, and asks the server for nothing", async () => {
    await show(MePage, {});
    expect(said()).toContain("No games yet");
    expect(said()).toContain("Have you been here before?");
    expect(asked).toEqual([]);
  });

  test("of a guest without games invites, and says what hangs on this browser", async () => {
    signedIn(UNPLAYED);
    await show(MePage, {});
    expect(said()).toContain("No games yet");
    expect(said()).toContain("You are a guest on this device");
    expect(said()).toContain("It takes no e-mail and no password");
  });

  test("tells wins, ratings, reactions and fakes, each with what it was counted from", async () => {
    signedIn(PLAYED, [game(1)]);
    await show(MePage, {});
    for (const words of [
      "4 of 8",
      "1612 ± 71 provisional",
      "no rated game",
      "5 of 12, 42 %",
      "1 of 10, 10 %",
      "Last hand down in 9 of 40 races",
      "You have won 2 in a row.",
      "best streak: 3 games",
    ]) {
      expect(said()).toContain(words);
    }
    const plot = document.querySelector("figure [role=img]");
    expect(plot?.getAttribute("aria-label")).toContain("Your median is 240 ms");
    expect(said()).toContain("half of them from 230 to 250; from 5 races.");
  });

  test("leads from each game to its replay, and on to older ones", async () => {
    const first = Array.from({ length: 8 }, (_, number) => game(number));
    signedIn(PLAYED, first);
    answers[`GET api/me/games?before=${first.at(-1)?.began_us}`] = {
      games: [game(8, { called_off: true })],
    };
    await show(MePage, {});
    const links = () =>
      [...document.querySelectorAll("ol a")].map((link) => link.getAttribute("href"));
    expect(links()).toHaveLength(8);
    expect(links()[0]).toMatch(/\/g\/game-0$/);
    await press("Older games");
    expect(links()).toHaveLength(9);
    expect(said()).toContain("called off");
    expect(said()).toContain("with Kit (bot)");
  });

  test("shows why a name was refused, and keeps what was typed", async () => {
    signedIn(UNPLAYED);
    answers["PATCH api/me"] = Response.json(
      { code: "bad-name", text: "that name will not do: choose another" },
      { status: 400 },
    );
    await show(MePage, {});
    await type("Your name", "Foul");
    await press("Save");
    expect(document.querySelector("[role=alert]")?.textContent).toBe(
      "That name will not do: choose another.",
    );
    expect(document.querySelector<HTMLInputElement>("main input")?.value).toBe("Foul");
  });

  test("a face is chosen among others", async () => {
    signedIn(UNPLAYED);
    answers["PATCH api/me"] = { ...ADA, avatar: 99 };
    await show(MePage, {});
    await press("Another face");
    await press("Face 3");
    expect(asked).toContain("PATCH api/me");
    expect(device.person?.avatar).toBe(99);
    expect(said()).toContain("Your face is changed.");
  });

  test("nobody is deleted by a slip: the word has to be typed", async () => {
    signedIn(UNPLAYED);
    answers["DELETE api/me"] = undefined;
    await show(MePage, {});
    await press("Delete me…");
    expect(button("Delete for good")?.disabled).toBe(true);
    await type("if you mean it", "delet");
    expect(button("Delete for good")?.disabled).toBe(true);
    await type("if you mean it", " Delete ");
    await press("Delete for good");
    expect(asked).toContain("DELETE api/me");
    expect(store.token).toBeNull();
    expect(device.person).toBeNull();
  });

  test("who is banned is told so, and may still take his data along and go", async () => {
    store.keepToken("token");
    answers["GET api/me"] = Response.json(
      { code: "banned", text: "you may not play here any more" },
      { status: 403 },
    );
    answers["DELETE api/me"] = undefined;
    await show(MePage, {});
    expect(said()).toContain("You may not play here any more.");
    expect(button("Download my data")).toBeDefined();
    await press("Delete me…");
    await type("if you mean it", "delete");
    await press("Delete for good");
    expect(asked).toContain("DELETE api/me");
  });

  test("recovery codes are shown once, and are gone with their sheet", async () => {
    signedIn(UNPLAYED);
    answers["POST api/me/codes"] = { codes: ["ABCD-1234", "EFGH-5678"] };
    await show(MePage, {});
    await press("Make recovery codes");
    expect(said()).toContain("ABCD-1234");
    await press("Close");
    expect(said()).not.toContain("ABCD-1234");
  });

  test("where there can be no passkey, one is told why, and of the other way", async () => {
    vi.stubGlobal("isSecureContext", false);
    signedIn(UNPLAYED);
    await show(MePage, {});
    expect(said()).toContain("Passkeys need a secure address");
    expect(said()).toContain("Recovery codes do the same, on paper.");
    expect(button("Add a passkey")).toBeUndefined();
  });

  test("a passkey is removed at the second press, and the last way in not at all", async () => {
    signedIn(UNPLAYED);
    const [phone, laptop] = ["Phone", "Laptop"].map((label) => ({
      id: label,
      label,
      made_us: 0,
      used_us: null,
    }));
    answers["GET api/me"] = { ...ADA, has_account: true, passkeys: [phone, laptop] };
    answers["DELETE api/me/passkeys/Phone"] = { ...ADA, has_account: true, passkeys: [laptop] };
    await show(MePage, {});
    await press("Remove Phone");
    expect(asked).not.toContain("DELETE api/me/passkeys/Phone");
    await press("Really remove Phone");
    expect(asked).toContain("DELETE api/me/passkeys/Phone");
    expect(said()).not.toContain("Phone");
    expect(button("Remove Laptop")).toBeUndefined();
    expect(said()).toContain("The last way in: make recovery codes before you remove it.");
  });

  test("a server that cannot be reached is asked again on demand", async () => {
    signedIn(UNPLAYED);
    const answered = answers;
    answers = { "GET api/me": new Response("", { status: 502 }) };
    await show(MePage, {});
    expect(said()).toContain("did not understand (502)");
    answers = answered;
    await press("Try again");
    expect(said()).toContain("You are a guest on this device");
  });
});

describe("the ladder", () => {
  const rank = (place: number, person: string, provisional = false): Rank => ({
    place,
    person,
    name: `Name of ${person}`,
    avatar: place,
    rating: { points: 1_700 - place, band: 40, games: place, provisional },
  });

  test("marks one's own row and the provisional ones, in words too", async () => {
    signedIn(UNPLAYED);
    answers["GET api/leaderboard/classic"] = {
      edition: "Classic",
      rows: [rank(1, "bea"), rank(2, "ada"), rank(3, "cy", true)],
    };
    await show(LadderPage, { edition: null });
    const rows = [...document.querySelectorAll<HTMLTableRowElement>("tbody tr")].map((row) =>
      [...row.children].map((cell) => cell.textContent?.replaceAll(/\s+/g, " ").trim()).join(" "),
    );
    expect(rows).toEqual([
      "1 Name of bea 1 game 1699 ± 40",
      "2 Name of ada (you) 2 games 1698 ± 40",
      "3 Name of cy 3 games · provisional 1697 ± 40",
    ]);
    expect(document.querySelector("tr[aria-current=true]")?.textContent).toContain("ada");
    const shown = document.querySelector("nav[aria-label=Editions] [aria-current=page]");
    expect(shown?.textContent?.trim()).toBe("Classic");
  });

  test("without anybody on it says how one gets there", async () => {
    answers["GET api/leaderboard/modern"] = { edition: "Modern", rows: [] };
    await show(LadderPage, { edition: "modern" });
    expect(said()).toContain("Nobody is on the ladder of Modern yet");
  });
});

test("open tables are joined where a hand is free, and watched where none is", async () => {
  const table: ListedTable = {
    code: "ABCDEF",
    host: "Mara",
    edition: "Classic",
    players: 2,
    free: 2,
    phase: "waiting",
    rated: true,
    watchers: 0,
  };
  answers["GET api/tables"] = {
    tables: [
      table,
      { ...table, code: "GHJKLM", host: "Jun", phase: "playing", players: 4, free: 0, watchers: 3 },
    ],
  };
  await show(OpenTables, {});
  const links = [...document.querySelectorAll("a")].map((link) => [
    link.getAttribute("aria-label"),
    link.getAttribute("href")?.replace(/.*\/t\//, ""),
  ]);
  expect(links).toEqual([
    ["Join Mara’s table", "ABCDEF"],
    ["Watch Jun’s table", "GHJKLM"],
  ]);
  expect(said()).toContain("Classic rated · 2 at the table, 2 free");
  expect(said()).toContain("4 in play, 3 watching");
});
