"""The bodies of the HTTP calls about people and their games. Those about tables are :mod:`slamomatic.table.calls`.

Who asks says so by ``Authorization: Bearer <token>``; no cookie is ever set. Times of day are whole microseconds since
1970 (``_us``), as everywhere in the house.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from slamomatic.game.edition import Edition
from slamomatic.game.events import Event
from slamomatic.game.scoring import Scores
from slamomatic.game.view import View
from slamomatic.table.protocol import HandNumber, Level, Name, RaceView

MAX_REASON = 500
GAMES_AT_ONCE = 50

# Who one is.


class Person(msgspec.Struct, frozen=True):
    """Oneself: ``GET /api/me``."""

    id: str
    """Public, and of no use to anyone but for telling people apart."""
    name: str
    avatar: int
    has_account: bool
    """Whether a passkey or recovery codes bring him back on another device."""
    passkeys: tuple[PasskeyInfo, ...]
    recovery_codes_left: int
    made_us: int


class PasskeyInfo(msgspec.Struct, frozen=True):
    """One of one's own passkeys."""

    id: str
    label: str
    made_us: int
    used_us: int | None


class NewGuest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/me``: become a guest of this server. Answered with ``SignedIn``."""

    name: Name | None = None
    """None: the server makes one up."""


class SignedIn(msgspec.Struct, frozen=True):
    """The answer to whatever proves who one is: the token of this device; keep it secret."""

    token: str
    me: Person


class ChangeMe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``PATCH /api/me``: what is None stays. Answered with ``Person``."""

    name: Name | None = None
    avatar: Annotated[int, msgspec.Meta(ge=0, lt=2**31)] | None = None


class SignOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/me/signout``: the token of this device opens nothing any more. Answered with 204."""

    everywhere: bool = False
    """Those of all other devices instead; this one stays."""


class PasskeyOptions(msgspec.Struct, frozen=True):
    """What the browser's ``navigator.credentials`` is called with, and the ticket that goes back with its answer.

    ``POST /api/me/passkeys/options`` (to add one) and ``POST /api/passkeys/options`` (to sign in).
    """

    ticket: str
    options: dict[str, Any]
    """In the JSON form of WebAuthn level 3: ``parseCreationOptionsFromJSON``, ``parseRequestOptionsFromJSON``."""


class PasskeyAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/me/passkeys`` adds it (answer: ``Person``); ``POST /api/passkeys`` signs in (answer: ``SignedIn``).
    ``DELETE /api/me/passkeys/{id}`` takes one away again (answer: ``Person``).

    A guest with games of his own who signs in brings them into the account: he sends his guest token along.
    """

    ticket: str
    credential: dict[str, Any]
    """The credential's ``toJSON()``."""
    label: Annotated[str, msgspec.Meta(max_length=40)] = ""


class RecoveryCodes(msgspec.Struct, frozen=True):
    """``POST /api/me/codes``: ten new codes, shown once; older ones are void."""

    codes: tuple[str, ...]


class Recover(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/recover``: sign in with a recovery code, which is used up. Answered with ``SignedIn``."""

    code: Annotated[str, msgspec.Meta(max_length=64)]


# Games.


class GamePlayer(msgspec.Struct, frozen=True):
    """One hand in a finished game."""

    seat: int
    name: str
    person: str | None
    avatar: int
    bot: Level | None
    place: int
    """From 1; equals share the better one."""
    points: int
    won: bool
    left: bool
    """He got up, and a bot played on."""


class GameInfo(msgspec.Struct, frozen=True):
    """A finished game in a list."""

    id: str
    edition: str
    began_us: int
    ended_us: int
    rated: bool
    public: bool
    called_off: bool
    players: tuple[GamePlayer, ...]
    """In seat order."""


class Games(msgspec.Struct, frozen=True):
    """``GET /api/me/games?before=<began_us>``: one's own, newest first, so many at once."""

    games: tuple[GameInfo, ...]


class ReplayStep(msgspec.Struct, frozen=True):
    """One move of a finished game, all hands open."""

    events: tuple[Event, ...]
    view: View
    """After it; every hand is open and nothing is legal: it is over."""
    race: RaceView | None
    clock_ms: int | None = None
    """From the deal to this move, as far as it is known."""


class GameReplay(msgspec.Struct, frozen=True):
    """``GET /api/games/{id}``: every move of a finished game. Its text is at ``/api/games/{id}/record``.

    For those who took part, and for everyone if it is public. ``POST /api/games/{id}/share`` makes it so.
    """

    game: GameInfo
    rulings: Edition
    steps: tuple[ReplayStep, ...]
    """The first is the deal."""
    scores: Scores


# A person's numbers.


class EditionTally(msgspec.Struct, frozen=True):
    """How one has fared in an edition."""

    edition: str
    games: int
    wins: int
    rating: Rating | None
    """None: no rated game of it yet."""


class Rating(msgspec.Struct, frozen=True):
    """A rating, in points people can read: higher is better, 1500 is where everyone begins."""

    points: int
    band: int
    """So far off it may be."""
    games: int
    provisional: bool


class Tally(msgspec.Struct, frozen=True):
    """``GET /api/me/tally``: what one's own games say. Nobody else's reaction times are in it."""

    games: int
    wins: int
    editions: tuple[EditionTally, ...]
    reactions_ms: tuple[int, ...]
    """Of one's own hand in races, the last 1,000, oldest first; early and doubted ones are not among them."""
    fakes: int
    fakes_worked: int
    """Somebody fell for it."""
    faked_at: int
    """Times somebody else's hand was withdrawn."""
    fell: int
    """And times one fell for it."""
    races: int
    last: int
    """Races in which one was last."""
    streak: int
    """Games won in a row up to now; negative: not won."""
    best_streak: int


# The ladder.


class Rank(msgspec.Struct, frozen=True):
    """One row of the leaderboard."""

    place: int
    person: str
    name: str
    avatar: int
    rating: Rating


class Leaderboard(msgspec.Struct, frozen=True):
    """``GET /api/leaderboard/{edition}``: the best 100, provisional ratings after the settled ones."""

    edition: str
    rows: tuple[Rank, ...]


# Against those who spoil it.


class Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/reports``: a name at a table that should not be there. Answered with 204."""

    code: str
    seat: HandNumber
    reason: Annotated[str, msgspec.Meta(max_length=MAX_REASON)] = ""
