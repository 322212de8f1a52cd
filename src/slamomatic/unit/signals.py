"""What the unit hears of one hand in one race: arrivals on the server's clock, and what the page itself claims."""

from __future__ import annotations

import msgspec


class Signals(msgspec.Struct):
    """One seat's signals, gathered as they arrive. All times in microseconds on the server's clock."""

    seat: int
    slow_rtt_us: int
    """A slow round trip of this connection: no honest ``shown`` takes much longer than this."""
    answered_us: int | None = None
    """When the first ping sent after the cue was answered: by then the cue was there, and no page can say otherwise."""
    shown_us: int | None = None
    """When the page's word arrived that it has painted the contact, or the withdrawal."""
    frame_us: int | None = None
    """The page's own measure from that frame's timestamp to its word."""
    touch_us: int | None = None
    """When the touch arrived."""
    claim_us: int | None = None
    """The page's own measure from its word to the touch."""
