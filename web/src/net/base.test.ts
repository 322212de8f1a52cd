import { expect, test } from "vitest";
import { addressOf, codeIn, type Place, placeAt, root, socketAddress } from "./base.ts";

function page(url: string, base?: string): Document {
  const made = new DOMParser().parseFromString(
    base ? `<base href="${base}">` : "<p></p>",
    "text/html",
  );
  Object.defineProperty(made, "URL", { value: url });
  Object.defineProperty(made, "baseURI", { value: base ? new URL(base, url).href : url });
  return made;
}

test("the root follows the base a host has set, on every page", () => {
  expect(root(page("https://x.org/games/slam/t/ABCDEF", "/games/slam/")).href).toBe(
    "https://x.org/games/slam/",
  );
});

test("without a base the root is found from the address of any page", () => {
  expect(root(page("http://localhost:5173/")).href).toBe("http://localhost:5173/");
  expect(root(page("http://localhost:5173/t/ABCDEF")).href).toBe("http://localhost:5173/");
  for (const path of ["me", "ladder", "ladder/modern", "g/x-1_y", "rules/classic", "me/"]) {
    expect(root(page(`http://localhost/a/${path}`)).href).toBe("http://localhost/a/");
  }
  expect(root(page("http://localhost/a/index.html")).href).toBe("http://localhost/a/");
});

test("a table's socket is below the root and as secret as the page", () => {
  expect(socketAddress("ABCDEF", new URL("https://x.org/slam/")).href).toBe(
    "wss://x.org/slam/ws/ABCDEF",
  );
  expect(socketAddress("ABCDEF", new URL("http://x.org/")).href).toBe("ws://x.org/ws/ABCDEF");
});

const BASE = new URL("https://x.org/slam/");

test.each<[string, Place]>([
  ["", { page: "home" }],
  ["me", { page: "me" }],
  ["t/ABCDEF", { page: "table", code: "ABCDEF" }],
  ["g/a1-b2_c3", { page: "replay", id: "a1-b2_c3" }],
  ["ladder", { page: "ladder", edition: null }],
  ["ladder/classic-junior", { page: "ladder", edition: "classic-junior" }],
  ["rules", { page: "rules", edition: null }],
  ["rules/modern", { page: "rules", edition: "modern" }],
])("the address %j and its page lead to each other", (path, place) => {
  expect(placeAt(new URL(path, BASE), BASE)).toEqual(place);
  expect(addressOf(place, BASE).href).toBe(BASE.href + path);
});

test("a slash at the end, small letters and what follows a ? change nothing", () => {
  expect(placeAt(new URL("t/abcdef/?from=chat#x", BASE), BASE)).toEqual({
    page: "table",
    code: "ABCDEF",
  });
});

test.each(["t", "t/a/b", "t/%2e", "g/", "nothing/here", "me/too", "ladder/a/b"])(
  "%j is no page of ours: home",
  (path) => {
    expect(placeAt(new URL(path, BASE), BASE)).toEqual({ page: "home" });
  },
);

test("nothing above the root is ours", () => {
  expect(placeAt(new URL("https://x.org/t/ABCDEF"), BASE)).toEqual({ page: "home" });
});

test("a code is found in what people type and paste", () => {
  expect(codeIn(" abc-def ")).toBe("ABCDEF");
  expect(codeIn("https://x.org/slam/t/ABCDEF?from=chat")).toBe("ABCDEF");
  expect(codeIn("https://x.org/about")).toBeNull();
  expect(codeIn("")).toBeNull();
});
