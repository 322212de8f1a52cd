"""What a table asks of a bot: a move, and how fast its hand is. Bots themselves live elsewhere; whoever opens the table
hands them in. They reach and touch through the same messages as people.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from slamomatic.game.chance import Rng
from slamomatic.game.commands import Command
from slamomatic.game.view import View


class Plan(Protocol):
    """What a bot is going to do."""

    @property
    def command(self) -> Command:
        """One of its view's legal commands, a slam or a fake among them."""
        ...

    @property
    def after_us(self) -> int:
        """How long it thinks before it does."""
        ...

    @property
    def hover_us(self) -> int:
        """How long its hand hovers before it lands or is withdrawn; for a slam or a fake."""
        ...


class BotHand(Protocol):
    """One bot at one seat. All its chance comes from the generator handed in."""

    def plan(self, view: View, rng: Rng) -> Plan:
        """Its next move; asked only when something is legal for it."""
        ...

    def jump_us(self, view: View, rng: Rng) -> int | None:
        """Seeing a reach: when it would touch without waiting for the contact, from the reach on; None: it waits."""
        ...

    def react_us(self, view: View, rng: Rng) -> int:
        """Seeing a contact: when it touches, from the contact on."""
        ...

    def stop_us(self, rng: Rng) -> int:
        """Seeing the reach withdrawn: how long it needs to hold back a touch already on its way."""
        ...


BotMaker: TypeAlias = Callable[[str], BotHand]
"""A new bot of this level."""
