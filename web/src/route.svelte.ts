/** Which page is shown: the home page, or a table. The browser's own history, no more. */
import { address, tableIn } from "./net/base.ts";

class Route {
  /** The table's code; `null`: home. */
  code = $state(tableIn(new URL(location.href)));

  constructor() {
    window.addEventListener("popstate", () => {
      this.code = tableIn(new URL(location.href));
    });
  }

  /** To a table. */
  toTable(code: string): void {
    history.pushState(null, "", tableAddress(code));
    this.code = code;
  }

  home(): void {
    history.pushState(null, "", address(""));
    this.code = null;
  }
}

/** The link to a table, as one sends it to friends. */
export function tableAddress(code: string): URL {
  return address(`t/${code}`);
}

export const route = new Route();
