"""What the server counts, for Prometheus to read: how races end, and how far pages were believed.

Laws of this room:
- everything is counted from what tables keep, so a count is of what really happened, and once;
- labels come from closed lists: no table's code, no name, no address is ever among them.
"""

from __future__ import annotations

from aiohttp.typedefs import Handler
from prometheus_client import CollectorRegistry, Counter
from prometheus_client.aiohttp import make_aiohttp_handler

from slamomatic.game.verdict import Verdict
from slamomatic.table.log import Entry, GameMoved, SeatFlagged
from slamomatic.table.protocol import RaceView


class Metrics:
    """The counts of one server since it was started."""

    def __init__(self) -> None:
        registry = CollectorRegistry()
        self._races = Counter(
            "slamomatic_races",
            "Slams and fakes judged, by what the unit said.",
            ("action", "verdict"),
            registry=registry,
        )
        self._jams = Counter("slamomatic_jams", "Races that jammed, by why.", ("cause",), registry=registry)
        self._doubts = Counter(
            "slamomatic_doubts",
            "Hands whose page's word was not taken as it came, by why.",
            ("reason",),
            registry=registry,
        )
        self._flags = Counter(
            "slamomatic_flags", "Flags raised over seats' connections, by kind.", ("flag",), registry=registry
        )
        self.handler: Handler = make_aiohttp_handler(registry)
        """Answers with all of it, in the form Prometheus reads."""

    def note(self, entry: Entry) -> None:
        """Count what a table has just kept."""
        match entry:
            case SeatFlagged(is_raised=True):
                self._flags.labels(entry.flag.value).inc()
            case GameMoved(race=RaceView() as race):
                self._races.labels(race.action.value, _word(race.verdict)).inc()
                if race.jam is not None:
                    self._jams.labels(race.jam.value).inc()
                for mark in race.marks:
                    if mark.doubt is not None:
                        self._doubts.labels(mark.doubt.value).inc()
            case _:
                pass


def _word(verdict: Verdict) -> str:
    """A verdict by the one thing it turns on."""
    if verdict.short:
        return "short"
    if verdict.jam:
        return "jam"
    if verdict.last:
        return "last"
    return "early" if verdict.early else "nobody"
