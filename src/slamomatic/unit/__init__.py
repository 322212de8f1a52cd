"""The Slam-o-matic: touches in, a verdict out. It knows seats and time, never cards."""

from slamomatic.unit.adjudicator import Judgement, Race, Reading, UnitRules
from slamomatic.unit.network import Network

__all__ = ["Judgement", "Network", "Race", "Reading", "UnitRules"]
