"""How fast a hand is: reaction times as people have them, and one person's share of them.

Figures with a source are of 522 adults, 20 to 59 years, in web browsers, so the lag of screen and keyboard is in
them as it is for the people a bot plays with. A reaction is ex-Gaussian: a normal part and an exponential tail, which
is why anybody is slow now and then.
"""

from __future__ import annotations

from math import cos, log, pi, sqrt

import msgspec

from slamomatic.bots.levels import Temperament
from slamomatic.game.chance import Rng

MS = 1_000


class ExGaussian(msgspec.Struct, frozen=True):
    """A normal time plus an exponential one, in milliseconds."""

    mu: float
    sigma: float
    tau: float


CONTACT = ExGaussian(mu=293, sigma=33, tau=60)
"""Seeing a contact: medians over persons in a go/no-go task, the one a race resembles."""
JUMP = ExGaussian(mu=254, sigma=33, tau=60)
"""Falling for a reach: the same hand, sooner. Errors of commission come at 298 ms in the median."""
STOP_MS = 286
STOP_SPREAD_MS = 60
"""Holding back a touch on its way: the stop-signal task, mean and spread between persons."""
STOP_WITHIN_MS = 33
"""From one time to the next: such a task cannot tell; taken to be as steady as a reaction without its tail."""
SPREAD = 0.06
"""Between the persons of one level, relative. All adults spread by 45 of 363 ms, 12%; a level is a slice of them."""
NERVES = 0.4
"""How far one person's shares may lie off those of the level: quartiles of 0.11 and 0.29 round 0.21 are as wide."""
FASTEST_MS = 100
"""Under 0.3% of all reactions are faster than this, and those were no reactions."""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """One of the many who are of a level; a bot is the same person all its life."""

    slowness: float
    falls: float
    notices: float
    fakes: float
    slips: float
    stop_ms: float
    unhurried: float
    """From 0 to 1: how much of the time there is it takes to think."""

    def react_us(self, rng: Rng) -> int:
        """From a contact to this person's touch."""
        return _time_us(CONTACT, self.slowness, rng)

    def jump_us(self, rng: Rng) -> int:
        """From a reach to this person's touch, if he cannot wait."""
        return _time_us(JUMP, self.slowness, rng)

    def stop_us(self, rng: Rng) -> int:
        """From a withdrawal to this person's hand held back."""
        return round(MS * max(FASTEST_MS, self.stop_ms + STOP_WITHIN_MS * _normal(rng)))


def someone(temperament: Temperament, rng: Rng) -> Person:
    """A person of this temperament."""
    return Person(
        slowness=temperament.slowness * (1 + SPREAD * _within_two(rng)),
        falls=temperament.falls * _about_one(rng),
        notices=temperament.notices,
        fakes=temperament.fakes * _about_one(rng),
        slips=temperament.slips,
        stop_ms=STOP_MS + STOP_SPREAD_MS * _within_two(rng),
        unhurried=0.7 + 0.3 * rng.random(),
    )


def _time_us(of: ExGaussian, slowness: float, rng: Rng) -> int:
    time = of.mu + of.sigma * _normal(rng) - of.tau * log(1 - rng.random())
    return round(MS * max(FASTEST_MS, slowness * time))


def _normal(rng: Rng) -> float:
    """A standard normal number (Box and Muller); takes two numbers from the generator."""
    return sqrt(-2 * log(1 - rng.random())) * cos(2 * pi * rng.random())


def _within_two(rng: Rng) -> float:
    """A normal number, no further out than two: a level stays what it says."""
    return max(-2.0, min(2.0, _normal(rng)))


def _about_one(rng: Rng) -> float:
    return 1 + NERVES * (2 * rng.random() - 1)
