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
from statistics import median, quantiles

import msgspec

SESSION = 25
"""So many races are remembered, and so many are needed before anything is flagged."""
STRIKES = 3
"""From so many strikes among the remembered races on the server alone times a seat."""

CLIPPED_US = 20_000
"""Further than this no single race pulls a mean."""
ENOUGH = 8
"""In so many races some would be without a spike, whatever the path."""
HASTE_LEEWAY_US = 1_500
"""So far off mean haste may be for reasons nobody can help: a slow handler."""
DELAY_LEEWAY_US = 2_000
"""So far off mean delay may be: a slow device, a busy page."""
HASTE_CAUTION = 3.0
"""Claims are corrected by what is beyond so many standard errors of chance: the stream bounds them already."""
DELAY_CAUTION = 1.25
"""So are words, which nothing else bounds within a frame."""
CERTAINTY = 1.0
"""So many standard errors further on all of it is corrected, leeway and all: then chance is no longer the likelier."""
PATH_SHARE = 0.49
"""What of a path's mean squared excess comes back in the differences of two arrivals on it."""
HANDLING_SD = 1_900
"""How far one race's handling of word and touch strays, in real browsers on a quiet path."""

HASTE_ERRORS = 2.4
"""So many standard errors of mean haste are flagged,"""
MIDDLE_ERRORS = 3.0
"""or so many of the middle one: a path's spikes pull a mean about, and leave the middle where it is."""
DELAY_ERRORS = 2.4
"""So many standard errors of mean delay are flagged,"""
LATE_SHARE = 1 / 3
"""or so many words that come as late as they can pass: chance brings hardly one in ten there."""
SLOW_FRAME_US = 22_000
"""From here on a screen is slow, and believed to be: a 50 Hz one still is not."""
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
    SILENCE = "silence"
    """It answers pings, but not before its touches: no page can do that, and few paths do."""
    FRAMES = "frames"
    """Its screen is drawn so seldom that its word is late by itself: fair, but nobody could tell if it were not."""
    DETOUR = "detour"
    """Its path is longer in races than between them."""


class Trace(msgspec.Struct, frozen=True, gc=False):
    """What one race leaves in a standing; in microseconds."""

    haste_us: int
    """By how much the touch arrived later than was claimed, beyond what handling it takes."""
    delay_us: int
    """By how much later the page's word came than the middle of a frame after the cue was there."""
    unrest: int
    """The mean squared excess of the round trips in this race."""
    grain_us: int
    """How coarse the page's clock is, as far as that is believed."""
    frame_us: int
    """How long the page's frames take, as far as that is believed."""
    late: bool
    """That word came as late as it can pass, or later."""
    silent: bool
    """The browser had answered nothing for a while before the touch."""
    struck: bool
    detour_us: int
    """The lowest round trip of this race above the mean idle one."""


class Standing:
    """The last :data:`SESSION` races of one seat."""

    def __init__(self) -> None:
        self.races = 0
        """All races ever added."""
        self._traces: deque[Trace] = deque()
        self._haste = self._delay = self._unrest = self._grains = self._frames = self._late = self._silent = (
            self._slow
        ) = 0
        self.strikes = 0
        """Among the remembered races."""
        self.haste_us = 0
        """By how much this page's claims run ahead of its touches, beyond chance."""
        self.delay_us = 0
        """By how much this page is late to say that it has shown the hand, beyond chance."""

    def add(self, trace: Trace) -> None:
        """A race is over."""
        self.races += 1
        self._traces.append(trace)
        self._count(trace, 1)
        if len(self._traces) > SESSION:
            self._count(self._traces.popleft(), -1)
        k = len(self._traces)
        haste_sd, delay_sd = self._spreads()
        haste = self._steady_haste()
        self.haste_us = _beyond_chance(haste, HASTE_LEEWAY_US, haste_sd / sqrt(k), HASTE_CAUTION)
        self.delay_us = _beyond_chance(self._delay / k, DELAY_LEEWAY_US, delay_sd / sqrt(k), DELAY_CAUTION)

    @property
    def is_silent(self) -> bool:
        """Whether its browser has been silent before touches in most of the races."""
        return self._silent >= STRIKES and 2 * self._silent > len(self._traces)

    def flags(self) -> tuple[Flag, ...]:
        """What people may want to look at, once there have been enough races to tell."""
        k = len(self._traces)
        if k < SESSION:
            return ()
        found = []
        if self.strikes >= STRIKES:
            found.append(Flag.STRIKES)
        if self._runs_ahead():
            found.append(Flag.HASTE)
        if self._keeps_back():
            found.append(Flag.DELAY)
        if self.is_silent:
            found.append(Flag.SILENCE)
        if 2 * self._slow > k:
            found.append(Flag.FRAMES)
        if sorted(trace.detour_us for trace in self._traces)[k // 2] > DETOUR_US:
            found.append(Flag.DETOUR)
        return tuple(found)

    def _steady_haste(self) -> float:
        """The smaller of mean and middle: a path's spikes pull at either. Where hardly any race is without one, it is
        no path's, and the middle is taken however far off it is.
        """
        hastes = sorted(trace.haste_us for trace in self._traces)
        middle = median(hastes)
        if len(hastes) >= ENOUGH and hastes[len(hastes) // 8] > CLIPPED_US:
            return middle
        return min(self._haste / len(hastes), middle)

    def _runs_ahead(self) -> bool:
        """Whether the page's claims are steadily below what the arrivals say."""
        error = self._spreads()[0] / sqrt(len(self._traces))
        if self._haste / len(self._traces) - HASTE_LEEWAY_US > HASTE_ERRORS * error:
            return True
        low, middle, high = quantiles((trace.haste_us for trace in self._traces), n=4)
        error = max(high - low, HANDLING_SD) / sqrt(len(self._traces))
        return middle - HASTE_LEEWAY_US > MIDDLE_ERRORS * error

    def _keeps_back(self) -> bool:
        """Whether the page's words are steadily later than its screen explains."""
        k = len(self._traces)
        error = self._spreads()[1] / sqrt(k)
        return self._late > LATE_SHARE * k or self._delay / k - DELAY_LEEWAY_US > DELAY_ERRORS * error

    def _spreads(self) -> tuple[float, float]:
        """One race's standard deviations of haste and delay, for an honest page on this path."""
        k = len(self._traces)
        variance = PATH_SHARE * self._unrest / k + self._grains / k + HANDLING_SD**2
        return sqrt(variance), sqrt(HANDLING_SD**2 + self._frames / k)

    def _count(self, trace: Trace, sign: int) -> None:
        self._haste += sign * _clipped(trace.haste_us)
        self._delay += sign * _clipped(trace.delay_us)
        self._unrest += sign * trace.unrest
        self._grains += sign * min(trace.grain_us**2 // 6, CLIPPED_US**2)  # two roundings
        self._frames += sign * (trace.frame_us**2 // 12)  # a cue comes at any time of a frame
        self._late += sign * trace.late
        self._silent += sign * trace.silent
        self._slow += sign * (trace.frame_us >= SLOW_FRAME_US)
        self.strikes += sign * trace.struck


def _beyond_chance(mean_us: float, leeway_us: int, error_us: float, caution: float) -> int:
    """What of a mean neither leeway nor chance explains."""
    over_us = mean_us - leeway_us
    if over_us > (caution + CERTAINTY) * error_us:
        return round(mean_us)
    return round(max(0.0, over_us - caution * error_us))


def _clipped(us: int) -> int:
    return max(-CLIPPED_US, min(CLIPPED_US, us))
