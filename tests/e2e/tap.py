"""The real server with a tap: when it sent each contact, and when everything of a seat arrived, is kept in a file.

``python -m tests.e2e.tap FILE serve …`` is ``slamomatic serve …``; the file is written when it closes down.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import msgspec

from slamomatic.cli import main
from slamomatic.server.clock import now_us
from slamomatic.server.room import Room
from slamomatic.server.sockets import News, Pong, Socket
from slamomatic.table.protocol import Cue, Shown, Touch


class Sent(msgspec.Struct, tag=True, frozen=True):
    """A contact went out to this seat."""

    seat: int
    at_us: int
    cue: str


class Answered(msgspec.Struct, tag=True, frozen=True):
    """A ping to this seat was answered."""

    seat: int
    at_us: int
    sent_us: int


class Said(msgspec.Struct, tag=True, frozen=True):
    """A page has shown something, or its hand has touched."""

    seat: int
    at_us: int
    message: Shown | Touch


CONTACT = b'"kind":"contact"'
"""What is in the messages of interest, and in no other."""

Entry: TypeAlias = Sent | Answered | Said

_entries: list[Entry] = []
_cues = msgspec.json.Decoder(Cue)
_of_pages = msgspec.json.Decoder(Shown | Touch)


@dataclass(frozen=True)
class Seen:
    """One hand in one race, on the server's clock, in ms from when the contact was sent."""

    seat: int
    cue: str
    pong: float
    """The first ping sent after the contact was answered."""
    shown: float
    touch: float
    claim: float
    frame: float
    grain: float
    train: list[tuple[float, float]]
    """Of the pings sent from the contact until the touch came: when each was answered, and its round trip."""


def read_tap(file: Path, seat: int) -> Iterator[Seen]:
    """This hand in every race, as a tapped server has heard it."""
    entries = [entry for entry in msgspec.json.decode(file.read_bytes(), type=list[Entry]) if entry.seat == seat]
    starts = [at for at, entry in enumerate(entries) if isinstance(entry, Sent)]
    for at, end in pairwise([*starts, len(entries)]):
        seen = _seen(entries[at], entries[at:end])
        if seen is not None:
            yield seen


def _seen(sent: Entry, heard: list[Entry]) -> Seen | None:
    """From one contact to the next; None if the hand did not touch."""
    assert isinstance(sent, Sent)

    def ms(at_us: int) -> float:
        return (at_us - sent.at_us) / 1_000

    train: list[tuple[float, float]] = []
    shown: tuple[float, Shown] | None = None
    for entry in heard:
        match entry:
            case Answered(at_us=at_us, sent_us=sent_us) if sent_us >= sent.at_us:
                train.append((ms(at_us), (at_us - sent_us) / 1_000))
            case Said(at_us=at_us, message=Shown(cue=sent.cue) as said):
                shown = ms(at_us), said
            case Said(at_us=at_us, message=Touch(cue=sent.cue, claim_us=int(claim_us))) if shown is not None:
                shown_ms, said = shown
                return Seen(
                    seat=sent.seat,
                    cue=sent.cue,
                    pong=train[0][0],
                    shown=shown_ms,
                    touch=ms(at_us),
                    claim=claim_us / 1_000,
                    frame=said.frame_us / 1_000,
                    grain=said.grain_us / 1_000,
                    train=train,
                )
            case _:
                pass
    return None


def _tap() -> None:
    write, arrive = Socket.write, Room.arrive

    def sent(socket: Socket, said: list[bytes], *, and_ping: bool = False) -> None:
        for frame in said:
            if socket.seat is not None and CONTACT in frame:
                message = frame[frame.index(b"{") :]
                _entries.append(Sent(socket.seat, now_us(), _cues.decode(message).cue))
        write(socket, said, and_ping=and_ping)

    def arrived(room: Room, socket: Socket, at_us: int, news: News) -> None:
        arrive(room, socket, at_us, news)
        if socket.seat is None:
            return
        if isinstance(news, Pong):
            _entries.append(Answered(socket.seat, at_us, news.sent_us))
        else:
            with suppress(msgspec.ValidationError):  # something else was said
                _entries.append(Said(socket.seat, at_us, _of_pages.decode(news)))

    Socket.write = sent  # type: ignore[assignment, method-assign]
    Room.arrive = arrived  # type: ignore[assignment, method-assign]


if __name__ == "__main__":
    _tap()
    try:
        main(sys.argv[2:])
    finally:
        Path(sys.argv[1]).write_bytes(msgspec.json.encode(_entries))
