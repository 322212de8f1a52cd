/** Positions and messages for tests. Not part of the app: only tests import it. */
import {
  type Edition,
  type GamePlayer,
  type GameReplay,
  PROTOCOL,
  type RaceView,
  type ReplayStep,
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

const ANN_SLAMS: RaceView = {
  seat: 1,
  action: "slam",
  marks: [
    { seat: 2, time_us: 349_000, band_us: 4_000, early: false, doubt: "late-word" },
    { seat: 3, time_us: 262_000, band_us: 1_000, early: false, doubt: null },
  ],
  verdict: { last: [2] },
  tau_us: 2_000,
  jam: null,
  alike: [],
  duel_limit_us: null,
};

/** A very short game of three, all hands open: a pair, a pass, a fake. */
export function replay(more: Partial<GameReplay["game"]> = {}): GameReplay {
  const player = (seat: number, name: string, place: number): GamePlayer => ({
    seat,
    name,
    person: `p${seat}`,
    avatar: seat,
    bot: null,
    place,
    points: 20 - 10 * place,
    won: place === 1,
    left: false,
  });
  const hands = (own: View["players"][number]["hand"], laid: [7, 7][] = []) =>
    view({
      viewer: null,
      to_act: null,
      players: [1, 2, 3].map((seat) => ({
        seat,
        cards: seat === 1 ? (own?.length ?? 0) : 2,
        hand: seat === 1 ? own : [3, 9],
        laid: seat === 1 ? laid : [],
        laid_points: seat === 1 ? 14 * laid.length : 0,
        aside: 0,
      })),
    });
  const step = (
    clock_ms: number,
    events: ReplayStep["events"],
    after: View,
    race: RaceView | null = null,
  ): ReplayStep => ({ clock_ms, events, view: after, race });
  const laid = hands([4], [[7, 7]]);
  const judged = { type: "Judged" as const, duties: [], ends_turn: null };
  return {
    game: {
      id: "abc123",
      edition: "Classic",
      began_us: 1_700_000_000_000_000,
      ended_us: 1_700_000_200_000_000,
      rated: false,
      public: false,
      called_off: false,
      players: [player(1, "Ann", 1), player(2, "Jun", 2), player(3, "Mara", 3)],
      ...more,
    },
    rulings: CLASSIC,
    scores: [1, 2, 3].map((seat) => ({
      seat,
      total: seat === 1 ? 14 : -12,
      lines: [],
      tie_break: null,
      wins: seat === 1,
    })),
    steps: [
      step(
        0,
        [
          {
            type: "Dealt",
            seats: [1, 2, 3],
            dealer: 1,
            cuts: [],
            hands: [
              [4, 7],
              [3, 9],
              [3, 9],
            ],
            pile: [],
            edition: CLASSIC,
          },
        ],
        hands([4, 7]),
      ),
      step(900, [{ type: "CardDrawn", seat: 1, card: 7, why: "turn" }], hands([4, 7, 7])),
      step(
        4_000,
        [
          { type: "Slammed", seat: 1 },
          { ...judged, seat: 1, verdict: ANN_SLAMS.verdict, outcome: "pair" },
        ],
        hands([4, 7, 7]),
        ANN_SLAMS,
      ),
      step(6_000, [{ type: "PairLaid", seat: 1, pair: [7, 7], duties: [] }], laid),
      step(9_000, [{ type: "Passed", seat: 1 }], laid),
      step(
        15_000,
        [
          { type: "Faked", seat: 2 },
          { ...judged, seat: 2, verdict: {}, outcome: "fizzled" },
        ],
        laid,
        { ...ANN_SLAMS, seat: 2, action: "fake", marks: [], verdict: {} },
      ),
      step(61_000, [{ type: "GameEnded", why: "all-pairs" }], laid),
    ],
  };
}
