"""The web application: every route about tables, who may use it how often, and every error as a :class:`Failure`.

Laws of this room:
- whatever goes wrong in a call is answered in JSON, with a code and a sentence that says what to do;
- a ticket or a token is in no path, no query and no log;
- who asks for codes that are not there may soon ask for none;
- the server stops in this order: nobody new, everyone told to come back, everything kept, the database closed.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import TypeVar, cast

from aiohttp import web
from aiohttp.typedefs import Middleware
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

import slamomatic
from slamomatic.game.editions import PRESETS
from slamomatic.server import logs, wire
from slamomatic.server.answers import answer
from slamomatic.server.clock import now_us
from slamomatic.server.games.archive import Archivist
from slamomatic.server.games.http import GameCalls
from slamomatic.server.games.orders import Order, OrderKind, Orders
from slamomatic.server.limits import MINUTE, SECOND, Gate, Limits
from slamomatic.server.lines import Line
from slamomatic.server.lobby import Lobby
from slamomatic.server.metrics import Metrics
from slamomatic.server.pages import Pages, guard
from slamomatic.server.people.http import PeopleCalls
from slamomatic.server.people.people import People
from slamomatic.server.room import Room
from slamomatic.server.rooms import SWEEP_SECONDS, Rooms
from slamomatic.server.site import Site
from slamomatic.server.sockets import Socket, converse
from slamomatic.server.standings import Standings
from slamomatic.server.storage.database import Database, StorageError
from slamomatic.server.storage.logs import Logs
from slamomatic.table.calls import Editions, Failure, JoinTable, ListedTables, OpenTable, QuickMatch
from slamomatic.table.guests import Guest
from slamomatic.table.hands import BotMaker
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import MAX_MESSAGE_BYTES, ByeReason, RefusalCode

log = logging.getLogger(__name__)

STATUS = {
    RefusalCode.NO_TABLE: HTTPStatus.NOT_FOUND,
    RefusalCode.NO_GAME: HTTPStatus.NOT_FOUND,
    RefusalCode.NO_PERSON: HTTPStatus.UNAUTHORIZED,
    RefusalCode.BANNED: HTTPStatus.FORBIDDEN,
    RefusalCode.LOCKED: HTTPStatus.CONFLICT,
    RefusalCode.NOT_NOW: HTTPStatus.CONFLICT,
    RefusalCode.TAKEN: HTTPStatus.CONFLICT,
    RefusalCode.FULL: HTTPStatus.CONFLICT,
    RefusalCode.TOO_FAST: HTTPStatus.TOO_MANY_REQUESTS,
    RefusalCode.ELSEWHERE: HTTPStatus.SERVICE_UNAVAILABLE,
    RefusalCode.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
}
"""What is not here is the caller's mistake: 400."""

BEAT_SECONDS = 1.0
"""How often this server says in the database that it is alive."""
TIDY_SECONDS = 60.0
COLLECT_US = 30 * MINUTE
"""All of memory is looked over for what nobody can reach any more when nobody races, but at least so often."""
READY_SECONDS = 2.0

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
W = TypeVar("W", OpenTable, JoinTable, QuickMatch)


