"""A game as text: it reads as it was written, it tells the truth, and nothing but NotationError comes of a bad one."""

import doctest
import random
import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from msgspec.structs import replace

import slamomatic.game.record
from slamomatic.game import (
    CLASSIC,
    MODERN,
    PRESETS,
    BrokenRecord,
    Card,
    Command,
    Deck,
    Draw,
    Edition,
    Judge,
    Lay,
    Move,
    NotationError,
    Pass,
    Record,
    Slam,
    State,
    Take,
    Verdict,
    dealt,
    evolve,
    legal,
    play,
    read,
    score,
    seen,
    start,
    write,
)
from slamomatic.game.events import Dealt, GameEnd
from tests.game.texts import (
    DOCUMENT,
    EDITIONS,
    EXAMPLE,
    HOUSE,
    WORDS,
    a_game,
    bare,
    changed,
    nearly,
    read_or_refuse,
    records,
    refused,
)

# It reads as it was written.


@given(records())
def test_a_record_comes_back_from_its_text(record: Record) -> None:
    text = write(record)
    assert read(text) == record
    assert write(read(text)) == text


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)
def test_a_record_replays_to_the_end_that_was_played(edition: Edition) -> None:
    for seed in range(10):
        deal, played, end = a_game(edition, 2, seed)
        record = read(write(Record.of(deal, played)))
        assert record.replay() == end
        assert record.result == score(end)
        assert record.edition == edition


@given(records())
def test_the_positions_of_a_record_are_the_fold_of_its_events(record: Record) -> None:
    positions = record.positions()
    state = next(positions)
    assert state == start(record.deal)
    for step in record.steps():
        for event in step.events:
            state = evolve(state, event)
        assert state == step.state == next(positions)
    assert list(positions) == []
    assert state == record.replay()


@given(records())
def test_comments_empty_lines_spaces_and_line_ends_are_free(record: Record) -> None:
    lines = write(record).split("\n")
    text = "\ufeff\n; a game\r\n" + "".join(f'\t {line.replace(" take ", "  take ")}  ;"x\r\n\r\n' for line in lines)
    assert read(text) == record


def test_every_kind_of_action_is_written_by_some_game() -> None:
    """So that the round trips above have seen them all."""
    texts = [write(Record.of(*a_game(edition, 3, seed)[:2])) for edition in PRESETS.values() for seed in range(25)]
    written = bare("".join(texts))
    for action in (
        "draw 7",
        "draw sad",
        "take 10 from 3 at 1",
        "bury [0-9]+ from 2 at 0",
        "slam last 3",
        "slam last 1 3",
        "slam safe",
        "slam jam",
        "slam early 1 last 3",
        "slam early 1 3 safe",
        "slam early 1 jam",
        "slam short",
        "slam alone",
        "slam alone no pair",
        "slam last 3 no pair",
        "slam jam no pair",
        "fake fooled 1 3",
        "fake nobody",
        "lay 7 7",
        "lay smiling 9",
        "lay 7 7 draw [0-9]+",
        "choose 3",
        "pass",
    ):
        assert re.search(rf"^[123] {action}$", written, re.MULTILINE), action


def test_a_name_may_be_anything() -> None:
    deal, played, _ = a_game(MODERN, 2, 1)
    names = ('Ann "the hand"; x', "\\\n\u2028\t\x00👩‍👧")
    record = read(write(Record.of(deal, played, names=names)))
    assert record.names == names


# The document.


def test_the_document_has_a_true_example() -> None:
    record = read(EXAMPLE)
    assert bare(write(record)) == bare(EXAMPLE)
    assert record.deal == dealt(record.edition, (1, 2), random.Random(2395))


def test_the_python_of_the_document_runs() -> None:
    failed, tried = doctest.testfile(str(DOCUMENT), module_relative=False, globs={"text": EXAMPLE})
    assert tried > 5
    assert failed == 0


def test_the_example_of_record_runs() -> None:
    failed, tried = doctest.testmod(slamomatic.game.record)
    assert tried
    assert failed == 0


