"""Tables whose games are over, kept as a server keeps them: logs with made-up races, and the rows that end them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from random import Random
from typing import Any

from sqlalchemy import insert

from slamomatic.game import CLASSIC, Edition, legal, play, start
from slamomatic.game.commands import Command, Fake, Judge, Slam
from slamomatic.game.dealing import dealt
from slamomatic.game.edition import DealerChoice
from slamomatic.game.events import Event
from slamomatic.game.state import State
from slamomatic.game.verdict import Action, Verdict
from slamomatic.server.storage.database import Database, StorageError
from slamomatic.server.storage.games import keeping
from slamomatic.server.storage.logs import Logs, Row
from slamomatic.server.storage.schema import people
from slamomatic.table.log import (
    LOG_VERSION,
    Entry,
    GameBegan,
    GameMoved,
    Opened,
    SeatTaken,
    encode,
)
from slamomatic.table.outcome import Outcome, Player
from slamomatic.table.protocol import Level, Mark, Pace, RaceView
from slamomatic.unit import Jam

BEGAN_US = 1_760_000_000_000_000
MINUTE_US = 60_000_000
PATIENCE_SECONDS = 30.0


def table_entries(code: str, edition: Edition = CLASSIC, seats: Mapping[int, str] | None = None) -> list[Entry]:
    """A table at which these people sit, by seat."""
    opened = Opened(code, edition, Pace.NORMAL, listed=False, quick=False, rated=True)
    sitters = (seats or {1: "ann", 2: "bob"}).items()
    return [opened, *(SeatTaken(seat, one.title(), "hash", None, one, 7, None) for seat, one in sitters)]


def game_entries(
    game: str,
    *,
    edition: Edition = CLASSIC,
    seats: tuple[int, ...] = (1, 2),
    seed: int = 1,
    bots: Collection[int] = (),
    most: int = 10**6,
) -> list[Entry]:
    """A game played by chance, to its end or for so many moves; hands of ``bots`` leave marks as a bot's does."""
    rng = Random(seed)
    dealer = seats[0] if edition.dealer is DealerChoice.CHOSEN else None
    deal = dealt(edition, seats, rng, dealer)
    state = start(deal)
    entries: list[Entry] = [GameBegan(BEGAN_US, game, deal)]
    while state.ended is None and len(entries) <= most:
        command = rng.choice(legal(state))
        commands: tuple[Command, ...] = (command,)
        racers = state.racers
        state, events = play(state, command, rng)
        race = None
        if isinstance(command, Slam | Fake) and not racers:  # B10: a hand alone, so there is nothing to judge
            race = race_of(state, command, racers, Verdict(), rng, bots)
        elif isinstance(command, Slam | Fake):
            verdict = rng.choice([one.verdict for one in legal(state) if isinstance(one, Judge)])
            race = race_of(state, command, racers, verdict, rng, bots)
            commands = (command, Judge(verdict))
            state, more = play(state, Judge(verdict), rng)
            events = (*events, *more)
        entries.append(GameMoved(BEGAN_US + len(entries), commands, tuple(events), race))
    return entries


def race_of(
    state: State, command: Slam | Fake, racers: tuple[int, ...], verdict: Verdict, rng: Random, bots: Collection[int]
) -> RaceView:
    """A race with hands that bear this verdict out."""
    is_fake = isinstance(command, Fake)
    marks = []
    for seat in racers if not verdict.short else ():
        time_us: int | None = rng.randrange(150_000, 300_000)
        if seat in verdict.early:
            time_us = -rng.randrange(1, 100_000)
        elif verdict.last == (seat,) or (verdict.jam and not verdict.early):
            time_us = 350_000
        elif len(verdict.last) > 1 and seat in verdict.last:
            time_us = None
        if is_fake and seat not in verdict.early:
            time_us = None
        is_own = seat not in bots and time_us is not None
        marks.append(Mark(seat, time_us, 100 if is_own else 0, seat in verdict.early, None))
    alone = len(racers) == 1 and not is_fake and not verdict.short
    return RaceView(
        seat=command.seat,
        action=Action.FAKE if is_fake else Action.SLAM,
        marks=tuple(marks),
        verdict=verdict,
        tau_us=2_000,
        jam=Jam.CLOSE if verdict.jam else None,
        alike=(),
        duel_limit_us=state.edition.duel_limit_ms * 1_000 if alone and state.edition.duel_limit_ms else None,
    )


