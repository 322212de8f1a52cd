"""All tables of this server by their codes: opened, found, woken from the database, put to sleep, closed.

Laws of this room:
- a table lives in memory only while somebody is at it; the database has all of it, and a table is found there by
  whoever knows its code;
- whose a table is the database says: what another server holds is not played here;
- nothing that looks after all tables does so in one go: hands are on the unit meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial

from slamomatic.game.edition import Edition
from slamomatic.game.editions import PRESETS
from slamomatic.server import codes
from slamomatic.server.chance import SystemChance
from slamomatic.server.clock import now_us
from slamomatic.server.games.archive import Archivist
from slamomatic.server.limits import MINUTE, Limits
from slamomatic.server.metrics import Metrics
from slamomatic.server.room import Room
from slamomatic.server.standings import Standings
from slamomatic.server.storage.logs import Claim, Elsewhere, Logs, NoTable, Row, StorageError
from slamomatic.server.trains import Traffic
from slamomatic.table.calls import JoinTable, ListedTable, OpenTable, QuickMatch, Seated
from slamomatic.table.guests import Guest
from slamomatic.table.hands import BotMaker
from slamomatic.table.log import decode
from slamomatic.table.memory import Memory
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import AddBot, ByeReason, Phase, Ready, RefusalCode
from slamomatic.table.table import Table

log = logging.getLogger(__name__)

SWEEP_SECONDS = 2.0
"""How often silent sockets and empty tables are looked after."""
AT_ONCE = 20
"""So many tables are looked after, or so many entries of one are read, before others get their turn."""
BREATH_SECONDS = 0.002
"""That turn, where nobody waits for the end."""
MOST_LISTED = 100
FEW_ENTRIES = 40
"""A log shorter than this tells of people who sat down, and of a few moves at most."""
MAX_BREAKS = 5
"""A table that breaks more often within a minute is closed."""


class Rooms:
    """The tables in play."""

    def __init__(
        self,
        bots: BotMaker,
        logs: Logs,
        archivist: Archivist,
        is_banned: Callable[[str], Awaitable[bool]],
        standings: Standings,
        limits: Limits,
        metrics: Metrics,
    ) -> None:
        self._bots = bots
        self._logs = logs
        self._archivist = archivist
        self._is_banned = is_banned
        self._standings = standings
        self._limits = limits
        self._metrics = metrics
        self.traffic = Traffic()
        self._rng = SystemChance()
        """Cards, cue ids, and when a connection is measured: nobody foresees any of them."""
        self._rooms: dict[str, Room] = {}
        self._waking: dict[str, asyncio.Task[Room]] = {}
        self._breaks: dict[str, deque[int]] = {}
        """When tables have broken lately."""

    def __len__(self) -> int:
        return len(self._rooms)

    # Opened and found.

    async def open(self, wish: OpenTable, opener: str, guest: Guest) -> Seated:
        """Open a table, with its host and the bots he wants.

        Raises:
            Refusal: too many tables, no such edition, or a name nobody may have; nothing has been opened.
        """
        if wish.start and not wish.bots:
            raise Refusal(RefusalCode.NOT_NOW, "to start at once takes a bot to play against: name one in bots")
        room, seated = await self._open(wish, opener, guest, is_quick=False)
        for level in wish.bots:
            await room.speak_for(seated.seat, AddBot(level))
        if wish.start:
            await room.speak_for(seated.seat, Ready(ready=True))
        return seated

    async def quick(self, wish: QuickMatch, opener: str, guest: Guest) -> Seated:
        """Sit down at the best open table, or at a new one that others will find.

        Raises:
            Refusal: as for :meth:`open`.
        """
        edition = _edition(wish.edition)
        for room in self._best(edition):
            try:
                return await room.join(JoinTable(wish.name), guest)
            except Refusal as refusal:  # somebody was quicker, or he is not wanted there: the next one
                if refusal.code is RefusalCode.BAD_NAME:
                    raise
        fresh = OpenTable(wish.name, edition, listed=True)
        return (await self._open(fresh, opener, guest, is_quick=True))[1]

    async def find(self, code: str) -> Room:
        """The room with this code, however it was typed; if it sleeps it is woken.

        Raises:
            Refusal: there is none, or it is another server's just now.
        """
        code = codes.tidied(code)
        if not codes.is_code(code):
            raise _no_table()
        room = self._rooms.get(code)
        if room is not None and not room.is_closed:
            return room
        task = self._waking.get(code)
        if task is None:
            task = self._waking[code] = asyncio.create_task(self._wake(code))
            task.add_done_callback(lambda _: self._waking.pop(code, None))
        return await asyncio.shield(task)

    def here(self, code: str) -> Room | None:
        """The room with this code, if it is awake."""
        return self._rooms.get(codes.tidied(code))

    def rooms(self) -> Iterable[Room]:
        """Those awake."""
        return list(self._rooms.values())

    def listed(self) -> tuple[ListedTable, ...]:
        """The tables whose hosts let strangers find them, so many as anybody reads; those to be joined come first."""
        rows = [row for room in self._rooms.values() if (row := room.table.listing()) is not None]
        rows.sort(key=lambda row: (row.free == 0, -row.players, -row.watchers, row.code))
        return tuple(rows[:MOST_LISTED])

    # Upkeep.

    async def sweep(self, now: int) -> None:
        """Ping the silent, give up the dead, put to sleep what is empty; a few tables at a time."""
        for number, room in enumerate(list(self._rooms.values())):
            if number % AT_ONCE == 0:
                await asyncio.sleep(BREATH_SECONDS)
            room.check(now)
            if room.is_closed or room.may_sleep(now):
                await self._put_away(room)

    async def close_abandoned(self, now: int) -> None:
        """Close the tables nobody has touched for so long that nobody will come back."""
        limits = self._limits
        abandoned = await self._logs.stale(now - limits.abandoned_us, limit=100)
        abandoned += await self._logs.stale(now - limits.unplayed_us, limit=100, shorter_than=FEW_ENTRIES)
        for code in abandoned:
            room = self._rooms.get(code)
            if room is None or not any(room.sockets()):
                await self.close_table(code)

    async def close_table(self, code: str) -> None:
        """Close a table for good; its finished games stay."""
        room = self._rooms.pop(code, None)
        if room is not None:
            room.close(ByeReason.CLOSED, "this table is closed")
            await room.settled()
        await self._logs.close_table(code, now_us())

    async def banish(self, person: str) -> None:
        """This person may not play here any more: wherever he sits, he gets up."""
        for room in self.rooms():
            if room.table.record.seat_of(person) is not None:
                await room.act(partial(room.table.banish, person=person))

    async def rename(self, person: str, name: str) -> None:
        """This person has another name, wherever he sits."""
        for room in self.rooms():
            await room.act(partial(room.table.rename_person, person=person, name=name))

    async def shut(self, text: str) -> None:
        """The server stops: everyone is told to come back, what has happened is kept, and no table is ours any more."""
        rooms = list(self._rooms.values())
        for room in rooms:
            room.close(ByeReason.RESTART, text)
        for room in rooms:
            await room.settled()
        await self._logs.release([room.claim for room in rooms])

    # Inside.

    def _best(self, edition: Edition) -> list[Room]:
        """The open tables of this edition where somebody waits, the fullest first."""
        fits = []
        for room in self._rooms.values():
            row = room.table.listing()
            if row is None or not row.free or row.rated or room.table.record.edition != edition:
                continue
            if row.phase is not Phase.PLAYING and room.table.is_attended:
                fits.append((-row.players, row.code, room))
        return [room for _, _, room in sorted(fits, key=lambda fit: fit[:2])]

    async def _open(self, wish: OpenTable, opener: str, guest: Guest, *, is_quick: bool) -> tuple[Room, Seated]:
        edition = _edition(wish.edition)
        self._check_room_for_one_more(opener)
        claim = None
        while claim is None:
            claim = await self._logs.open(codes.new_code(), now_us())
        try:
            table, opened = Table.open(
                claim.code,
                now_us(),
                self._rng,
                self._bots,
                edition=edition,
                pace=wish.pace,
                listed=wish.listed,
                quick=is_quick,
                rated=wish.rated,
            )
            room = self._room(table, claim, opener)
            room.begin(opened)
            self._rooms[claim.code] = room
            return room, await room.join(JoinTable(wish.name), guest)
        except Refusal:
            await self.close_table(claim.code)
            raise

    def _check_room_for_one_more(self, opener: str) -> None:
        if len(self._rooms) + len(self._waking) >= self._limits.tables:
            raise Refusal(RefusalCode.FULL, "this server has no room for another table: try again later")
        if sum(room.opener == opener for room in self._rooms.values()) >= self._limits.tables_per_opener:
            raise Refusal(RefusalCode.FULL, "you have too many tables open: close one")

    async def _wake(self, code: str) -> Room:
        """A table from the database, as it was.

        Raises:
            Refusal: there is none, or it is another server's just now, or there is no room for it.
        """
        left = self._rooms.get(code)
        if left is not None:
            await self._put_away(left)
        if len(self._rooms) >= self._limits.tables:
            raise Refusal(RefusalCode.FULL, "this server has no room for another table: try again later")
        try:
            claim = await self._logs.claim(code, now_us())
            rows, alive_us = await self._logs.rows(claim)
            table = await self._remembered(rows, alive_us)
        except NoTable:
            raise _no_table() from None
        except Elsewhere:
            text = "another server holds this table just now: try again in a moment"
            raise Refusal(RefusalCode.ELSEWHERE, text) from None
        except StorageError as error:
            log.error("table %s cannot be read: %s", code, error)
            raise Refusal(
                RefusalCode.UNAVAILABLE, "this table cannot be read just now: try again in a moment"
            ) from None
        room = self._rooms[code] = self._room(table, claim, opener="")
        room.begin(table.tick(now_us()))
        for sitter in list(table.record.seats.values()):
            if sitter.person is not None and await self._is_banned(sitter.person):
                await room.act(partial(table.banish, person=sitter.person))
        return room

    async def _remembered(self, rows: Sequence[Row], alive_us: int) -> Table:
        memory = Memory()
        for number, row in enumerate(rows, 1):
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)
            memory.take(decode(row.version, row.body))
        return Table.remember(memory, now_us(), alive_us, self._rng, self._bots, self._standings)

    async def _put_away(self, room: Room) -> None:
        """Out of memory: it sleeps in the database, or has been lost to it, or has broken once too often."""
        room.close(ByeReason.RESTART, "this table is being put away: come back in a moment")
        await room.settled()
        if self._rooms.get(room.code) is room:
            del self._rooms[room.code]
        if room.is_broken and self._breaks_again(room.code):
            log.error("table %s broke %d times within a minute and is closed", room.code, MAX_BREAKS)
            await self.close_table(room.code)
        else:
            await self._logs.release([room.claim])

    def _breaks_again(self, code: str) -> bool:
        now = now_us()
        self._breaks = {known: times for known, times in self._breaks.items() if now - times[-1] < MINUTE}
        times = self._breaks.setdefault(code, deque(maxlen=MAX_BREAKS))
        times.append(now)
        return len(times) == MAX_BREAKS and now - times[0] < MINUTE

    def _room(self, table: Table, claim: Claim, opener: str) -> Room:
        return Room(
            table,
            claim,
            opener,
            logs=self._logs,
            archivist=self._archivist,
            limits=self._limits,
            metrics=self._metrics,
            traffic=self.traffic,
        )


def _edition(wish: Edition | str) -> Edition:
    if isinstance(wish, Edition):
        return wish
    if wish not in PRESETS:
        raise Refusal(RefusalCode.UNFIT_EDITION, f"there is no such edition; the presets are {', '.join(PRESETS)}")
    return PRESETS[wish]


def _no_table() -> Refusal:
    return Refusal(RefusalCode.NO_TABLE, "there is no table with this code: look at it again, or open a new one")
