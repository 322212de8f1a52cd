"""The words of the protocol: what its messages, and whatever else is told of a table, are made of."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

import msgspec

MAX_NAME = 20

Name: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME)]
HandNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=4)]
CueId: TypeAlias = Annotated[str, msgspec.Meta(max_length=32)]
Ticket: TypeAlias = Annotated[str, msgspec.Meta(min_length=16, max_length=64)]
Seq: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
"""How much had happened at a table by then, of what everyone is told: it only ever grows, through restarts too."""


class Pace(StrEnum):
    """How long a player may think (B18)."""

    NORMAL = "normal"
    RELAXED = "relaxed"
    """Three times as long."""
    UNTIMED = "untimed"
    """No clock; but who has vanished is replaced after a minute."""


class Level(StrEnum):
    """How good a bot is at it."""

    GENTLE = "gentle"
    STEADY = "steady"
    SHARP = "sharp"


class Phase(StrEnum):
    """Where a table stands."""

    WAITING = "waiting"
    PLAYING = "playing"
    RESULT = "result"


class Presence(StrEnum):
    """Whether someone is at the seat."""

    HERE = "here"
    AWAY = "away"
    """Page hidden or connection lost: a bot plays for him until he is back (B17)."""


class Emote(StrEnum):
    """What one can say without words."""

    WOW = "wow"
    LAUGH = "laugh"
    CLAP = "clap"
    OOPS = "oops"
    HURRY = "hurry"
    WAVE = "wave"


class CueKind(StrEnum):
    """What the active hand is seen to do."""

    REACH = "reach"
    """It goes for the unit, and hovers; whether it will land nobody knows."""
    CONTACT = "contact"
    """It has landed."""
    WITHDRAW = "withdraw"
    """It goes back untouched: the reach was a fake."""


class RefusalCode(StrEnum):
    """Why a message had no effect."""

    BAD_MESSAGE = "bad-message"
    """It is not JSON, not of a known type, or a field is out of range."""
    ILLEGAL = "illegal"
    """The rules of the game do not allow it now."""
    NOT_NOW = "not-now"
    """The table does not allow it in this phase."""
    NOT_HOST = "not-host"
    NO_SEAT = "no-seat"
    """It takes a seat at the table, or that seat is not there."""
    TAKEN = "taken"
    """That hand is someone's."""
    UNKNOWN_CUE = "unknown-cue"
    """No such cue was sent to this seat."""
    BAD_NAME = "bad-name"
    UNFIT_EDITION = "unfit-edition"
    TOO_FAR = "too-far"
    """The round trip is longer than this table allows, or not known yet."""
    TOO_FAST = "too-fast"
    """More messages than anyone could mean; slow down."""
    NO_TABLE = "no-table"
    FULL = "full"
    BAD_TICKET = "bad-ticket"
    STALE = "stale"
    """It was meant for a position that is over: look again."""
    LOCKED = "locked"
    """The host lets nobody more sit down."""
    BANNED = "banned"
    """This person may not sit down here, or not play on this server at all."""
    NO_PERSON = "no-person"
    """It takes a person of this server: a token in the ``Authorization`` header."""
    NO_GAME = "no-game"
    """There is no such game, or it is not for this person's eyes."""
    ELSEWHERE = "elsewhere"
    """Another server holds this table just now: try again in a moment."""
    UNAVAILABLE = "unavailable"
    """The database cannot be reached: try again in a moment."""


class ByeReason(StrEnum):
    """Why the server closes the socket."""

    NEWER_TAB = "newer-tab"
    """This seat is now played from a newer page."""
    REMOVED = "removed"
    """The host has taken the seat back."""
    BANNED = "banned"
    """The host, or whoever runs this server, wants this person here no more."""
    LEFT = "left"
    CLOSED = "closed"
    """The table is closed."""
    RESTART = "restart"
    """The server restarts: come back in a moment."""
    TOO_SLOW = "too-slow"
    """This page does not keep up reading; reload it."""
    REFUSED = "refused"
    """The first message was no Hello, or its ticket is not of this table."""
