// Written by `npm run wire` from slamomatic.table: change the protocol there.

/**
 * Who deals.
 */
export type DealerChoice = "chosen" | "cut";
/**
 * What a touch before the slammer's own contact costs, if the slam was real.
 */
export type EarlyTouch = "free" | "pays";
/**
 * How many cards a player draws who begins the turn with an empty hand.
 */
export type EmptyHandDraw = "one" | "two";
/**
 * What touching one's own hand without a pair costs.
 */
export type EmptySlam = "ends-turn" | "loses-card";
/**
 * When the game is over.
 */
export type Ending = "all-pairs" | "last-card";
/**
 * What happens when the unit cannot tell the two last apart.
 */
export type JamRuling = "pile-card" | "void";
/**
 * What the smiling joker can do while it is held.
 */
export type JokerPower = "kept" | "wild-once";
/**
 * Whether one may pass with a pair in hand.
 */
export type PassWithPair = "allowed" | "not-once-pile-is-out";
/**
 * What a turn begins with once the pile is empty.
 */
export type PileOut = "from-opponent" | "no-draw";
/**
 * What counts at the end.
 */
export type Scoring = "face-values" | "junior" | "pairs";
/**
 * Who wins among those with the highest total.
 */
export type Tie = "face-values" | "shared";
/**
 * How long a player may think (B18).
 */
export type Pace = "normal" | "relaxed" | "untimed";
/**
 * How good a bot is at it.
 */
export type Level = "gentle" | "sharp" | "steady";
/**
 * What one can say without words.
 */
export type Emote = "clap" | "hurry" | "laugh" | "oops" | "wave" | "wow";
/**
 * One printed card: a number from 1 to 10, or one of the two jokers.
 *
 * The Modern deck has one joker; it is the smiling one, there without its power (M3).
 */
export type Card = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;
/**
 * Why a message had no effect.
 */
export type RefusalCode =
  | "bad-message"
  | "bad-name"
  | "bad-ticket"
  | "full"
  | "illegal"
  | "no-seat"
  | "no-table"
  | "not-host"
  | "not-now"
  | "taken"
  | "too-far"
  | "too-fast"
  | "unfit-edition"
  | "unknown-cue";
/**
 * What the active player's hand did.
 */
export type Action = "fake" | "slam";
/**
 * Why a race jammed.
 */
export type Jam = "close" | "doubt";
/**
 * Why a page's word was not taken as it came.
 */
export type Doubt = "claim" | "late-word" | "record" | "timed-by-server" | "unseen" | "unwitnessed";
/**
 * Where a table stands.
 */
export type Phase = "playing" | "result" | "waiting";
/**
 * Whether someone is at the seat.
 */
export type Presence = "away" | "here";
/**
 * For what reason a card changes its place.
 */
export type Why = "early" | "end" | "fooled" | "jam" | "last" | "turn";
/**
 * Why a game ended.
 */
export type GameEnd = "all-pairs" | "last-card" | "stall";
/**
 * Where points come from.
 */
export type Source = "aside" | "held" | "laid";
/**
 * Why a turn ended.
 */
export type TurnEnd = "empty" | "pass" | "short" | "stall";
/**
 * What the rules make of a verdict.
 */
export type Outcome = "empty" | "fizzled" | "fooled" | "pair" | "short" | "void";
/**
 * What the active hand is seen to do.
 */
export type CueKind = "contact" | "reach" | "withdraw";
/**
 * Why people may want to look at a seat's connection. Never a verdict, never a ban.
 */
export type Flag = "delay" | "detour" | "frames" | "haste" | "silence" | "strikes";
/**
 * Why the server closes the socket.
 */
export type ByeReason = "closed" | "left" | "newer-tab" | "refused" | "removed" | "restart" | "too-slow";

