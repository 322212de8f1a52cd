"""What the unit saw before it gave a verdict: each hand's time, and how sure it is.

It is for who looks at a game afterwards. No rule reads it, and whether it bears the verdict out is for the unit to say;
a record only asks that it is of the hands which took part, and can be written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import msgspec

from slamomatic.game.verdict import Verdict

LONGEST_US = 3_600_000_000
"""No time in a record is longer than an hour."""

_WORD = re.compile(r"[a-z]+(-[a-z]+)*")


class Timing(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """One hand's time, in microseconds. Whether it was early, the verdict tells."""

    seat: int
    time_us: int | None
    """From contact as this player saw it to the touch; negative: before it; None: it never touched."""
    band_us: int = 0
    """How far off the time may be."""
    doubt: str | None = None
    """In one plain word, why the time is not what the player's own device claimed, if it is not."""


class Evidence(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """All that is told of one race or fake; nothing has to be."""

    timings: tuple[Timing, ...] = ()
    """In seat order."""
    tau_us: int | None = None
    """So near the two last would have had to be, or were, to jam; in microseconds."""
    jam: str | None = None
    """In one plain word, why it jammed, if it did."""


NOTHING = Evidence()
"""Of a verdict that came without evidence."""


def flaw(evidence: Evidence, verdict: Verdict, racers: tuple[int, ...]) -> str | None:
    """Why this cannot be the evidence for a verdict on these seats, if it cannot."""
    return next(_flaws(evidence, verdict, racers), None)


def _flaws(evidence: Evidence, verdict: Verdict, racers: tuple[int, ...]) -> Iterator[str]:
    for timing in evidence.timings:
        seat, time_us = timing.seat, timing.time_us
        if seat not in racers:
            yield f"hand {seat} takes no part here, so it has no time"
        if time_us is None and seat in verdict.early:
            yield f"hand {seat} has touched, so it has a time"
        if time_us is None and (timing.band_us or timing.doubt):
            yield f"hand {seat} never touched, so there is nothing to doubt"
        if abs(time_us or 0) > LONGEST_US:
            yield "a time is an hour at most"
    if any(one.seat >= other.seat for one, other in pairwise(evidence.timings)):
        yield "times are told in the order of the hands, one for each"
    if not all(
        0 <= us <= LONGEST_US for us in (*(timing.band_us for timing in evidence.timings), evidence.tau_us or 0)
    ):
        yield "what may be off, and tau, are from 0 to an hour"
    for word in (*(timing.doubt for timing in evidence.timings), evidence.jam):
        if word is not None and not (len(word) <= 40 and _WORD.fullmatch(word)):
            yield f"a reason is one plain word like late-word, not {word!r}"
    if evidence.jam is not None and not verdict.jam:
        yield "nothing jammed here, so there is no cause of a jam"
