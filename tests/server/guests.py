"""People and programs at a real server, over real sockets on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import aiohttp
import msgspec
from aiohttp import WSMsgType, web
from aiohttp.test_utils import TestServer
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.bots import bot
from slamomatic.game.commands import Choose, Draw, Lay, Pass, Slam, Take
from slamomatic.game.view import View
from slamomatic.server.app import SERVER, create_app
from slamomatic.server.limits import Limits, Rate
from slamomatic.server.room import Room
from slamomatic.server.rooms import Rooms
from slamomatic.server.site import Site
from slamomatic.server.storage import schema
from slamomatic.server.storage.database import Database
from slamomatic.table.calls import Seated
from slamomatic.table.log import Entry, decode
from slamomatic.table.protocol import (
    Act,
    Bye,
    ClientMessage,
    Cue,
    CueKind,
    Hello,
    Land,
    Moved,
    Reach,
    RefusalCode,
    Refused,
    Release,
    ServerMessage,
    Shown,
    TableChanged,
    TableView,
    Touch,
    Welcome,
)

M = TypeVar("M")
PATIENCE_SECONDS = 10.0
"""Nothing a test waits for takes this long; a test that fails does not hang."""

GENEROUS = Limits(
    calls=Rate(10**6, 10**6),
    openings=Rate(10**6, 10**6),
    misses=Rate(10**6, 10**6),
    messages=Rate(10**6, 10**6),
    incoming=Rate(10**9, 10**9),
    asides=Rate(10**6, 10**6),
    renames=Rate(10**6, 10**6),
    names=Rate(10**6, 10**6),
)
"""Limits a test never meets, unless it is about them."""

_server_messages = msgspec.json.Decoder(ServerMessage)


class House:
    """A server of our own, with its inside open to be looked at."""

    def __init__(
        self, server: TestServer, session: aiohttp.ClientSession, app: web.Application, database: Database
    ) -> None:
        self.server = server
        self.session = session
        self.database = database
        self.rooms: Rooms = app[SERVER].rooms
        self.base = ""

    def url(self, path: str) -> str:
        return str(self.server.make_url(self.base + path))

    async def call(self, method: str, path: str, body: Any = None, **settings: Any) -> tuple[int, Any]:
        """Status and JSON of one call."""
        async with self.session.request(method, self.url(path), json=body, **settings) as answer:
            return answer.status, await answer.json()

    async def open(self, name: str = "Ann", **wish: Any) -> Seated:
        status, body = await self.call("POST", "/api/tables", {"name": name, **wish})
        assert status == 201, body
        return msgspec.convert(body, Seated)

    async def join(self, code: str, name: str = "Bob", **wish: Any) -> Seated:
        status, body = await self.call("POST", f"/api/tables/{code}/join", {"name": name, **wish})
        assert status == 201, body
        return msgspec.convert(body, Seated)

    async def sit(self, seated: Seated) -> Guest:
        """The page of a seat, welcomed."""
        guest = await self.dial(seated.code)
        guest.ticket = seated.ticket
        await guest.say(Hello(seated.ticket))
        await guest.hear(Welcome)
        return guest

    async def watch(self, code: str) -> Guest:
        guest = await self.dial(code)
        await guest.say(Hello())
        await guest.hear(Welcome)
        return guest

    async def dial(self, code: str, **settings: Any) -> Guest:
        """A socket on which nothing was said yet."""
        ws = await self.session.ws_connect(self.url(f"/ws/{code}"), max_msg_size=0, **settings)
        return Guest(ws)

    def room(self, code: str) -> Room:
        room = self.rooms.here(code)
        assert room is not None, "the table is asleep"
        return room

    async def entries(self, code: str) -> list[Entry]:
        """What the database has of a table."""
        async with self.database.read() as connection:
            return await log_of(connection, code)


class Guest:
    """The far end of one socket."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self.ws = ws
        self.seq = 0
        """Of the last position it was shown."""
        self.bytes: list[bytes] = []
        """Every message that ever came, as it came."""
        self.view: View | None = None
        self.seat: int | None = None
        self.ticket = ""
        """Of the seat, if it sits."""

    async def say(self, message: ClientMessage) -> None:
        await self.ws.send_str(msgspec.json.encode(message).decode())

    async def next(self) -> ServerMessage | None:
        """The next message; None once the socket is closed."""
        frame = await self.ws.receive(timeout=PATIENCE_SECONDS)
        if frame.type is not WSMsgType.TEXT:
            return None
        data = frame.data.encode()
        self.bytes.append(data)
        message = _server_messages.decode(data)
        if isinstance(message, Welcome):
            self.seat = message.seat
        if isinstance(message, Welcome | Moved):
            self.view, self.seq = message.view, message.seq
        return message

    async def hear(self, kind: type[M]) -> M:
        """The next message of this kind; what comes before it is passed over."""
        while (message := await self.next()) is not None:
            if isinstance(message, kind):
                return message
        raise AssertionError(f"the socket was closed ({self.ws.close_code}) and no {kind.__name__} had come")

    async def hear_table(self, is_it: Callable[[TableView], bool]) -> TableView:
        """The first word of a table that is so."""
        while not is_it(table := (await self.hear(TableChanged)).table):
            pass
        return table

    async def hear_out(self) -> Bye | None:
        """Everything until the socket is closed; its last words."""
        last: ServerMessage | None = None
        while (message := await self.next()) is not None:
            last = message
        return last if isinstance(last, Bye) else None


