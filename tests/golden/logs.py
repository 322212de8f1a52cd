"""The log of an evening at a table, as each version of the log wrote it: what was kept once is read for ever.

``python -m tests.golden.logs`` plays an evening in which everything happens that a log can tell, and writes the log of
today's version, once: what lies there already was written by a program that people have used.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from slamomatic.game import CLASSIC, MODERN
from slamomatic.table.guests import Guest
from slamomatic.table.log import LOG_VERSION, Entry, SeatFlagged, decode, encode
from slamomatic.table.protocol import (
    AddBot,
    Assist,
    Ban,
    CapRoundTrip,
    Leave,
    Level,
    LockSeats,
    NameDealer,
    Pace,
    Phase,
    Ready,
    Remove,
    Rename,
    SetEdition,
    SetListed,
    SetPace,
    SetRated,
    Sit,
    VoteEnd,
)
from slamomatic.unit import Flag
from tests.table.evening import Evening
from tests.table.pages import MS, SECOND, Player


def path(version: int) -> Path:
    """Where the log of that version lies, an entry a line."""
    return Path(__file__).parent / f"table-{version}.log"


def bodies(version: int) -> list[bytes]:
    """The entries of that log as they were written."""
    return path(version).read_bytes().splitlines()


def entries(version: int) -> Iterator[Entry]:
    """And as they are read today."""
    return (decode(version, body) for body in bodies(version))


def an_evening() -> Evening:
    """Everything happens that a log can tell: a game is played, one is called off, and one goes on."""
    evening = Evening(edition=CLASSIC, seed=8)
    ann, bob, cid, dee = (_player(evening, seat, name) for seat, name in enumerate(("Ann", "Bob", "Cid", "Dee"), 1))
    evening.wait(2 * SECOND)
    ann.says(SetRated(rated=True), SetRated(rated=False), LockSeats(locked=True), SetListed(listed=False))
    ann.says(Ban(dee.seat), SetPace(Pace.RELAXED), CapRoundTrip(300), AddBot(Level.SHARP, 4), Rename(1, "Anna"))
    bob.says(Assist(never_short=True))
    cid.ticket = "Cid's new and secret ticket"
    evening.joins(cid)
    evening.wait(2 * SECOND)
    ann.says(Remove(4))
    evening.wait(SECOND)
    bob.says(Sit(4))
    ann.says(AddBot(Level.SHARP, 2))
    _begin(evening, ann, bob, cid)
    evening.wait(30 * SECOND)
    for page in (ann, bob, cid):
        page.hides()
    evening.wait(60 * SECOND)
    for page in (ann, bob, cid):
        page.returns()
    evening.until(lambda: evening.phase() is Phase.RESULT, 3_600 * SECOND)
    evening.table.keep(SeatFlagged(bob.seat, Flag.DETOUR, is_raised=True))
    ann.says(SetEdition(MODERN), NameDealer(3))
    _begin(evening, ann, bob, cid)
    evening.wait(30 * SECOND)
    ann.says(Leave())
    evening.wait(62 * SECOND)
    bob.says(VoteEnd(end=True))
    cid.says(VoteEnd(end=True))
    evening.until(lambda: evening.phase() is Phase.WAITING)
    _begin(evening, bob, cid)
    evening.wait(60 * SECOND)
    return evening


def _player(evening: Evening, seat: int, name: str) -> Player:
    chance = Random(seat)

    def way() -> int:
        return 15 * MS + chance.randrange(4 * MS)

    page = Player(evening, name, chance, down=way, up=way, frame=lambda: chance.randrange(16_700))
    page.guest = Guest(f"person {seat}", 100 * seat, None, f"home of {seat}")
    page.is_keen = False
    evening.joins(page)
    return page


def _begin(evening: Evening, *pages: Player) -> None:
    evening.wait(SECOND)
    for page in pages:
        page.says(Ready(ready=True))
    evening.until(lambda: evening.phase() is Phase.PLAYING)


if __name__ == "__main__":
    with path(LOG_VERSION).open("xb") as file:
        file.writelines(encode(entry) + b"\n" for entry in an_evening().log)
