"""What a server writes on a WebSocket (RFC 6455, 5.2): whole frames, never masked, never split, never compressed.

They are made here, not in the library, because they are written at once and by nobody who waits: a race sends hundreds
of pings, and a task for each would cost more than all the rest.
"""

from __future__ import annotations

from struct import pack

TEXT = 0x81
_SHORT = 125
_MEDIUM = 0xFFFF

PING_BYTES = 8
"""The payload of each ping of ours."""
_PING = bytes((0x89, PING_BYTES))


def text(data: bytes) -> bytes:
    """A text frame."""
    length = len(data)
    if length <= _SHORT:
        return pack("!BB", TEXT, length) + data
    if length <= _MEDIUM:
        return pack("!BBH", TEXT, 126, length) + data
    return pack("!BBQ", TEXT, 127, length) + data


def ping(payload: bytes) -> bytes:
    """A ping with a payload of :data:`PING_BYTES`."""
    return _PING + payload


def pong(payload: bytes) -> bytes:
    """The answer to a ping, whose payload is at most 125 bytes long."""
    return pack("!BB", 0x8A, len(payload)) + payload
