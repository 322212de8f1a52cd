"""Players of code: a View in, a command out, and how fast a hand moves.

A bot plays like a person at the table: it sees what its seat may see, thinks as long whatever it holds, reaches
before it slams, and can be beaten. Its chance comes from the generator handed to each call, and from nothing else.
"""

from slamomatic.bots.levels import LEVELS
from slamomatic.bots.player import Bot

__all__ = ["LEVELS", "Bot", "bot"]


def bot(level: str, haste: float = 1) -> Bot:
    """A new bot of this level: ``gentle``, ``steady`` or ``sharp``. Who it is, it draws when first asked something.

    ``haste``: it thinks so many times as fast as a person; its hands move as ever.

    Raises:
        ValueError: there is no such level.
    """
    try:
        return Bot(LEVELS[level], haste=haste)
    except KeyError:
        raise ValueError(f"{level!r} is no level of a bot: take {', '.join(LEVELS)}") from None
