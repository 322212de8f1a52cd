"""A game as text, for people and programs; ``docs/notation.md`` tells the format.

Laws of this room:
- there is one way to write a game: what :func:`read` accepts, :func:`write` gives back, but for comments and spaces;
- a text is of the lowest version that can say it, so older programs go on reading what they can;
- the reader only parses: whether the text is true, the rules say, and a comparison with what they would have written.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial
from itertools import takewhile, zip_longest
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import fields, replace

from slamomatic.game.cards import Card, Deck
from slamomatic.game.commands import Choose, Draw, Fake, Judge, Lay, Pass, Slam, Take
from slamomatic.game.edition import Edition
from slamomatic.game.events import CardBuried, Dealt, Judged, Outcome, TurnBegan
from slamomatic.game.evidence import NOTHING, Evidence, Timing
from slamomatic.game.record import BrokenRecord, Move, Record, Step
from slamomatic.game.verdict import Verdict

PLAIN, WITH_EVIDENCE = 1, 2
"""The versions of the notation, told in its first line: the second can tell what verdicts were given on."""

T = TypeVar("T")


class NotationError(ValueError):
    """The text is no game: ``line`` (from 1) says where, ``reason`` why."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


# Writing.


def write(record: Record) -> str:
    """The record as text."""
    return "".join(f"{line}\n" for line in (*_heading(record), *_actions(record)))


def _heading(record: Record) -> Iterator[str]:
    deal = record.deal
    has_evidence = any(move.evidence != NOTHING for move in record.moves)
    yield f"hands-down {WITH_EVIDENCE if has_evidence else PLAIN}"
    yield f"edition {_quoted(deal.edition.name)}"
    for ruling in _RULINGS:
        yield f"rule {ruling.words} {_ruled(getattr(deal.edition, ruling.field))}"
    yield f"seed {'?' if record.seed is None else record.seed}"
    for seat, name in zip(record.seats, record.names, strict=True):
        yield f"seat {seat}: {'?' if name is None else _quoted(name)}"
    yield f"dealer {deal.dealer}"
    for cuts in deal.cuts:
        yield f"cut {_spaced(cuts)}"
    for seat, hand in zip(deal.seats, deal.hands, strict=True):
        yield f"hand {seat}: {_spaced(hand or ())}"
    yield f"pile {_spaced(deal.pile or ())}"
    yield f"result {record.replay().ended or '*'}"
    for count in record.result or ():
        tie_break = "" if count.tie_break is None else f" tie-break {count.tie_break}"
        yield f"score {count.seat}: {count.total}{tie_break}{' wins' if count.wins else ''}"


def _actions(record: Record) -> list[str]:
    """One line an action, its verdict at its end, the evidence for that below; an empty line before each turn."""
    lines: list[str] = []
    turn_began = True
    for step in record.steps():
        if isinstance(step.move.command, Judge):
            lines[-1] += _judged(step)
            lines += _seen(step.move.evidence)
        else:
            if turn_began:
                lines.append("")
            lines.append(_action(step))
        turn_began = any(isinstance(event, TurnBegan) for event in step.events)
    return lines


def _action(step: Step) -> str:
    cards = step.move.cards
    match step.move.command:
        case Draw(seat):
            return f"{seat} draw {_spaced(cards)}"
        case Take(seat, loser, position):
            verb = "bury" if isinstance(step.events[0], CardBuried) else "take"
            return f"{seat} {verb} {cards[0]} from {loser} at {position}{_drawn(cards[1:])}"
        case Slam(seat):
            alone = [event for event in step.events if isinstance(event, Judged)]
            return f"{seat} slam" + "".join(f" alone{_no_pair(event)}" for event in alone)
        case Fake(seat):
            return f"{seat} fake"
        case Lay(seat, pair):
            return f"{seat} lay {_spaced(pair)}{_drawn(cards)}"
        case Choose(seat, loser):
            return f"{seat} choose {loser}"
        case Pass(seat):
            return f"{seat} pass"
        case Judge():
            raise AssertionError("a verdict stands in the line of its action")


def _judged(step: Step) -> str:
    judged = step.events[0]
    assert isinstance(judged, Judged)
    verdict = judged.verdict
    match judged.outcome:
        case Outcome.FOOLED:
            return f" fooled {_spaced(verdict.early)}"
        case Outcome.FIZZLED:
            return " nobody"
        case Outcome.SHORT:
            return " short"
        case Outcome.PAIR | Outcome.VOID | Outcome.EMPTY:
            early = f" early {_spaced(verdict.early)}" if verdict.early else ""
            last = "jam" if verdict.jam else f"last {_spaced(verdict.last)}" if verdict.last else "safe"
            return f"{early} {last}{_no_pair(judged)}"


