import { expect, test } from "vitest";
import { codeIn, root, socketAddress, tableIn } from "./base.ts";

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

test("without a base the root is found from a table's address as well", () => {
  expect(root(page("http://localhost:5173/")).href).toBe("http://localhost:5173/");
  expect(root(page("http://localhost:5173/t/ABCDEF")).href).toBe("http://localhost:5173/");
  expect(root(page("http://localhost/a/index.html")).href).toBe("http://localhost/a/");
});

test("a table's socket is below the root and as secret as the page", () => {
  expect(socketAddress("ABCDEF", new URL("https://x.org/slam/")).href).toBe(
    "wss://x.org/slam/ws/ABCDEF",
  );
  expect(socketAddress("ABCDEF", new URL("http://x.org/")).href).toBe("ws://x.org/ws/ABCDEF");
});

test("an address leads to a table only below the root", () => {
  const base = new URL("https://x.org/slam/");
  expect(tableIn(new URL("https://x.org/slam/t/abcdef"), base)).toBe("ABCDEF");
  expect(tableIn(new URL("https://x.org/slam/"), base)).toBeNull();
  expect(tableIn(new URL("https://x.org/t/ABCDEF"), base)).toBeNull();
});

test("a code is found in what people type and paste", () => {
  expect(codeIn(" abc-def ")).toBe("ABCDEF");
  expect(codeIn("https://x.org/slam/t/ABCDEF?from=chat")).toBe("ABCDEF");
  expect(codeIn("https://x.org/about")).toBeNull();
  expect(codeIn("")).toBeNull();
});