def test_every_line_of_the_document_s_tables_is_of_the_notation() -> None:
    """Each example line is read as far as its words: only the rules of the game at hand may still refuse it."""
    heading = bare(EXAMPLE).split("1 draw 1\n")[0]
    rows = re.findall(r"^\| `([^`]+)` \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    actions = [row for row in rows if row[0].isdecimal()]
    assert len(actions) > 15
    for action in actions:
        with pytest.raises(NotationError, match=r"is for hand 1 to act|the rules|draw from the pile|nobody sits"):
            read(heading + action)


# It tells the truth.


def test_the_heading_tells_every_ruling() -> None:
    deal, _, _ = a_game(HOUSE, 2, 0)
    text = write(Record(deal))
    assert read(text).edition == HOUSE
    assert 'edition "Ann\'s; the 2nd"\n' in text
    for field in HOUSE.__struct_fields__[1:]:
        assert f"\nrule {field.replace('_', '-')} " in text


def _next_line(text: str, number: int) -> int:
    """The next line with words in it."""
    lines = text.split("\n")
    return next(at for at in range(number + 1, len(lines) + 1) if bare(lines[at - 1]))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("hands-down 1", "hands-down 3", "this is version 3 of the notation, and only 1 and 2 are known here"),
        ("hands-down 1", "hands-down 2", "by the moves recorded this line is: hands-down 1"),
        ("hands-down 1", "chess 1", "a line beginning with 'hands-down' is missing here"),
        ('"Small Modern"', '"Small Modern', 'a " is not closed'),
        ('"Small Modern"', "Small", "Small is not a name: write it in quotes"),
        ('"Small Modern"', f'"{"x" * 41}"', "an edition has a name of 1 to 40 printable characters"),
        ("rule deck 1-3 smiling", "rule deck 1-11", "a deck runs from 1 to a highest number of 2 to 10, not 11"),
        ("rule deck 1-3 smiling", "rule deck 3", "write a deck like this: 1-10 smiling sad"),
        ("rule joker kept", "rule joker lost", "the answers known here are wild-once and kept"),
        ("rule joker kept", "rule jester kept", "a line beginning with 'rule joker' is missing here"),
        ("free-fakes 2", "free-fakes two", "'two' is not a number"),
        ("free-fakes 2", "free-fakes 02", "'02' is not a number"),
        ("seed 2395", "seed", "here stands one word, not 0"),
        ('seat 1: "Ann"', 'seat 1 "Ann"', 'write a seat like this: seat 1: "Ann", or like this: seat 1: ?'),
        ("dealer 2", "dealer 3", "nobody sits at hand 3, so it cannot deal"),
        ("hand 1: 1 2 2 3", "hand 1: 1 2 2 11", "'11' is not a card: write 1 to 10, smiling or sad"),
        ("result all-pairs", "result *", "by the moves recorded this line is: result all-pairs"),
        ("score 1: 4 tie-break 8", "score 1: 5", "by the moves recorded this line is: score 1: 4 tie-break 8"),
        ("score 2: 4 tie-break 24 wins", "; gone", "by the moves recorded this line is: score 2: 4 tie-break 24 wins"),
        ("1 draw 1 ", "1 draw 2 ", "by the rules 1 moves here, not 2"),
        ("1 draw 1 ", "2 draw 1 ", "it is for hand 1 to act"),
        ("1 slam safe", "1 slam safe no pair", "by the moves recorded this line is: 1 slam safe"),
        ("1 slam safe", "1 slam jam", "the unit cannot give this verdict here"),
        ("1 slam safe", "1 slam late 2", "'late 2' is no verdict on a slam"),
        ("1 slam early 2 safe", "1 slam early safe", "'early safe' is no verdict on a slam"),
        ("1 lay 1 1", "1 lay 3 3", "lay a pair that you hold"),
        ("1 lay 1 1", "1 lay 1 1 draw 3", "by the rules no card moves here, not 3"),
        ("1 lay 1 1", "1 lay 1 1 and 2", "only 'draw' and cards can follow, not 'and 2'"),
        ("1 take 3 from 2 at 2", "1 take 10 from 2 at 2", "hand 2 holds no 10"),
        ("1 take 3 from 2 at 2", "1 take 3 from 2 at 4", "take a card from hand 2, at one of its 4 positions"),
        ("1 take 3 from 2 at 2", "1 bury 3 from 2 at 2", "by the moves recorded this line is: 1 take 3 from 2 at 2"),
        ("1 fake fooled 2", "1 fake", "wait for the unit"),
        ("1 fake fooled 2", "1 fake somebody", "'somebody' is no verdict on a fake"),
        ("2 slam alone no pair", "2 slam", "by the moves recorded this line is: 2 slam alone no pair"),
        ("1 pass", "1 resign", "'1 resign' is no move: write one like '2 draw 7' or '2 pass'"),
    ],
)
def test_an_untrue_text_is_refused_with_line_and_reason(old: str, new: str, reason: str) -> None:
    text, line = changed(old, new)
    error = refused(text)
    assert error.reason.startswith(reason)
    missing = new in ("1 fake", "; gone")  # which shows at the next line
    assert error.line == (_next_line(text, line) if missing else line)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("hand 1: 1 2 2 3", "hand 1: 1 2 3 3", "there are 1 more of 3 than the deck holds"),
        ("hand 1: 1 2 2 3", "hand 1: 1 2 2", "hand 1 is dealt 4 cards, told in ascending order"),
        ("hand 1: 1 2 2 3", "hand 1: 2 1 2 3", "hand 1 is dealt 4 cards, told in ascending order"),
        ("pile 1 3 1 2 3", "pile 1 3 1 2", "there are 1 fewer of 3 than the deck holds"),
        ("pile 1 3 1 2 3", "pile 1 3 1 2 sad", "there are 1 more of sad than the deck holds"),
        ("dealer 2", "dealer 2\ncut 3 2", "these cuts do not make hand 2 the dealer"),
        ("seed 2395", f"seed {2**256}", "a seed is a number from 0 to 2**256 - 1"),
        ("seat 2: ?", "", "2 to 4 players sit down"),
        ("seat 2: ?", "seat 2: ?\nseat 2: ?", "2 to 4 players sit down"),
        ("seat 2: ?", "seat 5: ?", "the hands of the unit are 1, 2, 3 and 4"),
    ],
)
def test_an_untrue_deal_is_refused(old: str, new: str, reason: str) -> None:
    text, _ = changed(old, new)
    if "seat 2: ?" in old:  # keep the hands in step with the seats
        for seat in re.findall(r"seat (\d)", new) or [""]:
            text = text.replace("hand 2:", f"hand {seat}:", 1) if seat else re.sub("hand 2:.*\n", "", text)
        if new.count("seat") == 2:
            text = text.replace("pile 1", "hand 2: 1 2 3 smiling\npile 1", 1)
    error = refused(text)
    assert error.reason.startswith(reason)
    assert text.split("\n")[error.line - 1].startswith("dealer")