def _no_pair(judged: Judged) -> str:
    """Said of a touch that the rules punish, for who checks by hand and wonders why no pair is laid (C8, M9)."""
    return " no pair" if judged.outcome is Outcome.EMPTY else ""


def _seen(evidence: Evidence) -> Iterator[str]:
    for timing in evidence.timings:
        time = "never" if timing.time_us is None else _ms(timing.time_us)
        band = f" +-{_ms(timing.band_us)}" if timing.band_us else ""
        doubt = f" {timing.doubt}" if timing.doubt else ""
        yield f"  time {timing.seat} {time}{band}{doubt}"
    if evidence.tau_us is not None:
        yield f"  tau {_ms(evidence.tau_us)}"
    if evidence.jam is not None:
        yield f"  cause {evidence.jam}"


def _ms(us: int) -> str:
    """In milliseconds, with as many digits as it takes."""
    whole, rest = divmod(abs(us), 1000)
    return ("-" if us < 0 else "") + (f"{whole}.{rest:03}".rstrip("0") if rest else str(whole))


def _drawn(cards: tuple[Card, ...]) -> str:
    return f" draw {_spaced(cards)}" if cards else ""


def _spaced(things: tuple[Any, ...]) -> str:
    return " ".join(map(str, things))


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


# Reading.


def read(text: str) -> Record:
    """The record this text tells.

    Comments (from ``;`` to the end of a line), empty lines and additional spaces are skipped. Every move is judged by
    the rules, and the result compared with the count.

    Raises:
        NotationError: the text is no record, or not of a game by the rules.
    """
    lines = _lines(text)
    reader = _Reader(lines)
    reader.value("hands-down", _version)
    name = reader.value("edition", _name)
    edition_line = reader.number
    rulings = {ruling.field: reader.value(f"rule {ruling.words}", ruling.read) for ruling in _RULINGS}
    edition = _told(edition_line, lambda _: Edition(name=name, **rulings), [])
    seed = reader.value("seed", _unless_unknown(_number))
    players = reader.values("seat", _player)
    dealer = reader.value("dealer", _number)
    deal_line = reader.number
    deal = Dealt(
        edition=edition,
        seats=tuple(seat for seat, _ in players),
        dealer=dealer,
        cuts=tuple(reader.values("cut", _cards)),
        hands=tuple(reader.value(f"hand {seat}:", _cards) for seat, _ in players),
        pile=reader.value("pile", _cards),
    )
    reader.value("result", _unjudged)
    reader.values("score", _unjudged)
    moves = _play(reader.rest())
    try:
        record = Record(deal, tuple(move for _, move in moves), tuple(name for _, name in players), seed)
    except BrokenRecord as error:
        raise NotationError(deal_line if error.move is None else moves[error.move][0], str(error)) from error
    _compare(lines, write(record))
    return record


class _Line(NamedTuple):
    number: int
    words: list[str]


