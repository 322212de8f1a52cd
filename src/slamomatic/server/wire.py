"""Bytes to messages and back, with an error a person can read and mend.

Whatever bytes arrive, reading them gives a message or raises a ``Refusal``; nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from slamomatic.game.edition import UnfitEdition
from slamomatic.table.calls import JoinTable, OpenTable, QuickMatch
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import (
    Bye,
    ByeReason,
    ClientMessage,
    RefusalCode,
    Refused,
)

T = TypeVar("T")

MAX_REASON = 200
"""A reason may quote what was sent; no more of it than this."""

write = msgspec.json.Encoder().encode
"""A message as bytes."""

_messages = msgspec.json.Decoder(ClientMessage)
_open_table = msgspec.json.Decoder(OpenTable)
_join_table = msgspec.json.Decoder(JoinTable)
_quick_match = msgspec.json.Decoder(QuickMatch)


def read_message(data: bytes) -> ClientMessage:
    """What a client said.

    Raises:
        Refusal: it is not JSON, not of a known type, or a field is out of range.
    """
    return _read(_messages, data)


def read_open_table(data: bytes) -> OpenTable:
    """The body of ``POST /api/tables``.

    Raises:
        Refusal: as above.
    """
    return _read(_open_table, data)


def read_join_table(data: bytes) -> JoinTable:
    """The body of ``POST /api/tables/{code}/join``.

    Raises:
        Refusal: as above.
    """
    return _read(_join_table, data)


def read_quick_match(data: bytes) -> QuickMatch:
    """The body of ``POST /api/quick``.

    Raises:
        Refusal: as above.
    """
    return _read(_quick_match, data)


def reader(body: type[T]) -> Callable[[bytes], T]:
    """What reads bodies of this type, and refuses as above."""
    decoder = msgspec.json.Decoder(body)
    return lambda data: _read(decoder, data)


def refused(code: RefusalCode, text: str) -> bytes:
    """A refusal as bytes."""
    return write(Refused(code, text))


def bye(reason: ByeReason, text: str) -> bytes:
    """Last words as bytes."""
    return write(Bye(reason, text))


def _read(decoder: msgspec.json.Decoder[T], data: bytes) -> T:
    try:
        return decoder.decode(data)
    except msgspec.MsgspecError as error:
        unfit = error.__cause__
        if isinstance(unfit, UnfitEdition):  # its reason alone, for players: not where in the message it stood
            raise Refusal(RefusalCode.UNFIT_EDITION, str(unfit)) from None
        raise Refusal(RefusalCode.BAD_MESSAGE, str(error)[:MAX_REASON]) from None
    except RecursionError:
        raise Refusal(RefusalCode.BAD_MESSAGE, "it is nested too deep") from None
