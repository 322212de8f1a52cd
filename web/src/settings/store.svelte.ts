/** The settings, alive: read once, written on every change, shared by all pages of this browser. */
import {
  DEFAULTS,
  readSettings,
  readTickets,
  type Settings,
  withoutTicket,
  withTicket,
} from "./settings.ts";

const SETTINGS = "slamomatic.settings";
const TICKETS = "slamomatic.tickets";

class Store {
  #settings = $state.raw<Settings>(read(SETTINGS, readSettings) ?? DEFAULTS);

  get current(): Settings {
    return this.#settings;
  }

  change(change: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...change };
    write(SETTINGS, this.#settings);
  }

  /** The ticket for a seat at this table, if this browser has one. */
  ticket(code: string): string | null {
    return read(TICKETS, readTickets)?.[code]?.ticket ?? null;
  }

  keepTicket(code: string, ticket: string): void {
    write(TICKETS, withTicket(read(TICKETS, readTickets) ?? {}, code, ticket, Date.now()));
  }

  dropTicket(code: string): void {
    write(TICKETS, withoutTicket(read(TICKETS, readTickets) ?? {}, code));
  }
}

function read<Value>(key: string, reader: (stored: string | null) => Value): Value | null {
  try {
    return reader(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that stores nothing still plays, until the page is closed.
  }
}

export const store = new Store();
