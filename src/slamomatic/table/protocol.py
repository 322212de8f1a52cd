"""Every message between a table and the people at it: one closed union each way.

JSON objects tagged by ``type``; cards are numbers (11 smiling, 12 sad); times carry their unit in their name. The
browser's types are generated from this room; its words are in :mod:`~slamomatic.table.words`. What a viewer may know
of the game is a :class:`~slamomatic.game.view.View`.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from slamomatic.game.commands import Choose, Draw, Lay, Pass, Take
from slamomatic.game.edition import Edition
from slamomatic.game.events import Event
from slamomatic.game.verdict import Action, Verdict
from slamomatic.game.view import View
from slamomatic.table.words import (
    MAX_NAME,
    ByeReason,
    CueId,
    CueKind,
    Emote,
    HandNumber,
    Level,
    Name,
    Pace,
    Phase,
    Presence,
    RefusalCode,
    Seq,
    Ticket,
)
from slamomatic.unit import Doubt, Flag, Jam

PROTOCOL = 3
"""Raised whenever an old client could no longer follow."""

MAX_MESSAGE_BYTES = 16 * 1024

__all__ = [  # with all that is defined here, also the words it is made of
    "MAX_NAME",
    "ByeReason",
    "CueId",
    "CueKind",
    "Emote",
    "HandNumber",
    "Level",
    "Name",
    "Pace",
    "Phase",
    "Presence",
    "RefusalCode",
    "Seq",
    "Ticket",
]


# From the client.


class Hello(msgspec.Struct, frozen=True, gc=False, tag=True, forbid_unknown_fields=True):
    """The first message on every socket: the ticket of one's seat, or none to watch."""

    ticket: Ticket | None = None
    since: Seq | None = None
    """The last ``seq`` this page has seen of this table: what it missed since comes with its welcome."""


