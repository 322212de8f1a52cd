"""What a table wants done: entries kept, messages sent, connections measured, itself woken."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from slamomatic.table.log import Entry
from slamomatic.table.outcome import Outcome
from slamomatic.table.protocol import RefusalCode, ServerMessage


class Send(msgspec.Struct, frozen=True):
    """One message to a seat, or to every watcher (None). After a ``Bye`` that socket is closed."""

    to: int | None
    message: ServerMessage


class Decided(msgspec.Struct, frozen=True):
    """A verdict goes out with this. Times in microseconds, by the table's clock."""

    seq: int
    """Of the ``Moved`` that tells it."""
    settles_us: int
    """From then on the unit waited for nothing more."""
    touched_us: int | None
    """When the last touch arrived; None: nobody touched."""


@dataclass
class Output:
    """What came of one call. The log must be kept before anything is sent."""

    sends: list[Send] = field(default_factory=list)
    log: list[Entry] = field(default_factory=list)
    probes: list[int] = field(default_factory=list)
    """Seats whose connection is to be pinged now."""
    finished: Outcome | None = None
    """The game that ended with this, to be kept together with the log."""
    decided: Decided | None = None
    wake_us: int | None = None
    """When ``tick`` must be called at the latest; None: not until someone comes back."""


class Refusal(Exception):
    """The table does not do this; ``text`` says why, and what to do instead. Nothing has changed."""

    def __init__(self, code: RefusalCode, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
