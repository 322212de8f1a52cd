/** The settings, alive: read once, written on every change, shared by all pages of this browser. */
import {
  readSettings,
  readTickets,
  type Settings,
  type Tickets,
  withoutTicket,
  withTicket,
} from "./settings.ts";
import { put, take, watch } from "./shelf.ts";

const SETTINGS = "slamomatic.settings";
const TICKETS = "slamomatic.tickets";
const TOKEN = "slamomatic.token";

class Store {
  #settings = $state.raw<Settings>(readSettings(take(SETTINGS)));

  get current(): Settings {
    return this.#settings;
  }

  change(change: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...change };
    put(SETTINGS, JSON.stringify(this.#settings));
  }

  /** The ticket for a seat at this table, if this browser has one. */
  ticket(code: string): string | null {
    return this.#tickets[code]?.ticket ?? null;
  }

  keepTicket(code: string, ticket: string): void {
    put(TICKETS, JSON.stringify(withTicket(this.#tickets, code, ticket, Date.now())));
  }

  dropTicket(code: string): void {
    put(TICKETS, JSON.stringify(withoutTicket(this.#tickets, code)));
  }

  /** What proves to the server who uses this device: a secret. */
  get token(): string | null {
    return take(TOKEN);
  }

  keepToken(token: string): void {
    put(TOKEN, token);
  }

  dropToken(): void {
    put(TOKEN, null);
  }

  /** Told when another tab has become someone else; answers with how to stop being told. */
  watchToken(changed: () => void): () => void {
    return watch(TOKEN, changed);
  }

  get #tickets(): Tickets {
    return readTickets(take(TICKETS));
  }
}

export const store = new Store();
