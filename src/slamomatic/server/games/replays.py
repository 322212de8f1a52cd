"""A finished game, move by move, with all hands open: made of its text by the rules themselves.

Laws of this room:
- the game is over, so there is nothing left to hide; what the unit saw of a race stands in the text beside its verdict;
- it is worked out beside the loop, once, and kept packed as long as there is room for it.
"""

from __future__ import annotations

import gzip
from collections import OrderedDict
from collections.abc import Iterator
from enum import StrEnum
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from slamomatic.game.dealing import start
from slamomatic.game.duties import AwaitVerdict
from slamomatic.game.edition import EarlyTouch, Edition
from slamomatic.game.events import Event, Faked, Judged
from slamomatic.game.evidence import Evidence, Timing
from slamomatic.game.notation import read
from slamomatic.game.record import Record
from slamomatic.game.scoring import Scores
from slamomatic.game.state import State
from slamomatic.game.verdict import Action
from slamomatic.game.view import View, view
from slamomatic.server import wire
from slamomatic.server.calls import GameInfo, ReplayStep
from slamomatic.server.games.aside import Aside
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import Mark, RaceView, RefusalCode
from slamomatic.unit import Doubt, Jam
from slamomatic.unit.adjudicator import LEAST_TAU_US

W = TypeVar("W", bound=StrEnum)

MOST_TEXT = 128 * 1024
"""A longer game, of some thousands of moves, is not shown step by step; its text can still be had."""
MOST_KEPT = 8 * 1024 * 1024
"""So many bytes of packed replays are kept."""
MOST_WAITING = 20
"""So many replays may wait to be worked out."""


class Written(msgspec.Struct, frozen=True):
    """A :class:`~slamomatic.server.calls.GameReplay` whose steps are JSON already."""

    game: GameInfo
    rulings: Edition
    steps: tuple[msgspec.Raw, ...]
    scores: Scores


class Replays:
    """Works replays out, and keeps the last ones."""

    def __init__(self) -> None:
        self._aside = Aside()
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        """By all that is told of the game beside its moves, so that a new name makes a new replay."""
        self._kept_bytes = 0

    async def packed(self, game: GameInfo, text: str) -> bytes:
        """The replay as JSON, gzipped.

        Raises:
            Refusal: the game is too long, or too many replays are asked for at once.
        """
        if len(text) > MOST_TEXT:
            raise Refusal(RefusalCode.NOT_NOW, "this game is too long to be shown move by move: read its record")
        key = wire.write(game)
        known = self._kept.get(key)
        if known is None:
            if self._aside.waiting >= MOST_WAITING:
                raise Refusal(RefusalCode.TOO_FAST, "too many games are looked at just now: try again in a moment")
            known = await self._aside.do(packed, game, text)
            self._keep(key, known)
        else:
            self._kept.move_to_end(key)
        return known

    def _keep(self, key: bytes, replay: bytes) -> None:
        self._kept_bytes += len(replay) - len(self._kept.pop(key, b""))
        self._kept[key] = replay
        while self._kept_bytes > MOST_KEPT:
            _, oldest = self._kept.popitem(last=False)
            self._kept_bytes -= len(oldest)


def packed(game: GameInfo, text: str) -> bytes:
    """The replay of a game from its text, as gzipped JSON."""
    record = read(text)
    steps = tuple(msgspec.Raw(wire.write(step)) for step in steps_of(record))
    return gzip.compress(wire.write(Written(game, record.edition, steps, record.result or ())), 6)


def steps_of(record: Record) -> Iterator[ReplayStep]:
    """Every move as it was seen at the table: an action and its verdict are one. The first is the deal."""
    yield ReplayStep((record.deal,), open_view(start(record.deal)), None)
    awaited: tuple[Event, ...] = ()
    for step in record.steps():
        events = awaited + step.events
        if step.state.duties and isinstance(step.state.duties[0], AwaitVerdict):
            awaited = events
        else:
            awaited = ()
            yield ReplayStep(events, open_view(step.state), race_of(record.edition, events, step.move.evidence))


def open_view(state: State) -> View:
    """What a watcher sees who may look into every hand."""
    closed = view(state, None)
    players = zip(closed.players, state.hands, strict=True)
    return replace(closed, players=tuple(replace(player, hand=hand) for player, hand in players))


def race_of(edition: Edition, events: tuple[Event, ...], evidence: Evidence) -> RaceView | None:
    """The race that these events settled, as the unit saw it; None: they settled none."""
    judged = next((event for event in events if isinstance(event, Judged)), None)
    if judged is None:
        return None
    action = Action.FAKE if any(isinstance(event, Faked) for event in events) else Action.SLAM
    early = judged.verdict.early
    if action is Action.FAKE:  # fooled is who touched on its way back too, but early is who touched before that
        early = tuple(one.seat for one in evidence.timings if one.time_us is not None and one.time_us <= 0)
    tau_us = LEAST_TAU_US if evidence.tau_us is None else evidence.tau_us
    jam = _known(Jam, evidence.jam)
    is_duel = action is Action.SLAM and len(evidence.timings) == 1
    return RaceView(
        seat=judged.seat,
        action=action,
        marks=tuple(
            Mark(one.seat, one.time_us, one.band_us, one.seat in early, _known(Doubt, one.doubt))
            for one in evidence.timings
        ),
        verdict=judged.verdict,
        tau_us=tau_us,
        jam=jam,
        alike=() if jam is None else _alike(edition, evidence, early, jam, tau_us),
        duel_limit_us=edition.duel_limit_ms * 1_000 if is_duel and edition.duel_limit_ms else None,
    )


def _alike(edition: Edition, evidence: Evidence, early: tuple[int, ...], jam: Jam, tau_us: int) -> tuple[int, ...]:
    """The two hands a jam lay between: who came last, and the next before him that was not surely sooner."""
    compared: list[Timing] = [
        one
        for one in evidence.timings
        if one.time_us is not None and (edition.early_touch is EarlyTouch.FREE or one.seat not in early)
    ]
    slowest, *others = sorted(compared, key=lambda one: (one.time_us, one.seat), reverse=True)
    near = [one for one in others if jam is Jam.DOUBT or (slowest.time_us or 0) - (one.time_us or 0) < tau_us]
    return (slowest.seat, near[0].seat) if near else ()


def _known(words: type[W], word: str | None) -> W | None:
    """The word as the unit says it; one that it does not say any more is not told."""
    return None if word is None or word not in list(words) else words(word)
