"""What the server counts and times, for Prometheus to read: races and verdicts, tables and sockets, loop and database.

Laws of this room:
- races are counted from what tables keep, so a count is of what really happened, and once;
- labels come from closed lists: no table's code, no name, no address is ever among them;
- what stands beside a race costs it next to nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

from aiohttp.typedefs import Handler
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.aiohttp import make_aiohttp_handler

from slamomatic.game.verdict import Verdict
from slamomatic.table.log import Entry, GameBegan, GameMoved, SeatFlagged
from slamomatic.table.output import Decided
from slamomatic.table.protocol import RaceView

LOOP_SECONDS = 0.25
"""How often the loop is asked how late it is."""
_FINE = (0.0005, 0.001, 0.002, 0.003, 0.004, 0.005, 0.0075, 0.010, 0.015, 0.025, 0.050, 0.100, 0.250, 1.0)


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
        self._games = Counter("slamomatic_games", "Games begun.", registry=registry)
        self._tables = Gauge("slamomatic_tables", "Tables awake.", registry=registry)
        self._sockets = Gauge("slamomatic_sockets", "Connections to tables.", registry=registry)
        self._verdicts = Histogram(
            "slamomatic_verdict_seconds",
            "From the arrival of the last thing a verdict needed to its sending.",
            buckets=_FINE,
            registry=registry,
        )
        self._commits = Histogram(
            "slamomatic_commit_seconds", "How long the database takes for a commit.", buckets=_FINE, registry=registry
        )
        self._commit_sizes = Histogram(
            "slamomatic_commit_jobs",
            "How much goes into one commit.",
            buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500),
            registry=registry,
        )
        self._lags = Histogram(
            "slamomatic_loop_lag_seconds", "How late the event loop is.", buckets=_FINE, registry=registry
        )
        self.on_verdict: Callable[[str, Decided, int], None] | None = None
        """Told each verdict as well, if somebody measures: the table, what it hung on, and when it was sent."""
        self.handler: Handler = make_aiohttp_handler(registry)
        """Answers with all of it, in the form Prometheus reads."""

    def note(self, entry: Entry) -> None:
        """Count what a table keeps."""
        match entry:
            case GameMoved(race=RaceView() as race):
                self._races.labels(race.action.value, _word(race.verdict)).inc()
                if race.jam is not None:
                    self._jams.labels(race.jam.value).inc()
                for mark in race.marks:
                    if mark.doubt is not None:
                        self._doubts.labels(mark.doubt.value).inc()
            case GameBegan():
                self._games.inc()
            case SeatFlagged(is_raised=True):
                self._flags.labels(entry.flag.value).inc()
            case _:
                pass

    def verdict(self, code: str, decided: Decided, sent_us: int) -> None:
        """A verdict is on its way."""
        self._verdicts.observe((sent_us - max(decided.settles_us, decided.touched_us or 0)) / 1_000_000)
        if self.on_verdict is not None:
            self.on_verdict(code, decided, sent_us)

    def commit(self, seconds: float, jobs: int) -> None:
        """The database has kept so many things in one go."""
        self._commits.observe(seconds)
        self._commit_sizes.observe(jobs)

    def look(self, tables: int, sockets: int) -> None:
        """How much is here right now."""
        self._tables.set(tables)
        self._sockets.set(sockets)

    async def watch_loop(self) -> None:
        """Measure how late the loop is, as long as the server runs."""
        while True:
            due = monotonic() + LOOP_SECONDS
            await asyncio.sleep(LOOP_SECONDS)
            self._lags.observe(max(0.0, monotonic() - due))


def _word(verdict: Verdict) -> str:
    """A verdict by the one thing it turns on."""
    if verdict.short:
        return "short"
    if verdict.jam:
        return "jam"
    if verdict.last:
        return "last"
    return "early" if verdict.early else "nobody"
