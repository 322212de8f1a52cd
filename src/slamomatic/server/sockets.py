"""One WebSocket: what waits to go out, what comes in and when, and how it ends.

Laws of this room:
- an arrival is stamped as its frame is read, before any other work;
- nobody ever waits for a reader: what is sent waits in a bounded outbox with a writer of its own, and who lets it
  overflow is cut off;
- a ping's payload is random and its send time stays here: a page cannot answer before it was asked;
- a ping never overtakes a word: it is written, and its time taken, once all that was to be said before it is written;
- every socket ends with a ``Bye`` if it can still hear one, and within a bounded time whether it can or not.
"""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Protocol, TypeAlias

import msgspec
from aiohttp import WSCloseCode, WSMsgType, web

from slamomatic.server import wire
from slamomatic.server.clock import now_us
from slamomatic.server.limits import SECOND, Bucket, Limits
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import ByeReason, Hello, RefusalCode

MAX_PROBES = 1_024
"""Who has left so many pings unanswered is sent no more: ten seconds of a train, after which he is given up anyway."""
PAYLOAD_BYTES = 8
PAYLOADS_AT_ONCE = 512

_CLOSE_CODES = {
    ByeReason.RESTART: WSCloseCode.SERVICE_RESTART,
    ByeReason.TOO_SLOW: WSCloseCode.TRY_AGAIN_LATER,
    ByeReason.REFUSED: WSCloseCode.POLICY_VIOLATION,
}


class Pong(msgspec.Struct, frozen=True):
    """A ping of ours was answered; it was sent then, by our own record."""

    sent_us: int


News: TypeAlias = bytes | Pong
"""What can come in: a message not yet read, or the answer to a ping."""


def _random_payloads() -> Iterator[bytes]:
    """What nobody can guess, many at a call: trains of pings are long."""
    while True:
        block = os.urandom(PAYLOAD_BYTES * PAYLOADS_AT_ONCE)
        yield from (block[at : at + PAYLOAD_BYTES] for at in range(0, len(block), PAYLOAD_BYTES))


_payloads = _random_payloads()


class Socket:
    """The server's end of one connection."""

    def __init__(self, ws: web.WebSocketResponse[Any], transport: asyncio.Transport, limits: Limits) -> None:
        self.seat: int | None = None
        """The seat it plays, or None: it watches."""
        self.heard_us = self.pinged_us = now_us()
        self.closing = False
        self._ws = ws
        self._transport = transport
        self._limits = limits
        self._outbox: deque[tuple[WSMsgType, bytes]] = deque()
        self._waiting_bytes = 0
        self._filled = asyncio.Event()
        self._close_code = WSCloseCode.OK
        self._ping_is_due = False
        self._probes: OrderedDict[bytes, int] = OrderedDict()
        """The pings without an answer yet, oldest first, and when each was written."""

    def send(self, data: bytes) -> None:
        """Put a message into the outbox; a reader who let it overflow is cut off."""
        self._put(WSMsgType.TEXT, data)

    def ping(self) -> None:
        """Ask the browser itself, not the page, for a sign of life, after all that waits to be said."""
        self.pinged_us = now_us()
        self._ping_is_due = True
        self._filled.set()

    def pong(self, payload: bytes) -> None:
        """Answer a ping."""
        self._put(WSMsgType.PONG, payload)

    def answered(self, payload: bytes) -> int | None:
        """When the ping with this payload was sent; None: none was. Earlier ones are answered too (RFC 6455, 5.5.3)."""
        if payload not in self._probes:
            return None
        while True:
            asked, sent_us = self._probes.popitem(last=False)
            if asked == payload:
                return sent_us

    def waits_for_pong_us(self, now: int) -> int:
        """How long the oldest ping has been without its answer; 0: all are answered."""
        return now - next(iter(self._probes.values()), now)

    def close(self, reason: ByeReason, text: str) -> None:
        """Say these last words after all that waits, and hang up; cut the line if they do not get through."""
        if self.closing:
            return
        self._put(WSMsgType.TEXT, wire.bye(reason, text))
        self._hang_up(reason)

    def cut(self) -> None:
        """Nobody is there any more: cut the line."""
        self.closing = True
        self._filled.set()
        self._transport.abort()

    async def write(self) -> None:
        """The writer: frame after frame, as fast as the reader takes them; returns once the socket is closed."""
        with suppress(ConnectionError):  # the reader finds out by itself, and leaves
            await self._write()

    async def _write(self) -> None:
        while True:
            while self._outbox:
                kind, data = self._outbox.popleft()
                self._waiting_bytes -= len(data)
                await self._ws.send_frame(data, kind)
            if self.closing:
                break
            if self._ping_is_due:
                self._ping_is_due = False
                await self._write_ping()
                continue
            self._filled.clear()
            await self._filled.wait()
        await self._ws.close(code=self._close_code)

    async def _write_ping(self) -> None:
        if len(self._probes) < MAX_PROBES:
            payload = next(_payloads)
            self._probes[payload] = now_us()
            await self._ws.send_frame(payload, WSMsgType.PING)

    def _put(self, kind: WSMsgType, data: bytes) -> None:
        if self.closing:
            return
        if self._waiting_bytes + len(data) > self._limits.outbox_bytes:
            self._outbox.clear()
            self._outbox.append((WSMsgType.TEXT, wire.bye(ByeReason.TOO_SLOW, "this page reads too slowly: reload it")))
            self._hang_up(ByeReason.TOO_SLOW)
            return
        self._outbox.append((kind, data))
        self._waiting_bytes += len(data)
        self._filled.set()

    def _hang_up(self, reason: ByeReason) -> None:
        self.closing = True
        self._close_code = _CLOSE_CODES.get(reason, WSCloseCode.OK)
        self._filled.set()
        asyncio.get_running_loop().call_later(self._limits.farewell_us / SECOND, self._transport.abort)


