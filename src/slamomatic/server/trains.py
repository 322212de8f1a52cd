"""Trains of pings: from a reach to its verdict whoever is still to be heard in the race is pinged again and again.

Laws of this room:
- a train is as dense as the unit wants it on a server that has time;
- where many race at once it is sparse while hands hover, for there it only measures the path; and where still more do,
  half as dense from the contact on, where it vouches for what pages claim. What that costs is in docs/fairness.md;
- what has arrived is worked on before anything new is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from slamomatic.server.clock import after_us
from slamomatic.table.timing import TRAIN_US

MANY = 24
"""Trains at once: with more, hovering hands are pinged at :data:`SPARSE` times the interval."""
SPARSE = 5
CROWDED = 96
"""And with more than these, all others at :data:`THIN` times the interval."""
THIN = 2


class Traffic:
    """How many trains run on this server."""

    def __init__(self) -> None:
        self.running = 0

    def interval(self, *, hovers: bool) -> int:
        """Between two pings of a train, as a multiple of the unit's own."""
        if hovers and self.running > MANY:
            return SPARSE
        return THIN if self.running > CROWDED else 1


class Train:
    """The train of one table. ``ping``: work on what has arrived, ping whoever is to be pinged, and say who that is."""

    def __init__(self, traffic: Traffic, ping: Callable[[], Sequence[int]]) -> None:
        self._traffic = traffic
        self._ping = ping
        self._timer: asyncio.TimerHandle | None = None
        self._hovers = False

    @property
    def runs(self) -> bool:
        """Whether anybody is being pinged."""
        return self._timer is not None

    def run(self, racers: Sequence[int], *, hovers: bool) -> None:
        """Go on while there is anybody to be heard; at once denser when the hand has landed."""
        if not racers:
            self.stop()
            return
        if self._timer is not None:
            if self._hovers == hovers:
                return
            self._timer.cancel()
        else:
            self._traffic.running += 1
        self._hovers = hovers
        self._set_timer()

    def stop(self) -> None:
        """Nobody is to be heard any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._traffic.running -= 1

    def _set_timer(self) -> None:
        self._timer = after_us(TRAIN_US * self._traffic.interval(hovers=self._hovers), self._next)

    def _next(self) -> None:
        fired = self._timer
        racers = self._ping()
        if self._timer is not fired:
            return  # what had arrived has stopped it, or made it denser
        if racers:
            self._set_timer()
        else:
            self.stop()
