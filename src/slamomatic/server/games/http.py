"""The HTTP calls about finished games, one's numbers, the ladder, and reports.

Laws of this room:
- a game that is not for somebody's eyes is for him no game at all: the answer is the same;
- what takes long is worked out beside the loop, in pieces, or never more of it than one answer holds.
"""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from itertools import groupby
from typing import NoReturn, Protocol

import msgspec
from aiohttp import web

from slamomatic.game.editions import PRESETS
from slamomatic.server import codes, wire
from slamomatic.server.answers import answer
from slamomatic.server.calls import GAMES_AT_ONCE, GameInfo, Games, Leaderboard, Rank, Report
from slamomatic.server.clock import now_us
from slamomatic.server.games import ratings
from slamomatic.server.games.archive import with_names
from slamomatic.server.games.replays import Replays
from slamomatic.server.games.tallies import GameTally, Played, summed
from slamomatic.server.limits import MINUTE, Gate, Limits
from slamomatic.server.storage import games as stored
from slamomatic.server.storage import ratings as stored_ratings
from slamomatic.server.storage import reports
from slamomatic.server.storage.database import Database
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import RefusalCode

RANKS = 100
"""So long is a leaderboard."""
PIECE = 250
"""So many of one's games are read at once for one's numbers."""

_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
_read_report = wire.reader(Report)
_read_tally = msgspec.json.Decoder(GameTally).decode


class Somebody(Protocol):
    """A person, as far as this room cares."""

    @property
    def id(self) -> str:
        """His public id."""
        ...


class WhoAsks(Protocol):
    """Knows people by their tokens."""

    async def who(self, request: web.Request) -> Somebody | None:
        """Who asks; None: he does not say."""
        ...


