import { type Component, flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LiveTable } from "../live/table.svelte.ts";
import { FakeSocket } from "../live/testing.ts";
import { DEFAULT_KEYS } from "../play/keys.ts";
import { MINE, seatView, tableView, view, welcome } from "../play/testing.ts";
import { ballotOf } from "../play/votes.ts";
import { store } from "../settings/store.svelte.ts";
import type { TableView } from "../wire.ts";
import LinkStrip from "./LinkStrip.svelte";
import Pads from "./play/Pads.svelte";
import VoteSign from "./play/VoteSign.svelte";
import InvitePanel from "./waiting/InvitePanel.svelte";
import SeatOffer from "./waiting/SeatOffer.svelte";
import SeatsPanel from "./waiting/SeatsPanel.svelte";
import TablePanel from "./waiting/TablePanel.svelte";

let mounted: Record<string, unknown> | undefined;
let live: LiveTable;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  live = new LiveTable("ABCDEF");
  FakeSocket.newest.onopen?.();
});

afterEach(() => {
  if (mounted) unmount(mounted);
  mounted = undefined;
  live.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function show<Props extends object>(component: Component<Props>, props: NoInfer<Props>): void {
  mounted = mount(component, { target: document.body, props });
  flushSync();
}

function lose(): void {
  FakeSocket.newest.onclose?.();
  flushSync();
}

const text = () => document.body.textContent?.replace(/\s+/g, " ") ?? "";
const nameOf = (button: Element) =>
  (button.getAttribute("aria-label") ?? button.textContent ?? "").replace(/\s+/g, " ").trim();
const buttons = () => [...document.querySelectorAll("button")];
const button = (name: string) => buttons().find((one) => nameOf(one).startsWith(name));
const press = (name: string) => {
  button(name)?.click();
  flushSync();
};

describe("while the connection is lost", () => {
  test("it is said, and not before it is, nor after", () => {
    FakeSocket.newest.says(welcome());
    show(LinkStrip, { live });
    expect(text().trim()).toBe("");
    lose();
    expect(text()).toContain("Reconnecting");
    vi.advanceTimersByTime(0);
    FakeSocket.newest.says(welcome());
    flushSync();
    expect(text().trim()).toBe("");
  });

  test("a server that restarts is named, until it is back", () => {
    FakeSocket.newest.says(welcome());
    show(LinkStrip, { live });
    FakeSocket.newest.says({ type: "Bye", reason: "restart", text: "" });
    lose();
    expect(text()).toContain("The server restarts.");
    vi.advanceTimersByTime(2_000);
    FakeSocket.newest.says(welcome());
    lose();
    expect(text()).toContain("Reconnecting");
    expect(text()).not.toContain("restarts");
  });

  test("the pads rest, and say so", () => {
    FakeSocket.newest.says(welcome({ view: view(MINE) }));
    show(Pads, { live, keys: DEFAULT_KEYS });
    expect(button("Pass")?.disabled).toBe(false);
    lose();
    expect(text()).toContain("no connection");
    expect(button("Reach")?.disabled).toBe(true);
    expect(button("Pass")?.disabled).toBe(true);
    expect(document.querySelector(".pad")?.getAttribute("aria-disabled")).toBe("true");
  });

  test("what is asked for is not sent later, and one is told", () => {
    FakeSocket.newest.says(welcome());
    lose();
    expect(live.ask({ type: "Ready", ready: true })).toBe(false);
    expect(live.notice?.text).toContain("no connection");
    vi.advanceTimersByTime(0);
    FakeSocket.newest.says(welcome());
    expect(FakeSocket.newest.said("Ready")).toEqual([]);
  });
});

describe("in the waiting room", () => {
  const people = [seatView(1), seatView(2, { bot: null }), seatView(3)];
  const waiting = (more: Partial<TableView> = {}) =>
    tableView({ phase: "waiting", seats: people, ...more });

  function come(seat: number | null, table = waiting()): TableView {
    FakeSocket.newest.says(welcome({ seat, table, view: null }));
    return table;
  }

  test("the host asks a bot to go with one press, a person with two", () => {
    show(SeatsPanel, { live, table: come(1) });
    press("Remove Mara");
    expect(FakeSocket.newest.said("Remove")).toEqual([{ type: "Remove", seat: 3 }]);
    press("Remove Jun…");
    expect(FakeSocket.newest.said("Remove")).toHaveLength(1);
    press("Ban");
    expect(FakeSocket.newest.said("Ban")).toEqual([{ type: "Ban", seat: 2 }]);
    expect(document.querySelector("dialog")).toBeNull();
  });

  test("who is not the host can report, and send nobody away", () => {
    show(SeatsPanel, { live, table: come(2) });
    expect(buttons().filter((one) => nameOf(one).startsWith("Remove"))).toEqual([]);
    expect(button("Report You")).toBeDefined();
    expect(button("Report Mara")).toBeUndefined(); // a bot
  });

  test("the host locks the seats and makes it rated; the others read it", () => {
    show(TablePanel, { live, table: come(1) });
    const choose = (label: string) => {
      const labels = [...document.querySelectorAll("label")];
      labels
        .find((one) => one.textContent?.trim() === label)
        ?.querySelector("input")
        ?.click();
    };
    choose("Locked");
    choose("Rated");
    expect(FakeSocket.newest.said("LockSeats")).toEqual([{ type: "LockSeats", locked: true }]);
    expect(FakeSocket.newest.said("SetRated")).toEqual([{ type: "SetRated", rated: true }]);
    if (mounted) unmount(mounted);
    show(TablePanel, { live, table: come(2, waiting({ locked: true, rated: true })) });
    expect(text()).toContain("The seats are locked");
    expect(text()).toContain("leaving counts as last");
  });

  test("a seat is offered where one is to be had: where only bots sit they make room", () => {
    const offer = (table: TableView) => {
      if (mounted) unmount(mounted);
      show(SeatOffer, { live, table: come(null, table), heading: "Take a seat" });
      return { seats: document.querySelectorAll("input[type=radio]").length, says: text() };
    };
    expect(offer(waiting()).seats).toBe(1);
    expect(offer(waiting({ locked: true }))).toMatchObject({ seats: 0 });
    const four = [1, 2, 3, 4].map((seat) => seatView(seat));
    expect(offer(waiting({ seats: four })).says).toContain("All seats are taken");
    const bots = four.map((seat) => ({ ...seat, bot: "steady" as const }));
    expect(offer(waiting({ seats: bots })).seats).toBe(4);
  });

  test("a hidden code is nowhere to be read", () => {
    store.change({ hideCode: false });
    show(InvitePanel, { table: waiting() });
    expect(document.body.innerHTML).toContain("ABCDEF");
    press("Hide code");
    expect(document.body.innerHTML).not.toContain("ABCDEF");
    expect(document.querySelector("input")?.value).not.toContain("ABCDEF");
    press("Show code");
    expect(document.body.innerHTML).toContain("ABCDEF");
  });
});

describe("when somebody is gone", () => {
  const seats = [
    seatView(1),
    seatView(2, { bot: null, presence: "away" }),
    seatView(3, { bot: null }),
  ];

  test("one can vote to call the game off, and take it back", () => {
    const at = (end_votes: number[]) => {
      const table = tableView({ seats, end_votes });
      FakeSocket.newest.says(welcome({ table }));
      const ballot = ballotOf(table);
      if (!ballot) throw new Error("there is a ballot while somebody is gone");
      if (mounted) unmount(mounted);
      show(VoteSign, { live, ballot });
      press("Call it off?");
    };
    at([3]);
    expect(text()).toContain("1 of 2");
    expect(text()).toContain("Jun is gone");
    press("Call it off");
    expect(buttons().some((one) => nameOf(one) === "Call it off")).toBe(true);
    buttons()
      .find((one) => nameOf(one) === "Call it off")
      ?.click();
    expect(FakeSocket.newest.said("VoteEnd")).toEqual([{ type: "VoteEnd", end: true }]);
    at([1, 3]);
    press("Rather play on");
    expect(FakeSocket.newest.said("VoteEnd").at(-1)).toEqual({ type: "VoteEnd", end: false });
  });
});
