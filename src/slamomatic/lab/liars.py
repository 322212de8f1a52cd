"""Liars: what a page, or a proxy before it, may try on the unit. All know their own page's true times, some know more.

A page can claim any time, hold its word or its touch back, and misreport its clock and its frames. It cannot answer a
ping late or early: the browser does that. Only a proxy can, and for it these are other rules: see docs/fairness.md.
"""

from __future__ import annotations

from typing import NamedTuple

from slamomatic.lab.slams import Detour, Lie, Moment, Told
from slamomatic.unit.evidence import FRAME_US, LATE_US

COARSE_MS = 1000 / 60
HELD_MS = (FRAME_US + LATE_US) / 1000 - 0.3
"""As long as a word can be held back without being read as late."""
SLOW_FRAME_MS = 1000 / 30


class Attack(NamedTuple):
    """One way to lie, or one proxy."""

    about: str
    lie: Lie | None = None
    detour: Detour | None = None
    takes_more: bool = False
    """A page's script cannot do it: it takes a program in place of the browser, or knowing what nobody knows."""

    @property
    def is_of_the_page(self) -> bool:
        """Whether a page's script alone can do it."""
        return self.detour is None and not self.takes_more


def _shaved(ms: float) -> Lie:
    def lie(at: Moment) -> Told:
        return _claims(at.honest, _claim(at) - ms)

    return lie


def _shaved_when_slow(at: Moment) -> Told:
    return _claims(at.honest, _claim(at) - 10) if at.reaction_ms > at.typical_ms else at.honest


def _coarse(at: Moment) -> Told:
    """Say the clock is coarse, and always round down."""
    return at.honest._replace(claim_ms=_claim(at) // COARSE_MS * COARSE_MS - COARSE_MS / 2, grain_ms=COARSE_MS)


def _word_later(ms: float) -> Lie:
    """Every word so much later than the paint, and claims that fit it."""

    def lie(at: Moment) -> Told:
        return _word_at(at, at.honest.wait_ms + ms)

    return lie


def _word_held(at: Moment) -> Told:
    return _word_at(at, max(at.honest.wait_ms, HELD_MS))


def _all_knowing(at: Moment) -> Told:
    """Lie only where it helps, and only as much as it takes."""
    if not 0 < at.margin_ms + 4 < 40:
        return at.honest
    held = _word_at(at, max(at.honest.wait_ms, HELD_MS))
    gained_ms = held.wait_ms - at.honest.wait_ms
    missing_ms = max(0.0, at.margin_ms + 4 - gained_ms)
    return _claims(held, (held.claim_ms or 0.0) - min(missing_ms, 6.0))


def _pretended_early(at: Moment) -> Told:
    """Hold the word back until after the touch."""
    leave_ms = at.honest.leave_ms
    return at.honest._replace(wait_ms=leave_ms - at.cue_ms + 1, claim_ms=None)


def _slow_frames(at: Moment) -> Told:
    """Play a screen of 30 frames a second: words spread over its frame, and claims that fit them."""
    told = _word_at(at, max(at.honest.wait_ms, at.luck * SLOW_FRAME_MS))
    return told._replace(frame_ms=SLOW_FRAME_MS)


def _all_small(at: Moment) -> Told:
    """All small lies at once."""
    told = _word_at(at, at.honest.wait_ms + 5)
    return _claims(told, (told.claim_ms or 0.0) - 3)._replace(frame_ms=20.0, grain_ms=6.0)


def _silent(at: Moment) -> Told:
    """Let nothing vouch against a claim of a quarter of the truth."""
    return at.honest._replace(claim_ms=_claim(at) / 4, is_silent=True)


def _claim(at: Moment) -> float:
    assert at.honest.claim_ms is not None, "honest pages claim"
    return at.honest.claim_ms


def _claims(told: Told, claim_ms: float) -> Told:
    return told._replace(claim_ms=claim_ms)


def _word_at(at: Moment, wait_ms: float) -> Told:
    """The word sent so long after the cue came in, and a claim that fits it."""
    return at.honest._replace(wait_ms=wait_ms, claim_ms=_claim(at) - (wait_ms - at.honest.wait_ms))


ATTACKS: dict[str, Attack] = {
    "claims-10": Attack("claims 10 ms less", _shaved(10)),
    "claims-20": Attack("claims 20 ms less", _shaved(20)),
    "claims-60": Attack("claims 60 ms less", _shaved(60)),
    "claims-1000": Attack("claims a second less", _shaved(1000)),
    "claims-10-when-slow": Attack("claims 10 ms less when slower than usual", _shaved_when_slow),
    "coarse-clock": Attack("says its clock is coarse, and rounds down", _coarse),
    "word+15": Attack("says 15 ms late that it has shown the contact, and claims what fits", _word_later(15)),
    "word+30": Attack("the same, 30 ms", _word_later(30)),
    "word+120": Attack("the same, 120 ms", _word_later(120)),
    "word-held": Attack("holds every word as long as it can pass", _word_held),
    "word-held-all-knowing": Attack(
        "knows all times, and holds and shaves just where that helps", _all_knowing, takes_more=True
    ),
    "pretended-early": Attack("holds its word back until it has touched", _pretended_early),
    "slow-frames": Attack("plays a screen of 30 frames a second", _slow_frames),
    "silent-program": Attack(
        "a program answers no ping until it has touched, and claims a quarter", _silent, takes_more=True
    ),
    "proxy+30": Attack("a proxy holds pongs and words back 30 ms, touches not", None, Detour(30, idle_too=True)),
    "proxy+100": Attack("the same, 100 ms", None, Detour(100, idle_too=True)),
    "proxy+100-in-races": Attack("the same in races only", None, Detour(100, idle_too=False)),
}

SMALL_LIES: dict[str, Attack] = {
    "claims-3": Attack("claims 3 ms less", _shaved(3)),
    "word+4": Attack("says 4 ms late that it has shown the contact, and claims what fits", _word_later(4)),
    "all-small": Attack("says it 5 ms late, claims 3 ms less, frames of 20 ms and a clock of 6 ms", _all_small),
}
"""Within the leeway that slow devices need: nobody could tell them from one."""
