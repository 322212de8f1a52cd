// Written by `npm run wire` from slamomatic.table and slamomatic.server.calls: change them there.

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
 * Why a message had no effect.
 */
export type RefusalCode =
  | "bad-message"
  | "bad-name"
  | "bad-ticket"
  | "banned"
  | "elsewhere"
  | "full"
  | "illegal"
  | "locked"
  | "no-game"
  | "no-person"
  | "no-seat"
  | "no-table"
  | "not-host"
  | "not-now"
  | "stale"
  | "taken"
  | "too-far"
  | "too-fast"
  | "unavailable"
  | "unfit-edition"
  | "unknown-cue";
/**
 * How good a bot is at it.
 */
export type Level = "gentle" | "sharp" | "steady";
/**
 * One printed card: a number from 1 to 10, or one of the two jokers.
 *
 * The Modern deck has one joker; it is the smiling one, there without its power (M3).
 */
export type Card = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;
/**
 * Where points come from.
 */
export type Source = "aside" | "held" | "laid";
/**
 * What the active player's hand did.
 */
export type Action = "fake" | "slam";
/**
 * For what reason a card changes its place.
 */
export type Why = "early" | "end" | "fooled" | "jam" | "last" | "turn";
/**
 * Why a turn ended.
 */
export type TurnEnd = "empty" | "pass" | "short" | "stall";
/**
 * What the rules make of a verdict.
 */
export type Outcome = "empty" | "fizzled" | "fooled" | "pair" | "short" | "void";
/**
 * Why a game ended.
 */
export type GameEnd = "all-pairs" | "last-card" | "stall";
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
 * How long a player may think (B18).
 */
export type Pace = "normal" | "relaxed" | "untimed";
/**
 * What one can say without words.
 */
export type Emote = "clap" | "hurry" | "laugh" | "oops" | "wave" | "wow";
/**
 * Whether someone is at the seat.
 */
export type Presence = "away" | "here";
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
export type ByeReason = "banned" | "closed" | "left" | "newer-tab" | "refused" | "removed" | "restart" | "too-slow";

export interface Wire {
  ChangeMe: ChangeMe;
  EditionTally: EditionTally;
  Editions: Editions;
  Failure: Failure;
  GameInfo: GameInfo;
  GamePlayer: GamePlayer;
  GameReplay: GameReplay;
  Games: Games;
  JoinTable: JoinTable;
  Leaderboard: Leaderboard;
  ListedTable: ListedTable;
  ListedTables: ListedTables;
  NewGuest: NewGuest;
  OpenTable: OpenTable;
  PasskeyAnswer: PasskeyAnswer;
  PasskeyInfo: PasskeyInfo;
  PasskeyOptions: PasskeyOptions;
  Person: Person;
  QuickMatch: QuickMatch;
  Rank: Rank;
  Rating: Rating;
  Recover: Recover;
  RecoveryCodes: RecoveryCodes;
  ReplayStep: ReplayStep;
  Report: Report;
  Seated: Seated;
  SignOut: SignOut;
  SignedIn: SignedIn;
  Tally: Tally;
  client:
    | Hello
    | Ready
    | Sit
    | Rename
    | SetEdition
    | SetPace
    | SetListed
    | CapRoundTrip
    | SetRated
    | LockSeats
    | NameDealer
    | AddBot
    | Remove
    | Ban
    | VoteEnd
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
  server:
    Welcome | Delayed | TableChanged | Moved | CalledOff | Cue | Touched | Locked | Flagged | Emoted | Refused | Bye;
}
/**
 * ``PATCH /api/me``: what is None stays. Answered with ``Person``.
 */
export interface ChangeMe {
  avatar?: number | null;
  name?: string | null;
}
/**
 * How one has fared in an edition.
 */
export interface EditionTally {
  edition: string;
  games: number;
  rating: Rating | null;
  wins: number;
}
/**
 * A rating, in points people can read: higher is better, 1500 is where everyone begins.
 */
