"""The frames a server writes, read by the library's own reader."""

from __future__ import annotations

import asyncio
from unittest.mock import Mock

import pytest
from aiohttp import WSMsgType
from aiohttp._websocket.reader import WebSocketDataQueue, WebSocketReader
from hypothesis import given
from hypothesis import strategies as st

from slamomatic.server import frames


async def read(data: bytes) -> tuple[WSMsgType, bytes]:
    """The one frame in these bytes."""
    queue = WebSocketDataQueue(Mock(_reading_paused=False), 2**24, loop=asyncio.get_running_loop())
    WebSocketReader(queue, max_msg_size=2**24, compress=False, decode_text=False).feed_data(data)
    message = await queue.read()
    assert not queue._buffer
    return message.type, bytes(message.data)


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65_535, 65_536, 200_000])
async def test_a_message_of_any_length_is_one_text_frame(length: int) -> None:
    data = bytes(index % 95 + 32 for index in range(length))
    assert await read(frames.text(data)) == (WSMsgType.TEXT, data)


@given(st.binary(min_size=frames.PING_BYTES, max_size=frames.PING_BYTES))
def test_a_ping_carries_its_payload(payload: bytes) -> None:
    assert asyncio.run(read(frames.ping(payload))) == (WSMsgType.PING, payload)


@given(st.binary(max_size=125))
def test_a_pong_carries_what_was_asked(payload: bytes) -> None:
    assert asyncio.run(read(frames.pong(payload))) == (WSMsgType.PONG, payload)
