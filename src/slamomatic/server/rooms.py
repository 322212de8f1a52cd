"""All tables of this server by their codes: opened, found, and dropped once nobody is left."""

from __future__ import annotations

from random import SystemRandom

from slamomatic.game.edition import Edition
from slamomatic.game.editions import PRESETS
from slamomatic.server import codes
from slamomatic.server.clock import now_us
from slamomatic.server.limits import Limits
from slamomatic.server.metrics import Metrics
from slamomatic.server.room import Room
from slamomatic.server.store import Store
from slamomatic.table.calls import JoinTable, ListedTable, OpenTable, Seated
from slamomatic.table.hands import BotMaker
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import (
    AddBot,
    ByeReason,
    Ready,
    RefusalCode,
)
from slamomatic.table.table import Table

SWEEP_SECONDS = 2.0
"""How often silent sockets and empty tables are looked after."""


class Rooms:
    """The tables in play."""

    def __init__(self, bots: BotMaker, store: Store, limits: Limits, metrics: Metrics) -> None:
        self._bots = bots
        self._store = store
        self._limits = limits
        self._metrics = metrics
        self._rng = SystemRandom()
        """Cards, cue ids, and when a connection is measured: nobody foresees any of them."""
        self._rooms: dict[str, Room] = {}

    def __len__(self) -> int:
        return len(self._rooms)

    def open(self, wish: OpenTable, address: str) -> Seated:
        """Open a table, with its host and the bots he wants.

        Raises:
            Refusal: too many tables, no such edition, or a name nobody could read; nothing has been opened.
        """
        if wish.start and not wish.bots:
            raise Refusal(RefusalCode.NOT_NOW, "to start at once takes a bot to play against: name one in bots")
        if len(self._rooms) >= self._limits.tables:
            raise Refusal(RefusalCode.FULL, "this server has no room for another table: try again later")
        if sum(room.opener == address for room in self._rooms.values()) >= self._limits.tables_per_address:
            raise Refusal(RefusalCode.FULL, "too many tables are open from where you are: close one")
        edition = _edition(wish.edition)
        code = codes.new_code()
        while code in self._rooms:
            code = codes.new_code()
        table, opened = Table.open(
            code, now_us(), self._rng, self._bots, edition=edition, pace=wish.pace, listed=wish.listed
        )
        self._store.append(code, opened.log)
        room = Room(
            code,
            table,
            address,
            store=self._store,
            rng=self._rng,
            bots=self._bots,
            limits=self._limits,
            metrics=self._metrics,
        )
        try:
            seated = room.join(JoinTable(wish.name))
        except Refusal:
            self._drop(room)
            raise
        self._rooms[code] = room
        for level in wish.bots:
            room.speak_for(seated.seat, AddBot(level))
        if wish.start:
            room.speak_for(seated.seat, Ready(ready=True))
        return seated

    def find(self, code: str) -> Room:
        """The room with this code, however it was typed.

        Raises:
            Refusal: there is none.
        """
        room = self._rooms.get(codes.tidied(code))
        if room is None:
            raise Refusal(RefusalCode.NO_TABLE, "there is no table with this code: look at it again, or open a new one")
        return room

    def listed(self) -> tuple[ListedTable, ...]:
        """The open tables whose hosts let strangers find them."""
        rows = (room.table.listing() for room in self._rooms.values())
        return tuple(row for row in rows if row is not None)

    def sweep(self, now: int) -> None:
        """Ping the silent, give up the dead, drop what is abandoned."""
        for room in list(self._rooms.values()):
            room.check(now)
            if room.is_closed or room.is_abandoned(now):
                self._drop(room)

    def close(self, reason: ByeReason, text: str) -> None:
        """Close every table."""
        for room in self._rooms.values():
            room.close(reason, text)

    def _drop(self, room: Room) -> None:
        room.close(ByeReason.CLOSED, "this table is closed")
        self._rooms.pop(room.code, None)
        self._store.forget(room.code)


def _edition(wish: Edition | str) -> Edition:
    if isinstance(wish, Edition):
        return wish
    if wish not in PRESETS:
        raise Refusal(RefusalCode.UNFIT_EDITION, f"there is no such edition; the presets are {', '.join(PRESETS)}")
    return PRESETS[wish]
