/**
 * Which page is shown. The browser's own history, no more.
 * Law: every way from page to page is a link with an address of its own; what is pressed plainly is followed here.
 */
import { addressOf, type Place, placeAt } from "./net/base.ts";

class Route {
  place = $state.raw<Place>(placeAt(new URL(location.href)));
  /** Pages seen so far in this visit: at 0 the reader's place is the browser's business, later it is ours. */
  turned = 0;

  constructor() {
    window.addEventListener("popstate", () => this.#show(placeAt(new URL(location.href))));
  }

  to(place: Place): void {
    history.pushState(null, "", addressOf(place));
    this.#show(place);
    scrollTo(0, 0);
  }

  /** To a table. */
  toTable(code: string): void {
    this.to({ page: "table", code });
  }

  home(): void {
    this.to({ page: "home" });
  }

  /** Follow a press on one of our own links, unless the browser has been asked to do something else with it. */
  follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || link.hasAttribute("download") || event.defaultPrevented) return;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    const url = new URL(link.href, document.baseURI);
    const place = placeAt(url);
    if (url.origin !== location.origin || url.hash) return;
    if (addressOf(place).pathname !== url.pathname) return;
    event.preventDefault();
    this.to(place);
  }

  #show(place: Place): void {
    this.turned += 1;
    this.place = place;
  }
}

/** The link to a page. */
export function href(place: Place): string {
  return addressOf(place).href;
}

/** The link to a table, as one sends it to friends. */
export function tableAddress(code: string): URL {
  return addressOf({ page: "table", code });
}

export const route = new Route();