export interface Wire {
  client:
    | Hello
    | Ready
    | Sit
    | Rename
    | SetEdition
    | SetPace
    | SetListed
    | CapRoundTrip
    | NameDealer
    | AddBot
    | Remove
    | Leave
    | Hidden
    | Assist
    | Say
    | Act
    | Reach
    | Land
    | Withdraw
    | Release
    | Shown
    | Touch;
  editions: Editions;
  failure: Failure;
  join: JoinTable;
  open: OpenTable;
  seated: Seated;
  server: Welcome | TableChanged | Moved | Cue | Touched | Locked | Flagged | Emoted | Refused | Bye;
  tables: ListedTables;
}
/**
 * The first message on every socket: the ticket of one's seat, or none to watch.
 */
export interface Hello {
  ticket?: string | null;
  type: "Hello";
}
/**
 * Ready for the next game, or not yet; when all people are, it begins.
 */
export interface Ready {
  ready: boolean;
  type: "Ready";
}
/**
 * Move to a free hand, before the first game; answered with a ``Welcome`` to that hand.
 */
export interface Sit {
  hand: number;
  type: "Sit";
}
/**
 * Take a name; the host may also rename someone else's seat.
 */
export interface Rename {
  name: string;
  seat: number;
  type: "Rename";
}
/**
 * Host: the edition to play, a preset or one of one's own (B19).
 */
export interface SetEdition {
  edition: Edition;
  type: "SetEdition";
}
/**
 * One way to play Hands Down: a name for people, and an answer to every ruling.
 *
 * Change a preset with ``msgspec.structs.replace(MODERN, name="Ours", free_fakes=3)``. It keeps its hash, so that what
 * follows from its rulings alone can be remembered by it.
 *
 * Raises:
 *     UnfitEdition: a value is out of its range, or the rulings do not fit together (B19).
 */
export interface Edition {
  dealer: DealerChoice;
  deck: Deck;
  duel_limit_ms: number;
  early_touch: EarlyTouch;
  empty_hand_draw: EmptyHandDraw;
  empty_slam: EmptySlam;
  ending: Ending;
  free_fakes: number;
  full_press_ms: number;
  jam: JamRuling;
  joker: JokerPower;
  name: string;
  pass_with_pair: PassWithPair;
  pile_out: PileOut;
  scoring: Scoring;
  tie: Tie;
}
/**
 * Which cards are in the box: the numbers 1 to ``highest``, four of each, and the jokers (C1, M1).
 */
export interface Deck {
  highest: number;
  sad: boolean;
  smiling: boolean;
}
/**
 * Host: how long players may think.
 */
export interface SetPace {
  pace: Pace;
  type: "SetPace";
}
/**
 * Host: whether strangers find the table among the open ones.
 */
export interface SetListed {
  listed: boolean;
  type: "SetListed";
}
/**
 * Host: nobody plays here whose round trip is longer; None: everybody may.
 */
export interface CapRoundTrip {
  rtt_ms: number | null;
  type: "CapRoundTrip";
}
/**
 * Host: who deals the next game, where the edition lets one be chosen; None: chance (M2).
 */
export interface NameDealer {
  seat: number | null;
  type: "NameDealer";
}
/**
 * Host: a bot takes a hand, the lowest free one if none is named.
 */
export interface AddBot {
  hand?: number | null;
  level: Level;
  type: "AddBot";
}
/**
 * Host: a bot or a person has to go; in mid-game a bot takes the person's seat over.
 */
export interface Remove {
  seat: number;
  type: "Remove";
}
/**
 * Get up for good; in mid-game a bot takes the seat over.
 */
export interface Leave {
  type: "Leave";
}
/**
 * The page cannot be seen any more, or can again: a hidden page is away, and what it plays is refused (B17).
 */
export interface Hidden {
  hidden: boolean;
  type: "Hidden";
}
/**
 * Whether this player uses a switch or the like, whose presses are never short (M8).
 */
export interface Assist {
  never_short: boolean;
  type: "Assist";
}
/**
 * Send an emote.
 */
export interface Say {
  emote: Emote;
  type: "Say";
}
/**
 * One of the commands listed as legal in one's view, except those of the hand on the unit.
 */
export interface Act {
  command: Draw | Take | Lay | Choose | Pass;
  type: "Act";
}
/**
 * Take the top card of the pile (C3, M4).
 */
