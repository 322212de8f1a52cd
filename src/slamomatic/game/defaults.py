"""What is done for a player whose clock has run out (B18)."""

from __future__ import annotations

from slamomatic.game.chance import Rng, pick
from slamomatic.game.commands import Command, Lay, Pass, Slam, Take
from slamomatic.game.engine import legal
from slamomatic.game.state import State


def default(state: State, rng: Rng) -> Command:
    """The default act of ``state.to_act``.

    Draw from the pile, or from the fullest opponent; take at random; lay the dearest natural pair; choose at random;
    otherwise pass, and slam where M11 forbids the pass.

    Raises:
        LookupError: nobody is to act.
    """
    if state.to_act is None:
        raise LookupError("nobody is to act, so there is no default act")
    commands = legal(state)
    first = commands[0]
    match first:
        case Take():
            takes = [command for command in commands if isinstance(command, Take)]
            fullest = max(takes, key=lambda take: len(state.hand(take.loser))).loser
            return pick(rng, [take for take in takes if take.loser == fullest])
        case Lay():
            lays = [command for command in commands if isinstance(command, Lay)]
            return max(lays, key=lambda lay: (lay.pair[0] == lay.pair[1], lay.pair[1]))
        case Slam():
            passes = [command for command in commands if isinstance(command, Pass)]
            return passes[0] if passes else first
        case _:
            return pick(rng, commands)
