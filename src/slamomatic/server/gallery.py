"""The watchers of one table, who see a game so late that what they know helps nobody who plays it.

Laws of this room:
- what watchers see is in the order it happened, whatever the delay;
- a watcher's welcome comes before everything that happened after it, and after everything that happened before.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator

from slamomatic.server.clock import after_us, now_us
from slamomatic.server.sockets import Socket


class Gallery:
    """Those who watch, and what they are going to see."""

    def __init__(self) -> None:
        self._watchers: set[Socket] = set()
        self._welcomed: set[Socket] = set()
        """Those whose welcome is on its way, or there."""
        self._coming: deque[tuple[int, Socket, bytes]] = deque()
        """What they are going to see, and when."""
        self._timer: asyncio.Handle | None = None

    def __len__(self) -> int:
        return len(self._watchers)

    def __iter__(self) -> Iterator[Socket]:
        return iter(self._watchers)

    def __contains__(self, socket: Socket) -> bool:
        return socket in self._watchers

    @property
    def sees_anything(self) -> bool:
        """Whether there is anybody to show a thing to."""
        return bool(self._welcomed)

    def come(self, socket: Socket) -> None:
        """A watcher more; he sees nothing before his welcome."""
        self._watchers.add(socket)

    def go(self, socket: Socket) -> None:
        """One fewer."""
        self._watchers.discard(socket)
        self._welcomed.discard(socket)

    def welcome(self, socket: Socket, welcome: bytes, delay_us: int) -> None:
        """This is what he sees first, if he is still there."""
        if socket in self._watchers:
            self._welcomed.add(socket)
            self._show((welcome,), (socket,), delay_us)

    def show(self, messages: Iterable[bytes], delay_us: int) -> None:
        """To everyone who was welcomed."""
        self._show(messages, tuple(self._welcomed), delay_us)

    def close(self) -> None:
        """Nobody watches any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._coming.clear()
        self._watchers.clear()
        self._welcomed.clear()

    def _show(self, messages: Iterable[bytes], watchers: tuple[Socket, ...], delay_us: int) -> None:
        due_us = now_us() + delay_us
        if self._coming:
            due_us = max(due_us, self._coming[-1][0])
        for data in messages:
            self._coming.extend((due_us, socket, data) for socket in watchers)
        if self._timer is None:
            self._send()

    def _send(self) -> None:
        self._timer = None
        now = now_us()
        while self._coming and self._coming[0][0] <= now:
            _, socket, data = self._coming.popleft()
            socket.send(data)
        if self._coming:
            self._timer = after_us(self._coming[0][0] - now, self._send)