class Ready(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Ready for the next game, or not yet; when all people are, it begins."""

    ready: bool


class Sit(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Move to a free hand, before the first game; answered with a ``Welcome`` to that hand."""

    hand: HandNumber


class Rename(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Take a name; the host may also rename someone else's seat."""

    seat: HandNumber
    name: Name


class SetEdition(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Host: the edition to play, a preset or one of one's own (B19)."""

    edition: Edition


class SetPace(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Host: how long players may think."""

    pace: Pace


class SetListed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Host: whether strangers find the table among the open ones."""

    listed: bool


class CapRoundTrip(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Host: nobody plays here whose round trip is longer; None: everybody may."""

    rtt_ms: Annotated[int, msgspec.Meta(ge=50, le=1000)] | None


class SetRated(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Host: whether games count for the ratings: a preset edition, people with a name of their own, no bots."""

    rated: bool


class LockSeats(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Host: whether nobody more may sit down; who sits already comes back as ever."""

    locked: bool


class NameDealer(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Host: who deals the next game, where the edition lets one be chosen; None: chance (M2)."""

    seat: HandNumber | None


class AddBot(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Host: a bot takes a hand, the lowest free one if none is named."""

    level: Level
    hand: HandNumber | None = None


class Remove(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Host: a bot or a person has to go; in mid-game a bot takes the person's seat over."""

    seat: HandNumber


class Ban(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Host: a person has to go, and may not sit down at this table again."""

    seat: HandNumber


class VoteEnd(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Call this game off, or rather not: possible while somebody is gone. When all others are for it, it is over."""

    end: bool


class Leave(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Get up for good; in mid-game a bot takes the seat over."""


class Act(msgspec.Struct, frozen=True, gc=False, tag=True):
    """One of the commands listed as legal in one's view, except those of the hand on the unit."""

    command: Draw | Take | Lay | Choose | Pass
    after: Seq | None = None
    """The ``seq`` of the position it is meant for: in any other it is refused as stale, so it may be sent again after a
    lost connection and is never done twice. None: meant for whatever stands."""


class Reach(msgspec.Struct, frozen=True, gc=False, tag=True):
    """One's own hand starts for the unit. The same message whether it will land or not."""


class Land(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The reaching hand lands: a contact, shown no sooner than a reach takes (:mod:`~slamomatic.table.timing`)."""


class Withdraw(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The reaching hand goes back untouched: a fake. Said once: neither this nor ``Land`` can be taken back."""


class Release(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The press that landed has ended, after so long (M8)."""

    held_us: Annotated[int, msgspec.Meta(ge=0, le=60_000_000)]


class Shown(msgspec.Struct, frozen=True, gc=False, tag=True):
    """How a reach has ended is on the screen; sent from the animation frame that painted that cue."""

    cue: CueId
    frame_us: Annotated[int, msgspec.Meta(ge=0, le=60_000_000)]
    """How long this page's frames take, by its own measure; 0: not known."""
    grain_us: Annotated[int, msgspec.Meta(ge=0, le=60_000_000)]
    """How coarse this page's clock is, by its own measure: its smallest step."""


class Touch(msgspec.Struct, frozen=True, gc=False, tag=True):
    """One's own hand is on the unit."""

    cue: CueId | None
    """The cue that was on the screen; None when nothing was going on (B13)."""
    claim_us: Annotated[int, msgspec.Meta(ge=-60_000_000, le=60_000_000)] | None
    """From the sending of ``Shown`` for that contact to the touch, by the page's own clock; None before contact, and
    for a page that makes no claim: it is timed by its arrivals."""


class Hidden(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The page cannot be seen any more, or can again: a hidden page is away, and what it plays is refused (B17)."""

    hidden: bool


class Assist(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Whether this player uses a switch or the like, whose presses are never short (M8)."""

    never_short: bool


class Say(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Send an emote."""

    emote: Emote


PlayMessage: TypeAlias = Act | Reach | Land | Withdraw | Release | Shown | Touch
SeatMessage: TypeAlias = (
    Ready
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
    | PlayMessage
)
ClientMessage: TypeAlias = Hello | SeatMessage


# To the client.


class SeatView(msgspec.Struct, frozen=True, gc=False):
    """A taken seat, as everyone sees it."""

    seat: int
    name: str
    bot: Level | None
    """None for a person."""
    presence: Presence
    ready: bool
    host: bool
    rtt_ms: int | None
    """The person's round trip to the server; None for bots and when not yet known."""
    wins: int
    """Games won at this table, shared ones among them."""
    person: str | None
    """The public id of the person; None for bots, and for guests of a program that never named itself."""
    avatar: int
    """From this number the picture is drawn."""


class TableView(msgspec.Struct, frozen=True, gc=False):
    """The table around the game."""

    code: str
    phase: Phase
    seats: tuple[SeatView, ...]
    """In seat order; hands nobody took are missing."""
    edition: Edition
    pace: Pace
    listed: bool
    rtt_cap_ms: int | None
    """Nobody plays here whose round trip is longer; None: everybody may."""
    dealer: int | None
    """The next dealer where the edition lets one be chosen; None: chance, or the cut."""
    game_number: int
    """Games begun at this table."""
    watchers: int
    rated: bool
    locked: bool
    """Nobody more may sit down."""
    fills_ms: int | None
    """A quick match: bots take the free hands in so long, and the game begins; None: it is none, or it has."""
    end_votes: tuple[int, ...] | None
    """Somebody is gone, and these seats want to call the game off; None: it cannot be called off now."""
    last_game: str | None
    """The id of the last finished game at this table: its replay."""


class Mark(msgspec.Struct, frozen=True, gc=False):
    """What the unit read of one hand in one race."""

    seat: int
    time_us: int | None
    """From contact as this player saw it to his touch; negative if early; None: he never touched."""
    band_us: int
    """How far the time may be off."""
    early: bool
    doubt: Doubt | None
    """Why this page's word was not taken as it came, if it was not."""


class RaceView(msgspec.Struct, frozen=True, gc=False):
    """One race, or one fake, as the unit saw it."""

    seat: int
    """Whose hand it was."""
    action: Action
    marks: tuple[Mark, ...]
    """In seat order, of those who took part."""
    verdict: Verdict
    tau_us: int
    """So close the two last would have had to be, or were, to jam."""
    jam: Jam | None
    """Why it jammed, if it did."""
    alike: tuple[int, ...]
    """The two seats a jam lies between: the one that would have been last first."""
    duel_limit_us: int | None
    """An only opponent had to touch by then (B15); None in a race of several."""


class Missed(msgspec.Struct, frozen=True, gc=False):
    """A move that was made while this page was away, as its viewer may know it."""

    seq: int
    events: tuple[Event, ...]
    race: RaceView | None


class Welcome(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The first message to every socket, and all there is to know: also the answer to coming back."""

    protocol: int
    seat: int | None
    table: TableView
    view: View | None
    race: RaceView | None
    """The last race of this game."""
    clock_ms: int | None
    """What is left of the open duty's clock; None: no clock."""
    reaching: int | None
    """The seat whose hand hovers right now. While a race is on, what is to be seen of it follows at once as a cue."""
    seq: int
    """Where the table stands."""
    missed: tuple[Missed, ...] | None
    """The moves of this game since ``Hello.since``, oldest first; None: too much is missing, take this as it stands."""
    delay_ms: int
    """Watchers see everything so much later; 0 for those who play."""


class TableChanged(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Something about the table around the game has changed."""

    table: TableView


class Moved(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The game has moved on: what happened, and where it stands, as this viewer may know it."""

    events: tuple[Event, ...]
    view: View
    race: RaceView | None
    """The race these events settled, if they settled one."""
    clock_ms: int | None
    seq: int
    """Where the table stands with this move: the ``after`` of whatever is done next."""


class Delayed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """To a watcher, at once: what he sees is so late, so the first of it comes in so long."""

    by_ms: int


class CalledOff(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The game is over without a count: the people here voted so, for somebody was gone."""


class Cue(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Show what the active hand does, now; once it has landed or gone back, answer with ``Shown`` from the frame that
    painted that."""

    cue: str
    kind: CueKind
    seat: int


class Touched(msgspec.Struct, frozen=True, gc=False, tag=True):
    """This hand has come down on the unit; whether early, in time or last, the verdict tells."""

    seat: int


class Locked(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A touch when nothing was going on: this hand rests so long (B13)."""

    for_ms: int


class Flagged(msgspec.Struct, frozen=True, gc=False, tag=True):
    """To the host alone: what is odd about a seat's connection over its last races. It decides nothing by itself."""

    seat: int
    flags: tuple[Flag, ...]
    """Empty: nothing any more."""


class Emoted(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Someone sent an emote."""

    seat: int
    emote: Emote


class Refused(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A message had no effect; ``text`` says why and what to do instead."""

    code: RefusalCode
    text: str


class Bye(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The last message on a socket."""

    reason: ByeReason
    text: str


ServerMessage: TypeAlias = (
    Welcome | Delayed | TableChanged | Moved | CalledOff | Cue | Touched | Locked | Flagged | Emoted | Refused | Bye
)