export interface Draw {
  seat: number;
  type: "Draw";
}
/**
 * Take the card at a position of a face-down hand (B11): a loser's, a fooled one's, or as a draw (M5, C8).
 */
export interface Take {
  loser: number;
  position: number;
  seat: number;
  type: "Take";
}
/**
 * Lay this pair after a slam (B5, B16).
 */
export interface Lay {
  /**
   * @minItems 2
   * @maxItems 2
   */
  pair: [Card, Card];
  seat: number;
  type: "Lay";
}
/**
 * Choose which of several who never touched loses the card (B12).
 */
export interface Choose {
  loser: number;
  seat: number;
  type: "Choose";
}
/**
 * Say "pass": the turn is over (B7, M11).
 */
export interface Pass {
  seat: number;
  type: "Pass";
}
/**
 * One's own hand starts for the unit. The same message whether it will land or not.
 */
export interface Reach {
  type: "Reach";
}
/**
 * The reaching hand lands: a contact, shown no sooner than a reach takes (:mod:`~slamomatic.table.timing`).
 */
export interface Land {
  type: "Land";
}
/**
 * The reaching hand goes back untouched: a fake. Said once: neither this nor ``Land`` can be taken back.
 */
export interface Withdraw {
  type: "Withdraw";
}
/**
 * The press that landed has ended, after so long (M8).
 */
export interface Release {
  held_us: number;
  type: "Release";
}
/**
 * A cue has been painted; sent from that animation frame.
 */
export interface Shown {
  cue: string;
  frame_us: number;
  grain_us: number;
  type: "Shown";
}
/**
 * One's own hand is on the unit.
 */
export interface Touch {
  claim_us: number | null;
  cue: string | null;
  type: "Touch";
}
/**
 * ``GET /api/editions``: the presets by the name a link uses.
 */
export interface Editions {
  presets: {
    [k: string]: Edition;
  };
}
/**
 * The body of every HTTP error.
 */
export interface Failure {
  code: RefusalCode;
  text: string;
}
/**
 * ``POST /api/tables/{code}/join``: sit down at the table.
 */
export interface JoinTable {
  hand?: number | null;
  name: string;
}
/**
 * ``POST /api/tables``: make a table and sit down as its host.
 */
export interface OpenTable {
  /**
   * @maxItems 3
   */
  bots?: [] | [Level] | [Level, Level] | [Level, Level, Level];
  edition?: string | Edition;
  listed?: boolean;
  name: string;
  pace?: Pace;
  start?: boolean;
}
/**
 * The answer to both: one's seat, and the ticket that proves it; keep it secret.
 */
export interface Seated {
  code: string;
  seat: number;
  ticket: string;
}
/**
 * The first message to every socket, and all there is to know: also the answer to coming back.
 */
export interface Welcome {
  clock_ms: number | null;
  protocol: number;
  race: RaceView | null;
  reaching: number | null;
  seat: number | null;
  table: TableView;
  type: "Welcome";
  view: View | null;
}
/**
 * One race, or one fake, as the unit saw it.
 */
export interface RaceView {
  action: Action;
  alike: number[];
  duel_limit_us: number | null;
  jam: Jam | null;
  marks: Mark[];
  seat: number;
  tau_us: number;
  verdict: Verdict;
}
/**
 * What the unit read of one hand in one race.
 */
export interface Mark {
  band_us: number;
  doubt: Doubt | null;
  early: boolean;
  seat: number;
  time_us: number | null;
}
/**
 * Who did what in one race, as the unit saw it.
 *
 * ``early``: seats that touched before contact; on a fake, those that fell for it. ``last``: the loser of the race, or
 * several seats if more than one never touched (B12), or nobody. ``jam``: the two last cannot be told apart.
 * ``short``: the slammer's own hand was not fully pressed (M8); then nothing else is told. Seats ascend.
 */
export interface Verdict {
  early?: number[];
  jam?: boolean;
  last?: number[];
  short?: boolean;
}
/**
 * The table around the game.
 */
export interface TableView {
  code: string;
  dealer: number | null;
  edition: Edition;
  game_number: number;
  listed: boolean;
  pace: Pace;
  phase: Phase;
  rtt_cap_ms: number | null;
  seats: SeatView[];
  watchers: number;
}
/**
 * A taken seat, as everyone sees it.
 */