def test_c2_the_cuts_must_make_the_dealer() -> None:
    deal, played, _ = a_game(CLASSIC, 3, 5)
    text = write(Record.of(deal, played))
    other = {1: 2, 2: 3, 3: 1}[deal.dealer]
    wrong_dealer = refused(text.replace(f"dealer {deal.dealer}\n", f"dealer {other}\n"))
    assert wrong_dealer.reason == f"these cuts do not make hand {other} the dealer"
    tied = re.sub(r"(cut .*\n)+", "cut 10 10 10\n", text)
    assert "cuts" in refused(tied).reason
    settled_twice = re.sub(r"(cut .*\n)+", lambda cuts: cuts[0] + "cut 1 2 3\n", text)
    assert "cuts" in refused(settled_twice).reason
    assert "cuts" in refused(re.sub(r"(cut .*\n)+", "", text)).reason


@pytest.mark.parametrize("edition", PRESETS.values(), ids=PRESETS)
def test_a_text_cut_short_is_refused(edition: Edition) -> None:
    deal, played, _ = a_game(edition, 3, 8)
    lines = write(Record.of(deal, played)).splitlines(keepends=True)
    for kept in range(len(lines)):
        refused("".join(lines[:kept]))


def test_a_game_broken_off_has_no_result() -> None:
    deal, played, _ = a_game(CLASSIC, 2, 3)
    slam = next(at for at, (command, _) in enumerate(played) if isinstance(command, Slam))
    record = Record.of(deal, played[: slam + 1])
    assert record.result is None
    text = write(record)
    assert "\nresult *\n\n" in text
    assert text.endswith(" slam\n")
    assert read(text) == record


