"""So many tables of players at a server: seated by its calls, connected, and set to play.

Law of this room: everyone sits, and then everyone is connected, before the first game begins, so that the memory of
each step can be looked at between them.
"""

from __future__ import annotations

import http.client
from collections.abc import Callable
from random import Random
from urllib.parse import urlsplit

import msgspec

from slamomatic.lab.load_lines import Broken, Loop, now_us
from slamomatic.lab.load_players import EDITION, HANDS, SECOND, Notes, Party, Player
from slamomatic.table.calls import JoinTable, OpenTable, Seated
from slamomatic.table.protocol import Pace

PATIENCE_US = 20 * SECOND
"""Nothing a crowd waits for takes this long on a server that works."""
NAMES = ("Ann", "Bob", "Kit", "Sam")


class Crowd:
    """Players of one kind at one server."""

    def __init__(self, url: str, kind: type[Player], seed: int) -> None:
        where = urlsplit(url)
        assert where.hostname is not None
        self.notes = Notes()
        self.parties: list[Party] = []
        self.loop = Loop()
        self._address = (where.hostname, where.port or 80)
        self._base = where.path.rstrip("/")
        self._kind = kind
        self._rng = Random(seed)
        self._seats: list[list[Seated]] = []

    def sit_down(self, tables: int, pace: Pace) -> None:
        """Open so many tables and fill them.

        Raises:
            Broken: the server refuses.
        """
        http_ = http.client.HTTPConnection(*self._address, timeout=PATIENCE_US / SECOND)
        for _ in range(tables):
            host, *others = NAMES
            opened = self._call(http_, "tables", OpenTable(host, EDITION, pace))
            joined = [self._call(http_, f"tables/{opened.code}/join", JoinTable(name)) for name in others]
            self._seats.append([opened, *joined])
        http_.close()

    def seat(self, tables: list[list[Seated]]) -> None:
        """Take seats that were got otherwise."""
        self._seats += tables

    def connect(self) -> None:
        """Every seat gets its socket; few at a time, as a listening socket has room for few.

        Raises:
            Broken: somebody is not welcomed.
        """
        for seats in self._seats:
            party = Party(self.loop, self.notes, seats[0].code, self._rng)
            self.parties.append(party)
            for seated in seats:
                self._kind(party, seated, self._address, f"{self._base}/ws/{party.code}")
            self._wait(lambda party=party: party.welcomed == HANDS, "a player is not welcomed")  # type: ignore[misc]
        self._seats.clear()

    def begin(self, within_us: int) -> None:
        """The games begin, at one table after the other."""
        began_us = now_us()
        for party in self.parties:
            self.loop.at(began_us + self._rng.randrange(max(1, within_us)), party.begin)

    def play(self, us: int) -> None:
        """For so long.

        Raises:
            Broken: somebody was sent away, or cut off.
        """
        self.loop.run_until(now_us() + us)
        closed = sum(player.line.is_closed for party in self.parties for player in party.players)
        if closed:
            raise Broken(f"{closed} sockets were closed while they played ({dict(self.notes.byes)})")

    def pings(self) -> int:
        """How many were answered so far."""
        return sum(player.line.pings for party in self.parties for player in party.players)

    def leave(self) -> None:
        """Everyone goes."""
        for party in self.parties:
            party.leave()

    def _wait(self, is_so: Callable[[], bool], trouble: str) -> None:
        too_late_us = now_us() + PATIENCE_US
        self.loop.run(lambda: is_so() or now_us() > too_late_us)
        if not is_so():
            raise Broken(trouble)

    def _call(self, http_: http.client.HTTPConnection, path: str, body: OpenTable | JoinTable) -> Seated:
        http_.request(
            "POST",
            f"{self._base}/api/{path}",
            msgspec.json.encode(body),
            {"Content-Type": "application/json"},
        )
        answer = http_.getresponse()
        data = answer.read()
        if answer.status != http.client.CREATED:
            raise Broken(f"POST {path}: {data[:300].decode(errors='replace')}")
        return msgspec.json.decode(data, type=Seated)
