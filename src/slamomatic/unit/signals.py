"""What the unit hears of one hand in one race: arrivals on the server's clock, and what the page itself claims.

A stream is ordered both ways, so every pong is a witness: what arrives after it was sent after its ping had come. The
pings of the train that runs through a race, the last answered one before each word and touch, say what the path did at
that very moment.
"""

from __future__ import annotations

from slamomatic.unit.network import Network
from slamomatic.unit.standing import Standing

CLIPPED_EXCESS_US = 20_000
"""Above this one slow round trip says no more of a path's unrest than another."""


class Hand:
    """Whose hand it is to the unit: its connection now, and its standing from the races before."""

    __slots__ = ("network", "standing")

    def __init__(self, network: Network | None = None, standing: Standing | None = None) -> None:
        self.network = network or Network()
        self.standing = standing or Standing()


class Signals:
    """One seat's signals, gathered as they arrive. All times in microseconds on the server's clock."""

    __slots__ = (
        "answered_us",
        "claim_us",
        "cue_us",
        "frame_us",
        "grain_us",
        "hand",
        "heard_us",
        "least_us",
        "moved_by_server",
        "pong_us",
        "pongs",
        "shown_us",
        "shown_witness_us",
        "touch_pong_us",
        "touch_us",
        "touch_witness_us",
        "touched_unseen",
        "unrest",
    )

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.moved_by_server = False
        """A bot's hand: its times are the server's own."""
        self.cue_us: int | None = None
        """When the cue for how the reach ended was sent."""
        self.answered_us: int | None = None
        """When the first ping sent after the cue was answered: by then the cue was there, and no page can deny it."""
        self.heard_us: int | None = None
        """When the last ping was sent that has been answered so far."""
        self.pong_us: int | None = None
        """When that answer came."""
        self.shown_us: int | None = None
        """When the page's word arrived that it has painted how the reach ended."""
        self.shown_witness_us: int | None = None
        """When the last ping was sent whose pong came before that word."""
        self.frame_us = 0
        """How long a frame takes, by the page's own measure."""
        self.grain_us = 0
        """How coarse the page's clock is, by its own measure."""
        self.touch_us: int | None = None
        """When the touch arrived."""
        self.touch_witness_us: int | None = None
        """When the last ping was sent whose pong came before the touch."""
        self.touch_pong_us: int | None = None
        """When the last answer before the touch came."""
        self.touched_unseen = False
        """The touch came before the page's word."""
        self.claim_us: int | None = None
        """The page's own measure from its word to the touch; None: it had said nothing yet, or makes no claim."""
        self.pongs = 0
        self.least_us: int | None = None
        """The lowest round trip in this race."""
        self.unrest = 0
        """The sum of the squared, clipped excesses over the connection's lowest round trip."""

    def answered(self, sent_us: int, now_us: int) -> None:
        """A ping sent then is answered now; pongs come in the order of their pings."""
        self.heard_us = sent_us
        self.pong_us = now_us
        if self.answered_us is None and self.cue_us is not None and sent_us >= self.cue_us:
            self.answered_us = now_us
        rtt_us = now_us - sent_us
        if self.least_us is None or rtt_us < self.least_us:
            self.least_us = rtt_us
        path_us = self.hand.network.least_us
        if path_us is not None:
            excess_us = min(max(rtt_us - path_us, 0), CLIPPED_EXCESS_US)
            self.unrest += excess_us * excess_us
        self.pongs += 1

    @property
    def mean_unrest(self) -> int:
        """The mean squared, clipped excess of the round trips so far; 0 before the first."""
        return self.unrest // self.pongs if self.pongs else 0

    def shown(self, now_us: int, frame_us: int, grain_us: int) -> None:
        """The page's word arrives."""
        self.shown_us = now_us
        self.shown_witness_us = self.heard_us
        self.frame_us = frame_us
        self.grain_us = grain_us

    def touched(self, now_us: int, claim_us: int | None) -> None:
        """The touch arrives."""
        self.touch_us = now_us
        self.touch_witness_us = self.heard_us
        self.touch_pong_us = self.pong_us
        self.touched_unseen = self.shown_us is None
        self.claim_us = None if self.touched_unseen else claim_us