export interface SeatView {
  bot: Level | null;
  host: boolean;
  name: string;
  presence: Presence;
  ready: boolean;
  rtt_ms: number | null;
  seat: number;
  wins: number;
}
/**
 * The game as one viewer may know it.
 */
export interface View {
  dealer: number;
  duties: (MustDraw | AwaitVerdict | MustLay | MustTake | MustBury | MustChoose)[];
  edition: Edition;
  ended: GameEnd | null;
  fakes_left: number;
  legal: (Draw | Take | Slam | Fake | Judge | Lay | Choose | Pass)[];
  pile: number;
  players: PlayerView[];
  scores: Score[];
  to_act: number | null;
  turn: number;
  turn_number: number;
  viewer: number | null;
}
/**
 * Draw one card: from the pile, or once it is out from an opponent (C3, M4, M5).
 */
export interface MustDraw {
  seat: number;
  type: "MustDraw";
}
/**
 * The unit's word is awaited.
 */
export interface AwaitVerdict {
  action: Action;
  seat: number;
  type: "AwaitVerdict";
}
/**
 * Choose the pair to lay, after this verdict (B16).
 */
export interface MustLay {
  seat: number;
  type: "MustLay";
  verdict: Verdict;
}
/**
 * Take one card, unseen, from this loser's hand (B5, B8, M10).
 */
export interface MustTake {
  loser: number;
  seat: number;
  type: "MustTake";
  why: Why;
}
/**
 * Pick one card, unseen and unlooked at, from who touched without a pair (C8).
 */
export interface MustBury {
  loser: number;
  seat: number;
  type: "MustBury";
}
/**
 * Choose which of these loses a card: none of them touched (B12).
 */
export interface MustChoose {
  among: number[];
  seat: number;
  type: "MustChoose";
}
/**
 * One's own hand has landed: Hands Down (B5). Legal without a pair; the rules price that (C8, M9).
 */
export interface Slam {
  seat: number;
  type: "Slam";
}
/**
 * One's own hand went for the unit and was withdrawn untouched (B7, B8).
 */
export interface Fake {
  seat: number;
  type: "Fake";
}
/**
 * The unit's verdict on the slam or fake just made.
 */
export interface Judge {
  type: "Judge";
  verdict: Verdict;
}
/**
 * One player, as a viewer sees him.
 */
export interface PlayerView {
  aside: number;
  cards: number;
  hand: Card[] | null;
  laid: [Card, Card][];
  laid_points: number;
  seat: number;
}
/**
 * One player's count; ``total`` is the sum of its lines.
 */
export interface Score {
  lines: Line[];
  seat: number;
  tie_break: number | null;
  total: number;
  wins: boolean;
}
/**
 * One line of the count: these cards, lying there, are worth so many points.
 */
export interface Line {
  cards: Card[];
  points: number;
  source: Source;
}
/**
 * Something about the table around the game has changed.
 */
export interface TableChanged {
  table: TableView;
  type: "TableChanged";
}
/**
 * The game has moved on: what happened, and where it stands, as this viewer may know it.
 */
export interface Moved {
  clock_ms: number | null;
  events: (
    | Dealt
    | TurnBegan
    | CardDrawn
    | CardTaken
    | CardBuried
    | Slammed
    | Faked
    | Judged
    | PairLaid
    | LoserChosen
    | Passed
    | TurnEnded
    | GameEnded
  )[];
  race: RaceView | null;
  type: "Moved";
  view: View;
}
/**
 * A game began: who sits where, who deals, and every card's place (B1, B2, C2, M2).
 */
export interface Dealt {
  cuts: Card[][];
  dealer: number;
  edition: Edition;
  hands: (Card[] | null)[];
  pile: Card[] | null;
  seats: number[];
  type: "Dealt";
}
/**
 * It is this seat's turn, with these draws to make (B3).
 */
export interface TurnBegan {
  duties: (MustDraw | AwaitVerdict | MustLay | MustTake | MustBury | MustChoose)[];
  seat: number;
  type: "TurnBegan";
}
/**
 * The top card of the pile went to this seat.
 */
