"""Pages that lie, at the real server over real sockets, against honest rivals: nothing is to be had for it.

Laws of this room:
- a liar answers pings as a browser does, for that is no page's choice;
- he is truly last in every race, by a clear margin: so he loses every race, but where the rules give him the benefit
  of the doubt. A first and a second strike alone make nobody last; nobody else loses for it either.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from random import Random
from time import monotonic

import pytest

from slamomatic.game.edition import Edition
from slamomatic.game.editions import CLASSIC, MODERN
from slamomatic.game.verdict import Verdict
from slamomatic.table.protocol import Cue, Mark, RefusalCode, Shown, Touch
from slamomatic.unit import Doubt, Jam
from tests.e2e.pageless import Player, Slammer, open_table
from tests.e2e.races import Plan, Told

pytestmark = [pytest.mark.e2e, pytest.mark.timed]

FORGIVEN = 2
"""So many strikes jam a race instead of losing it."""
EVENING_SECONDS = 90
HELD_BACK_MS = 100
DREAMT_US = 150_000
"""A touch he would have liked to make: sooner than anyone's."""


class Suspect(Player):
    """Tells it as it was, in so many races; every liar is one."""

    races = 8


class ClaimsNothing(Suspect):
    """Says he touched the moment he saw it."""

    claim_us = 0

    async def tell(self, contact: Cue, passed: float) -> None:
        await self.say(Touch(contact.cue, self.claim_us))


class ClaimsTheImpossible(ClaimsNothing):
    """Says he touched even before."""

    claim_us = -100_000


class HoldsShownBack(Suspect):
    """Says late that he has seen it, so that less seems to have passed until he touched."""

    async def race(self, contact: Cue) -> None:
        await self.paint()
        seen = monotonic()
        await asyncio.sleep(HELD_BACK_MS / 1_000)
        shown = await self.show(contact)
        await asyncio.sleep(self.meant_seconds(contact) - (shown - seen))
        await self.tell(contact, self.touch(contact, seen) - (shown - seen))


class PretendsEarly(Suspect):
    """Says that he has seen it only after his touch: as if his hand had been down before the contact."""

    async def race(self, contact: Cue) -> None:
        await self.paint()
        seen = monotonic()
        await self.react(contact)
        self.touch(contact, seen)
        await self.say(Touch(contact.cue, None))
        await self.show(contact)


class JumpsAndDenies(Suspect):
    """Touches at the reach, and says it was after the contact; then touches again when it is."""

    async def wait(self, reach: Cue) -> None:
        await super().wait(reach)
        await self.say(Touch(reach.cue, DREAMT_US))


class TouchesTwice(Suspect):
    """Touches once more, and says that this time he was quick."""

    async def tell(self, contact: Cue, passed: float) -> None:
        await super().tell(contact, passed)
        await self.say(Touch(contact.cue, DREAMT_US))
        await self.say(Touch(contact.cue, None))


class InventsACue(Suspect):
    """Says he touched at a contact nobody has shown him."""

    async def react(self, contact: Cue) -> None:
        await self.say(Shown("0123456789abc", 0, 0))
        await self.say(Touch("0123456789abc", DREAMT_US))
        await super().react(contact)


class ReplaysAnOldCue(Suspect):
    """Says he touched at the contact of the race before."""

    races = 3
    """Each takes long: his hand rests meanwhile, so the race waits for it in vain."""
    old: Cue | None = None

    async def react(self, contact: Cue) -> None:
        old, self.old = self.old, contact
        if old is not None:
            await self.show(old)
            await self.say(Touch(old.cue, DREAMT_US))
        await super().react(contact)


SUSPECTS: dict[type[Suspect], Edition] = {
    Suspect: CLASSIC,
    ClaimsNothing: CLASSIC,
    ClaimsTheImpossible: CLASSIC,
    HoldsShownBack: CLASSIC,
    PretendsEarly: CLASSIC,  # where an early hand is never last
    JumpsAndDenies: MODERN,  # where an early hand pays
    TouchesTwice: CLASSIC,
    InventsACue: CLASSIC,
    ReplaysAnOldCue: CLASSIC,
}


