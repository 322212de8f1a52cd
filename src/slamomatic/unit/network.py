"""A connection's own record: its round trips, measured by pings whose send times never leave the server.

The browser itself answers a ping, not the page's script: no page can make a round trip look shorter than the path is.
Idle round trips, measured while no hand is on its way, stand apart: a path that grows longer only in races is odd.
"""

from __future__ import annotations

from collections import deque

REMEMBERED = 40
UNKNOWN_RTT_US = 300_000
"""What an unmeasured connection is allowed: as slow as is still pleasant to play with."""


class Network:
    """The round trips of one connection, in microseconds."""

    __slots__ = ("_idle", "least_us")

    def __init__(self) -> None:
        self.least_us: int | None = None
        """The lowest round trip of this connection: what its path takes with nothing in the way."""
        self._idle: deque[int] = deque(maxlen=REMEMBERED)

    def pong(self, sent_us: int, arrived_us: int, *, idle: bool = True) -> None:
        """A ping sent then was answered now; ``idle``: no hand was on its way when it was sent."""
        rtt_us = max(0, arrived_us - sent_us)
        if self.least_us is None or rtt_us < self.least_us:
            self.least_us = rtt_us
        if idle:
            self._idle.append(rtt_us)

    @property
    def rtt_us(self) -> int | None:
        """The median idle round trip; None before the first."""
        return self._quantile(0.5)

    @property
    def slow_rtt_us(self) -> int:
        """A round trip that 19 of 20 are faster than."""
        slow = self._quantile(0.95)
        return UNKNOWN_RTT_US if slow is None else slow

    @property
    def idle_us(self) -> int | None:
        """The mean idle round trip; None before the first."""
        return sum(self._idle) // len(self._idle) if self._idle else None

    def _quantile(self, share: float) -> int | None:
        if not self._idle:
            return None
        ordered = sorted(self._idle)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
