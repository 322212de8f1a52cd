"""The web application: every route, who may use it how often, and every error as a :class:`Failure`.

Laws of this room:
- whatever goes wrong in a call is answered in JSON, with a code and a sentence that says what to do;
- a ticket is in no path, no header and no log;
- who asks for codes that are not there may soon ask for none.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import cast

from aiohttp import WSCloseCode, WSMsgType, web

import slamomatic
from slamomatic.game.editions import PRESETS
from slamomatic.server import wire
from slamomatic.server.clock import now_us
from slamomatic.server.limits import Gate, Limits
from slamomatic.server.metrics import Metrics
from slamomatic.server.pages import Pages, guard
from slamomatic.server.room import Room
from slamomatic.server.rooms import SWEEP_SECONDS, Rooms
from slamomatic.server.site import Site
from slamomatic.server.sockets import Socket, converse
from slamomatic.server.store import MemoryStore, Store
from slamomatic.table.calls import Editions, Failure, ListedTables
from slamomatic.table.hands import BotMaker
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import (
    MAX_MESSAGE_BYTES,
    ByeReason,
    RefusalCode,
)

log = logging.getLogger(__name__)

STATUS = {
    RefusalCode.NO_TABLE: HTTPStatus.NOT_FOUND,
    RefusalCode.NOT_NOW: HTTPStatus.CONFLICT,
    RefusalCode.TAKEN: HTTPStatus.CONFLICT,
    RefusalCode.FULL: HTTPStatus.CONFLICT,
    RefusalCode.TOO_FAST: HTTPStatus.TOO_MANY_REQUESTS,
}
"""What is not here is the caller's mistake: 400."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def create_app(
    bots: BotMaker,
    *,
    client: Path | None,
    site: Site | None = None,
    limits: Limits | None = None,
    store: Store | None = None,
    shows_metrics: bool = False,
) -> web.Application:
    """The application, ready to run.

    ``client``: the built web client; None serves a page that says how to build it. ``shows_metrics``: whoever reaches
    the server may read what it counts.
    """
    site, limits = site or Site(), limits or Limits()
    metrics = Metrics()
    server = Server(site, limits, metrics, Rooms(bots, store or MemoryStore(), limits, metrics))
    pages = Pages(client, site.base_href)
    app = web.Application(middlewares=[_failures], client_max_size=MAX_MESSAGE_BYTES)
    app[SERVER] = server
    base = site.base_path
    app.router.add_get(f"{base}/healthz", server.health)
    app.router.add_get(f"{base}/metrics", server.metrics if shows_metrics else _no_metrics)
    app.router.add_get(f"{base}/api/editions", server.editions)
    app.router.add_get(f"{base}/api/tables", server.tables)
    app.router.add_post(f"{base}/api/tables", server.open)
    app.router.add_get(f"{base}/api/tables/{{code}}", server.look)
    app.router.add_post(f"{base}/api/tables/{{code}}/join", server.join)
    app.router.add_route("*", f"{base}/api/{{path:.*}}", _no_such_call)
    app.router.add_get(f"{base}/ws/{{code}}", server.socket)
    if base:
        app.router.add_get(base, _to_base)
    app.router.add_get(f"{base}/{{path:.*}}", pages.serve)
    app.on_response_prepare.append(guard)
    app.on_shutdown.append(server.farewell)
    app.cleanup_ctx.append(server.upkeep)
    return app


