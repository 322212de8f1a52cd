"""What is only true while a page is open: connections, readiness, a hand at rest. Nothing here is in the log."""

from __future__ import annotations

from dataclasses import dataclass, field

from slamomatic.table.protocol import Level, Presence
from slamomatic.unit import Hand

STAND_IN = Level.STEADY
"""The bot that plays for someone who is away, or has left in mid-game (B17)."""


@dataclass(slots=True)
class Sitting:
    """One seat, right now. Times in microseconds."""

    connected: bool = False
    hidden: bool = False
    away_since_us: int = 0
    """When the person was last seen; of meaning only while away."""
    ready: bool = False
    locked_until_us: int = 0
    """The hand rests until then (B13)."""
    said_us: int | None = None
    hand: Hand = field(default_factory=Hand)
    """What the unit knows of it: the network is this connection's, the standing this person's."""
    probes: int = 0
    """How often this connection has been measured at rest."""
    bars: int = 0
    """Its round trip as coarsely as everyone was told last."""

    @property
    def here(self) -> bool:
        """Whether the person sees the table."""
        return self.connected and not self.hidden

    @property
    def presence(self) -> Presence:
        """The same, as the others are told."""
        return Presence.HERE if self.here else Presence.AWAY
