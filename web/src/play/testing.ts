/** Positions and messages for tests. Not part of the app: only tests import it. */
import {
  type Edition,
  PROTOCOL,
  type SeatView,
  type TableView,
  type View,
  type Welcome,
} from "../wire.ts";

export const CLASSIC: Edition = {
  name: "Classic",
  deck: { highest: 10, smiling: true, sad: true },
  joker: "wild-once",
  dealer: "cut",
  empty_hand_draw: "one",
  pile_out: "no-draw",
  early_touch: "free",
  jam: "pile-card",
  full_press_ms: 0,
  empty_slam: "loses-card",
  pass_with_pair: "allowed",
  free_fakes: 2,
  duel_limit_ms: 400,
  ending: "last-card",
  scoring: "face-values",
  tie: "shared",
};

export const MODERN: Edition = {
  ...CLASSIC,
  name: "Modern",
  deck: { highest: 10, smiling: true, sad: false },
  joker: "kept",
  dealer: "chosen",
  empty_hand_draw: "two",
  pile_out: "from-opponent",
  early_touch: "pays",
  jam: "void",
  full_press_ms: 30,
  empty_slam: "ends-turn",
  pass_with_pair: "not-once-pile-is-out",
  ending: "all-pairs",
  scoring: "pairs",
  tie: "face-values",
};

const NAMES = ["You", "Jun", "Mara", "Robin"];

export function seatView(seat: number, more: Partial<SeatView> = {}): SeatView {
  return {
    seat,
    name: NAMES[seat - 1] ?? "",
    bot: seat === 1 ? null : "steady",
    presence: "here",
    ready: true,
    host: seat === 1,
    rtt_ms: seat === 1 ? 12 : null,
    wins: 0,
    person: null,
    avatar: seat,
    ...more,
  };
}

export function tableView(more: Partial<TableView> = {}): TableView {
  return {
    code: "ABCDEF",
    phase: "playing",
    seats: [1, 2, 3, 4].map((seat) => seatView(seat)),
    edition: CLASSIC,
    pace: "normal",
    listed: false,
    rtt_cap_ms: null,
    dealer: null,
    game_number: 1,
    watchers: 0,
    rated: false,
    locked: false,
    fills_ms: null,
    end_votes: null,
    last_game: null,
    ...more,
  };
}

/** Hand 1's view, hand 2 being free to act. */
export function view(more: Partial<View> = {}): View {
  return {
    viewer: 1,
    edition: CLASSIC,
    dealer: 1,
    players: [1, 2, 3, 4].map((seat) => ({
      seat,
      cards: 4,
      hand: seat === 1 ? [3, 7, 7, 10] : null,
      laid: [],
      laid_points: 0,
      aside: 0,
    })),
    pile: 25,
    turn: 2,
    turn_number: 1,
    duties: [],
    to_act: 2,
    fakes_left: 2,
    legal: [],
    ended: null,
    scores: [],
    ...more,
  };
}

export const MINE: Partial<View> = {
  turn: 1,
  to_act: 1,
  legal: [
    { type: "Slam", seat: 1 },
    { type: "Fake", seat: 1 },
    { type: "Pass", seat: 1 },
  ],
};

export function welcome(more: Partial<Welcome> = {}): Welcome {
  return {
    type: "Welcome",
    protocol: PROTOCOL,
    seat: 1,
    table: tableView(),
    view: view(),
    race: null,
    clock_ms: null,
    reaching: null,
    seq: 10,
    missed: null,
    delay_ms: 0,
    ...more,
  };
}