export interface Rating {
  band: number;
  games: number;
  points: number;
  provisional: boolean;
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
 * The body of every HTTP error.
 */
export interface Failure {
  code: RefusalCode;
  text: string;
}
/**
 * A finished game in a list.
 */
export interface GameInfo {
  began_us: number;
  called_off: boolean;
  edition: string;
  ended_us: number;
  id: string;
  players: GamePlayer[];
  public: boolean;
  rated: boolean;
}
/**
 * One hand in a finished game.
 */
export interface GamePlayer {
  avatar: number;
  bot: Level | null;
  left: boolean;
  name: string;
  person: string | null;
  place: number;
  points: number;
  seat: number;
  won: boolean;
}
/**
 * ``GET /api/games/{id}``: every move of a finished game. Its text is at ``/api/games/{id}/record``.
 *
 * For those who took part, and for everyone if it is public. ``POST /api/games/{id}/share`` makes it so.
 */
export interface GameReplay {
  game: GameInfo;
  rulings: Edition;
  scores: Score[];
  steps: ReplayStep[];
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
 * One move of a finished game, all hands open.
 */
export interface ReplayStep {
  clock_ms?: number | null;
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
 * ``GET /api/me/games?before=<began_us>``: one's own, newest first, so many at once.
 */
export interface Games {
  games: GameInfo[];
}
/**
 * ``POST /api/tables/{code}/join``: sit down at the table. Who sits there already gets his seat back, with a new
 * ticket.
 */
export interface JoinTable {
  hand?: number | null;
  name: string;
}
/**
 * ``GET /api/leaderboard/{edition}``: the best 100, provisional ratings after the settled ones.
 */
export interface Leaderboard {
  edition: string;
  rows: Rank[];
}
/**
 * One row of the leaderboard.
 */
export interface Rank {
  avatar: number;
  name: string;
  person: string;
  place: number;
  rating: Rating;
}
/**
 * One row of ``GET /api/tables``, and of the live lobby.
 */
export interface ListedTable {
  code: string;
  edition: string;
  free: number;
  host: string;
  phase: Phase;
  players: number;
  rated: boolean;
  watchers: number;
}
/**
 * ``GET /api/tables``: the listed ones, those to be joined first; each event of ``GET /api/lobby`` is one too.
 */
export interface ListedTables {
  tables: ListedTable[];
}
/**
 * ``POST /api/me``: become a guest of this server. Answered with ``SignedIn``.
 */
export interface NewGuest {
  name?: string | null;
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
  rated?: boolean;
  start?: boolean;
}
/**
 * ``POST /api/me/passkeys`` adds it (answer: ``Person``); ``POST /api/passkeys`` signs in (answer: ``SignedIn``).
 * ``DELETE /api/me/passkeys/{id}`` takes one away again (answer: ``Person``).
 *
 * A guest with games of his own who signs in brings them into the account: he sends his guest token along.
 */
export interface PasskeyAnswer {
  credential: {};
  label?: string;
  ticket: string;
}
/**
 * One of one's own passkeys.
 */
export interface PasskeyInfo {
  id: string;
  label: string;
  made_us: number;
  used_us: number | null;
}
/**
 * What the browser's ``navigator.credentials`` is called with, and the ticket that goes back with its answer.
 *
 * ``POST /api/me/passkeys/options`` (to add one) and ``POST /api/passkeys/options`` (to sign in).
 */
export interface PasskeyOptions {
  options: {};
  ticket: string;
}
/**
 * Oneself: ``GET /api/me``.
 */
export interface Person {
  avatar: number;
  has_account: boolean;
  id: string;
  made_us: number;
  name: string;
  passkeys: PasskeyInfo[];
  recovery_codes_left: number;
}
/**
 * ``POST /api/quick``: sit down at the best open table of this edition, or at a new one that others will find.
 *
 * There, bots take the free hands after a while (:data:`~slamomatic.table.timing.FILL_US`).
 */
export interface QuickMatch {
  edition?: string;
  name: string;
}
/**
 * ``POST /api/recover``: sign in with a recovery code, which is used up. Answered with ``SignedIn``.
 */
export interface Recover {
  code: string;
}
/**
 * ``POST /api/me/codes``: ten new codes, shown once; older ones are void.
 */
export interface RecoveryCodes {
  codes: string[];
}
/**
 * ``POST /api/reports``: a name at a table that should not be there. Answered with 204.
 */
export interface Report {
  code: string;
  reason?: string;
  seat: number;
}
/**
 * The answer to all three: one's seat, and the ticket that proves it; keep it secret.
 */
export interface Seated {
  code: string;
  seat: number;
  ticket: string;
}
/**
 * ``POST /api/me/signout``: the token of this device opens nothing any more. Answered with 204.
 */
export interface SignOut {
  everywhere?: boolean;
}
/**
 * The answer to whatever proves who one is: the token of this device; keep it secret.
 */
export interface SignedIn {
  me: Person;
  token: string;
}
/**
 * ``GET /api/me/tally``: what one's own games say. Nobody else's reaction times are in it.
 */
export interface Tally {
  best_streak: number;
  editions: EditionTally[];
  faked_at: number;
  fakes: number;
  fakes_worked: number;
  fell: number;
  games: number;
  last: number;
  races: number;
  reactions_ms: number[];
  streak: number;
  wins: number;
}
/**
 * The first message on every socket: the ticket of one's seat, or none to watch.
 */
export interface Hello {
  since?: number | null;
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
 * Host: whether games count for the ratings: a preset edition, people with a name of their own, no bots.
 */
export interface SetRated {
  rated: boolean;
  type: "SetRated";
}
/**
 * Host: whether nobody more may sit down; who sits already comes back as ever.
 */
export interface LockSeats {
  locked: boolean;
  type: "LockSeats";
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
 * Host: a person has to go, and may not sit down at this table again.
 */
export interface Ban {
  seat: number;
  type: "Ban";
}
/**
 * Call this game off, or rather not: possible while somebody is gone. When all others are for it, it is over.
 */
export interface VoteEnd {
  end: boolean;
  type: "VoteEnd";
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
  after?: number | null;
  command: Draw | Take | Lay | Choose | Pass;
  type: "Act";
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
 * How a reach has ended is on the screen; sent from the animation frame that painted that cue.
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
 * The first message to every socket, and all there is to know: also the answer to coming back.
 */
export interface Welcome {
  clock_ms: number | null;
  delay_ms: number;
  missed: Missed[] | null;
  protocol: number;
  race: RaceView | null;
  reaching: number | null;
  seat: number | null;
  seq: number;
  table: TableView;
  type: "Welcome";
  view: View | null;
}
/**
 * A move that was made while this page was away, as its viewer may know it.
 */
export interface Missed {
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
  seq: number;
}
/**
 * The table around the game.
 */
export interface TableView {
  code: string;
  dealer: number | null;
  edition: Edition;
  end_votes: number[] | null;
  fills_ms: number | null;
  game_number: number;
  last_game: string | null;
  listed: boolean;
  locked: boolean;
  pace: Pace;
  phase: Phase;
  rated: boolean;
  rtt_cap_ms: number | null;
  seats: SeatView[];
  watchers: number;
}
/**
 * A taken seat, as everyone sees it.
 */
export interface SeatView {
  avatar: number;
  bot: Level | null;
  host: boolean;
  name: string;
  person: string | null;
  presence: Presence;
  ready: boolean;
  rtt_ms: number | null;
  seat: number;
  wins: number;
}
/**
 * To a watcher, at once: what he sees is so late, so the first of it comes in so long.
 */
export interface Delayed {
  by_ms: number;
  type: "Delayed";
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
  seq: number;
  type: "Moved";
  view: View;
}
/**
 * The game is over without a count: the people here voted so, for somebody was gone.
 */
export interface CalledOff {
  type: "CalledOff";
}
/**
 * Show what the active hand does, now; once it has landed or gone back, answer with ``Shown`` from the frame that
 * painted that.
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

/** Raised whenever an old client could no longer follow. */
export const PROTOCOL = 3;
/** The letters of a name. */
export const MAX_NAME = 20;
/** A quick match waits so long for people; then bots take the free hands. */
export const FILL_US = 20000000;
/** A hand needs this long to get to the unit. */
export const REACH_US = 220000;
/** From the end of one reach to the beginning of the next. */
export const BETWEEN_REACHES_US = 1000000;
