"""Perft: how many command paths lead away from a position. The fingerprint of the rule engine.

Chance is not left to chance: the card taken at a position is the one that lies there in the sorted hand. So every
outcome is counted once, and the numbers need no generator.
"""

from __future__ import annotations

from slamomatic.game.chance import Fated
from slamomatic.game.commands import Take
from slamomatic.game.engine import carry_out, legal
from slamomatic.game.state import State


def perft(state: State, depth: int) -> int:
    """How many sequences of ``depth`` legal commands, verdicts among them, start here."""
    commands = legal(state)
    if depth <= 1:
        return len(commands) if depth else 1
    total = 0
    for command in commands:
        position, count = (command.position, len(state.hand(command.loser))) if isinstance(command, Take) else (0, 1)
        following, _ = carry_out(state, command, Fated(position, count))
        total += perft(following, depth - 1)
    return total
