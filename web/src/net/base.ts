/**
 * Where this page lives: a host may put the app under any path.
 * Law: addresses are built here and nowhere else, from the document's base.
 */

/** Which page an address leads to. */
export type Place =
  | { readonly page: "home" | "me" }
  | { readonly page: "table"; readonly code: string }
  | { readonly page: "replay"; readonly id: string }
  /** `edition`: a preset by the name a link uses; `null`: none is named. */
  | { readonly page: "ladder" | "rules"; readonly edition: string | null };

/** All of our pages but the home page, at the end of a path. */
const PAGES = /(?:(?:t|g|ladder|rules)\/[^/.]*|me|ladder|rules)\/?$/;

/** The address of the app's own root, with a slash at its end. */
export function root(page: Document = document): URL {
  if (page.querySelector("base[href]")) return new URL(".", page.baseURI);
  const here = new URL(page.URL);
  return new URL(here.pathname.replace(PAGES, "").replace(/[^/]*$/, ""), here.origin);
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

/** The page an address leads to; what is none of ours is the home page. */
export function placeAt(url: URL, base: URL = root()): Place {
  if (!url.pathname.startsWith(base.pathname)) return { page: "home" };
  const [page, name = "", ...more] = url.pathname
    .slice(base.pathname.length)
    .replace(/\/$/, "")
    .split("/");
  if (more.length > 0 || !/^[\w-]*$/.test(name)) return { page: "home" };
  switch (page) {
    case "me":
      return { page: name ? "home" : "me" };
    case "ladder":
    case "rules":
      return { page, edition: name || null };
    case "t":
      return /^[A-Za-z0-9]+$/.test(name)
        ? { page: "table", code: name.toUpperCase() }
        : { page: "home" };
    case "g":
      return name ? { page: "replay", id: name } : { page: "home" };
    default:
      return { page: "home" };
  }
}

/** The address of a page. */
export function addressOf(place: Place, base: URL = root()): URL {
  switch (place.page) {
    case "home":
      return base;
    case "me":
      return address("me", base);
    case "table":
      return address(`t/${place.code}`, base);
    case "replay":
      return address(`g/${place.id}`, base);
    case "ladder":
    case "rules":
      return address(place.edition ? `${place.page}/${place.edition}` : place.page, base);
  }
}

/** A table's code in what somebody typed or pasted: the code itself, or a link that ends in it. */
export function codeIn(text: string): string | null {
  const typed = text.trim();
  const linked = /\/t\/([A-Za-z0-9]+)\/?(?:[?#].*)?$/.exec(typed)?.[1];
  const code = (linked ?? typed).replaceAll(/[\s-]/g, "").toUpperCase();
  return /^[A-Z0-9]{4,16}$/.test(code) ? code : null;
}