export interface CardDrawn {
  card: Card | null;
  seat: number;
  type: "CardDrawn";
  why: Why;
}
/**
 * A card went from the loser's hand to this seat's; the two of them know it (B11).
 */
export interface CardTaken {
  card: Card | null;
  loser: number;
  position: number;
  seat: number;
  type: "CardTaken";
  why: Why;
}
/**
 * The loser's card went under the pile, or aside once there is none; the loser alone knows it (C8, C9).
 */
export interface CardBuried {
  aside: boolean;
  card: Card | null;
  loser: number;
  position: number;
  seat: number;
  type: "CardBuried";
}
/**
 * The active player's hand landed.
 */
export interface Slammed {
  seat: number;
  type: "Slammed";
}
/**
 * The active player's hand was withdrawn untouched.
 */
export interface Faked {
  seat: number;
  type: "Faked";
}
/**
 * The unit gave its verdict, and this is what it means by the rules in play.
 */
export interface Judged {
  duties: (MustDraw | AwaitVerdict | MustLay | MustTake | MustBury | MustChoose)[];
  ends_turn: TurnEnd | null;
  outcome: Outcome;
  seat: number;
  type: "Judged";
  verdict: Verdict;
}
/**
 * A pair was laid, face up, for its owner; the duties are what others now owe for it.
 */
export interface PairLaid {
  duties: (MustDraw | AwaitVerdict | MustLay | MustTake | MustBury | MustChoose)[];
  /**
   * @minItems 2
   * @maxItems 2
   */
  pair: [Card, Card];
  seat: number;
  type: "PairLaid";
}
/**
 * The slammer named the one of several who loses the card (B12).
 */
export interface LoserChosen {
  loser: number;
  seat: number;
  type: "LoserChosen";
}
/**
 * The active player said "pass".
 */
export interface Passed {
  seat: number;
  type: "Passed";
}
/**
 * The turn is over.
 */
export interface TurnEnded {
  seat: number;
  type: "TurnEnded";
  why: TurnEnd;
}
/**
 * The game is over; :func:`~slamomatic.game.scoring.score` counts it.
 */
export interface GameEnded {
  type: "GameEnded";
  why: GameEnd;
}
/**
 * Show what the active hand does, now; answer with ``Shown`` from the frame that painted it.
 */
export interface Cue {
  cue: string;
  kind: CueKind;
  seat: number;
  type: "Cue";
}
/**
 * This hand has come down on the unit; whether early, in time or last, the verdict tells.
 */
export interface Touched {
  seat: number;
  type: "Touched";
}
/**
 * A touch when nothing was going on: this hand rests so long (B13).
 */
export interface Locked {
  for_ms: number;
  type: "Locked";
}
/**
 * To the host alone: what is odd about a seat's connection over its last races. It decides nothing by itself.
 */
export interface Flagged {
  flags: Flag[];
  seat: number;
  type: "Flagged";
}
/**
 * Someone sent an emote.
 */
export interface Emoted {
  emote: Emote;
  seat: number;
  type: "Emoted";
}
/**
 * A message had no effect; ``text`` says why and what to do instead.
 */
export interface Refused {
  code: RefusalCode;
  text: string;
  type: "Refused";
}
/**
 * The last message on a socket.
 */
export interface Bye {
  reason: ByeReason;
  text: string;
  type: "Bye";
}
/**
 * ``GET /api/tables``: the open, listed ones.
 */
export interface ListedTables {
  tables: ListedTable[];
}
/**
 * One row of ``GET /api/tables``.
 */
export interface ListedTable {
  code: string;
  edition: string;
  free: number;
  host: string;
  phase: Phase;
  players: number;
}

/** Raised whenever an old client could no longer follow. */
export const PROTOCOL = 2;
/** The letters of a name. */
export const MAX_NAME = 20;
/** A hand needs this long to get to the unit. */
export const REACH_US = 220000;
/** From the end of one reach to the beginning of the next. */
export const BETWEEN_REACHES_US = 1000000;
