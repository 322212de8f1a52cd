"""A bot: the person it is, what it does, and how long everything takes.

What the others can time tells nothing of its cards: how long it thinks, and how long its hand would hover, is drawn
before it looks at them.
"""

from __future__ import annotations

from math import exp, log

import msgspec

from slamomatic.bots.choices import choice, early_touch_is_free
from slamomatic.bots.hands import MS, Person, someone
from slamomatic.bots.levels import Temperament
from slamomatic.game.chance import Rng
from slamomatic.game.commands import Choose, Command, Draw, Fake, Lay, Pass, Slam, Take
from slamomatic.game.view import View

_AT_THE_PILE = (600, 1_600)
_AT_THE_UNIT = (700, 2_500)
_TO_CHOOSE = (900, 2_800)
THINK_MS = {
    Draw: _AT_THE_PILE,
    Slam: _AT_THE_UNIT,
    Fake: _AT_THE_UNIT,
    Pass: _AT_THE_UNIT,
    Take: _TO_CHOOSE,
    Lay: _TO_CHOOSE,
    Choose: _TO_CHOOSE,
}
"""How long one thinks, at least and at most: as people do at a table, and one range for all that tells of a pair."""
DIRECT = 0.2
"""So many reaches do not hover at all."""
HOVER_MEAN_MS = 350
HOVER_MOST_MS = 900
"""The others hover by an exponential time, cut off here: however long it lasted, the end is as near as ever."""


class Plan(msgspec.Struct, frozen=True):
    """What a bot is going to do."""

    command: Command
    after_us: int
    """How long it thinks before it does."""
    hover_us: int
    """How long its hand hovers, once it is there, before it lands or is withdrawn; 0 where no hand reaches."""


class Bot:
    """One bot at one seat: a person of its temperament, drawn when first asked something.

    ``haste`` shortens its thinking and nothing else: a race against it stays a race against a person's hand.
    """

    def __init__(self, temperament: Temperament, person: Person | None = None, *, haste: float = 1) -> None:
        self._temperament = temperament
        self._person = person
        self._haste = haste

    def plan(self, view: View, rng: Rng) -> Plan:
        """Its next move: one of the view's legal commands.

        Raises:
            LookupError: nothing is legal for it.
        """
        if not view.legal:
            raise LookupError("nothing is legal in this view, so there is nothing to plan")
        me = self._me(rng)
        after_us = round(_think_us(view.legal[0], me.unhurried, rng) / self._haste)
        hover_us = _hover_us(rng)
        command = choice(view, me, rng)
        return Plan(command, after_us, hover_us if isinstance(command, Slam | Fake) else 0)

    def jump_us(self, view: View, rng: Rng) -> int | None:
        """Seeing a reach: when it touches without waiting for the contact, from the reach on; None: it waits."""
        me = self._me(rng)
        share = max(me.falls, me.notices) if early_touch_is_free(view) else me.falls
        return me.jump_us(rng) if rng.random() < share else None

    def react_us(self, view: View, rng: Rng) -> int:  # noqa: ARG002 - a hand is as fast whatever it holds
        """Seeing a contact: when it touches, from the contact on."""
        return self._me(rng).react_us(rng)

    def stop_us(self, rng: Rng) -> int:
        """Seeing the reach withdrawn: how long it needs to hold back a touch already on its way."""
        return self._me(rng).stop_us(rng)

    def _me(self, rng: Rng) -> Person:
        if self._person is None:
            self._person = someone(self._temperament, rng)
        return self._person


def _think_us(one_of: Command, unhurried: float, rng: Rng) -> int:
    """For one of its kind, whichever. The smaller of two even chances: mostly brisk, now and then in thought."""
    least, most = THINK_MS[type(one_of)]
    return round(MS * (least + (most - least) * unhurried * min(rng.random(), rng.random())))


def _hover_us(rng: Rng) -> int:
    if rng.random() < DIRECT:
        return 0
    cut_off = 1 - exp(-HOVER_MOST_MS / HOVER_MEAN_MS)
    return round(MS * -HOVER_MEAN_MS * log(1 - cut_off * rng.random()))