def create_app(
    bots: BotMaker,
    *,
    client: Path | None,
    database: Database,
    name: str = "slamomatic",
    site: Site | None = None,
    limits: Limits | None = None,
    shows_metrics: bool = False,
) -> web.Application:
    """The application, ready to run.

    ``client``: the built web client; None serves a page that says how to build it. ``database``: open; it is closed
    when the application is. ``name``: this server's, among those on the same database. ``shows_metrics``: whoever
    reaches the server may read what it counts.
    """
    site = site or Site()
    limits = limits or Limits()
    server = Server(bots, database, name, site, limits)
    pages = Pages(client, site.base_href)
    app = web.Application(
        middlewares=[logs.context, _failures, _arrived_within(limits.arrival_us / SECOND)],
        client_max_size=MAX_MESSAGE_BYTES,
    )
    app[SERVER] = server
    base = site.base_path
    router = app.router
    router.add_get(f"{base}/healthz", server.health)
    router.add_get(f"{base}/readyz", server.ready)
    router.add_get(f"{base}/metrics", server.count if shows_metrics else _no_metrics)
    router.add_get(f"{base}/api/editions", server.editions)
    router.add_get(f"{base}/api/lobby", server.stream)
    router.add_get(f"{base}/api/tables", server.tables)
    router.add_post(f"{base}/api/tables", server.open)
    router.add_post(f"{base}/api/quick", server.quick)
    router.add_get(f"{base}/api/tables/{{code}}", server.look)
    router.add_post(f"{base}/api/tables/{{code}}/join", server.join)
    server.people_calls.register(router, base)
    server.game_calls.register(router, base)
    router.add_route("*", f"{base}/api/{{path:.*}}", _no_such_call)
    router.add_get(f"{base}/ws/{{code}}", server.socket)
    if base:
        router.add_get(base, _to_base)
    router.add_get(f"{base}/{{path:.*}}", pages.serve)
    app.on_response_prepare.append(guard)
    app.on_shutdown.append(server.farewell)
    app.cleanup_ctx.append(server.run)
    return app


