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
import logging
from collections import OrderedDict
from contextlib import suppress
from typing import Protocol, TypeAlias

import msgspec
from aiohttp import WSCloseCode, WSMessage, WSMsgType
from aiohttp.http import WebSocketError

from slamomatic.server import frames, wire
from slamomatic.server.chance import random_pieces
from slamomatic.server.clock import now_us
from slamomatic.server.limits import SECOND, Bucket, Limits
from slamomatic.server.lines import Line
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import ByeReason, Hello, RefusalCode

log = logging.getLogger(__name__)

MAX_PROBES = 1_024
"""Who has left so many pings unanswered is sent no more: ten seconds of a train, after which he is given up anyway."""

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


_payloads = random_pieces(frames.PING_BYTES)


class Socket:
    """The server's end of one connection."""

    __slots__ = (
        "_closer", "_limits", "_line", "_probes", "_transport",
        "asides", "closing", "gone", "heard_us", "pinged_us", "renames", "seat",
    )  # fmt: skip

    def __init__(self, line: Line, transport: asyncio.Transport, limits: Limits) -> None:
        self.seat: int | None = None
        """The seat it plays, or None: it watches."""
        self.heard_us = self.pinged_us = now_us()
        self.asides = Bucket(limits.asides, self.heard_us)
        self.renames = Bucket(limits.renames, self.heard_us)
        self.closing = False
        self._line = line
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done once nothing more will be heard."""
        self._transport = transport
        self._limits = limits
        self._closer: asyncio.Task[None] | None = None
        self._probes: OrderedDict[bytes, int] = OrderedDict()
        """The pings without an answer yet, oldest first, and when each was written."""

    def send(self, data: bytes) -> None:
        """Write a message; a reader who lets too much pile up is cut off."""
        self.write([frames.text(data)])

    def ping(self) -> None:
        """Ask the browser itself, not the page, for a sign of life, after all that was said before."""
        if not self.closing and not self._transport.is_closing():
            self._transport.write(self._ping())

    def pong(self, payload: bytes) -> None:
        """Answer a ping."""
        self.write([frames.pong(payload)])

    def write(self, said: list[bytes], *, and_ping: bool = False) -> None:
        """Write these frames, and a ping after them, all in one go; cut off a reader who lets too much pile up."""
        if self.closing or self._transport.is_closing():
            return
        if self._transport.get_write_buffer_size() + sum(map(len, said)) > self._limits.outbox_bytes:
            self.close(ByeReason.TOO_SLOW, "this page reads too slowly: reload it")
            return
        self._transport.writelines([*said, self._ping()] if and_ping else said)

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
        self.hang_up(_CLOSE_CODES.get(reason, WSCloseCode.OK))

    def hang_up(self, code: int) -> None:
        """Say no more; the other side has a moment to say goodbye."""
        self.closing = True
        self._line.deafen()
        loop = asyncio.get_running_loop()
        self._closer = loop.create_task(self._say_goodbye(code))
        loop.call_later(self._limits.farewell_us / SECOND, self._transport.abort)
        self.end()

    def read_no_more(self) -> None:
        """Whatever still comes stays where it is."""
        if not self._transport.is_closing():
            self._transport.pause_reading()

    def cut(self) -> None:
        """Nobody is there any more: cut the line."""
        self.closing = True
        self._transport.abort()
        self.end()

    def end(self) -> None:
        """Nothing more will be heard."""
        if not self.gone.done():
            self.gone.set_result(None)

    async def closed(self) -> None:
        """Wait, for a bounded time, until the last words are out and the connection is closed."""
        if self._closer is not None:
            await asyncio.wait([self._closer], timeout=2 * self._limits.farewell_us / SECOND)

    async def _say_goodbye(self, code: int) -> None:
        with suppress(ConnectionError):  # who is gone already hears nothing, and need not
            await self._line.close(code=code)

    def _ping(self) -> bytes:
        """The frame of the next ping, as it is written; none for who has left so many unanswered."""
        now = self.pinged_us = now_us()
        if len(self._probes) >= MAX_PROBES:
            return b""
        payload = next(_payloads)
        self._probes[payload] = now
        return frames.ping(payload)


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


async def converse(line: Line, socket: Socket, door: Door, limits: Limits) -> None:
    """Everything from the first message to the last; returns once the connection is closed."""
    conversation = _Conversation(line, socket, door, limits)
    loop = asyncio.get_running_loop()
    greeting = loop.call_later(limits.hello_us / SECOND, conversation.is_late)
    try:
        await line.listen(conversation.hear, conversation.breaks_off, conversation.lets_in)
        await socket.gone
    finally:
        greeting.cancel()
        door.leave(socket)
        await socket.closed()


class _Conversation:
    """What one page says, from its first message on."""

    __slots__ = ("_door", "_greeted", "_incoming", "_line", "_patience", "_rate", "_socket")

    def __init__(self, line: Line, socket: Socket, door: Door, limits: Limits) -> None:
        self._line = line
        self._socket = socket
        self._door = door
        self._greeted = False
        now = now_us()
        self._rate, self._patience = Bucket(limits.messages, now), Bucket(limits.patience, now)
        self._incoming = Bucket(limits.incoming, now)

    def hear(self, message: WSMessage) -> None:
        """A frame has come."""
        at_us = now_us()
        try:
            self._hear(at_us, message)
        except Exception:
            log.exception("a socket broke")
            self._socket.cut()

    def lets_in(self, size: int) -> bool:
        """So many bytes have come; False: they are too many, and nothing is read any more."""
        if self._incoming.take(now_us(), size):
            return True
        self._socket.close(ByeReason.REFUSED, "far too much at once: slow down, then come back")
        self._socket.read_no_more()
        return False

    def is_late(self) -> None:
        """It was time for the first message."""
        if not self._greeted:
            self._socket.close(ByeReason.REFUSED, "the first message is Hello, and it comes at once")

    def breaks_off(self, error: BaseException | None) -> None:
        """Nothing more will come; an error: for what came last was no frame."""
        if isinstance(error, WebSocketError):
            self._socket.hang_up(error.code)
        self._socket.end()

    def _hear(self, at_us: int, message: WSMessage) -> None:
        socket = self._socket
        if socket.closing:
            return
        socket.heard_us = at_us
        kind = message.type
        if kind is WSMsgType.PONG and (sent_us := socket.answered(bytes(message.data))) is not None:
            if self._greeted:
                self._door.arrive(socket, at_us, Pong(sent_us))
        elif kind is WSMsgType.CLOSE:
            self._line.hand_back(message)
            socket.hang_up(WSCloseCode.OK)
        elif not self._rate.take(at_us):
            if self._patience.take(at_us):
                socket.send(wire.refused(RefusalCode.TOO_FAST, "too many messages at once: slow down"))
            else:
                socket.close(ByeReason.REFUSED, "far too many messages: slow down, then come back")
        elif kind is WSMsgType.PING:
            socket.pong(bytes(message.data))
        elif kind is WSMsgType.TEXT:
            if self._greeted:
                self._door.arrive(socket, at_us, message.data)
            else:
                self._greet(message.data)
        elif kind is WSMsgType.BINARY:
            socket.send(wire.refused(RefusalCode.BAD_MESSAGE, "messages are JSON in text frames, not binary ones"))

    def _greet(self, data: bytes) -> None:
        try:
            hello = wire.read_message(data)
            if not isinstance(hello, Hello):
                raise Refusal(RefusalCode.NOT_NOW, "the first message is Hello")
        except Refusal as refusal:
            self._socket.close(ByeReason.REFUSED, refusal.text)
            return
        self._greeted = True
        self._door.enter(self._socket, hello)