class Door(Protocol):
    """What a socket talks to: a room."""

    def enter(self, socket: Socket, hello: Hello) -> None:
        """A socket has said who it is."""
        ...

    def arrive(self, socket: Socket, at_us: int, news: News) -> None:
        """Something came in on it, at that time."""
        ...

    def leave(self, socket: Socket) -> None:
        """It is gone."""
        ...


async def converse(ws: web.WebSocketResponse[Any], socket: Socket, door: Door, limits: Limits) -> None:
    """Everything from the first message to the last; returns once the connection is closed."""
    writer = asyncio.create_task(socket.write())
    try:
        await _listen(ws, socket, door, limits)
    finally:
        door.leave(socket)
        if socket.closing:
            await asyncio.wait([writer], timeout=2 * limits.farewell_us / SECOND)
        writer.cancel()


async def _listen(ws: web.WebSocketResponse[Any], socket: Socket, door: Door, limits: Limits) -> None:
    try:
        async with asyncio.timeout(limits.hello_us / SECOND):
            hello = await _hello(ws, socket)
    except TimeoutError:
        socket.close(ByeReason.REFUSED, "the first message is Hello, and it comes at once")
        return
    except Refusal as refusal:
        socket.close(ByeReason.REFUSED, refusal.text)
        return
    if hello is None:
        return
    door.enter(socket, hello)
    rate, patience = Bucket(limits.messages, now_us()), Bucket(limits.patience, now_us())
    async for message in ws:
        at_us = now_us()
        if socket.closing or message.type is WSMsgType.ERROR:
            return
        socket.heard_us = at_us
        if message.type is WSMsgType.PONG and (sent_us := socket.answered(bytes(message.data))) is not None:
            door.arrive(socket, at_us, Pong(sent_us))
        elif not rate.take(at_us):
            if not patience.take(at_us):
                socket.close(ByeReason.REFUSED, "far too many messages: slow down, then come back")
                return
            socket.send(wire.refused(RefusalCode.TOO_FAST, "too many messages at once: slow down"))
        elif message.type is WSMsgType.TEXT:
            door.arrive(socket, at_us, message.data)
        elif message.type is WSMsgType.BINARY:
            socket.send(wire.refused(RefusalCode.BAD_MESSAGE, "messages are JSON in text frames, not binary ones"))
        elif message.type is WSMsgType.PING:
            socket.pong(bytes(message.data))


async def _hello(ws: web.WebSocketResponse[Any], socket: Socket) -> Hello | None:
    """The first message; None if the client hung up before it.

    Raises:
        Refusal: it is no Hello.
    """
    async for message in ws:
        match message.type:
            case WSMsgType.TEXT:
                hello = wire.read_message(message.data)
                if not isinstance(hello, Hello):
                    raise Refusal(RefusalCode.NOT_NOW, "the first message is Hello")
                return hello
            case WSMsgType.PING:
                socket.pong(bytes(message.data))
            case WSMsgType.PONG:
                pass
            case WSMsgType.ERROR:
                return None
            case _:
                raise Refusal(RefusalCode.BAD_MESSAGE, "messages are JSON in text frames, not binary ones")
    return None