class Server:
    """What all routes share: the database, the tables, the connections, and how much each address has asked for."""

    def __init__(self, bots: BotMaker, database: Database, name: str, site: Site, limits: Limits) -> None:
        self.metrics = Metrics()
        self.people = People(database)
        self._database = database
        self._site = site
        self._limits = limits
        self._logs = Logs(database, name)
        self._archivist = Archivist(database)
        self._standings = Standings()
        self.rooms = Rooms(
            bots, self._logs, self._archivist, self.people.is_banned, self._standings, limits, self.metrics
        )
        self._lobby = Lobby(self.rooms.listed)
        self._orders = Orders(database)
        self.people_calls = PeopleCalls(self.people, self._admit, site, limits)
        self.game_calls = GameCalls(database, self.people, self._admit, self._seat_at, limits)
        self._sockets: dict[str, set[Socket]] = {}
        """By address."""
        self._streams: Counter[str] = Counter()
        """Pages that watch the lobby, by address."""
        self._calls, self._openings, self._misses = Gate(limits.calls), Gate(limits.openings), Gate(limits.misses)
        self._names = Gate(limits.names)
        self._is_open = False
        self._collected_us = now_us()
        self._stopping = asyncio.Event()
        database.on_commit = self.metrics.commit

    # The calls.

    async def health(self, _: web.Request) -> web.Response:
        """``GET /healthz``: the server answers, and how busy it is."""
        return web.json_response(
            {
                "status": "ok",
                "version": slamomatic.__version__,
                "tables": len(self.rooms),
                "sockets": sum(map(len, self._sockets.values())),
            }
        )

    async def ready(self, _: web.Request) -> web.Response:
        """``GET /readyz``: whether people may be sent here; 503 while it starts, stops, or has no database."""
        reason = "the server is stopping, or not open yet"
        if self._is_open:
            try:
                async with asyncio.timeout(READY_SECONDS), self._database.read() as connection:
                    await connection.execute(text("SELECT 1"))
                return web.json_response({"status": "ready"})
            except (TimeoutError, StorageError, SQLAlchemyError):
                reason = "the database does not answer"
        return web.json_response({"status": reason}, status=HTTPStatus.SERVICE_UNAVAILABLE)

    async def count(self, request: web.Request) -> web.StreamResponse:
        """``GET /metrics``: what has been counted, for Prometheus; only where the host wants it read."""
        self._admit(request)
        self.metrics.look(len(self.rooms), sum(map(len, self._sockets.values())))
        return await self.metrics.handler(request)

    async def editions(self, request: web.Request) -> web.Response:
        """``GET /api/editions``."""
        self._admit(request)
        return answer(Editions(PRESETS))

    async def tables(self, request: web.Request) -> web.Response:
        """``GET /api/tables``."""
        self._admit(request)
        return answer(ListedTables(self.rooms.listed()))

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """``GET /api/lobby``: the same, live."""
        address = self._admit(request)
        if self._streams[address] >= self._limits.lobbies_per_address:
            raise Refusal(RefusalCode.FULL, "too many pages are open from where you are: close one")
        self._streams[address] += 1
        try:
            return await self._lobby.stream(request)
        finally:
            self._streams[address] -= 1

    async def look(self, request: web.Request) -> web.Response:
        """``GET /api/tables/{code}``."""
        self._admit(request)
        return answer((await self._room(request)).look())

    async def open(self, request: web.Request) -> web.Response:
        """``POST /api/tables``."""
        opener, guest = await self._opens(request)
        wish = self._named(wire.read_open_table(await request.read()), request)
        return answer(await self.rooms.open(wish, opener, guest), HTTPStatus.CREATED)

    async def quick(self, request: web.Request) -> web.Response:
        """``POST /api/quick``."""
        opener, guest = await self._opens(request)
        wish = self._named(wire.read_quick_match(await request.read()), request)
        return answer(await self.rooms.quick(wish, opener, guest), HTTPStatus.CREATED)

    async def join(self, request: web.Request) -> web.Response:
        """``POST /api/tables/{code}/join``."""
        self._admit(request)
        guest = await self._guest(request)
        wish = wire.read_join_table(await request.read())
        room = await self._room(request)
        return answer(await room.join(self._named(wish, request), guest), HTTPStatus.CREATED)

    async def socket(self, request: web.Request) -> web.StreamResponse:
        """``WS /ws/{code}``. A socket for a table that is not there is told so in a ``Bye``: a page sees no status."""
        address = self._admit(request)
        if len(self._sockets.get(address, ())) >= self._limits.sockets_per_address:
            raise Refusal(RefusalCode.FULL, "too many pages are open from where you are: close one")
        ws = Line(MAX_MESSAGE_BYTES + 1)
        await ws.prepare(request)
        socket = Socket(ws, cast(asyncio.Transport, request.transport), self._limits)
        mine = self._sockets.setdefault(address, set())
        mine.add(socket)
        try:
            room = await self._room(request)
        except Refusal as refusal:
            socket.close(_WHY_NOT.get(refusal.code, ByeReason.REFUSED), refusal.text)
            await socket.closed()
            mine.discard(socket)
            return ws
        try:
            await converse(ws, socket, room, self._limits)
        except Exception:
            log.exception("a socket of table %s broke", room.code)
        finally:
            mine.discard(socket)
        return ws

    # Upkeep.

    async def run(self, _: web.Application) -> AsyncIterator[None]:
        """While the server runs: look after the silent, the empty and the forgotten; then close the database."""
        await self.people.keyring()
        await self._logs.beat(now_us())
        upkeep = [
            asyncio.create_task(work)
            for work in (
                self._every(BEAT_SECONDS, self._logs.beat),
                self._every(SWEEP_SECONDS, self._sweep),
                self._every(TIDY_SECONDS, self._tidy),
                self._archivist.run(),
            )
        ]
        looking_on = [asyncio.create_task(work) for work in (self._lobby.watch(), self.metrics.watch_loop())]
        self._is_open = True
        yield
        for task in looking_on:
            task.cancel()
        # Who may be speaking with the database ends in his own time.
        self._stopping.set()
        self._archivist.stop()
        await asyncio.gather(*upkeep, *looking_on, return_exceptions=True)
        await self._database.close()

    async def farewell(self, _: web.Application) -> None:
        """The server stops: tell everyone to come back in a moment, keep what has happened, give the words time."""
        words = "the server restarts: come back in a moment"
        self._is_open = False
        await self._lobby.close()
        for socket in [socket for sockets in self._sockets.values() for socket in sockets]:
            socket.close(ByeReason.RESTART, words)
        with suppress(StorageError):  # the rest is done without the database too
            await self._logs.beat(now_us())
            await self.rooms.shut(words)
        closing = [socket.closed() for sockets in self._sockets.values() for socket in sockets]
        await asyncio.gather(*closing)

    async def _every(self, seconds: float, act: Callable[[int], Awaitable[None]]) -> None:
        """Do this again and again; what goes wrong once is told, and tried again."""
        while not self._stopping.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._stopping.wait()
                return
            try:
                await act(now_us())
            except StorageError as error:
                log.warning("upkeep has to wait for the database: %s", error)
            except Exception:
                log.exception("upkeep broke off")

    async def _sweep(self, now: int) -> None:
        await self.rooms.sweep(now)
        for order in await self._orders.new():
            await self._obey(order)
        for gate in (self._calls, self._openings, self._misses, self._names):
            gate.forget(now)
        self._sockets = {address: sockets for address, sockets in self._sockets.items() if sockets}
        self._streams = +self._streams

    async def _tidy(self, now: int) -> None:
        await self.rooms.close_abandoned(now)
        await self.people.forget_guests(now - self._limits.guest_us)
        # What closed connections leave behind hangs in circles, and only the collector can take it away.
        if not self.rooms.traffic.running or now - self._collected_us > COLLECT_US:
            self._collected_us = now
            gc.collect()

    async def _obey(self, order: Order) -> None:
        """What the operator did from the command line, done to the tables here."""
        match order.kind:
            case OrderKind.CLOSE:
                await self.rooms.close_table(order.subject)
            case OrderKind.BAN:
                self.people.forget(order.subject)
                await self.rooms.banish(order.subject)
            case OrderKind.UNBAN:
                self.people.forget(order.subject)
            case OrderKind.RENAME:
                self.people.forget(order.subject)
                await self.rooms.rename(order.subject, await self.people.name_of(order.subject))

    # Who may.

    def _admit(self, request: web.Request) -> str:
        """The address of whoever asks, if he may ask now."""
        if not self._site.is_ours(request):
            raise web.HTTPForbidden(text="this page is not of this server: open the game at its own address")
        address = self._site.address(request)
        if not self._calls.take(address, now_us()):
            raise Refusal(RefusalCode.TOO_FAST, "too many calls at once: wait a little")
        return address

    async def _opens(self, request: web.Request) -> tuple[str, Guest]:
        """Who opens a table, as far as the limits care, and as whom he sits down."""
        address = self._admit(request)
        if not self._openings.take(address, now_us()):
            raise Refusal(RefusalCode.TOO_FAST, "too many new tables at once: wait a little")
        guest = await self._guest(request)
        return guest.person or address, guest

    async def _guest(self, request: web.Request) -> Guest:
        """As whom somebody sits down.

        Raises:
            Refusal: his token is none, or he may not play here.
        """
        mark = self.people.mark(self._site.address(request))
        person = await self.people.who(request)
        if person is None:
            return Guest(mark=mark)
        return Guest(person.id, person.avatar, self._standings[person.id], mark)

    def _named(self, wish: W, request: web.Request) -> W:
        """The wish, if its name is fit to be seen.

        Raises:
            Refusal: it is not, or too many have been judged for this address lately.
        """
        if not self._names.take(self._site.address(request), now_us()):
            raise Refusal(RefusalCode.TOO_FAST, "too many names at once: wait a little")
        self.people.check_name(wish.name)
        return wish

    async def _room(self, request: web.Request) -> Room:
        address, now = self._site.address(request), now_us()
        if not self._misses.has(address, now):
            raise Refusal(RefusalCode.TOO_FAST, "too many wrong codes: wait a little, then look at the code again")
        try:
            return await self.rooms.find(request.match_info["code"])
        except Refusal as refusal:
            if refusal.code is RefusalCode.NO_TABLE:
                self._misses.take(address, now)
            raise

    def _seat_at(self, code: str, seat: int) -> tuple[str | None, str] | None:
        """Who sits there, by person and by name; None: nobody does."""
        room = self.rooms.here(code)
        sitter = None if room is None else room.table.record.seats.get(seat)
        return None if sitter is None else (sitter.person, sitter.name)


