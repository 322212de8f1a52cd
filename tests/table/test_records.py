"""The records of a table's games: all that was played there, by whom, and what the unit saw."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from slamomatic.game import CLASSIC, MODERN, Edition, Judge, Record, read, write
from slamomatic.game.evidence import NOTHING, Evidence, flaw
from slamomatic.game.state import State
from slamomatic.game.verdict import Action, Verdict
from slamomatic.table.log import Entry, GameBegan, GameMoved, HostChanged
from slamomatic.table.memory import applied, rebuilt
from slamomatic.table.protocol import AddBot, Leave, Level, Phase, RaceView, Ready, Rename
from slamomatic.table.records import records
from slamomatic.unit import Doubt, Jam
from tests.table.evening import Evening
from tests.table.pages import MS, SECOND, Page, Player, at_once
from tests.table.test_random_evenings import TROUBLES, troubled_evening

READY = Ready(ready=True)
LONG = 3_600 * SECOND


def party(*names: str, edition: Edition = CLASSIC, seed: int = 1) -> tuple[Evening, list[Player]]:
    """People who play, 30 ms away and with some jitter, and who are ready for a game only when a test says so."""
    evening = Evening(edition=edition, seed=seed)
    chance = Random(seed)

    def way() -> int:
        return 15 * MS + chance.randrange(4 * MS)

    people = [Player(evening, name, chance, down=way, up=way, frame=lambda: chance.randrange(16_700)) for name in names]
    for person in people:
        person.is_keen = False
        evening.joins(person)
    evening.wait(SECOND)
    return evening, people


def play_a_game(evening: Evening, people: list[Player]) -> None:
    for page in people:
        page.says(READY)
    evening.wait(SECOND)
    assert evening.phase() is Phase.PLAYING
    evening.until(lambda: evening.phase() is Phase.RESULT, LONG)


def check(log: list[Entry]) -> list[Record]:
    """The records tell the same games as the log, and come back from their texts."""
    found = list(records(log))
    table = rebuilt(log[:1])
    ends: list[State] = []
    for entry in log[1:]:
        table = applied(table, entry)
        if table.state is not None and isinstance(entry, GameBegan | GameMoved):
            ends = [*ends, table.state] if isinstance(entry, GameBegan) else [*ends[:-1], table.state]
    assert [record.replay() for record in found] == ends
    for record in found:
        assert read(write(record)) == record
    assert [command for record in found for command in (move.command for move in record.moves)] == [
        command for entry in log if isinstance(entry, GameMoved) for command in entry.commands
    ]
    return found


def races(log: list[Entry]) -> list[RaceView]:
    """Every race with a verdict, in order."""
    return [
        entry.race
        for entry in log
        if isinstance(entry, GameMoved) and entry.race and any(isinstance(c, Judge) for c in entry.commands)
    ]


@pytest.mark.parametrize("edition", [CLASSIC, MODERN], ids=lambda edition: edition.name)
def test_every_game_of_an_evening_has_its_record(edition: Edition) -> None:
    evening, people = party("Ann", "Bob", "Cid", edition=edition)
    people[0].says(AddBot(Level.STEADY))
    for _ in range(3):
        play_a_game(evening, people)
    found = check(evening.log)
    assert len(found) == 3
    for record in found:
        assert record.result is not None
        assert record.names[:3] == ("Ann", "Bob", "Cid")
        assert record.names[3]
        assert record.seed is None, "chance was live"


@pytest.mark.parametrize("edition", [CLASSIC, MODERN], ids=lambda edition: edition.name)
def test_a_record_tells_what_the_unit_saw_of_every_race(edition: Edition) -> None:
    evening, people = party("Ann", "Bob", "Cid", edition=edition)
    play_a_game(evening, people)
    (record,) = check(evening.log)
    judged = [move for move in record.moves if isinstance(move.command, Judge)]
    seen = races(evening.log)
    assert len(judged) == len(seen) > 5
    for move, race in zip(judged, seen, strict=True):
        assert isinstance(move.command, Judge)
        evidence = move.evidence
        told = [(timing.seat, timing.time_us, timing.band_us, timing.doubt) for timing in evidence.timings]
        assert told == [(mark.seat, mark.time_us, mark.band_us, mark.doubt) for mark in race.marks]
        assert evidence.jam == race.jam
        assert (evidence.jam is not None) == move.command.verdict.jam
        assert evidence.tau_us == (race.tau_us if race.action is Action.SLAM and len(race.marks) > 1 else None)


def test_reasons_and_causes_are_told_in_the_words_of_the_notation() -> None:
    """So that no record is refused for a word of the unit."""
    evening, people = party("Ann", "Bob", "Cid")
    play_a_game(evening, people)
    at, moved = next(
        (at, entry)
        for at, entry in enumerate(evening.log)
        if isinstance(entry, GameMoved) and entry.race and len(entry.race.marks) > 1
    )
    assert moved.race is not None
    for doubt in Doubt:
        mark = moved.race.marks[0]
        marks = (type(mark)(mark.seat, 250_000, 100, early=False, doubt=doubt), *moved.race.marks[1:])
        race = RaceView(moved.race.seat, moved.race.action, marks, moved.race.verdict, 2_000, None, (), None)
        log = [*evening.log[:at], replace(moved, race=race)]
        (record,) = records(log)
        assert record.moves[-1].evidence.timings[0].doubt == doubt
        assert f" {doubt}\n" in write(record)
        assert read(write(record)) == record
    document = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    assert [word for word in (*Doubt, *Jam) if f"`{word}`" not in document] == []
    assert [flaw(Evidence(jam=jam.value), Verdict(jam=True), ()) for jam in Jam] == [None] * len(Jam)


def test_without_a_race_there_is_nothing_to_tell() -> None:
    evening, people = party("Ann", "Bob")
    play_a_game(evening, people)
    (record,) = records(evening.log)
    for move in record.moves:
        if not isinstance(move.command, Judge):
            assert move.evidence == NOTHING


def test_a_game_still_being_played_is_told_as_far_as_it_has_come() -> None:
    evening, people = party("Ann", "Bob")
    for page in people:
        page.says(READY)
    evening.wait(30 * SECOND)
    (record,) = check(evening.log)
    assert record.result is None
    assert record.moves


def test_a_table_that_never_played_has_no_records() -> None:
    evening, _ = party("Ann", "Bob")
    assert list(records(evening.log)) == []


def test_a_record_bears_the_names_its_players_had_when_it_ended() -> None:
    evening, (ann, bob, cid) = party("Ann", "Bob", "Cid")
    for page in (ann, bob, cid):
        page.says(READY)
    evening.wait(10 * SECOND)
    ann.says(Rename(ann.seat, "Anna"))
    bob.says(Leave())
    evening.until(lambda: evening.phase() is Phase.RESULT, LONG)
    ann.says(Rename(ann.seat, "Hannah"))
    cid.says(Leave())
    dee = Page(evening, "Dee", down=at_once, up=at_once)
    evening.joins(dee)
    (record,) = check(evening.log)
    assert record.names == ("Anna", "Bob", "Cid"), "a bot that plays on for someone plays in his name"


@pytest.mark.parametrize("log", [[], [HostChanged(1)]], ids=repr)
def test_what_is_no_log_has_no_records(log: list[Entry]) -> None:
    with pytest.raises(ValueError, match="a table's log begins with Opened"):
        list(records(log))


@settings(max_examples=25)
@given(restarts=st.booleans(), **TROUBLES)
def test_whatever_happens_at_a_table_its_games_can_be_told(
    seed: int, mean_s: float, people: int, bots: int, restarts: bool
) -> None:
    evening, _ = troubled_evening(seed, mean_s=mean_s, people=people, bots=bots)
    evening.wait(90 * SECOND)
    if restarts:
        evening.restart()
        evening.wait(90 * SECOND)
    check(evening.log)
