/**
 * Where this page lives: a host may put the app under any path.
 * Law: addresses are built here and nowhere else, from the document's base.
 */

const TABLE = /^t\/([A-Za-z0-9]+)\/?$/;

/** The address of the app's own root, with a slash at its end. */
export function root(page: Document = document): URL {
  if (page.querySelector("base[href]")) return new URL(".", page.baseURI);
  const here = new URL(page.URL);
  return new URL(here.pathname.replace(/t\/[^/]*\/?$/, "").replace(/[^/]*$/, ""), here.origin);
}

/** An address below the root. */
export function address(path: string, base: URL = root()): URL {
  return new URL(path, base);
}

/** The WebSocket of a table. */
export function socketAddress(code: string, base: URL = root()): URL {
  const url = address(`ws/${encodeURIComponent(code)}`, base);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url;
}

/** The table an address leads to; `null`: it is the home page, or none of ours. */
export function tableIn(url: URL, base: URL = root()): string | null {
  if (!url.pathname.startsWith(base.pathname)) return null;
  return TABLE.exec(url.pathname.slice(base.pathname.length))?.[1]?.toUpperCase() ?? null;
}

/** A table's code in what somebody typed or pasted: the code itself, or a link that ends in it. */
export function codeIn(text: string): string | null {
  const typed = text.trim();
  const linked = /\/t\/([A-Za-z0-9]+)\/?(?:[?#].*)?$/.exec(typed)?.[1];
  const code = (linked ?? typed).replaceAll(/[\s-]/g, "").toUpperCase();
  return /^[A-Z0-9]{4,16}$/.test(code) ? code : null;
}