SERVER = web.AppKey("server", Server)

_WHY_NOT = {
    RefusalCode.NO_TABLE: ByeReason.CLOSED,
    RefusalCode.ELSEWHERE: ByeReason.RESTART,
    RefusalCode.UNAVAILABLE: ByeReason.RESTART,
    RefusalCode.FULL: ByeReason.RESTART,
}
"""What a page is told whose table cannot be had: whether to come back. What is not here: do not."""


@web.middleware
async def _failures(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Every error as JSON, but for those of pages, which people read."""
    try:
        return await handler(request)
    except Refusal as refusal:
        return _failure(STATUS.get(refusal.code, HTTPStatus.BAD_REQUEST), refusal.code, refusal.text)
    except StorageError as error:
        log.warning("%s %s: %s", request.method, request.match_info.route.resource, error)
        text = "the database cannot be reached: try again in a moment"
        return _failure(HTTPStatus.SERVICE_UNAVAILABLE, RefusalCode.UNAVAILABLE, text)
    except ConnectionError:  # who asked has gone in the middle of his words: nobody hears the answer
        return web.Response(status=HTTPStatus.BAD_REQUEST)
    except web.RequestPayloadError:
        return _failure(HTTPStatus.BAD_REQUEST, RefusalCode.BAD_MESSAGE, "the body cannot be unpacked")
    except web.HTTPRequestEntityTooLarge:
        text = f"a body holds at most {MAX_MESSAGE_BYTES} bytes"
        return _failure(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, RefusalCode.BAD_MESSAGE, text)
    except web.HTTPForbidden as error:
        return _failure(HTTPStatus.FORBIDDEN, RefusalCode.BAD_MESSAGE, error.text or "")
    except web.HTTPMethodNotAllowed as error:
        return _failure(
            HTTPStatus.METHOD_NOT_ALLOWED, RefusalCode.BAD_MESSAGE, f"this call does not take {error.method}"
        )
    except web.HTTPException:
        raise
    except Exception:
        log.exception("%s %s broke", request.method, request.rel_url.path)
        text = "something broke here, not with you: try again"
        return _failure(HTTPStatus.INTERNAL_SERVER_ERROR, RefusalCode.NOT_NOW, text)


def _arrived_within(seconds: float) -> Middleware:
    """Nobody keeps a call open by sending its body bit by bit."""

    @web.middleware
    async def arrived(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.can_read_body:
            try:
                async with asyncio.timeout(seconds):
                    await request.read()
            except TimeoutError:
                raise Refusal(RefusalCode.BAD_MESSAGE, "the body of a call comes at once") from None
        return await handler(request)

    return arrived


async def _no_such_call(request: web.Request) -> web.StreamResponse:
    text = f"there is no call {request.method} {request.rel_url.path}: see docs/protocol.md"
    return _failure(HTTPStatus.NOT_FOUND, RefusalCode.BAD_MESSAGE, text)


async def _no_metrics(_: web.Request) -> web.StreamResponse:
    raise web.HTTPNotFound(text="this server shows nobody its counts; who runs it may: slamomatic serve --metrics")


async def _to_base(request: web.Request) -> web.StreamResponse:
    raise web.HTTPFound(request.rel_url.path + "/")


def _failure(status: HTTPStatus, code: RefusalCode, text: str) -> web.Response:
    return answer(Failure(code, text), status)
