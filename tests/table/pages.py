"""Pages: what stands between a person and a table, behind any network; and people who play on them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import msgspec

from slamomatic.game import Fake, Slam, View
from slamomatic.table.guests import Guest
from slamomatic.table.protocol import (
    Act,
    Cue,
    CueKind,
    Hidden,
    Land,
    Moved,
    Phase,
    Reach,
    Ready,
    RefusalCode,
    Refused,
    Release,
    SeatMessage,
    ServerMessage,
    Shown,
    TableChanged,
    Touch,
    Welcome,
    Withdraw,
)

if TYPE_CHECKING:
    from tests.table.evening import Evening

MS = 1_000
SECOND = 1_000_000

Delay: TypeAlias = Callable[[], int]
M = TypeVar("M", bound=ServerMessage)

_to_server: msgspec.json.Decoder[SeatMessage] = msgspec.json.Decoder(SeatMessage)


def at_once() -> int:
    """A network without delay."""
    return 0


class Page:
    """A page in somebody's browser: it answers cues from the frame that paints them, and does what it is told to."""

    def __init__(
        self,
        evening: Evening,
        name: str,
        *,
        down: Delay = at_once,
        up: Delay = at_once,
        frame: Delay = at_once,
        frame_us: int = 16_700,
        grain_us: int = 1,
        ticket: str | None = None,
        guest: Guest | None = None,
    ) -> None:
        self.evening = evening
        self.name = name
        self.ticket = ticket or f"{name}'s secret ticket"
        self.guest = guest
        self.seat = 0
        self.down, self.up, self.frame = down, up, frame
        self.frame_us, self.grain_us = frame_us, grain_us
        """What the page measures of itself, and says."""
        self.connected = False
        self.hidden = False
        self.heard: list[ServerMessage] = []
        self.heard_at: list[int] = []
        self.cue: Cue | None = None
        """What is on the screen."""
        self.shown_at: int | None = None
        self.seq: int | None = None
        """How far it has followed the table."""
        self.story: list[int] = []
        """The moves it knows of, from the last time it had to take the game as it stood."""
        self.line = 0
        """Counts connections: what is on its way when one is lost never arrives."""
        self._down_free = self._up_free = 0

    # What a person does.

    def says(self, *messages: SeatMessage) -> None:
        """Send messages, one after the other."""
        for message in messages:
            self.up_the_line(partial(self._arrives, msgspec.json.encode(message)))
        self.evening.settle()

    def reaches(self) -> None:
        """The hand goes for the unit."""
        self.says(Reach())

    def lands(self) -> None:
        """The reaching hand lands."""
        self.says(Land())

    def withdraws(self) -> None:
        """The reaching hand goes back."""
        self.says(Withdraw())

    def slams(self) -> None:
        """A direct slam."""
        self.says(Reach(), Land())

    def touches(self) -> None:
        """The own hand comes down on what the screen shows."""
        cue = None if self.cue is None else self.cue.cue
        seen = self.cue is not None and self.cue.kind is not CueKind.REACH and self.shown_at is not None
        self.says(Touch(cue, self.claims() if seen else None))

    def claims(self) -> int:
        """By this page's clock: from its word that it has shown the hand to now."""
        ticks = self.evening.now // self.grain_us - (self.shown_at or 0) // self.grain_us
        return min(ticks * self.grain_us, 60 * SECOND)

    def hides(self) -> None:
        """The page goes out of sight: from now on it gets no frames."""
        self.hidden = True
        self.says(Hidden(hidden=True))

    def returns(self) -> None:
        """The page is seen again."""
        self.hidden = False
        self.says(Hidden(hidden=False))

    def loses_connection(self) -> None:
        """The line is cut."""
        self.evening.hang_up(self)

    def connects(self) -> None:
        """A connection is made with this page's ticket."""
        self.evening.connect(self)

    # What a person sees.

    def all(self, kind: type[M]) -> list[M]:
        """Every message of this kind, in order."""
        return [message for message in self.heard if isinstance(message, kind)]

    def timed(self, kind: type[M]) -> list[tuple[M, int]]:
        """Every message of this kind, and when it came."""
        heard = zip(self.heard, self.heard_at, strict=True)
        return [(message, at) for message, at in heard if isinstance(message, kind)]

    def last(self, kind: type[M]) -> M:
        """The last message of this kind."""
        return self.all(kind)[-1]

    def refused(self) -> RefusalCode | None:
        """Why what was said last had no effect, if so."""
        last = self.heard[-1] if self.heard else None
        return last.code if isinstance(last, Refused) else None

    def hears(self, message: ServerMessage) -> None:
        """A message has arrived."""
        self.heard.append(message)
        self.heard_at.append(self.evening.now)
        match message:
            case Welcome():
                self.cue = None
                self.hidden = False
                self.seq = message.seq
                self.story = [] if message.missed is None else [*self.story, *(move.seq for move in message.missed)]
            case Cue():
                line = self.line
                self.evening.later(self.frame(), lambda: self.paints(message, line))
            case Moved():
                self.seq = message.seq
                self.story = [*self.story, message.seq]
                if message.race is not None:
                    self.cue = self.shown_at = None
            case _:
                pass

    def paints(self, cue: Cue, line: int) -> None:
        """The frame that shows a cue."""
        if self.connected and not self.hidden and line == self.line:
            self.cue, self.shown_at = cue, self.evening.now
            self.tells(cue)
            self.sees(cue)

    def tells(self, cue: Cue) -> None:
        """A page says what it has painted."""
        self.says(Shown(cue.cue, self.frame_us, self.grain_us))

    def sees(self, cue: Cue) -> None:
        """What somebody does who sees this; a page by itself does nothing."""

    # The line, in order both ways.

    def _arrives(self, data: bytes) -> None:
        self.evening.arrives(self, _to_server.decode(data))

    def up_the_line(self, act: Callable[[], None]) -> None:
        """Something is on its way from this page."""
        line = self.line
        self._up_free = max(self._up_free, self.evening.now + self.up())
        self.evening.later(self._up_free - self.evening.now, lambda: act() if line == self.line else None)

    def down_the_line(self, act: Callable[[], None]) -> None:
        """Something is on its way to this page."""
        line = self.line
        self._down_free = max(self._down_free, self.evening.now + self.down())
        self.evening.later(self._down_free - self.evening.now, lambda: act() if line == self.line else None)

    def pinged(self, sent_us: int) -> None:
        """The browser answers a ping, whatever its page does."""
        self.up_the_line(lambda: self.evening.pong(self, sent_us))


