import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, test, vi } from "vitest";
import App from "./App.svelte";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("the front door names the machine and offers a game at once", () => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ tables: [] })));
  const app = mount(App, { target: document.body });
  flushSync();
  expect(document.querySelector('[aria-label="Slam-o-matic"]')).not.toBeNull();
  const buttons = [...document.querySelectorAll("button")].map(({ textContent }) =>
    textContent?.trim(),
  );
  expect(buttons).toContain("Play now");
  expect(buttons).toContain("Make a table");
  unmount(app);
});
