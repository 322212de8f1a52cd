"""Trains of pings: from a reach to its verdict whoever is still to be heard in the race is pinged again and again.

Laws of this room:
- a train is as dense as the unit wants it on a server that has time;
- it has to be dense from a contact on, where it vouches for what pages claim. Where many race at once it is sparse
  before that and after a hand has gone back, for there it only measures the path; and where still more do, a third as
  dense from the contact on. What that costs is in docs/fairness.md;
- what has arrived is worked on before anything new is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from slamomatic.server.clock import after_us
from slamomatic.table.timing import TRAIN_US

MANY = 24
"""Trains at once: with more, those of no contact run at :data:`SPARSE` times the interval."""
SPARSE = 20
CROWDED = 96
"""And with more than these, all others at :data:`THIN` times the interval."""
THIN = 3


class Traffic:
    """How many trains run on this server."""

    def __init__(self) -> None:
        self.running = 0

    def interval(self, *, follows: bool) -> int:
        """Between two pings of a train, as a multiple of the unit's own."""
        if not follows and self.running > MANY:
            return SPARSE
        return THIN if self.running > CROWDED else 1


class Train:
    """The train of one table. ``ping``: work on what has arrived, ping whoever is to be pinged, and say who that is."""

    __slots__ = ("_follows", "_ping", "_timer", "_traffic")

    def __init__(self, traffic: Traffic, ping: Callable[[], Sequence[int]]) -> None:
        self._traffic = traffic
        self._ping = ping
        self._timer: asyncio.Handle | None = None
        self._follows = False

    @property
    def runs(self) -> bool:
        """Whether anybody is being pinged."""
        return self._timer is not None

    def run(self, racers: Sequence[int], *, follows: bool) -> None:
        """Go on while there is anybody to be heard. ``follows``: upon a contact; it is as dense as that at once."""
        if not racers:
            self.stop()
            return
        if self._timer is not None:
            if self._follows == follows:
                return
            self._timer.cancel()
        else:
            self._traffic.running += 1
        self._follows = follows
        self._set_timer()

    def stop(self) -> None:
        """Nobody is to be heard any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._traffic.running -= 1

    def _set_timer(self) -> None:
        self._timer = after_us(TRAIN_US * self._traffic.interval(follows=self._follows), self._next)

    def _next(self) -> None:
        fired = self._timer
        racers = self._ping()
        if self._timer is not fired:
            return  # what had arrived has stopped it, or made it denser
        if racers:
            self._set_timer()
        else:
            self.stop()