class Server:
    """What all routes share: the tables, the connections, and how much each address has asked for."""

    def __init__(self, site: Site, limits: Limits, metrics: Metrics, rooms: Rooms) -> None:
        self.rooms = rooms
        self._metrics = metrics
        self._site = site
        self._limits = limits
        self._sockets: dict[str, set[Socket]] = {}
        """By address."""
        self._calls, self._openings, self._misses = Gate(limits.calls), Gate(limits.openings), Gate(limits.misses)

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

    async def metrics(self, request: web.Request) -> web.StreamResponse:
        """``GET /metrics``: what has been counted, for Prometheus; only where the host wants it read."""
        self._admit(request)
        return await self._metrics.handler(request)

    async def editions(self, request: web.Request) -> web.Response:
        """``GET /api/editions``."""
        self._admit(request)
        return _answer(Editions(PRESETS))

    async def tables(self, request: web.Request) -> web.Response:
        """``GET /api/tables``."""
        self._admit(request)
        return _answer(ListedTables(self.rooms.listed()))

    async def look(self, request: web.Request) -> web.Response:
        """``GET /api/tables/{code}``."""
        self._admit(request)
        return _answer(self._room(request).look())

    async def open(self, request: web.Request) -> web.Response:
        """``POST /api/tables``."""
        address = self._admit(request)
        if not self._openings.take(address, now_us()):
            raise Refusal(RefusalCode.TOO_FAST, "too many new tables at once: wait a little")
        wish = wire.read_open_table(await request.read())
        return _answer(self.rooms.open(wish, address), HTTPStatus.CREATED)

    async def join(self, request: web.Request) -> web.Response:
        """``POST /api/tables/{code}/join``."""
        self._admit(request)
        wish = wire.read_join_table(await request.read())
        return _answer(self._room(request).join(wish), HTTPStatus.CREATED)

    async def socket(self, request: web.Request) -> web.StreamResponse:
        """``WS /ws/{code}``. A socket for a table that is not there is told so in a ``Bye``: a page sees no status."""
        address = self._admit(request)
        if len(self._sockets.get(address, ())) >= self._limits.sockets_per_address:
            raise Refusal(RefusalCode.FULL, "too many pages are open from where you are: close one")
        ws = web.WebSocketResponse(
            autoping=False, compress=False, decode_text=False, max_msg_size=MAX_MESSAGE_BYTES + 1, timeout=1.0
        )
        try:
            await ws.prepare(request)
        except ConnectionError:  # who asked has hung up meanwhile: there is nobody to answer
            return ws
        try:
            room = self._room(request)
        except Refusal as refusal:
            reason = ByeReason.CLOSED if refusal.code is RefusalCode.NO_TABLE else ByeReason.REFUSED
            await ws.send_frame(wire.bye(reason, refusal.text), WSMsgType.TEXT)
            await ws.close(code=WSCloseCode.POLICY_VIOLATION)
            return ws
        socket = Socket(ws, cast(asyncio.Transport, request.transport), self._limits)
        mine = self._sockets.setdefault(address, set())
        mine.add(socket)
        try:
            await converse(ws, socket, room, self._limits)
        except Exception:
            log.exception("a socket of table %s broke", room.code)
        finally:
            mine.discard(socket)
        return ws

    # Upkeep.

    async def upkeep(self, _: web.Application) -> AsyncIterator[None]:
        """While the server runs: look after the silent, the empty and the forgotten."""
        sweeper = asyncio.create_task(self._sweep())
        yield
        sweeper.cancel()
        with suppress(asyncio.CancelledError):
            await sweeper

    async def farewell(self, _: web.Application) -> None:
        """The server stops: tell everyone to come back in a moment, and give the words time to arrive."""
        text = "the server restarts: come back in a moment"
        self.rooms.close(ByeReason.RESTART, text)
        deadline_us = now_us() + 2 * self._limits.farewell_us
        while now_us() < deadline_us and any(self._sockets.values()):
            for socket in [socket for sockets in self._sockets.values() for socket in sockets]:
                socket.close(ByeReason.RESTART, text)
            await asyncio.sleep(0.01)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = now_us()
            try:
                self.rooms.sweep(now)
            except Exception:
                log.exception("a sweep broke off")
            for gate in (self._calls, self._openings, self._misses):
                gate.forget(now)
            self._sockets = {address: sockets for address, sockets in self._sockets.items() if sockets}

    # Who may.

    def _admit(self, request: web.Request) -> str:
        """The address of whoever asks, if he may ask now."""
        if not self._site.is_ours(request):
            raise web.HTTPForbidden(text="this page is not of this server: open the game at its own address")
        address = self._site.address(request)
        if not self._calls.take(address, now_us()):
            raise Refusal(RefusalCode.TOO_FAST, "too many calls at once: wait a little")
        return address

    def _room(self, request: web.Request) -> Room:
        address, now = self._site.address(request), now_us()
        if not self._misses.has(address, now):
            raise Refusal(RefusalCode.TOO_FAST, "too many wrong codes: wait a little, then look at the code again")
        try:
            return self.rooms.find(request.match_info["code"])
        except Refusal:
            self._misses.take(address, now)
            raise


SERVER = web.AppKey("server", Server)


@web.middleware
async def _failures(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Every error as JSON, but for those of pages, which people read."""
    try:
        return await handler(request)
    except Refusal as refusal:
        return _failure(STATUS.get(refusal.code, HTTPStatus.BAD_REQUEST), refusal.code, refusal.text)
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


async def _no_such_call(request: web.Request) -> web.StreamResponse:
    text = f"there is no call {request.method} {request.rel_url.path}: see docs/protocol.md"
    return _failure(HTTPStatus.NOT_FOUND, RefusalCode.BAD_MESSAGE, text)


async def _no_metrics(_: web.Request) -> web.StreamResponse:
    raise web.HTTPNotFound(text="this server shows nobody its counts; who runs it may: slamomatic serve --metrics")


async def _to_base(request: web.Request) -> web.StreamResponse:
    raise web.HTTPFound(request.rel_url.path + "/")


def _answer(body: object, status: HTTPStatus = HTTPStatus.OK) -> web.Response:
    headers = {"Cache-Control": "no-store"}
    return web.Response(body=wire.write(body), status=status, content_type="application/json", headers=headers)


def _failure(status: HTTPStatus, code: RefusalCode, text: str) -> web.Response:
    return _answer(Failure(code, text), status)
