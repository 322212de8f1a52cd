"""Bots on strings: they do exactly what a test says, when it says."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from slamomatic.game.chance import Rng
from slamomatic.game.commands import Command, Fake, Pass, Slam
from slamomatic.game.view import View
from tests.table.pages import MS, SECOND


class Thought(msgspec.Struct, frozen=True):
    """What a puppet is going to do."""

    command: Command
    after_us: int = SECOND
    hover_us: int = 0


def slams(view: View) -> Command | None:
    """Whenever it can."""
    return next((command for command in view.legal if isinstance(command, Slam)), None)


def fakes(view: View) -> Command | None:
    """Whenever it can."""
    return next((command for command in view.legal if isinstance(command, Fake)), None)


class Puppet(msgspec.Struct):
    """Passes where it can, else does the first legal thing; reacts after ``react_ms``, and falls for nothing."""

    does: Callable[[View], Command | None] = lambda _view: None
    react_ms: int = 300
    jump_ms: int | None = None
    stop_ms: int = 0
    hover_us: int = 0

    def plan(self, view: View, rng: Rng) -> Thought:
        """Its next move."""
        passes = [command for command in view.legal if isinstance(command, Pass)]
        return Thought(self.does(view) or (passes or view.legal)[0], hover_us=self.hover_us)

    def jump_us(self, view: View, rng: Rng) -> int | None:
        """When it falls for a reach."""
        return None if self.jump_ms is None else self.jump_ms * MS

    def react_us(self, view: View, rng: Rng) -> int:
        """When it follows a contact."""
        return self.react_ms * MS

    def stop_us(self, rng: Rng) -> int:
        """How long before its touch it can still be held back."""
        return self.stop_ms * MS


def puppets(puppet: Puppet) -> Callable[[str], Puppet]:
    """A maker of bots that are all this one."""
    return lambda _level: puppet
