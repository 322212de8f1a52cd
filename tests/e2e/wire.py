"""Everything that reached one browser over its sockets, and what its owner may have known from that.

The messages are read strictly: a field the protocol does not name is a find. Every card in them, wherever it stands,
must be one its viewer may know (B11).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from playwright.async_api import Page, WebSocket

from slamomatic.game.cards import Card
from slamomatic.game.events import CardBuried, CardDrawn, CardTaken, Dealt, PairLaid
from slamomatic.game.view import View
from slamomatic.table.protocol import Moved, ServerMessage, Welcome

_messages: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


class Wire:
    """The frames of one page's sockets, in order."""

    def __init__(self, page: Page) -> None:
        self.received: list[str] = []
        self.sent: list[str] = []
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: self.received.append(str(data)))
        socket.on("framesent", lambda data: self.sent.append(str(data)))

    def messages(self) -> list[ServerMessage]:
        """All that came, read strictly.

        Raises:
            AssertionError: a message says more than the protocol.
        """
        return [strictly(frame) for frame in self.received]

    def said(self, *types: str) -> int:
        """How many messages of these types the page has sent."""
        return sum(msgspec.json.decode(frame)["type"] in types for frame in self.sent)


def seats_of(messages: list[ServerMessage]) -> set[int | None]:
    """As whom this page was welcomed; None: as a watcher."""
    return {message.seat for message in messages if isinstance(message, Welcome)}


def secrets_in(messages: list[ServerMessage], seat: int | None) -> list[str]:
    """Every card in these messages that this seat, or a watcher, may not know."""
    return [
        f"{type(message).__name__}.{path}: {card}"
        for message in messages
        for path, card in _cards(message)
        if not _may_know(message, path, seat)
    ]


def strictly(frame: str) -> ServerMessage:
    """One message from the server.

    Raises:
        AssertionError: it says more than the protocol.
    """
    message = _messages.decode(frame)
    said, known = msgspec.json.decode(frame), msgspec.to_builtins(message)
    assert msgspec.json.decode(msgspec.json.encode(known)) == said, f"more than the protocol says: {frame}"
    return message


def _cards(value: Any, path: str = "") -> Iterator[tuple[str, Card]]:
    """Every card in a message, and where it stands: ``view.players.2.hand.0``."""
    if isinstance(value, Card):
        yield path, value
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from _cards(getattr(value, field), f"{path}.{field}".lstrip("."))
    elif isinstance(value, tuple | list):
        for at, item in enumerate(value):
            yield from _cards(item, f"{path}.{at}")


def _may_know(message: ServerMessage, path: str, seat: int | None) -> bool:
    match message, path.split("."):
        case Moved(events=events), ["events", at, *inside]:
            return _may_know_of(events[int(at)], inside, seat)
        case Welcome(missed=tuple(missed)), ["missed", move, "events", at, *inside]:
            return _may_know_of(missed[int(move)].events[int(at)], inside, seat)
        case ((Welcome(view=View() as view) | Moved(view=view)), ["view", part, *inside]):
            return _may_see(view, part, inside, seat)
        case _:
            return False


def _may_see(view: View, part: str, inside: list[str], seat: int | None) -> bool:
    match part, inside:
        case "players", [at, "hand", *_]:
            return view.ended is not None or view.players[int(at)].seat == seat
        case "players", [_, "laid", *_]:
            return True
        case "legal", [_, "pair", *_]:
            return view.viewer == seat is not None and view.to_act == seat
        case "scores", _:
            return view.ended is not None
        case _:
            return False


def _may_know_of(event: object, inside: list[str], seat: int | None) -> bool:
    match event, inside:
        case Dealt(), ["cuts", *_]:
            return True
        case Dealt(seats=seats), ["hands", at, *_]:
            return seats[int(at)] == seat
        case CardDrawn(seat=drawer), ["card"]:
            return drawer == seat
        case CardTaken(seat=taker, loser=loser), ["card"]:
            return seat in (taker, loser)
        case CardBuried(loser=loser), ["card"]:
            return loser == seat
        case PairLaid(), ["pair", _]:
            return True
        case _:
            return False
