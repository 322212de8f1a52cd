import { afterEach, expect, test, vi } from "vitest";
import { put, take, watch } from "./shelf.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  put("piece", null);
});

test("what is put down is there again, and seen by whoever looks at the storage itself", () => {
  put("piece", "a");
  expect(take("piece")).toBe("a");
  expect(localStorage.getItem("piece")).toBe("a");
  put("piece", null);
  expect(take("piece")).toBeNull();
});

test("without any storage a piece lasts as long as the page", () => {
  vi.stubGlobal("localStorage", undefined);
  expect(take("piece")).toBeNull();
  put("piece", "a");
  expect(take("piece")).toBe("a");
  put("piece", null);
  expect(take("piece")).toBeNull();
});

test("a full disk does not bring an old piece back", () => {
  put("piece", "old");
  vi.stubGlobal("localStorage", {
    getItem: () => "old",
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
    removeItem: () => {},
  });
  put("piece", "new");
  expect(take("piece")).toBe("new");
});

test("another tab's change is told, and only of the piece one watches", () => {
  const changed = vi.fn();
  const stop = watch("piece", changed);
  window.dispatchEvent(new StorageEvent("storage", { key: "other" }));
  expect(changed).not.toHaveBeenCalled();
  window.dispatchEvent(new StorageEvent("storage", { key: "piece" }));
  window.dispatchEvent(new StorageEvent("storage", { key: null })); // everything was cleared
  expect(changed).toHaveBeenCalledTimes(2);
  stop();
  window.dispatchEvent(new StorageEvent("storage", { key: "piece" }));
  expect(changed).toHaveBeenCalledTimes(2);
});