def events_of(entries: Iterable[Entry]) -> list[Event]:
    """All that happened in these entries, the deal first."""
    found: list[Event] = []
    for entry in entries:
        match entry:
            case GameBegan(dealt=deal):
                found.append(deal)
            case GameMoved():
                found += entry.events
            case _:
                pass
    return found


def outcome_of(
    game: str,
    people: Mapping[int, str | None],
    *,
    code: str = "GAMES7",
    places: Mapping[int, int] | None = None,
    left: Collection[int] = (),
    **more: Any,
) -> Outcome:
    """How a game came out for these people, by seat; without ``places``, in the order of the seats."""
    settings: dict[str, Any] = {
        "number": 1,
        "edition": "Classic",
        "rated": False,
        "public": False,
        "called_off": False,
        "began_us": BEGAN_US,
        "ended_us": BEGAN_US + 5 * MINUTE_US,
    }
    places = places or {seat: place for place, seat in enumerate(people, 1)}
    players = tuple(
        Player(
            seat,
            (one or "bot").title(),
            one,
            7,
            None if one else Level.GENTLE,
            places[seat],
            10 - seat,
            places[seat] == 1,
            seat in left,
        )
        for seat, one in people.items()
    )
    return Outcome(game=game, code=code, players=players, **(settings | more))


async def until(condition: Callable[[], Awaitable[object]]) -> None:
    """Wait until this is so; a test that fails does not hang."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            if await condition():
                return
            await asyncio.sleep(0.01)


class Keeper:
    """A server's hand in the database: it keeps logs and games."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.logs = Logs(database, "test")
        self._now_us = BEGAN_US

    async def people(self, *names: str) -> None:
        """These are people; their id is their name in small letters."""
        rows = [{"id": one.lower(), "name": one.title(), "avatar": 7, "made_us": 1, "seen_us": 1} for one in names]
        await self.database.write(lambda connection: connection.execute(insert(people), rows))

    async def table(self, code: str, entries: list[Entry], outcomes: Iterable[Outcome] = ()) -> None:
        """A table with this log; the games that ended are kept with its last entry."""
        claim = await self.logs.open(code, self._now_us)
        assert claim is not None
        first, *rows = [Row(seq, LOG_VERSION, encode(entry)) for seq, entry in enumerate(entries)]
        self.logs.append(claim, [first], lambda _: None)  # from now on SQLite is written to by its own process
        done: asyncio.Future[StorageError | None] = asyncio.get_running_loop().create_future()
        jobs = [keeping(outcome) for outcome in outcomes]

        async def also(connection: Any) -> None:
            for job in jobs:
                await job(connection)

        self.logs.append(claim, rows, done.set_result, jobs[0] if len(jobs) == 1 else also)
        error = await done
        if error is not None:
            raise error

    async def game(self, outcome: Outcome) -> None:
        """A game whose log is nowhere."""
        await self.database.write(keeping(outcome))

    async def played(self, game: str, people: Mapping[int, str], **settings: Any) -> list[Entry]:
        """A table of its own for a whole game of these people."""
        more = {key: settings.pop(key) for key in ("rated", "public", "ended_us") if key in settings}
        code = settings.pop("code", game.upper())
        entries = game_entries(game, seats=tuple(people), **settings)
        outcome = outcome_of(game, people, code=code, **more)
        await self.table(code, [*table_entries(code, seats=people), *entries], [outcome])
        return entries