_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|;.*|[^\s";]+|"')


def _lines(text: str) -> list[_Line]:
    lines = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        words = [word for word in _WORD.findall(line) if not word.startswith(";")]
        if '"' in words:
            raise NotationError(number, 'a " is not closed')
        if words:
            lines.append(_Line(number, words))
    return lines


class _Reader:
    """Goes through the heading, line by line; ``number`` is the line it read last."""

    def __init__(self, lines: list[_Line]) -> None:
        self._lines = deque(lines)
        self.number = 0

    def value(self, key: str, parse: Callable[[list[str]], T]) -> T:
        """What the next line says; it must begin with these words."""
        if not self._has(key):
            at = self._lines[0].number if self._lines else self.number + 1
            raise NotationError(at, f"a line beginning with {key!r} is missing here")
        self.number, words = self._lines.popleft()
        return _told(self.number, parse, words[len(key.split()) :])

    def values(self, key: str, parse: Callable[[list[str]], T]) -> list[T]:
        """What the next lines say, as long as they begin with these words."""
        values = []
        while self._has(key):
            values.append(self.value(key, parse))
        return values

    def rest(self) -> Iterable[_Line]:
        """What follows the heading."""
        return self._lines

    def _has(self, key: str) -> bool:
        keys = key.split()
        return bool(self._lines) and self._lines[0].words[: len(keys)] == keys


def _told(line: int, parse: Callable[[list[str]], T], words: list[str]) -> T:
    """What these words of a line say; what is wrong with them is told with its number."""
    try:
        return parse(words)
    except ValueError as error:
        raise NotationError(line, str(error)) from error


def _compare(lines: list[_Line], written: str) -> None:
    """The text says what the rules say: result, score and all."""
    true_lines = (line.lstrip(" ") for line in written.split("\n") if line)
    for line, true_line in zip_longest(lines, true_lines):
        if line is None:
            raise NotationError(lines[-1].number + 1, f"by the moves recorded there is one more line: {true_line}")
        if " ".join(line.words) != true_line:
            raise NotationError(line.number, f"by the moves recorded this line is: {true_line or 'not there'}")


def _play(lines: Iterable[_Line]) -> list[tuple[int, Move]]:
    """The moves, each with the number of its line; lines of evidence belong to the move above them."""
    moves: list[tuple[int, Move]] = []
    for number, words in lines:
        tell = _EVIDENCE.get(words[0])
        if tell is None or not moves:
            moves += [(number, move) for move in _told(number, _moves, words)]
        else:
            at, move = moves[-1]
            moves[-1] = at, replace(move, evidence=_told(number, partial(tell, move.evidence), words[1:]))
    return moves


# Words.


def _moves(words: list[str]) -> list[Move]:
    match words:
        case [seat, "draw", card]:
            return [Move(Draw(_digits(seat)), (Card.parse(card),))]
        case [seat, "take" | "bury", card, "from", loser, "at", position, *more]:
            take = Take(_digits(seat), _digits(loser), _digits(position))
            return [Move(take, (Card.parse(card), *_more_drawn(more)))]
        case [seat, "slam", *verdict]:
            return [Move(Slam(_digits(seat))), *_slam_verdict(verdict)]
        case [seat, "fake", *verdict]:
            return [Move(Fake(_digits(seat))), *_fake_verdict(verdict)]
        case [seat, "lay", first, second, *more]:
            return [Move(Lay(_digits(seat), (Card.parse(first), Card.parse(second))), _more_drawn(more))]
        case [seat, "choose", loser]:
            return [Move(Choose(_digits(seat), _digits(loser)))]
        case [seat, "pass"]:
            return [Move(Pass(_digits(seat)))]
        case _:
            raise ValueError(f"{' '.join(words)!r} is no move: write one like '2 draw 7' or '2 pass'")


def _slam_verdict(words: list[str]) -> list[Move]:
    if words[-2:] == ["no", "pair"]:
        words = words[:-2]
    early: tuple[int, ...] = ()
    if words[:1] == ["early"]:
        early = tuple(map(_digits, takewhile(str.isdecimal, words[1:])))
        words = words[1 + len(early) :] if early else words
    match words:
        case [] | ["alone"]:  # awaited, or not needed
            return []
        case ["short"]:
            return [Move(Judge(Verdict(early=early, short=True)))]
        case ["safe"]:
            return [Move(Judge(Verdict(early=early)))]
        case ["jam"]:
            return [Move(Judge(Verdict(early=early, jam=True)))]
        case ["last", _, *_]:
            return [Move(Judge(Verdict(early=early, last=tuple(map(_digits, words[1:])))))]
        case _:
            raise ValueError(
                f"{' '.join(words)!r} is no verdict on a slam: write 'last' and seats, 'jam', 'safe', 'short' or "
                "'alone'; before the first three, 'early' and seats; at the end, 'no pair' if there was none"
            )


def _fake_verdict(words: list[str]) -> list[Move]:
    match words:
        case []:
            return []
        case ["nobody"]:
            return [Move(Judge(Verdict()))]
        case ["fooled", _, *_]:
            return [Move(Judge(Verdict(early=tuple(map(_digits, words[1:])))))]
        case _:
            raise ValueError(f"{' '.join(words)!r} is no verdict on a fake: write 'fooled' and seats, or 'nobody'")


def _timed(evidence: Evidence, words: list[str]) -> Evidence:
    match words:
        case [seat, time]:
            band, doubt = "0", None
        case [seat, time, more]:
            band, doubt = (more, None) if more.startswith("+-") else ("0", more)
        case [seat, time, band, doubt] if band.startswith("+-"):
            pass
        case _:
            raise ValueError("write a time like this: time 3 250.72 +-0.1 claim, or like this: time 3 never")
    time_us = None if time == "never" else _us(time)
    timing = Timing(_digits(seat), time_us, _us(band.removeprefix("+-")), doubt)
    return replace(evidence, timings=(*evidence.timings, timing))


_EVIDENCE: dict[str, Callable[[Evidence, list[str]], Evidence]] = {
    "time": _timed,
    "tau": lambda evidence, words: replace(evidence, tau_us=_us(_one(words))),
    "cause": lambda evidence, words: replace(evidence, jam=_one(words)),
}
"""What a line below a verdict adds to its evidence, by the word it begins with."""


def _us(word: str) -> int:
    time = re.fullmatch(r"(-?)(0|[1-9][0-9]{0,6})(?:\.([0-9]{1,3}))?", word)
    if time is None:
        raise ValueError(f"{word!r} is no time in milliseconds: write one like 212.4 or -20")
    sign, whole, rest = time.groups(default="")
    us = int(whole) * 1000 + int(rest.ljust(3, "0"))
    return -us if sign else us


def _more_drawn(words: list[str]) -> tuple[Card, ...]:
    match words:
        case []:
            return ()
        case ["draw", *cards]:
            return _cards(cards)
        case _:
            raise ValueError(f"only 'draw' and cards can follow, not {' '.join(words)!r}")


def _cards(words: list[str]) -> tuple[Card, ...]:
    return tuple(map(Card.parse, words))


def _player(words: list[str]) -> tuple[int, str | None]:
    seat, *name = words or [""]
    if not seat.endswith(":"):
        raise ValueError('write a seat like this: seat 1: "Ann", or like this: seat 1: ?')
    return _digits(seat[:-1]), _unless_unknown(_name)(name)


def _name(words: list[str]) -> str:
    word = _one(words)
    if word.startswith('"'):
        name = json.loads(word, strict=False)
        if isinstance(name, str) and name:
            return name
    raise ValueError(f"{word} is not a name: write it in quotes")


def _unjudged(words: list[str]) -> None:
    """What only the comparison with the count can judge."""


def _number(words: list[str]) -> int:
    return _digits(_one(words))


def _digits(word: str) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,99}", word):
        raise ValueError(f"{word!r} is not a number")
    return int(word)


