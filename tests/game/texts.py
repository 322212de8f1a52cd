"""Games as text, for the tests of the notation: records of every kind, accidents to their texts, and the document."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from slamomatic.game import (
    CLASSIC,
    MODERN,
    PRESETS,
    Command,
    Deck,
    Edition,
    Judge,
    NotationError,
    Record,
    State,
    Verdict,
    dealt,
    legal,
    play,
    read,
    start,
    write,
)
from slamomatic.game.chance import pick
from slamomatic.game.edition import EarlyTouch, EmptySlam
from slamomatic.game.events import Dealt, Event
from slamomatic.game.evidence import LONGEST_US, Evidence, Timing

DOCUMENT = Path(__file__).parents[2] / "docs" / "notation.md"
SMALL_MODERN = replace(MODERN, name="Small Modern", deck=Deck(highest=3, smiling=True, sad=False))
HOUSE = replace(
    CLASSIC,
    name="Ann's; the 2nd",
    deck=Deck(highest=5, smiling=True, sad=True),
    early_touch=EarlyTouch.PAYS,
    empty_slam=EmptySlam.ENDS_TURN,
    full_press_ms=20,
    free_fakes=1,
    duel_limit_ms=0,
)
EDITIONS = (*PRESETS.values(), SMALL_MODERN, HOUSE)

Played = list[tuple[Command, tuple[Event, ...]]]


def a_game(edition: Edition, players: int, seed: int) -> tuple[Dealt, Played, State]:
    """A whole game of uniformly random commands."""
    rng = random.Random(seed)
    deal = dealt(edition, range(1, players + 1), rng)
    state = start(deal)
    played: Played = []
    while state.ended is None:
        command = pick(rng, legal(state))
        state, events = play(state, command, rng)
        played.append((command, events))
    return deal, played, state


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Any game of any edition, whole or broken off anywhere."""
    edition = draw(st.sampled_from(EDITIONS))
    players = draw(st.integers(2, 4 if len(edition.deck) > 16 else 3))
    seed = draw(st.integers(0, 10**6))
    deal, played, _ = a_game(edition, players, seed)
    until = draw(st.just(len(played)) | st.integers(0, len(played)))
    name = st.none() | st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
    names = draw(st.just(()) | st.lists(name, min_size=players, max_size=players).map(tuple))
    record = Record.of(deal, played[:until], names=names, seed=draw(st.none() | st.just(seed)))
    return draw(witnessed(record)) if draw(st.booleans()) else record


TIMES_US = st.integers(-LONGEST_US, LONGEST_US) | st.integers(-300_000, 900_000)
BANDS_US = st.integers(0, LONGEST_US) | st.sampled_from((0, 1, 100, 1_000, 16_700))
REASONS = st.none() | st.from_regex(r"[a-z]{1,8}(-[a-z]{1,8}){0,3}", fullmatch=True)


@st.composite
def timings(draw: st.DrawFn, seat: int, verdict: Verdict) -> Timing:
    """Any time this hand may have had when the unit spoke so."""
    if seat not in verdict.early and draw(st.booleans()):
        return Timing(seat, None)
    return Timing(seat, draw(TIMES_US), draw(BANDS_US), draw(REASONS))


@st.composite
def witnessed(draw: st.DrawFn, record: Record) -> Record:
    """The same game with evidence for some of its verdicts."""
    moves = list(record.moves)
    judged = [at for at, move in enumerate(moves) if isinstance(move.command, Judge)]
    positions = list(record.positions())
    for at in draw(st.lists(st.sampled_from(judged), max_size=4, unique=True)) if judged else ():
        command = moves[at].command
        assert isinstance(command, Judge)
        seats = sorted(draw(st.sets(st.sampled_from(positions[at].racers))))
        evidence = Evidence(
            timings=tuple(draw(timings(seat, command.verdict)) for seat in seats),
            tau_us=draw(st.none() | BANDS_US),
            jam=draw(REASONS) if command.verdict.jam else None,
        )
        moves[at] = replace(moves[at], evidence=evidence)
    return replace(record, moves=tuple(moves))


def bare(text: str) -> str:
    """The text without what a reader skips: comments outside quotes, empty lines, spaces too many."""
    words = re.compile(r'"(?:[^"\\]|\\.)*"|;.*|[^\s";]+')
    lines = ([word for word in words.findall(line) if word[0] != ";"] for line in text.split("\n"))
    return "".join(" ".join(line) + "\n" for line in lines if line)


def examples_of_the_document() -> tuple[str, str]:
    game, evidence = re.findall(r"```text\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    return str(game), str(evidence)


EXAMPLE, EXAMPLE_OF_EVIDENCE = examples_of_the_document()


def refused(text: str) -> NotationError:
    with pytest.raises(NotationError) as caught:
        read(text)
    assert str(caught.value) == f"line {caught.value.line}: {caught.value.reason}"
    return caught.value


def changed(old: str, new: str) -> tuple[str, int]:
    """The document's example with one line changed, and the number of that line."""
    assert EXAMPLE.count(old) >= 1
    return EXAMPLE.replace(old, new, 1), EXAMPLE[: EXAMPLE.index(old)].count("\n") + 1


def read_or_refuse(text: str) -> None:
    try:
        record = read(text)
    except NotationError as error:
        line, reason = error.line, error.reason
        assert 1 <= line <= text.count("\n") + 2
        assert reason
    else:
        assert bare(write(record)) == bare(text.removeprefix("\ufeff")), "there is one way to write a game"


WORDS = sorted(
    set(bare(EXAMPLE).split())
    | {"0", "5", "-1", "٣", "1_0", "9" * 5000, "sad", '"', '""', ";", "*", "bury"}
    | {"time", "tau", "+-1"}
)


@st.composite
def nearly(draw: st.DrawFn, text: str) -> str:
    """The text after one to three small accidents: characters, words or lines changed, lost, doubled or swapped."""
    for _ in range(draw(st.integers(1, 3))):
        split: Callable[[str], list[str]] = draw(
            st.sampled_from([list, lambda t: re.split(r"(\s+)", t), str.splitlines])
        )
        parts = split(text)
        join = "\n" if split is str.splitlines else ""
        if not parts:
            return text
        at, other = (draw(st.integers(0, len(parts) - 1)) for _ in range(2))
        match draw(st.sampled_from(["lose", "double", "swap", "word", "character"])):
            case "lose":
                del parts[at]
            case "double":
                parts.insert(at, parts[at])
            case "swap":
                parts[at], parts[other] = parts[other], parts[at]
            case "word":
                parts[at] = draw(st.sampled_from(WORDS))
            case _:
                parts[at] = draw(st.text(max_size=3))
        text = join.join(parts)
    return text