async def until_true(is_so: Callable[[], bool]) -> None:
    """Let everyone work until this is so."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not is_so():  # noqa: ASYNC110 - looked at from outside, nobody tells
            await asyncio.sleep(0.005)


async def play_to_the_end(guest: Guest, slams: int = 0) -> View:
    """Play this seat till the game is over: so many slams with whatever one holds, then passes as long as one may."""
    acted_on: View | None = None
    while guest.view is None or guest.view.ended is None:
        if guest.view is not None and guest.view is not acted_on:
            acted_on = guest.view
            await _act(guest, guest.view, may_slam=slams > 0)
        match await guest.next():
            case Cue() as cue if cue.seat == guest.seat:
                slams -= cue.kind is CueKind.REACH
            case Cue() as cue:
                await guest.say(Shown(cue.cue, 0, 100))
                if cue.kind is CueKind.CONTACT:
                    await guest.say(Touch(cue.cue, 0))
            case Refused(code=RefusalCode.NOT_NOW):  # the hands have not all gone back yet
                await asyncio.sleep(0.05)
                acted_on = None
            case None:
                raise AssertionError(f"the socket was closed ({guest.ws.close_code}) in mid-game")
            case _:
                pass
    return guest.view


async def _act(guest: Guest, view: View, *, may_slam: bool) -> None:
    """Do what is due, if it is due from us."""
    if Slam(view.turn) in view.legal and (may_slam or Pass(view.turn) not in view.legal):
        await guest.say(Reach())
        await guest.say(Land())
        await guest.say(Release(100_000))
        return
    for command in view.legal:
        if isinstance(command, Draw | Take | Lay | Choose | Pass):
            await guest.say(Act(command))
            return


Serve = Callable[..., Awaitable[House]]


async def log_of(connection: AsyncConnection, code: str) -> list[Entry]:
    """The whole log of a table, by a connection of one's own."""
    columns = schema.entries.c
    query = select(columns.version, columns.body).where(columns.code == code).order_by(columns.seq)
    return [decode(version, body) for version, body in await connection.execute(query)]


async def build_house(url: str, **settings: Any) -> tuple[TestServer, House]:
    """A server on the database of this address."""
    database = await Database.open(url)
    site = settings.pop("site", None) or Site()
    settings.setdefault("limits", GENEROUS)
    settings.setdefault("client", None)
    app = create_app(bot, site=site, database=database, **settings)
    server = TestServer(app)
    await server.start_server()
    house = House(server, aiohttp.ClientSession(), app, database)
    house.base = site.base_path
    return server, house