def _version(words: list[str]) -> int:
    version = _number(words)
    if version not in (PLAIN, WITH_EVIDENCE):
        raise ValueError(f"this is version {version} of the notation, and only 1 and 2 are known here")
    return version


def _unless_unknown(parse: Callable[[list[str]], T]) -> Callable[[list[str]], T | None]:
    return lambda words: None if words == ["?"] else parse(words)


def _one(words: list[str]) -> str:
    if len(words) != 1:
        raise ValueError(f"here stands one word, not {len(words)}")
    return words[0]


# Rulings.


class _Ruling(NamedTuple):
    """A line of the edition: its field, its words in the text, and how its answer is read."""

    field: str
    words: str
    read: Callable[[list[str]], Any]


def _ruled(answer: Deck | StrEnum | int) -> str:
    if isinstance(answer, Deck):
        jokers = (" smiling" if answer.smiling else "") + (" sad" if answer.sad else "")
        return f"1-{answer.highest}{jokers}"
    return str(answer)


def _deck(words: list[str]) -> Deck:
    numbers, *jokers = words or [""]
    if not numbers.startswith("1-") or not set(jokers) <= {"smiling", "sad"}:
        raise ValueError("write a deck like this: 1-10 smiling sad")
    return Deck(highest=_digits(numbers[2:]), smiling="smiling" in jokers, sad="sad" in jokers)


def _answer_of(answers: type[StrEnum]) -> Callable[[list[str]], StrEnum]:
    by_name = {str(answer): answer for answer in answers}

    def parse(words: list[str]) -> StrEnum:
        try:
            return by_name[_one(words)]
        except KeyError:
            raise ValueError(f"the answers known here are {' and '.join(by_name)}") from None

    return parse


def _reader_of(kind: Any) -> Callable[[list[str]], Any]:
    if kind is Deck:
        return _deck
    return _number if kind is int else _answer_of(kind)


_RULINGS = tuple(
    _Ruling(field.name, field.name.replace("_", "-"), _reader_of(field.type))
    for field in fields(Edition)
    if field.name != "name"
)
