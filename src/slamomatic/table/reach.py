"""One reach in time: from the hand's start, through contact or withdrawal, to a settled race.

Nobody, the table included, knows while a hand hovers whether it will land; and it lands, or is withdrawn, no sooner
than a reach takes. So nothing seen before contact tells a slam from a fake.
"""

from __future__ import annotations

from slamomatic.game.verdict import Action
from slamomatic.table.protocol import Cue
from slamomatic.table.timing import HOVER_US, REACH_US
from slamomatic.unit import Race


class ReachInProgress:
    """A hand on its way to the unit, over it, or down on it. Times in microseconds."""

    __slots__ = ("_due", "began_us", "cue", "out", "race", "sent")

    def __init__(self, began_us: int, race: Race, cue: Cue) -> None:
        self.began_us = began_us
        self.race = race
        self.cue = cue
        """What everyone is shown right now."""
        self.sent: dict[str, set[int]] = {}
        """The seats that were sent each cue of this reach, by its id."""
        self.out: set[int] = set()
        """Seats without a hand of their own in this race, whoever comes back meanwhile (B17): a bot's is in it already,
        or the connection was lost after the contact, and a hand that touches no more is last."""
        self._due: tuple[Action, int] | None = None

    @property
    def seat(self) -> int:
        """Whose hand it is."""
        return self.cue.seat

    @property
    def is_open(self) -> bool:
        """The hand hovers, or is on its way: how it ends is not yet seen."""
        return self.race.action is None

    @property
    def is_decided(self) -> bool:
        """How it ends has been said, if not yet shown."""
        return self._due is not None

    def listens_to(self, seat: int) -> bool:
        """Whether this seat's page is still to be heard in the race."""
        return seat not in self.out and self.race.listens_to(seat)

    def decide(self, action: Action, now_us: int) -> None:
        """The hand is to land or to be withdrawn: now, or as soon as it can have got there."""
        self._due = (action, max(now_us, self.began_us + REACH_US))

    def knows(self, seat: int, cue: str | None) -> bool:
        """Whether this seat was sent that cue of this reach."""
        return cue is not None and seat in self.sent.get(cue, ())

    def due(self) -> tuple[Action | None, int]:
        """How the hover ends and when; None: it has hovered as long as it may, and nothing was said."""
        return self._due or (None, self.began_us + HOVER_US)

    def wake_us(self) -> int:
        """The next moment at which something happens by itself."""
        if self.is_open:
            return self.due()[1]
        settles_us = self.race.settles_us()
        assert settles_us is not None
        return settles_us
