"""Trains of pings: from a reach to its verdict whoever is still to be heard in the race is pinged again and again.

Laws of this room:
- from the contact on a train is as dense as the unit wants it, always: these pings vouch for what pages claim;
- while hands hover it is as dense on a server that has time, and five times as sparse where many race at once. There it
  only measures the path: verdicts are as right, honest connections are flagged a little oftener (docs/fairness.md);
- what has arrived is worked on before anything new is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from slamomatic.server.clock import after_us
from slamomatic.table.timing import TRAIN_US

SPARSE = 5
"""So many times the interval, while hands hover at many tables at once."""
MANY = 24
"""So many trains at once are many."""


class Traffic:
    """How many trains run on this server."""

    def __init__(self) -> None:
        self.running = 0


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
        sparse = self._hovers and self._traffic.running > MANY
        self._timer = after_us(TRAIN_US * (SPARSE if sparse else 1), self._next)

    def _next(self) -> None:
        fired = self._timer
        racers = self._ping()
        if self._timer is not fired:
            return  # what had arrived has stopped it, or made it denser
        if racers:
            self._set_timer()
        else:
            self.stop()
