"""What the unit saw, in a record: told in one way, optional everywhere, and never of who took no part."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from slamomatic.game import CLASSIC, BrokenRecord, Judge, Move, Record, Slam, read, write
from slamomatic.game.evidence import LONGEST_US, NOTHING, Evidence, Timing
from tests.game.texts import (
    DOCUMENT,
    EXAMPLE,
    EXAMPLE_OF_EVIDENCE,
    TIMES_US,
    a_game,
    bare,
    nearly,
    read_or_refuse,
    records,
    refused,
    witnessed,
)

GAME = Record.of(*a_game(CLASSIC, 4, 1)[:2])
"""A game with fakes and slams, jams among them."""
BARE = bare(EXAMPLE)


def with_evidence(*lines: str, below: str = "2 slam last 1") -> str:
    """The document's game with these lines below that move."""
    assert BARE.count(f"{below}\n") == 1
    text = BARE.replace("hands-down 1", "hands-down 2")
    return text.replace(f"{below}\n", "".join(f"{line}\n" for line in (below, *lines)))


def told(*lines: str, below: str = "2 slam last 1") -> Evidence:
    """What these lines say."""
    record = read(with_evidence(*lines, below=below))
    (evidence,) = (move.evidence for move in record.moves if move.evidence != NOTHING)
    return evidence


def judged(record: Record, *, jam: bool = False, among: int = 2) -> int:
    """The first verdict on a slam of so many racers at least: where it stands among the moves."""
    for at, (position, move) in enumerate(zip(record.positions(), record.moves, strict=False)):
        if isinstance(move.command, Judge) and isinstance(record.moves[at - 1].command, Slam):
            verdict = move.command.verdict
            if len(position.racers) >= among and verdict.jam == jam and not verdict.early and not verdict.short:
                return at
    raise AssertionError("no such verdict in this game")


def given_on(record: Record, at: int, evidence: Evidence) -> Record:
    """The same game with evidence for this one move."""
    return replace(
        record, moves=(*record.moves[:at], replace(record.moves[at], evidence=evidence), *record.moves[at + 1 :])
    )


# It reads as it was written.


@given(st.data())
def test_evidence_comes_back_from_the_text(data: st.DataObject) -> None:
    record = data.draw(witnessed(GAME))
    text = write(record)
    assert read(text) == record
    assert write(read(text)) == text


@given(TIMES_US)
def test_every_microsecond_comes_back_from_its_milliseconds(time_us: int) -> None:
    at = judged(GAME)
    (seat, *_) = list(GAME.positions())[at].racers
    record = given_on(GAME, at, Evidence((Timing(seat, time_us),)))
    (line,) = (line for line in write(record).split("\n") if line.startswith("  time"))
    assert round(float(line.split()[2]) * 1000) == time_us
    assert read(write(record)) == record


@given(records())
def test_a_game_is_the_same_game_without_its_evidence(record: Record) -> None:
    plain = replace(record, moves=tuple(replace(move, evidence=NOTHING) for move in record.moves))
    assert plain.replay() == record.replay()
    assert write(plain).startswith("hands-down 1\n")
    lines = write(record).split("\n")
    without = [line for line in lines[1:] if not line.startswith("  ")]
    assert without == write(plain).split("\n")[1:]
    assert lines[0] == ("hands-down 1" if plain == record else "hands-down 2")


@pytest.mark.parametrize(
    ("lines", "evidence"),
    [
        (["time 1 431.2"], Evidence((Timing(1, 431_200),))),
        (["time 1 -20"], Evidence((Timing(1, -20_000),))),
        (["time 1 0.001 +-16.7"], Evidence((Timing(1, 1, 16_700),))),
        (["time 1 401 timed-by-server"], Evidence((Timing(1, 401_000, doubt="timed-by-server"),))),
        (["time 1 401 +-1 claim", "tau 2"], Evidence((Timing(1, 401_000, 1_000, "claim"),), 2_000)),
        (["time 1 never"], Evidence((Timing(1, None),))),
        (["tau 5.25"], Evidence(tau_us=5_250)),
    ],
)
def test_each_line_says_what_the_document_says(lines: list[str], evidence: Evidence) -> None:
    assert told(*lines) == evidence


