"""From a finished game to what is kept of it: its text, its players' numbers, their ratings.

Laws of this room:
- who played and how it came out is written with the move that ended the game, so no crash can part the two;
- the rest is written a moment later, beside the tables' work: from the table's log, piece by piece, one game at a time;
- what a crash or a full queue left undone is done by whoever looks next, and nothing is done twice;
- the text has no names in it: see :mod:`~slamomatic.server.storage.games`.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from slamomatic.game.dealing import HANDS_OF_THE_UNIT
from slamomatic.game.notation import write
from slamomatic.game.record import BrokenRecord, Move, Record
from slamomatic.server.clock import now_us
from slamomatic.server.games import ratings
from slamomatic.server.games.aside import Aside
from slamomatic.server.games.tallies import GameTally, game_tallies
from slamomatic.server.limits import MINUTE
from slamomatic.server.storage import games as stored
from slamomatic.server.storage.database import Database, StorageError
from slamomatic.server.storage.games import Line, Unwritten
from slamomatic.table.log import Entry, GameBegan, GameMoved, SeatHandedOver, decode
from slamomatic.table.outcome import Outcome
from slamomatic.table.records import moves_of

log = logging.getLogger(__name__)

MOST_WAITING = 1_000
"""So many games wait to be written down; those beyond it are found at the next look."""
LOOK_SECONDS = 60.0
"""How often it is looked for games that were left undone."""
LOOK_BACK_US = 60 * MINUTE
"""How far back, after the first look of all: so late another server may have died, or its clock be."""
PIECE = 100
"""So many entries of a log are read at once."""
LISTEN_SECONDS = 0.2
"""So soon after it has ended a game is written down, if nothing else is."""
RESTS = 9
"""For so long as a game took, times this, the tables have the machine to themselves."""


class Written(NamedTuple):
    """What a log makes of one game."""

    text: str
    tallies: dict[int, str]
    """JSON, by seat."""


class Archivist:
    """Writes down the games that are over."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._aside = Aside()
        self._finished: asyncio.Queue[tuple[Unwritten, bool]] = asyncio.Queue(MOST_WAITING)
        """With each, whether it is rated."""
        self._stopping = asyncio.Event()
        self._hopeless: set[str] = set()
        """Games whose log makes no record: a fault of ours, told once."""

    def finished(self, outcome: Outcome) -> None:
        """This game is over, and its rows are kept: write it down soon."""
        if not self._finished.full():
            self._finished.put_nowait((Unwritten(outcome.game, outcome.code), outcome.rated))

    def stop(self) -> None:
        """Let :meth:`run` end with the game it is at; what is not written down then is left over for the next start."""
        self._stopping.set()

    async def run(self) -> None:
        """Write down what is left over from before, then every game as it ends; until stopped."""
        loop = asyncio.get_running_loop()
        since_us = 0
        while not self._stopping.is_set():
            looked_us = now_us()
            if await self._try(partial(self.catch_up, since_us)):
                since_us = looked_us - LOOK_BACK_US
            next_look = loop.time() + LOOK_SECONDS
            while loop.time() < next_look and not self._stopping.is_set():
                if self._finished.empty():
                    await self._rest(min(LISTEN_SECONDS, next_look - loop.time()))
                    continue
                game, is_rated = self._finished.get_nowait()
                await self._try(partial(self._write, game))
                if is_rated:
                    await self._try(self._rate)

    async def catch_up(self, since_us: int = 0) -> None:
        """Do all that is undone of games that ended since then, as long as their logs are there.

        Raises:
            StorageError: the database does not answer.
        """
        async with self._database.read() as connection:
            left_over = await stored.unwritten(connection, since_us)
        for game in left_over:
            if self._stopping.is_set():
                return
            await self._write(game)
        await ratings.rate_due(self._database, self._aside, since_us)

    async def _rest(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopping.wait()

    async def _rate(self) -> None:
        await ratings.rate_due(self._database, self._aside, now_us() - LOOK_BACK_US)

    async def _write(self, game: Unwritten) -> None:
        if game.game in self._hopeless:
            return
        began = asyncio.get_running_loop().time()
        entries = await self._entries(game)
        if entries is None:
            return
        try:
            written = await self._aside.do(written_down, entries)
        except BrokenRecord:
            self._hopeless.add(game.game)
            log.exception("game %s of table %s makes no record", game.game, game.code)
            return
        await self._database.write(
            partial(stored.write_down, game=game.game, record=written.text, tallies=written.tallies)
        )
        await self._rest(RESTS * (asyncio.get_running_loop().time() - began))

    async def _entries(self, game: Unwritten) -> list[Entry] | None:
        """The game's part of its table's log, read from its end; None: the log is not there any more."""
        found: list[Entry] = []
        before = None
        while True:
            async with self._database.read() as connection:
                lines = await stored.log_backwards(connection, game.code, before, PIECE)
            if not lines:
                return None
            before = lines[-1].seq
            for entry in await self._aside.do(_decoded, lines):
                found.append(entry)
                if isinstance(entry, GameBegan):
                    if entry.game == game.game:
                        return found[::-1]
                    found = []

    async def _try(self, work: Callable[[], Awaitable[None]]) -> bool:
        """Whatever goes wrong with one game must not end the others'."""
        try:
            await work()
        except (StorageError, SQLAlchemyError) as error:
            log.warning("games are written down later: %s", error)
            return False
        except Exception:
            log.exception("a game could not be written down")
            return False
        return True


def written_down(entries: Sequence[Entry]) -> Written:
    """A game from its part of the log, from the deal on.

    Raises:
        BrokenRecord: it is no game by the rules.
    """
    began, *rest = entries
    assert isinstance(began, GameBegan)
    moves: list[Move] = []
    got_up: dict[int, int] = {}
    for entry in rest:
        match entry:
            case GameMoved():
                moves += moves_of(entry)
            case SeatHandedOver(seat):
                got_up.setdefault(seat, len(moves))
            case _:
                pass
    tallies = {seat: GameTally() for seat in HANDS_OF_THE_UNIT} | game_tallies(moves, got_up)
    return Written(
        text=write(Record(began.dealt, tuple(moves))),
        tallies={seat: msgspec.json.encode(tally).decode() for seat, tally in tallies.items()},
    )


def with_names(text: str, names: Mapping[int, str]) -> str:
    """The text of a game as it is shown: with the names its players have today."""
    for seat, name in names.items():
        text = text.replace(f"\nseat {seat}: ?\n", f"\nseat {seat}: {json.dumps(name, ensure_ascii=False)}\n", 1)
    return text


def _decoded(lines: Sequence[Line]) -> list[Entry]:
    return [decode(line.version, line.body) for line in lines]