@dataclass(frozen=True)
class Evening:
    """What became of one suspect."""

    seat: int
    rivals: tuple[int, ...]
    refusals: list[RefusalCode]
    told: list[Told]

    def marks(self) -> list[Mark]:
        """What the unit read of his hand, race after race."""
        return [mark for each in self.told for mark in each.race.marks if mark.seat == self.seat]


Evenings = dict[type[Suspect], Evening]


@pytest.fixture(scope="module")
def evenings(house: str) -> Evenings:
    """Everyone who is suspected of anything has been played against, each at a table of his own."""
    return asyncio.run(_play_all(house))


async def _play_all(house: str) -> Evenings:
    async with asyncio.timeout(EVENING_SECONDS), asyncio.TaskGroup() as tables:
        played = {kind: tables.create_task(_play(house, kind, edition)) for kind, edition in SUSPECTS.items()}
    return {kind: evening.result() for kind, evening in played.items()}


async def _play(house: str, kind: type[Suspect], edition: Edition) -> Evening:
    async with open_table(house, edition) as table:
        suspected, *others = [await table.join(name) for name in ("Liz", "Ann", "Bob")]
        rivals = tuple(seated.seat for seated in others)
        plan = Plan((suspected.seat, *rivals), Random(kind.__name__), last=suspected.seat)
        suspect = await table.seat(kind, suspected, plan)
        for seated in others:
            await table.seat(Player, seated, plan)
        slammer = await table.seat(Slammer, table.opened, plan)
        await slammer.listener.until(kind.races)
    return Evening(suspect.seat, rivals, suspect.refusals, slammer.listener.told[: kind.races])


def test_who_is_last_and_says_so_loses_every_race(evenings: Evenings) -> None:
    evening = evenings[Suspect]
    assert [each.race.verdict for each in evening.told] == [Verdict(last=(evening.seat,))] * Suspect.races
    assert {mark.doubt for mark in evening.marks()} == {None}


@pytest.mark.parametrize("liar", [ClaimsNothing, ClaimsTheImpossible, HoldsShownBack, PretendsEarly])
def test_a_lie_about_time_is_forgiven_twice_and_then_not_heard(evenings: Evenings, liar: type[Suspect]) -> None:
    evening = evenings[liar]
    for number, each in enumerate(evening.told):
        if each.race.jam is None:
            assert each.race.verdict == Verdict(last=(evening.seat,))
        else:
            assert number < FORGIVEN
            assert each.race.jam is Jam.DOUBT
            assert each.race.alike[0] == evening.seat
    assert {mark.doubt for mark in evening.marks()[FORGIVEN:]} == {Doubt.TIMED_BY_SERVER}


def test_m10_a_hand_that_was_down_before_the_contact_was_early_whatever_is_said_of_it(evenings: Evenings) -> None:
    evening = evenings[JumpsAndDenies]
    for each in evening.told:
        assert each.race.verdict.early == (evening.seat,)
        assert each.race.verdict.jam or each.race.verdict.last[0] in evening.rivals
    assert all(mark.early for mark in evening.marks())


def test_only_the_first_touch_counts(evenings: Evenings) -> None:
    evening = evenings[TouchesTwice]
    assert [each.race.verdict.last for each in evening.told] == [(evening.seat,)] * Suspect.races
    assert {each.arrived.count(evening.seat) for each in evening.told} == {1}


def test_a_cue_that_was_never_sent_is_an_error_and_no_touch(evenings: Evenings) -> None:
    evening = evenings[InventsACue]
    assert [each.race.verdict.last for each in evening.told] == [(evening.seat,)] * Suspect.races
    assert evening.refusals[: 2 * Suspect.races] == [RefusalCode.UNKNOWN_CUE] * 2 * Suspect.races


def test_b13_a_cue_of_another_race_is_a_touch_at_nothing_and_the_hand_rests(evenings: Evenings) -> None:
    evening = evenings[ReplaysAnOldCue]
    assert [each.race.verdict.last for each in evening.told] == [(evening.seat,)] * ReplaysAnOldCue.races
    assert [mark.time_us is None for mark in evening.marks()] == [False, True, True]