def test_a_jam_has_its_cause() -> None:
    at = judged(GAME, jam=True)
    first, second, *_ = list(GAME.positions())[at].racers
    evidence = Evidence((Timing(first, 300_000), Timing(second, 301_000, 100)), 2_000, "close")
    text = write(given_on(GAME, at, evidence))
    lines = f"slam jam\n  time {first} 300\n  time {second} 301 +-0.1\n  tau 2\n  cause close\n"
    assert lines in re.sub("jam no pair", "jam", text)
    assert read(text).moves[at].evidence == evidence


def test_the_evidence_of_the_document_is_of_its_game() -> None:
    text = EXAMPLE.replace("hands-down 1", "hands-down 2").replace("2 slam last 1 ", f"{EXAMPLE_OF_EVIDENCE};")
    record = read(text)
    assert bare(write(record)) == bare(text)
    assert [move.evidence for move in record.moves if move.evidence != NOTHING] == [
        Evidence((Timing(1, 431_200, 100),), 2_000)
    ]


def test_every_line_of_evidence_in_the_document_s_table_is_of_the_notation() -> None:
    """Each is read as far as its words: only the game at hand may still refuse it."""
    rows = re.findall(r"^\| `((?:time|tau|cause) [^`]+)` \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) >= 7
    for row in rows:
        lines = with_evidence(row)
        if row.startswith("tau"):
            read(lines)
        else:
            assert refused(lines).reason.startswith(("hand 3 takes no part here", "nothing jammed here"))


# Nothing else is.


@pytest.mark.parametrize(
    ("lines", "wrong", "reason"),
    [
        (["time 1"], 1, "write a time like this: time 3 250.72 +-0.1 claim"),
        (["time 1 2 3 4 5"], 1, "write a time like this"),
        (["time 1 soon"], 1, "'soon' is no time in milliseconds: write one like 212.4 or -20"),
        (["time 1 1.0005"], 1, "'1.0005' is no time"),
        (["time 1 01"], 1, "'01' is no time"),
        (["time 1 12345678"], 1, "'12345678' is no time"),
        (["time 1 400 +-x"], 1, "'x' is no time"),
        (["time 1 400 claim +-1"], 1, "write a time like this"),
        (["time one 400"], 1, "'one' is not a number"),
        (["tau"], 1, "here stands one word, not 0"),
        (["tau 2", "tau much"], 2, "'much' is no time"),
        (["time 1 400.50"], 1, "by the moves recorded this line is: time 1 400.5"),
        (["time 1 -0"], 1, "by the moves recorded this line is: time 1 0"),
        (["time 1 400 +-0"], 1, "by the moves recorded this line is: time 1 400"),
        (["tau 2", "time 1 400"], 1, "by the moves recorded this line is: time 1 400"),
        (["tau 2", "tau 3"], 1, "by the moves recorded this line is: tau 3"),
    ],
)
def test_evidence_not_in_its_one_form_is_refused_with_its_line(lines: list[str], wrong: int, reason: str) -> None:
    text = with_evidence(*lines)
    error = refused(text)
    assert error.reason.startswith(reason)
    assert error.line == text.split("\n").index("2 slam last 1") + 1 + wrong


@pytest.mark.parametrize(
    ("below", "lines", "reason"),
    [
        ("2 slam last 1", ["time 2 400"], "hand 2 takes no part here, so it has no time"),
        ("2 slam last 1", ["time 4 400"], "hand 4 takes no part here, so it has no time"),
        ("2 slam last 1", ["time 1 400", "time 1 400"], "times are told in the order of the hands, one for each"),
        ("2 slam last 1", ["time 1 400 Claim"], "a reason is one plain word like late-word, not 'Claim'"),
        ("2 slam last 1", [f"time 1 400 {'x' * 41}"], "a reason is one plain word"),
        ("2 slam last 1", ["time 1 never claim"], "hand 1 never touched, so there is nothing to doubt"),
        ("2 slam last 1", ["time 1 3600000.001"], "a time is an hour at most"),
        ("2 slam last 1", ["time 1 400 +--1"], "what may be off, and tau, are from 0 to an hour"),
        ("2 slam last 1", ["tau -2"], "what may be off, and tau, are from 0 to an hour"),
        ("2 slam last 1", ["cause close"], "nothing jammed here, so there is no cause of a jam"),
        ("1 slam early 2 safe", ["time 2 never"], "hand 2 has touched, so it has a time"),
        ("1 fake fooled 2", ["time 2 never"], "hand 2 has touched, so it has a time"),
        ("2 slam alone no pair", ["tau 2"], "no verdict is given here, so there is no evidence for one"),
        ("1 take 3 from 2 at 2", ["tau 2"], "no verdict is given here, so there is no evidence for one"),
    ],
)
def test_evidence_that_cannot_be_is_refused_at_its_move(below: str, lines: list[str], reason: str) -> None:
    text = with_evidence(*lines, below=below)
    error = refused(text)
    assert error.reason.startswith(reason)
    assert error.line == text.split("\n").index(below) + 1


def test_evidence_stands_below_a_move() -> None:
    first = BARE.split("\n").index("1 draw 1")
    lines = BARE.split("\n")
    error = refused("\n".join([*lines[:first], "tau 2", *lines[first:]]))
    assert error.reason.startswith("'tau 2' is no move")
    assert error.line == first + 1


@pytest.mark.parametrize("version", ["1", "2"])
def test_a_text_is_of_the_lowest_version_that_can_say_it(version: str) -> None:
    text = BARE if version == "2" else with_evidence("tau 2")
    error = refused(re.sub("hands-down .", f"hands-down {version}", text))
    assert error.line == 1
    assert error.reason == f"by the moves recorded this line is: hands-down {3 - int(version)}"


@given(st.data())
def test_any_accident_to_evidence_is_seen_or_harmless(data: st.DataObject) -> None:
    text = with_evidence("time 1 431.2 +-0.1 claim", "tau 2")
    read_or_refuse(data.draw(nearly(text)))


# A record is judged when it is made.


@pytest.mark.parametrize(
    ("evidence", "reason"),
    [
        (Evidence((Timing(9, 1),)), "hand 9 takes no part here"),
        (Evidence((Timing(1, LONGEST_US + 1),)), "a time is an hour at most"),
        (Evidence((Timing(1, None, 1),)), "hand 1 never touched, so there is nothing to doubt"),
        (Evidence((Timing(1, None, doubt="claim"),)), "hand 1 never touched, so there is nothing to doubt"),
        (Evidence((Timing(1, 1, -1),)), "what may be off"),
        (Evidence(tau_us=LONGEST_US + 1), "what may be off"),
        (Evidence((Timing(1, 1, doubt=""),)), "a reason is one plain word"),
        (Evidence((Timing(1, 1, doubt="two words"),)), "a reason is one plain word"),
        (Evidence((Timing(1, 1, doubt="über"),)), "a reason is one plain word"),
    ],
)
def test_a_record_cannot_be_made_of_evidence_that_cannot_be(evidence: Evidence, reason: str) -> None:
    record = read(BARE)
    at = max(at for at, move in enumerate(record.moves) if isinstance(move.command, Judge))
    with pytest.raises(BrokenRecord, match=reason) as caught:
        given_on(record, at, evidence)
    assert caught.value.move == at


def test_only_a_verdict_has_evidence() -> None:
    deal, played, _ = a_game(CLASSIC, 2, 1)
    first = Move.of(*played[0], Evidence(tau_us=1))
    with pytest.raises(BrokenRecord, match="no verdict is given here") as caught:
        Record(deal, (first,))
    assert caught.value.move == 0
