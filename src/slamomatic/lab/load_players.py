"""Who plays in the load measurement: four to a table, without a page, as people do or as fast as they can.

Laws of this room:
- they say what a page says and when a page says it, and claim what was: every race is one the unit can judge;
- what costs the server is done as people do it; what would cost only the player is left out: of what he hears, a
  player reads what he acts on;
- a touch is noted before it is sent, and a verdict once it has come: by this machine's one clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial, reduce
from operator import or_
from random import Random
from typing import Any, NamedTuple, get_args

import msgspec

from slamomatic.game import CLASSIC
from slamomatic.game.cards import Hand
from slamomatic.game.commands import Choose, Command, Draw, Fake, Lay, Pass, Slam, Take
from slamomatic.game.slamming import pairs_in
from slamomatic.lab.load_lines import Line, Loop, now_us
from slamomatic.table.calls import Seated
from slamomatic.table.protocol import (
    Act,
    ClientMessage,
    CueKind,
    Hello,
    Land,
    Reach,
    Ready,
    RefusalCode,
    Release,
    ServerMessage,
    Shown,
    Touch,
    Withdraw,
)

MS = 1_000
SECOND = 1_000_000
HANDS = 4
EDITION = CLASSIC

THINKS_US = (1_000 * MS, 3_000 * MS)
"""Over each thing he has to decide."""
LOOKS_US = (1_500 * MS, 3_500 * MS)
"""First of all at a verdict, if there is one: our own page shows it for longer than that."""
AGAIN_US = 300 * MS
"""Told that it is too soon, he tries again so soon."""
FAKES = 0.3
"""How often a hand without a pair goes for the unit all the same, to be withdrawn."""
HOVERS = 0.5
"""How often a hand that will land hovers first; one that goes back always does."""
HOVERS_US = (250 * MS, 1_100 * MS)
FALLS = 0.05
"""How often somebody touches for a hand that only hovers; as often he touches for one that goes back."""
REACTION_MS = (240, 25, 60)
"""An ex-Gaussian with a mean of 300."""
FRAME_US, GRAIN_US = 16_700, 100
"""The screen and the clock he says he has; what is shown waits for the next frame."""
HELD_US = 90 * MS


class PlayerCards(msgspec.Struct):
    """Of a player in a view: his cards, if they are shown."""

    hand: Hand | None


class Position(msgspec.Struct):
    """Of a view: what one needs to go on."""

    viewer: int | None
    players: tuple[PlayerCards, ...]
    legal: tuple[Command, ...]
    ended: Any
    """None while the game is on."""


class Welcome(msgspec.Struct, tag=True):
    """One is there."""


class Moved(msgspec.Struct, tag=True):
    """The game has moved on, with or without a race."""

    view: Position
    race: Any
    """None unless this settles one."""
    seq: int


class Cue(msgspec.Struct, tag=True):
    """A hand moves."""

    cue: str
    kind: CueKind
    seat: int


class Refused(msgspec.Struct, tag=True):
    """That had no effect."""

    code: RefusalCode
    text: str


class Bye(msgspec.Struct, tag=True):
    """The line goes down."""

    reason: str
    text: str


HEARD = (Welcome, Moved, Cue, Refused, Bye)
PASSED_OVER = tuple(
    msgspec.defstruct(kind.__name__, [], tag=True)
    for kind in get_args(ServerMessage)
    if kind.__name__ not in {heard.__name__ for heard in HEARD}
)
_read: msgspec.json.Decoder[Any] = msgspec.json.Decoder(reduce(or_, (*HEARD, *PASSED_OVER)))
_write = msgspec.json.Encoder().encode


class Verdict(NamedTuple):
    """A verdict as the players know it; times in microseconds."""

    code: str
    seq: int
    touched_us: int
    """Before the last touch of its race was sent; 0: nobody touched."""
    heard_us: int
    """When the first of them heard it."""


class Notes:
    """What all players of a measurement note together."""

    def __init__(self) -> None:
        self.verdicts: list[Verdict] = []
        self.moves = 0
        """Commands that were carried out, but for those of the hand on the unit."""
        self.refusals: Counter[RefusalCode] = Counter()
        self.byes: Counter[str] = Counter()


class Party:
    """Four people at a table."""

    def __init__(self, loop: Loop, notes: Notes, code: str, rng: Random) -> None:
        self.loop = loop
        self.notes = notes
        self.code = code
        self.rng = rng
        self.players: list[Player] = []
        self.touched_us = 0
        """When somebody last touched in this race; 0: nobody has."""
        self.welcomed = 0
        self.copies: list[tuple[int, int, bytes]] | None = None
        """If it is a list, every move as each was told it goes there too: its number, whose copy, the bytes."""
        self._settled_seq = -1

    def begin(self) -> None:
        """Everyone is ready."""
        for player in self.players:
            player.say(Ready(ready=True))

    def settled(self, seq: int) -> None:
        """One of them hears a verdict."""
        if seq != self._settled_seq:
            self._settled_seq = seq
            self.notes.verdicts.append(Verdict(self.code, seq, self.touched_us, now_us()))
            self.touched_us = 0

    def leave(self) -> None:
        """Everyone goes."""
        for player in self.players:
            player.line.close()


class Player:
    """Somebody who plays as fast as he can, and never slams: a move and no race, as often as the server can take it."""

    def __init__(self, party: Party, seated: Seated, address: tuple[str, int], path: str) -> None:
        self.party = party
        self.seat = seated.seat
        self.position: Moved | None = None
        """What he knows of the game."""
        self._moved = False
        hello = _write(Hello(seated.ticket))
        self.line = Line(party.loop, address, path, hello, self.hear)
        party.players.append(self)

    def say(self, message: ClientMessage) -> None:
        """To the table."""
        self.line.say(_write(message))

    def hear(self, data: bytes) -> None:
        """From the table."""
        message = _read.decode(data)
        match message:
            case Moved():
                if self.party.copies is not None:
                    self.party.copies.append((message.seq, self.seat, data))
                self._moves_on(message)
            case Cue():
                self.sees(message)
            case Welcome():
                self.party.welcomed += 1
            case Refused(code=code):
                self.party.notes.refusals[code] += 1
                self._moved = False
                self.refused(code)
            case Bye(reason=reason):
                self.party.notes.byes[reason] += 1
            case _:
                pass

    def _moves_on(self, moved: Moved) -> None:
        self.position = moved
        if self._moved:
            self._moved = False
            self.party.notes.moves += 1
        if moved.race is not None:
            self.party.settled(moved.seq)
            self.race_is_over()
        if moved.view.ended is not None:
            self.rests()
        elif moved.view.legal:
            self.thinks(moved)

    def does(self, command: Draw | Take | Lay | Choose | Pass, moved: Moved) -> None:
        """A move that is no slam."""
        self._moved = True
        self.say(Act(command, after=moved.seq))

    # How he is.

    def thinks(self, moved: Moved) -> None:
        """It is up to him."""
        for command in moved.view.legal:
            if isinstance(command, Draw | Take | Lay | Choose | Pass):
                self.does(command, moved)
                return

    def rests(self) -> None:
        """A game is over."""
        self.say(Ready(ready=True))

    def sees(self, cue: Cue) -> None:
        """A hand moves."""

    def race_is_over(self) -> None:
        """The unit has spoken."""

    def refused(self, code: RefusalCode) -> None:
        """He could not."""


class Person(Player):
    """Somebody who plays as people do: he thinks, slams what he holds, fakes, falls for it, and has human reactions."""

    def __init__(self, party: Party, seated: Seated, address: tuple[str, int], path: str) -> None:
        super().__init__(party, seated, address, path)
        self._ends_hover: Callable[[], None] | None = None
        """What becomes of his own hand once it hovers; None: that is said already."""
        self._tries_again = False
        self._seen: Cue | None = None
        """What another's hand does, as his screen has it."""
        self._shown_us = 0
        self._races = 0
        self._touched = True

    def thinks(self, moved: Moved) -> None:
        looks_us = 0 if moved.race is None else self._between(LOOKS_US)
        self._later(looks_us + self._between(THINKS_US), partial(self._decides, moved))

    def rests(self) -> None:
        self._later(self._between(THINKS_US), partial(self.say, Ready(ready=True)))

    def refused(self, code: RefusalCode) -> None:
        if code is RefusalCode.NOT_NOW and self.position is not None and not self._tries_again:
            self._tries_again = True
            self._later(AGAIN_US, partial(self._decides, self.position))

    def race_is_over(self) -> None:
        self._touched = True

    def sees(self, cue: Cue) -> None:
        if cue.seat == self.seat:
            if cue.kind is CueKind.REACH and self._ends_hover is not None:
                self._later(self._between(HOVERS_US), self._ends_hover)
            return
        if cue.kind is CueKind.REACH:
            self._races += 1
            self._touched = False
            self.party.touched_us = 0
            if self._rng.random() < FALLS:
                self._later(self._reaction_us(), partial(self._touches, self._races))
        self._later(self._rng.randrange(FRAME_US), partial(self._paints, cue, self._races))

    # Inside.

    @property
    def _rng(self) -> Random:
        return self.party.rng

    def _later(self, us: int, act: Callable[[], None]) -> None:
        self.party.loop.at(now_us() + us, act)

    def _between(self, span_us: tuple[int, int]) -> int:
        return self._rng.randrange(*span_us)

    def _reaction_us(self) -> int:
        mu, sigma, tau = REACTION_MS
        return max(100 * MS, round(MS * (self._rng.gauss(mu, sigma) + self._rng.expovariate(1 / tau))))

    def _decides(self, moved: Moved) -> None:
        self._tries_again = False
        if self.position is not moved:  # the table was faster
            return
        legal = moved.view.legal
        plain = [command for command in legal if isinstance(command, Draw | Take | Lay | Choose | Pass)]
        if not any(isinstance(command, Slam) for command in legal):
            self.does(self._rng.choice(plain), moved)
            return
        fakes = any(isinstance(command, Fake) for command in legal) and self._rng.random() < FAKES
        if fakes or pairs_in(self._cards, EDITION) or not plain:
            self._reaches(fakes)
        else:
            self.does(plain[0], moved)

    @property
    def _cards(self) -> Hand:
        """His own: he sees no others."""
        players = () if self.position is None else self.position.view.players
        return next((player.hand for player in players if player.hand is not None), ())

    def _reaches(self, fakes: bool) -> None:
        self.say(Reach())
        self._ends_hover = None
        if fakes:
            self._ends_hover = partial(self.say, Withdraw())
        elif self._rng.random() < HOVERS:
            self._ends_hover = self._lands
        else:
            self._lands()

    def _lands(self) -> None:
        self.say(Land())
        self.say(Release(HELD_US))

    def _paints(self, cue: Cue, race: int) -> None:
        if race == self._races:
            self._seen = cue
            self._shown_us = now_us()
            if cue.kind is not CueKind.REACH:
                self.say(Shown(cue.cue, FRAME_US, GRAIN_US))
            falls = cue.kind is CueKind.WITHDRAW and self._rng.random() < FALLS
            if falls or cue.kind is CueKind.CONTACT:
                self._later(self._reaction_us(), partial(self._touches, race))

    def _touches(self, race: int) -> None:
        if race != self._races or self._touched or self._seen is None or not self._cards:
            return
        self._touched = True
        now = now_us()
        self.party.touched_us = now
        self.say(Touch(self._seen.cue, None if self._seen.kind is CueKind.REACH else now - self._shown_us))