# Nothing but NotationError comes of a bad text.


@given(st.text())
@example("")
@example("\ud800")
@example("hands-down 1\n" + "9" * 5000)
def test_any_text_is_read_or_refused(text: str) -> None:
    read_or_refuse(text)


@given(st.data())
def test_any_accident_to_a_text_is_seen_or_harmless(data: st.DataObject) -> None:
    deal, played, _ = a_game(data.draw(st.sampled_from(EDITIONS)), 2, data.draw(st.integers(0, 50)))
    read_or_refuse(data.draw(nearly(write(Record.of(deal, played, names=("Ann", None), seed=1)))))


@given(nearly(EXAMPLE))
def test_any_accident_to_the_document_s_example_is_seen_or_harmless(text: str) -> None:
    read_or_refuse(text)


@given(st.data())
def test_no_verdict_and_no_card_can_be_forged(data: st.DataObject) -> None:
    """Change any one word of the moves, and the text is refused, or it is another game that is true as well."""
    text = bare(EXAMPLE)
    words = re.split(r"(\s+)", text)
    at = data.draw(st.integers(words.index("pile"), len(words) - 1))
    words[at] = data.draw(st.sampled_from(WORDS))
    assume(words[at] not in (";", '"'))
    read_or_refuse("".join(words))


# A record is a game by the rules.


def test_a_record_cannot_be_made_of_what_the_rules_forbid() -> None:
    deal, _, _ = a_game(MODERN, 2, 2)
    first = deal.seats[deal.seats.index(deal.dealer) - 1]
    with pytest.raises(BrokenRecord, match="draw from the pile first") as caught:
        Record(deal, (Move(Pass(first)),))
    assert caught.value.move == 0
    with pytest.raises(BrokenRecord, match="by the rules"):
        Record(deal, (Move(Draw(first)),))
    assert deal.pile
    with pytest.raises(BrokenRecord, match="nothing for the unit to judge") as caught:
        Record(deal, (Move(Draw(first), deal.pile[:1]), Move(Judge(Verdict()))))
    assert caught.value.move == 1
    with pytest.raises(BrokenRecord, match="2 players have 1 names"):
        Record(deal, names=("Ann",))
    for name in ("", "\ud800"):
        with pytest.raises(BrokenRecord, match="a name is at least one character"):
            Record(deal, names=("Ann", name))
    with pytest.raises(BrokenRecord, match="a seed is"):
        Record(deal, seed=-1)


def test_b11_a_record_is_made_of_the_game_itself_not_of_what_a_viewer_saw() -> None:
    deal, played, _ = a_game(MODERN, 2, 2)
    shown = seen(deal, 1)
    assert isinstance(shown, Dealt)
    with pytest.raises(BrokenRecord, match="a deal shown to a viewer"):
        Record(shown)
    with pytest.raises(BrokenRecord, match="an event shown to a viewer"):
        Record.of(deal, [(command, tuple(seen(event, None) for event in events)) for command, events in played])


def test_m12_a_joker_left_in_the_pile_is_written_at_the_end_of_the_line_that_ended_the_game() -> None:
    edition = replace(MODERN, deck=Deck(highest=3, smiling=True, sad=False))
    deal = Dealt(
        edition=edition,
        seats=(1, 2),
        dealer=2,
        cuts=(),
        hands=((Card.ONE,) * 4, (Card.TWO,) * 4),
        pile=(Card.THREE,) * 4 + (Card.SMILING,),
    )
    moves: list[Move] = []
    state = start(deal)
    rng = random.Random(0)
    while state.ended is None:
        command = _whoever_can_lay_lays(state)
        state, events = play(state, command, rng)
        moves.append(Move.of(command, events))
    assert state.ended is GameEnd.ALL_PAIRS
    record = Record(deal, tuple(moves))
    text = write(record)
    assert text.endswith(" draw smiling\n")
    assert read(text) == record


def _whoever_can_lay_lays(state: State) -> Command:
    commands = legal(state)
    safe = Judge(Verdict())
    if safe in commands:
        return safe
    hand = state.hand(state.turn)
    paired = any(hand.count(card) > 1 for card in hand)
    kinds = (Draw, Lay, Take, Slam if paired else Pass)
    return next(command for command in commands if isinstance(command, kinds))