class GameCalls:
    """The calls, and what they share.

    ``admit``: refuses whoever asks too much, and tells his address. ``seat_at``: who sits at a seat of a table that is
    played here, by person and name.
    """

    def __init__(
        self,
        database: Database,
        people: WhoAsks,
        admit: Callable[[web.Request], str],
        seat_at: Callable[[str, int], tuple[str | None, str] | None],
        limits: Limits,
    ) -> None:
        self._database = database
        self._people = people
        self._admit = admit
        self._seat_at = seat_at
        self._reports = Gate(limits.reports)
        self._replays = Replays()

    def register(self, router: web.UrlDispatcher, base: str) -> None:
        """Answer these calls, below this path."""
        router.add_get(f"{base}/api/me/games", self.my_games)
        router.add_get(f"{base}/api/me/tally", self.my_tally)
        router.add_get(f"{base}/api/games/{{game}}", self.replay)
        router.add_get(f"{base}/api/games/{{game}}/record", self.record)
        router.add_post(f"{base}/api/games/{{game}}/share", self.share)
        router.add_get(f"{base}/api/leaderboard/{{edition}}", self.leaderboard)
        router.add_post(f"{base}/api/reports", self.report)

    # Finished games.

    async def replay(self, request: web.Request) -> web.Response:
        """``GET /api/games/{id}``."""
        self._admit(request)
        game = await self._game(request)
        packed = await self._replays.packed(game, await self._text(game))
        headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"] = "gzip"
        else:
            packed = await asyncio.to_thread(gzip.decompress, packed)
        return web.Response(body=packed, content_type="application/json", headers=headers)

    async def record(self, request: web.Request) -> web.Response:
        """``GET /api/games/{id}/record``: the game as text, to be kept as a file."""
        self._admit(request)
        game = await self._game(request)
        text = with_names(await self._text(game), {player.seat: player.name for player in game.players})
        headers = {
            "Cache-Control": "no-store",
            "Content-Disposition": f'attachment; filename="slamomatic-{game.id}.txt"',
        }
        return web.Response(text=text, content_type="text/plain", charset="utf-8", headers=headers)

    async def share(self, request: web.Request) -> web.Response:
        """``POST /api/games/{id}/share``: whoever took part may let everyone see it."""
        self._admit(request)
        game = await self._game(request, only_players=True)
        await self._database.write(partial(stored.publish, game=game.id))
        return answer(msgspec.structs.replace(game, public=True))

    # One's own.

    async def my_games(self, request: web.Request) -> web.Response:
        """``GET /api/me/games?before=<began_us>``."""
        self._admit(request)
        me = await self._me(request)
        before = request.query.get("before")
        if before is not None and not re.fullmatch(r"[0-9]{1,18}", before, re.ASCII):
            raise Refusal(RefusalCode.BAD_MESSAGE, "before is the began_us of a game: a number")
        before_us = None if before is None else int(before)
        async with self._database.read() as connection:
            games = await stored.games_of(connection, me.id, before_us, GAMES_AT_ONCE)
        return answer(Games(tuple(games)))

    async def my_tally(self, request: web.Request) -> web.Response:
        """``GET /api/me/tally``."""
        self._admit(request)
        me = await self._me(request)
        played: list[Played] = []
        last = None
        async with self._database.read() as connection:
            skills = await stored_ratings.skills_of(connection, me.id)
            while rows := await stored.played_by(connection, me.id, last, PIECE):
                last = rows[-1]
                played += map(_played, rows)
        return answer(summed(played, {edition: ratings.shown(skill) for edition, skill in skills.items()}))

    # Everyone's.

    async def leaderboard(self, request: web.Request) -> web.Response:
        """``GET /api/leaderboard/{edition}``: by the name a link uses, or the edition's own."""
        self._admit(request)
        wanted = request.match_info["edition"]
        edition = PRESETS[wanted].name if wanted in PRESETS else wanted
        if edition not in {preset.name for preset in PRESETS.values()}:
            text = f"only the presets are played for ratings: {', '.join(PRESETS)}"
            raise Refusal(RefusalCode.UNFIT_EDITION, text)
        async with self._database.read() as connection:
            best = await stored_ratings.best(connection, edition, ratings.SETTLED, RANKS)
            best += await stored_ratings.best(connection, edition, ~ratings.SETTLED, RANKS - len(best))
        shown = [(one, ratings.shown(one.skill)) for one in best]
        rows: list[Rank] = []
        for _, alike in groupby(shown, key=lambda row: (row[1].provisional, row[1].points)):
            place = len(rows) + 1
            rows += [Rank(place, one.person, one.name, one.avatar, rating) for one, rating in alike]
        return answer(Leaderboard(edition, tuple(rows)))

    async def report(self, request: web.Request) -> web.Response:
        """``POST /api/reports``: the operator reads them by ``slamomatic admin reports``."""
        address = self._admit(request)
        me = await self._me(request)
        report = _read_report(await request.read())
        now = now_us()
        self._reports.forget(now)
        for who in (me.id, address):
            if not self._reports.take(who, now):
                raise Refusal(RefusalCode.TOO_FAST, "that is enough for now: whoever runs this server has to read them")
        found = self._seat_at(report.code, report.seat)
        if found is None:
            raise Refusal(RefusalCode.NO_SEAT, "nobody sits there: look at the table's code, and at the seat")
        person, name = found
        reason = "".join(char for char in report.reason if char.isprintable() or char == "\n").strip()
        new = reports.NewReport(now, codes.tidied(report.code), me.id, person, name, reason)
        await self._database.write(partial(reports.add, report=new))
        return web.Response(status=HTTPStatus.NO_CONTENT)

    # Who may.

    async def _me(self, request: web.Request) -> Somebody:
        me = await self._people.who(request)
        if me is None:
            raise Refusal(RefusalCode.NO_PERSON, "say who you are: send your token as Authorization: Bearer <token>")
        return me

    async def _game(self, request: web.Request, *, only_players: bool = False) -> GameInfo:
        """The game asked for, if whoever asks may see it.

        Raises:
            Refusal: he may not, or there is none.
        """
        me = await (self._me(request) if only_players else self._people.who(request))
        game_id = request.match_info["game"]
        if not _ID.fullmatch(game_id):
            _no_game()
        async with self._database.read() as connection:
            game = await stored.info(connection, game_id)
        if game is None:
            _no_game()
        took_part = me is not None and any(player.person == me.id for player in game.players)
        if not (took_part or game.public):
            _no_game()
        if only_players and not took_part:
            raise Refusal(RefusalCode.NO_GAME, "only who took part in a game may share it")
        return game

    async def _text(self, game: GameInfo) -> str:
        async with self._database.read() as connection:
            text = await stored.text_of(connection, game.id)
        if text is not None:
            return text
        if now_us() - game.ended_us < MINUTE:
            raise Refusal(RefusalCode.NOT_NOW, "this game is being written down: try again in a moment")
        raise Refusal(RefusalCode.NO_GAME, "how this game came out is known, but its moves were not kept")


def _played(row: stored.PlayedRow) -> Played:
    tally = None if row.tally is None else _read_tally(row.tally)
    return Played(row.edition, row.called_off, row.won, row.left, tally)


def _no_game() -> NoReturn:
    raise Refusal(RefusalCode.NO_GAME, "there is no such game, or it is not for you: ask who played it to share it")
