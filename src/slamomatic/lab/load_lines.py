"""Players' ends of many sockets, read by one loop of this process: as lean as Python can do it.

Laws of this room:
- a ping is answered as its frame is read, before anything else is done with what came, as a browser answers it;
- the loop does what is due in order of time, never early, and never waits for a single line;
- no library of sockets stands between: of thousands on one core each layer would be felt. Only what the server says is
  understood: whole frames, unmasked, each a ping, a text or a close.
"""

from __future__ import annotations

import heapq
import selectors
import socket
from collections.abc import Callable
from itertools import count
from time import monotonic_ns

TEXT, CLOSE, PING = 0x81, 0x88, 0x89
"""The first byte of a whole frame (RFC 6455, 5.2)."""
CHUNK = 64 * 1024
MASKED = 0x80
LONG, LONGER = 126, 127
"""A length that says that the length follows, in two bytes or in eight."""
NO_MASK = bytes(4)
"""A mask all the same, as a client's frames must have; nothing is hidden by it, and nothing need be computed for it."""
KEY = "AAAAAAAAAAAAAAAAAAAAAA=="


class Broken(RuntimeError):
    """A line did what no line does here; the message says what."""


def now_us() -> int:
    """Now, on the clock that all processes of this machine share."""
    return monotonic_ns() // 1_000


class Loop:
    """Reads every line, and does what is due."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._numbers = count()

    def at(self, at_us: int, act: Callable[[], None]) -> None:
        """Do this then."""
        heapq.heappush(self._due, (at_us, next(self._numbers), act))

    def run(self, is_over: Callable[[], bool]) -> None:
        """Until this is so; it is asked after every round of reading."""
        due, select = self._due, self._selector.select
        while not is_over():
            wait_us = max(0, min(due[0][0] - now_us(), 100_000)) if due else 100_000
            for key, _ in select(wait_us / 1e6):
                key.data()
            now = now_us()
            while due and due[0][0] <= now:
                heapq.heappop(due)[2]()

    def run_until(self, at_us: int) -> None:
        """Until then, or hardly later."""
        self.at(at_us, lambda: None)  # so that no wait lasts longer
        self.run(lambda: now_us() >= at_us)

    def reads(self, sock: socket.socket, on_data: Callable[[], None]) -> None:
        """Call this whenever something has come in there."""
        self._selector.register(sock, selectors.EVENT_READ, on_data)

    def forget(self, sock: socket.socket) -> None:
        """Read there no more."""
        self._selector.unregister(sock)


class Line:
    """One socket to a table."""

    __slots__ = ("_hear", "_hello", "_loop", "_rest", "_sock", "is_closed", "pings")

    def __init__(
        self, loop: Loop, address: tuple[str, int], path: str, hello: bytes, hear: Callable[[bytes], None]
    ) -> None:
        """Connects, and asks for a WebSocket; ``hello`` is said once it is open."""
        self.pings = 0
        """How many were answered."""
        self.is_closed = False
        self._hear = hear
        self._hello: bytes | None = hello
        """None once it is said."""
        self._loop = loop
        self._rest = b""
        self._sock = socket.create_connection(address)
        self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sock.setblocking(False)
        loop.reads(self._sock, self._read)
        self._send(
            f"GET {path} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n\r\n".encode()
        )

    def say(self, message: bytes) -> None:
        """Send one message."""
        length = len(message)
        head = (
            bytes((TEXT, MASKED | length)) if length < LONG else bytes((TEXT, MASKED | LONG, length >> 8, length & 255))
        )
        self._send(head + NO_MASK + message)

    def close(self) -> None:
        """Hang up."""
        if not self.is_closed:
            self.is_closed = True
            self._loop.forget(self._sock)
            self._sock.close()

    def _send(self, data: bytes) -> None:
        if self.is_closed:
            return
        try:
            sent = self._sock.send(data)
        except BlockingIOError:
            sent = 0
        except ConnectionError:
            self.close()
            return
        if sent < len(data):
            raise Broken("the server has stopped reading: what is said to it piles up")

    def _read(self) -> None:
        try:
            data = self._sock.recv(CHUNK)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        if not data:
            self.close()
            return
        if self._rest:
            data = self._rest + data
        if self._hello is None:
            self._take(data, 0)
        else:
            self._open(data, self._hello)

    def _open(self, data: bytes, hello: bytes) -> None:
        end = data.find(b"\r\n\r\n")
        if end < 0:
            self._rest = data
            return
        if not data.startswith(b"HTTP/1.1 101"):
            raise Broken(f"the server opens no WebSocket: {data[:300].decode(errors='replace')}")
        self._hello = None
        self.say(hello)
        self._take(data, end + 4)

    def _take(self, data: bytes, at: int) -> None:
        """Every whole frame from there on; what is left waits for its rest."""
        end = len(data)
        texts: list[bytes] = []
        pongs = b""
        while end - at >= 2:
            kind, length, start = data[at], data[at + 1], at + 2
            if length == LONG:
                start = at + 4
                length = int.from_bytes(data[at + 2 : start], "big")
            elif length == LONGER:
                start = at + 10
                length = int.from_bytes(data[at + 2 : start], "big")
            if start + length > end:
                break
            at = start + length
            if kind == PING:
                pongs += bytes((0x8A, MASKED | length)) + NO_MASK + data[start:at]
                self.pings += 1
            elif kind == TEXT:
                texts.append(data[start:at])
            elif kind == CLOSE:
                self.close()
            else:
                raise Broken(f"a frame begins with {kind:#x}")
        self._rest = data[at:]
        if pongs:
            self._send(pongs)
        for text in texts:
            self._hear(text)