class Player(Page):
    """Somebody who plays: anything that is legal, after a while; reacts to what he sees, and sometimes too soon."""

    def __init__(self, evening: Evening, name: str, chance: Random, *, down: Delay, up: Delay, frame: Delay) -> None:
        super().__init__(evening, name, down=down, up=up, frame=frame)
        self.chance = chance
        self.is_keen = True
        """Whether he is ready for every game by himself."""
        self.falls = 0.15
        self.sleeps = 0.0
        """How often he does not move at all and lets the clock run out."""
        self.seen = 0
        """Counts what he has seen, so that a plan made on something older is dropped."""
        self.view: View | None = None

    def hears(self, message: ServerMessage) -> None:
        """A message has arrived."""
        super().hears(message)
        match message:
            case Welcome() | Moved():
                self.view = message.view
                self.thinks()
            case Refused():
                self.thinks()
            case TableChanged() if message.table.phase is not Phase.PLAYING:
                me = next((seat for seat in message.table.seats if seat.seat == self.seat), None)
                if self.is_keen and me is not None and not me.ready:
                    self.evening.later(self._between(500, 3_000), lambda: self.says(Ready(ready=True)))
            case _:
                pass

    def sees(self, cue: Cue) -> None:
        """A hand moves."""
        if cue.seat == self.seat:
            return
        if cue.kind is CueKind.CONTACT or self.chance.random() < self.falls:
            self.evening.later(self._between(180, 420), self.touches)

    def returns(self) -> None:
        """The page is seen again, and somebody looks at it."""
        super().returns()
        self.thinks()

    def thinks(self) -> None:
        """What to do, if there is something; and after a while he does it."""
        self.seen += 1
        seen = self.seen
        if self.view is not None and self.view.legal and self.chance.random() >= self.sleeps:
            command = self.chance.choice(self.view.legal)
            in_us = self._between(1_050, 4_000)
            self.evening.later(in_us, lambda: self._does(command) if seen == self.seen and not self.hidden else None)

    def _does(self, command: object) -> None:
        match command:
            case Slam():
                self.says(Reach())
                hover = self.chance.choice((0, 0, self._between(0, 900)))
                self.evening.later(hover, lambda: self.says(Land(), Release(self._between(20, 90))))
            case Fake():
                self.says(Reach())
                self.evening.later(self._between(0, 900), self.withdraws)
            case _:
                self.says(Act(command, self.seq))  # type: ignore[arg-type]

    def _between(self, least_ms: int, most_ms: int) -> int:
        return self.chance.randrange(least_ms * MS, most_ms * MS)
