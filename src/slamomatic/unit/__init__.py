"""The Slam-o-matic: touches in, a verdict out. It knows seats and time, never cards."""

from slamomatic.unit.adjudicator import Jam, Judgement, Race, Reading, UnitRules
from slamomatic.unit.evidence import Doubt
from slamomatic.unit.network import Network
from slamomatic.unit.signals import Hand
from slamomatic.unit.standing import Flag, Standing, Trace

__all__ = [
    "Doubt",
    "Flag",
    "Hand",
    "Jam",
    "Judgement",
    "Network",
    "Race",
    "Reading",
    "Standing",
    "Trace",
    "UnitRules",
]
