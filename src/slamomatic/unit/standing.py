"""What a seat's last races say of its page: small steady lies, and words kept back, show only over many races.

Laws of this room:
- a race is judged by the races before it: what it adds is added once it is over;
- only what chance can hardly explain is corrected, and only by as much as it cannot explain: an honest page is left
  alone, whatever its path does;
- flags tell people where to look; no verdict reads them.
"""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from math import sqrt

import msgspec
from msgspec.structs import replace

SESSION = 25
"""So many races are remembered, and so many are needed before anything is flagged."""
STRIKES = 3
"""From so many strikes among the remembered races on the server alone times a seat."""

CLIPPED_US = 20_000
"""Further than this no single race pulls a mean."""
LEEWAY_US = 1_000
"""So far off a mean may be for reasons nobody can help: a busy page, a slow handler."""
CAUTION = 1.25
"""A mean is corrected only beyond so many standard errors."""
PATH_SHARE = 0.49
"""What of a path's mean squared excess comes back in the differences of two arrivals on it."""
CLOCK_VARIANCE = 500**2
"""Of an honest page with a fine clock, in microseconds squared: dispatch, rounding."""
COARSE_VARIANCE = 6_856**2
"""What a clock that ticks once a frame adds: two roundings to 16.7 ms."""
FRAME_VARIANCE = 4_899**2
"""When in a frame's time a cue happens to come: even over 16.7 ms."""

HASTE_ERRORS = 2.5
"""So many standard errors of haste are flagged: about one honest session in two hundred."""
DELAY_ERRORS = 2.2
"""The same for delay, whose differences spread wider than a bell."""
DETOUR_US = 8_000
"""So much longer than at rest a path is in races by no chance."""


class Flag(StrEnum):
    """Why people may want to look at a seat's connection. Never a verdict, never a ban."""

    STRIKES = "strikes"
    """It keeps claiming what cannot be."""
    HASTE = "haste"
    """It claims to be a little faster, race after race, than its touches arrive."""
    DELAY = "delay"
    """It is late, race after race, to say that it has shown the hand."""
    DETOUR = "detour"
    """Its path is longer in races than between them."""


class Trace(msgspec.Struct, frozen=True):
    """What one race leaves in a standing; in microseconds."""

    haste_us: int
    """By how much the touch arrived later than was believed, beyond what handling it takes."""
    delay_us: int
    """By how much later the page's word came than the middle of a frame after the cue was there."""
    unrest: int
    """The mean squared excess of the round trips in this race."""
    coarse: bool
    """The page's clock ticked no finer than a frame."""
    struck: bool
    detour_us: int
    """The lowest round trip of this race above the mean idle one."""


class Standing:
    """The last :data:`SESSION` races of one seat."""

    def __init__(self) -> None:
        self.races = 0
        """All races ever added."""
        self._traces: deque[Trace] = deque()
        self._haste = self._delay = self._unrest = self._coarse = 0
        self.strikes = 0
        """Among the remembered races."""

    def add(self, trace: Trace) -> None:
        """A race is over."""
        self.races += 1
        trace = replace(trace, haste_us=_clipped(trace.haste_us), delay_us=_clipped(trace.delay_us))
        self._traces.append(trace)
        self._count(trace, 1)
        if len(self._traces) > SESSION:
            self._count(self._traces.popleft(), -1)

    @property
    def correction_us(self) -> int:
        """How much is added to a belief for what the races before say, beyond chance."""
        k = len(self._traces)
        if not k:
            return 0
        haste_sd, delay_sd = self._spreads()
        error = CAUTION / sqrt(k)
        haste = self._haste / k - LEEWAY_US - error * haste_sd
        delay = self._delay / k - LEEWAY_US - error * delay_sd
        return round(max(0.0, haste) + max(0.0, delay))

    def flags(self) -> tuple[Flag, ...]:
        """What people may want to look at, once there have been enough races to tell."""
        k = len(self._traces)
        if k < SESSION:
            return ()
        haste_sd, delay_sd = self._spreads()
        error = 1 / sqrt(k)
        found = []
        if self.strikes >= STRIKES:
            found.append(Flag.STRIKES)
        if self._haste / k - LEEWAY_US > HASTE_ERRORS * haste_sd * error:
            found.append(Flag.HASTE)
        if self._delay / k - LEEWAY_US > DELAY_ERRORS * delay_sd * error:
            found.append(Flag.DELAY)
        if sorted(trace.detour_us for trace in self._traces)[k // 2] > DETOUR_US:
            found.append(Flag.DETOUR)
        return tuple(found)

    def _spreads(self) -> tuple[float, float]:
        """One race's standard deviations of haste and delay, for an honest page on this path."""
        k = len(self._traces)
        variance = PATH_SHARE * self._unrest / k + CLOCK_VARIANCE
        if 2 * self._coarse > k:
            variance += COARSE_VARIANCE
        return sqrt(variance), sqrt(variance + FRAME_VARIANCE)

    def _count(self, trace: Trace, sign: int) -> None:
        self._haste += sign * trace.haste_us
        self._delay += sign * trace.delay_us
        self._unrest += sign * trace.unrest
        self._coarse += sign * trace.coarse
        self.strikes += sign * trace.struck


def _clipped(us: int) -> int:
    return max(-CLIPPED_US, min(CLIPPED_US, us))
