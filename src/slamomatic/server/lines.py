"""A WebSocket whose frames are heard in the very turn of the loop that reads them, not fetched by a task that waits.

The library shakes hands, reads frames and says goodbye as ever. Only between its reader and us there is no queue while
somebody listens: a race sends hundreds of pongs, and waking a task for each cost more than all that came of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from aiohttp import WSMessage, web
from aiohttp._websocket.reader import WebSocketDataQueue
from aiohttp.http import WebSocketReader, WebSocketWriter
from aiohttp.web_request import BaseRequest

QUEUE_BYTES = 2**16
"""So much may wait while nobody listens yet."""
CLOSE_SECONDS = 1.0
"""The other side has so long to say goodbye too."""

Listener = Callable[[Any], None]
Meter = Callable[[int], bool]
"""Told of so many bytes before they are read: whether they may be."""
MUCH = 16_384
"""The meter is asked of so many bytes at a time: nearly all that comes is the answer to a ping, and few."""


class Ear(WebSocketDataQueue):
    """Where the library's reader puts what it has read: into the listener, or into its queue while there is none."""

    listener: Listener | None = None
    gone: Callable[[BaseException | None], None] | None = None
    """Told when nothing more will come, and why, if the other side broke the rules."""

    def feed_data(self, data: Any, size: int) -> None:
        """A frame was read."""
        if self.listener is None:
            super().feed_data(data, size)
        else:
            self.listener(data)

    def feed_eof(self) -> None:
        """The connection is gone."""
        super().feed_eof()
        if self.gone is not None:
            self.gone(None)

    def set_exception(self, exc: BaseException, exc_cause: BaseException | None = None) -> None:
        """What came was no frame."""
        super().set_exception(exc, exc_cause or exc)
        if self.gone is not None:
            self.gone(exc)


class Metered:
    """Between the connection and the library's reader, which reads any number of frames that nobody ever hears."""

    __slots__ = ("_reader", "_unmetered", "meter")

    def __init__(self, reader: WebSocketReader) -> None:
        self._reader = reader
        self._unmetered = 0
        self.meter: Meter | None = None

    def feed_data(self, data: bytes) -> tuple[bool, bytes]:
        """This has come."""
        self._unmetered += len(data)
        if self._unmetered >= MUCH:
            size, self._unmetered = self._unmetered, 0
            if self.meter is not None and not self.meter(size):
                return False, b""
        return self._reader.feed_data(data)

    def feed_eof(self) -> None:
        """Nothing more will."""
        self._reader.feed_eof()


class Line(web.WebSocketResponse[Any]):
    """One WebSocket."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(
            autoping=False, compress=False, decode_text=False, max_msg_size=max_bytes, timeout=CLOSE_SECONDS
        )
        self._ear: Ear | None = None
        self._metered: Metered | None = None

    async def listen(self, listener: Listener, gone: Callable[[BaseException | None], None], meter: Meter) -> None:
        """From now on, and from what has come already, every frame goes to this listener, if the meter lets it in."""
        ear = self._ear
        assert ear is not None, "shake hands first"
        assert self._metered is not None
        self._metered.meter = meter
        ear.gone = gone
        while ear._buffer:
            listener(await ear.read())
        ear.listener = listener
        if ear.is_eof():
            gone(ear.exception())

    def deafen(self) -> None:
        """Nobody listens any more: what still comes is the library's, which waits for a goodbye."""
        if self._ear is not None:
            self._ear.listener = self._ear.gone = None

    def hand_back(self, message: WSMessage) -> None:
        """The library is to see this itself."""
        self.deafen()
        assert self._ear is not None
        self._ear.feed_data(message, 0)

    def _post_start(self, request: BaseRequest, protocol: str | None, writer: WebSocketWriter) -> None:
        """As in the library, but for whose ear it is."""
        self._ws_protocol = protocol
        self._writer = writer
        assert self._loop is not None
        self._reader = self._ear = Ear(request._protocol, QUEUE_BYTES, loop=self._loop)
        self._parser = WebSocketReader(self._reader, self._max_msg_size, compress=False, decode_text=False)
        self._metered = Metered(self._parser)
        request.protocol.set_parser(cast(WebSocketReader, self._metered))
        request.protocol.keep_alive(False)
