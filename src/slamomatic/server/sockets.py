"""One WebSocket: what goes out, what comes in and when, and how it ends.

Laws of this room:
- an arrival is stamped as its frame is read, before any other work;
- nobody ever waits for a reader: what is sent is written at once, into a buffer that is bounded here, and who lets it
  overflow is cut off;
- a ping's payload is random and its send time stays here: a page cannot answer before it was asked;
- a ping never overtakes a word: frames leave in the order they are written;
- every socket ends with a ``Bye`` if it can still hear one, and within a bounded time whether it can or not.
"""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Protocol, TypeAlias

import msgspec
from aiohttp import WSCloseCode, WSMsgType, web

from slamomatic.server import frames, wire
from slamomatic.server.clock import now_us
from slamomatic.server.limits import SECOND, Bucket, Limits
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import ByeReason, Hello, RefusalCode

MAX_PROBES = 1_024
"""Who has left so many pings unanswered is sent no more: ten seconds of a train, after which he is given up anyway."""
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
    size = frames.PING_BYTES
    while True:
        block = os.urandom(size * PAYLOADS_AT_ONCE)
        yield from (block[at : at + size] for at in range(0, len(block), size))


_payloads = _random_payloads()


class Socket:
    """The server's end of one connection."""

    __slots__ = (
        "_closer", "_limits", "_probes", "_transport", "_ws",
        "asides", "closing", "heard_us", "pinged_us", "renames", "seat",
    )  # fmt: skip

    def __init__(self, ws: web.WebSocketResponse[Any], transport: asyncio.Transport, limits: Limits) -> None:
        self.seat: int | None = None
        """The seat it plays, or None: it watches."""
        self.heard_us = self.pinged_us = now_us()
        self.asides = Bucket(limits.asides, self.heard_us)
        self.renames = Bucket(limits.renames, self.heard_us)
        self.closing = False
        self._ws = ws
        self._transport = transport
        self._limits = limits
        self._closer: asyncio.Task[None] | None = None
        self._probes: OrderedDict[bytes, int] = OrderedDict()
        """The pings without an answer yet, oldest first, and when each was written."""

    def send(self, data: bytes) -> None:
        """Write a message; a reader who lets too much pile up is cut off."""
        self._put(frames.text(data))

    def ping(self) -> None:
        """Ask the browser itself, not the page, for a sign of life, after all that was said before."""
        now = self.pinged_us = now_us()
        if not self.closing and len(self._probes) < MAX_PROBES and not self._transport.is_closing():
            payload = next(_payloads)
            self._probes[payload] = now
            self._transport.write(frames.ping(payload))

    def pong(self, payload: bytes) -> None:
        """Answer a ping."""
        self._put(frames.pong(payload))

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
        """Say these last words after all that was said, and hang up; cut the line if they do not get through."""
        if self.closing:
            return
        if not self._transport.is_closing():
            self._transport.write(frames.text(wire.bye(reason, text)))
        self.closing = True
        loop = asyncio.get_running_loop()
        self._closer = loop.create_task(self._hang_up(_CLOSE_CODES.get(reason, WSCloseCode.OK)))
        loop.call_later(self._limits.farewell_us / SECOND, self._transport.abort)

    def cut(self) -> None:
        """Nobody is there any more: cut the line."""
        self.closing = True
        self._transport.abort()

    async def closed(self) -> None:
        """Wait, for a bounded time, until the last words are out and the connection is closed."""
        if self._closer is not None:
            await asyncio.wait([self._closer], timeout=2 * self._limits.farewell_us / SECOND)

    async def _hang_up(self, code: WSCloseCode) -> None:
        with suppress(ConnectionError):  # who is gone already hears nothing, and need not
            await self._ws.close(code=code)

    def _put(self, frame: bytes) -> None:
        if self.closing or self._transport.is_closing():
            return
        if self._transport.get_write_buffer_size() + len(frame) > self._limits.outbox_bytes:
            self.close(ByeReason.TOO_SLOW, "this page reads too slowly: reload it")
            return
        self._transport.write(frame)


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
    try:
        await _listen(ws, socket, door, limits)
    finally:
        door.leave(socket)
        await socket.closed()


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
