/**
 * What a browser remembers of its player: a name, the seats' tickets, and how they like to play.
 *
 * Laws: what is stored is read with suspicion, field by field, since older pages and other hands wrote it;
 * a browser that stores nothing still plays; tickets are secrets, so they are only ever sent to the server that gave them.
 */
import { DEFAULT_KEYS, type GameAction, type KeyMap } from "../play/keys.ts";
import { MAX_NAME } from "../wire.ts";

export interface Settings {
  readonly name: string;
  /** Nothing floats, slides or bobs. */
  readonly calm: boolean;
  readonly keys: KeyMap;
  /** A switch or the like: presses are never short (M8). */
  readonly neverShort: boolean;
  /** Races explained so far; see play/coach.ts. */
  readonly coached: number;
  /** The table's code is not shown until asked for. */
  readonly hideCode: boolean;
}

export const DEFAULTS: Settings = {
  name: "",
  calm: false,
  keys: DEFAULT_KEYS,
  neverShort: false,
  coached: 0,
  hideCode: false,
};

/** A table's ticket, and when it was last used. */
export interface Ticket {
  readonly ticket: string;
  readonly at: number;
}

export type Tickets = Readonly<Record<string, Ticket>>;

/** So many tables are remembered. */
const REMEMBERED = 20;

/** Settings from what was stored. */
export function readSettings(stored: string | null): Settings {
  const raw = parsed(stored);
  const flag = (key: keyof Settings) => raw[key] === true;
  return {
    name: typeof raw.name === "string" ? raw.name.slice(0, MAX_NAME) : DEFAULTS.name,
    calm: flag("calm"),
    keys: readKeys(raw.keys),
    neverShort: flag("neverShort"),
    coached: typeof raw.coached === "number" && raw.coached > 0 ? Math.floor(raw.coached) : 0,
    hideCode: flag("hideCode"),
  };
}

/** Tickets from what was stored. */
export function readTickets(stored: string | null): Tickets {
  return Object.fromEntries(
    Object.entries(parsed(stored)).flatMap(([code, value]) => {
      const { ticket, at } = (value ?? {}) as Record<string, unknown>;
      return typeof ticket === "string" && typeof at === "number" ? [[code, { ticket, at }]] : [];
    }),
  );
}

/** With this ticket, and without those that were used longest ago. */
export function withTicket(tickets: Tickets, code: string, ticket: string, at: number): Tickets {
  const all = Object.entries({ ...tickets, [code]: { ticket, at } });
  return Object.fromEntries(all.sort(([, a], [, b]) => b.at - a.at).slice(0, REMEMBERED));
}

/** Without the ticket of a table one has left. */
export function withoutTicket(tickets: Tickets, code: string): Tickets {
  return Object.fromEntries(Object.entries(tickets).filter(([other]) => other !== code));
}

function readKeys(raw: unknown): KeyMap {
  const keys = (typeof raw === "object" && raw !== null ? raw : {}) as Record<string, unknown>;
  const read = Object.entries(DEFAULT_KEYS).map(([action, usual]) => {
    const key = keys[action as GameAction];
    return [action, typeof key === "string" && key.length > 0 ? key : usual];
  });
  const map = Object.fromEntries(read) as KeyMap;
  return new Set(Object.values(map)).size === read.length ? map : DEFAULT_KEYS;
}

function parsed(stored: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(stored ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
