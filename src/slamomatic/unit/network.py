"""A connection's record: its last round trips, measured by pings whose send times never leave the server."""

from __future__ import annotations

from collections import deque

REMEMBERED = 40
UNKNOWN_RTT_US = 300_000
"""What an unmeasured connection is allowed: as slow as is still pleasant to play with."""


class Network:
    """The last round trips of one connection, in microseconds."""

    def __init__(self) -> None:
        self._round_trips: deque[int] = deque(maxlen=REMEMBERED)

    def pong(self, sent_us: int, arrived_us: int) -> None:
        """A ping sent then was answered now."""
        self._round_trips.append(max(0, arrived_us - sent_us))

    @property
    def rtt_us(self) -> int | None:
        """The median round trip; None before the first."""
        return self._quantile(0.5)

    @property
    def slow_rtt_us(self) -> int:
        """A round trip that 19 of 20 are faster than."""
        slow = self._quantile(0.95)
        return UNKNOWN_RTT_US if slow is None else slow

    def _quantile(self, share: float) -> int | None:
        if not self._round_trips:
            return None
        ordered = sorted(self._round_trips)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
