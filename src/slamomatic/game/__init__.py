"""Hands Down by the book: whole, exact, pure.

A game is a :class:`State`; :func:`legal` lists what may be done, :func:`play` does it, :func:`view` shows it to one
player. Chance and verdicts come from outside; nothing here knows time, network or files.
"""

from slamomatic.game.cards import Card, Deck
from slamomatic.game.changes import evolve
from slamomatic.game.commands import (
    Choose,
    Command,
    Draw,
    Fake,
    IllegalCommand,
    Judge,
    Lay,
    Pass,
    Slam,
    Take,
)
from slamomatic.game.dealing import deal, dealt, start
from slamomatic.game.defaults import default
from slamomatic.game.edition import Edition, UnfitEdition
from slamomatic.game.editions import CLASSIC, CLASSIC_JUNIOR, MODERN, PRESETS
from slamomatic.game.engine import Played, carry_out, decide, legal, play, replay
from slamomatic.game.evidence import Evidence, Timing
from slamomatic.game.notation import NotationError, read, write
from slamomatic.game.perft import perft
from slamomatic.game.record import BrokenRecord, Move, Record, Step
from slamomatic.game.scoring import score
from slamomatic.game.state import State
from slamomatic.game.verdict import Action, Verdict, possible
from slamomatic.game.view import View, seen, view

__all__ = [
    "CLASSIC",
    "CLASSIC_JUNIOR",
    "MODERN",
    "PRESETS",
    "Action",
    "BrokenRecord",
    "Card",
    "Choose",
    "Command",
    "Deck",
    "Draw",
    "Edition",
    "Evidence",
    "Fake",
    "IllegalCommand",
    "Judge",
    "Lay",
    "Move",
    "NotationError",
    "Pass",
    "Played",
    "Record",
    "Slam",
    "State",
    "Step",
    "Take",
    "Timing",
    "UnfitEdition",
    "Verdict",
    "View",
    "carry_out",
    "deal",
    "dealt",
    "decide",
    "default",
    "evolve",
    "legal",
    "perft",
    "play",
    "possible",
    "read",
    "replay",
    "score",
    "seen",
    "start",
    "view",
    "write",
]
