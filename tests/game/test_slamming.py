"""A Hands Down: who takes part, what the unit can say, what is laid and who loses a card."""

import pytest
from msgspec.structs import replace

from slamomatic.game import (
    CLASSIC,
    MODERN,
    Action,
    Choose,
    Draw,
    Edition,
    Fake,
    IllegalCommand,
    Lay,
    Pass,
    Slam,
    Take,
    Verdict,
    legal,
    play,
    possible,
)
from slamomatic.game.cards import Card
from slamomatic.game.duties import MustChoose, MustLay, MustTake, Why
from slamomatic.game.edition import EarlyTouch, JamRuling
from slamomatic.game.events import CardDrawn, CardTaken, Judged, LoserChosen, Outcome, PairLaid, Slammed
from tests.game.positions import Script, after, cards, events_of, hand, kinds, pair, position, says, take

ALWAYS_LAST = replace(CLASSIC, name="The sheets' word", duel_limit_ms=0)
MODERN_ALWAYS_LAST = replace(MODERN, name="The sheets' word", duel_limit_ms=0)
PAYING_CLASSIC = replace(CLASSIC, name="Early pays, a jam lays", early_touch=EarlyTouch.PAYS)

SEVENS = Lay(1, pair("7 7"))


def verdicts(*words: str) -> set[Verdict]:
    """Verdicts in short: ``"2"`` was last, ``"2,3"`` never touched, ``"e3 2"`` 3 was early, ``"jam"``, ``"nobody"``."""
    found = set()
    for word in words:
        parts = word.split()
        early = tuple(int(seat) for part in parts if part[0] == "e" for seat in part[1:].split(","))
        last = tuple(int(seat) for part in parts if part[0].isdigit() for seat in part.split(","))
        found.add(Verdict(early=early, last=last, jam="jam" in parts, short="short" in parts))
    return found


# Who slams, and when.


def test_b5_with_a_pair_one_slams_and_everyone_waits_for_the_unit() -> None:
    state = position(CLASSIC, "1: 3 7 7", "2: 9", "3: 8")
    assert Slam(1) in legal(state)
    assert events_of(state, Slam(1)) == [Slammed(1)]
    state = after(state, Slam(1))
    assert state.to_act is None
    for command in (Slam(1), Slam(2), Fake(1), Pass(1), Draw(1), SEVENS, Take(1, 2, 0)):
        with pytest.raises(IllegalCommand, match="wait for the unit"):
            play(state, command, Script())


def test_b5_the_pair_is_laid_and_then_a_card_is_taken_from_the_loser() -> None:
    state = after(position(CLASSIC, "1: 3 7 7", "2: 9 10", "3: 8"), Slam(1), says(2))
    assert state.duties == (MustLay(1, Verdict(last=(2,))),)
    state = after(state, SEVENS)
    assert state.hand(1) == hand("3")
    assert state.laid[0] == (pair("7 7"),)
    assert legal(state) == (Take(1, 2, 0), Take(1, 2, 1))
    assert events_of(state, Take(1, 2, 1), Script((0, 2))) == [CardTaken(1, 2, 1, Card.NINE, Why.LAST)]
    state = take(state, "9")
    assert state.hand(1) == hand("3 9")
    assert state.hand(2) == hand("10")
    assert state.hand(3) == hand("8")


def test_b5_the_pair_cannot_use_the_card_taken_in_this_hands_down() -> None:
    state = after(position(CLASSIC, "1: 3 7 7", "2: 3", "3: 8"), Slam(1), says(2))
    assert legal(state) == (SEVENS,)
    state = take(after(state, SEVENS), "3")
    assert state.laid[0] == (pair("7 7"),)
    assert state.hand(1) == hand("3 3")
    assert kinds(state) == ["Slam", "Fake", "Pass"]


def test_b6_as_long_as_there_is_a_pair_one_may_slam_again() -> None:
    state = position(CLASSIC, "1: 3 7 7", "2: 3", "3: 8")
    state = take(after(state, Slam(1), says(2), SEVENS), "3")
    state = take(after(state, Slam(1), says(3), Lay(1, pair("3 3"))), "8")
    assert state.laid[0] == (pair("7 7"), pair("3 3"))
    assert state.turn == 1
    assert state.hand(1) == hand("8")


def test_b6_playing_a_pair_is_a_choice() -> None:
    state = position(CLASSIC, "1: 7 7", "2: 9", "3: 8")
    assert Pass(1) in legal(state)
    state = after(state, Pass(1))
    assert state.turn == 2
    assert state.hand(1) == hand("7 7")


def test_b9_who_has_no_cards_has_no_part_in_a_hands_down() -> None:
    state = position(CLASSIC, "1: 7 7", "2:", "3: 8", "4: 9")
    assert state.racers == (3, 4)
    state = after(state, Slam(1))
    for verdict in (says(2), says(3, early=(2,)), says(2, 3)):
        with pytest.raises(IllegalCommand, match="verdict"):
            play(state, verdict, Script())


def test_b9_an_empty_hand_cannot_reach_but_is_still_in_the_game() -> None:
    state = position(CLASSIC, "1:", "2: 9", "3: 8")
    assert legal(state) == (Pass(1),)
    for command in (Slam(1), Fake(1)):
        with pytest.raises(IllegalCommand, match="without cards"):
            play(state, command, Script())
    state = after(state, Pass(1), Draw(2), Pass(2), Draw(3), Pass(3))
    assert legal(state) == (Draw(1),)


@pytest.mark.parametrize("edition", [CLASSIC, MODERN])
def test_b10_with_every_opponents_hand_empty_the_pair_is_laid_without_a_race(edition: Edition) -> None:
    state = position(edition, "1: 7 7 9", "2:", "3:", pile="5 6 8 10")
    assert possible(edition, (), Action.SLAM) == (Verdict(),)
    assert [type(event) for event in events_of(state, Slam(1))] == [Slammed, Judged]
    state = after(state, Slam(1))
    assert legal(state) == (SEVENS,)
    assert events_of(state, SEVENS) == [PairLaid(1, pair("7 7"), ())]
    state = after(state, SEVENS)
    assert state.hand(1) == hand("9")
    assert state.to_act == 1
    assert kinds(state) == ["Slam", "Pass"]


# Several last.


def test_b12_who_has_not_slammed_when_the_window_closes_counts_as_last() -> None:
    state = after(position(CLASSIC, "1: 7 7", "2: 9", "3: 8", "4: 6"), Slam(1))
    silent = [command.verdict.last for command in legal(state) if len(command.verdict.last) > 1]  # type: ignore[union-attr]
    assert (2, 3, 4) in silent
    assert (2, 4) in silent


def test_b12_the_slammer_lays_the_pair_and_then_chooses_who_of_them_loses_the_card() -> None:
    state = after(position(CLASSIC, "1: 7 7", "2: 9", "3: 8", "4: 6"), Slam(1), says(2, 4))
    assert kinds(state) == ["Lay"]
    state = after(state, SEVENS)
    assert state.duties == (MustChoose(1, (2, 4)),)
    assert legal(state) == (Choose(1, 2), Choose(1, 4))
    for command in (Choose(1, 3), Choose(1, 1), Choose(2, 4), Take(1, 2, 0), Pass(1)):
        with pytest.raises(IllegalCommand):
            play(state, command, Script())
    assert events_of(state, Choose(1, 4)) == [LoserChosen(1, 4)]
    state = after(state, Choose(1, 4))
    assert state.duties == (MustTake(1, 4, Why.LAST),)
    assert take(state, "6").hand(1) == hand("6")


def test_b17_who_goes_silent_during_a_race_is_last() -> None:
    for racers in ((2,), (2, 3), (2, 3, 4)):
        for edition in (CLASSIC, MODERN):
            lasts = {verdict.last for verdict in possible(edition, racers, Action.SLAM)}
            assert {(seat,) for seat in racers} <= lasts
            assert racers in lasts


# What the unit can say.


def test_b15_an_only_opponent_need_not_be_last() -> None:
    assert set(possible(CLASSIC, (2,), Action.SLAM)) == verdicts("2", "nobody", "e2")
    assert set(possible(MODERN, (2,), Action.SLAM)) == verdicts("2", "nobody", "e2", "short")


def test_b15_but_by_the_sheets_word_he_always_is() -> None:
    assert set(possible(ALWAYS_LAST, (2,), Action.SLAM)) == verdicts("2", "e2 2")
    assert set(possible(MODERN_ALWAYS_LAST, (2,), Action.SLAM)) == verdicts("2", "e2", "short")


def test_b15_an_only_opponent_who_touched_in_time_loses_nothing() -> None:
    state = after(position(CLASSIC, "1: 3 7 7", "2: 9"), Slam(1), says())
    assert events_of(state, SEVENS) == [PairLaid(1, pair("7 7"), ())]
    state = after(state, SEVENS)
    assert state.hand(2) == hand("9")
    assert state.to_act == 1


def test_b15_one_opponent_with_cards_among_three_is_an_only_one() -> None:
    state = after(position(MODERN, "1: 3 7 7", "2:", "3: 9", "4:"), Slam(1))
    assert {command.verdict for command in legal(state)} == verdicts("3", "nobody", "e3", "short")  # type: ignore[union-attr]


def test_c6_an_early_touch_counts_as_its_time_says() -> None:
    """While anyone is later he is last; if all were early the latest of them is; two of them can jam."""
    assert set(possible(CLASSIC, (2, 3), Action.SLAM)) == verdicts(
        *("2", "3", "2,3", "jam"),
        *("e2 3", "e2 jam"),
        *("e3 2", "e3 jam"),
        *("e2,3 2", "e2,3 3", "e2,3 jam"),
    )


def test_c6_an_early_touch_costs_nothing() -> None:
    state = after(position(CLASSIC, "1: 3 7 7", "2: 9", "3: 8"), Slam(1), says(3, early=(2,)), SEVENS)
    assert state.duties == (MustTake(1, 3, Why.LAST),)
    state = take(state, "8")
    assert state.to_act == 1
    assert state.hand(2) == hand("9")


def test_c6_the_latest_of_the_early_loses_if_all_were_early() -> None:
    state = after(position(CLASSIC, "1: 3 7 7", "2: 9", "3: 8"), Slam(1), says(2, early=(2, 3)), SEVENS)
    assert state.duties == (MustTake(1, 2, Why.LAST),)


def test_m10_an_early_toucher_cannot_be_last_and_if_all_were_early_nobody_is() -> None:
    assert set(possible(MODERN, (2, 3), Action.SLAM)) == verdicts(
        *("2", "3", "2,3", "jam", "short"),
        *("e2 3", "e3 2"),
        "e2,3",
    )


def test_m10_three_followers() -> None:
    assert set(possible(MODERN, (1, 3, 4), Action.SLAM)) == verdicts(
        *("1", "3", "4", "1,3", "1,4", "3,4", "1,3,4", "jam", "short"),
        *("e1 3", "e1 4", "e1 3,4", "e1 jam"),
        *("e3 1", "e3 4", "e3 1,4", "e3 jam"),
        *("e4 1", "e4 3", "e4 1,3", "e4 jam"),
        *("e1,3 4", "e1,4 3", "e3,4 1"),
        "e1,3,4",
    )


def test_m10_an_early_touch_on_a_real_slam_gives_the_slammer_a_card() -> None:
    state = after(position(MODERN, "1: 3 7 7", "2: 9", "3: 8"), Slam(1), says(3, early=(2,)))
    assert kinds(state) == ["Lay"]
    state = after(state, SEVENS)
    assert state.duties == (MustTake(1, 2, Why.EARLY), MustTake(1, 3, Why.LAST))
    state = take(take(state, "9"), "8")
    assert state.hand(1) == hand("3 8 9")
    assert state.to_act == 1


def test_m10_the_pair_first_then_the_early_from_the_slammers_left_then_the_loser() -> None:
    state = position(MODERN, "3: 7 7", "1: 9", "2: 8", "4: 10")
    state = after(state, Slam(3), says(2, early=(1, 4)), Lay(3, pair("7 7")))
    assert state.duties == (MustTake(3, 4, Why.EARLY), MustTake(3, 1, Why.EARLY), MustTake(3, 2, Why.LAST))


def test_m10_several_who_never_touched_are_chosen_from_after_the_early_have_paid() -> None:
    state = position(MODERN, "1: 7 7", "2: 9", "3: 8", "4: 10")
    state = after(state, Slam(1), says(2, 4, early=(3,)), SEVENS)
    assert state.duties == (MustTake(1, 3, Why.EARLY), MustChoose(1, (2, 4)))
    state = after(take(state, "8"), Choose(1, 2))
    assert take(state, "9").hand(1) == hand("8 9")


def test_m10_all_early_all_pay_and_nobody_is_last() -> None:
    state = position(MODERN, "1: 7 7", "2: 9", "3: 8")
    state = after(state, Slam(1), says(early=(2, 3)), SEVENS)
    assert state.duties == (MustTake(1, 2, Why.EARLY), MustTake(1, 3, Why.EARLY))
    assert take(take(state, "9"), "8").to_act == 1


def test_a_jam_takes_two_who_can_be_last() -> None:
    for edition in (CLASSIC, MODERN, ALWAYS_LAST):
        assert not any(verdict.jam for verdict in possible(edition, (2,), Action.SLAM))
        assert not any(verdict.jam for verdict in possible(edition, (2, 3), Action.FAKE))


# Which pair is laid.


def test_b16_which_pair_is_laid_is_chosen_after_the_verdict() -> None:
    state = after(position(CLASSIC, "1: 3 7 7 9 9 smiling", "2: 9", "3: 8"), Slam(1), says(2))
    assert legal(state) == (
        *(Lay(1, pair("7 7")), Lay(1, pair("9 9"))),
        *(Lay(1, pair("smiling 3")), Lay(1, pair("smiling 7")), Lay(1, pair("smiling 9"))),
    )
    for wrong in ("3 3", "7 smiling", "7 9", "10 10", "smiling sad"):
        with pytest.raises(IllegalCommand, match="a pair that you hold"):
            play(state, Lay(1, pair(wrong)), Script())


def test_b16_the_choice_is_asked_even_if_there_is_only_one_pair() -> None:
    state = after(position(CLASSIC, "1: 7 7", "2: 9", "3: 8"), Slam(1), says(2))
    assert legal(state) == (SEVENS,)


def test_c4_the_wild_joker_is_laid_with_its_partner_and_gone() -> None:
    state = after(position(CLASSIC, "1: 7 smiling", "2: 9", "3: 8"), Slam(1), says(2), Lay(1, pair("smiling 7")))
    assert state.laid[0] == (pair("smiling 7"),)
    assert state.hand(1) == ()
    assert take(state, "9").hand(1) == hand("9")


def test_c5_the_sad_joker_leaves_a_hand_when_another_takes_it() -> None:
    state = after(position(CLASSIC, "1: 7 7", "2: sad", "3: 8"), Slam(1), says(2), SEVENS)
    assert take(state, "sad").hand(1) == hand("sad")
    state = after(position(CLASSIC, "1: 7", "2: sad", "3: 8"), Fake(1), says(early=(2,)))
    assert take(state, "sad").hand(1) == hand("7 sad")
    state = after(position(CLASSIC, "1: 7 sad", "2: 9", "3: 8", pile="5 6"), Slam(1), says(2))
    assert take(state, "sad").pile == cards("5 6 sad")


def test_m3_the_joker_stays_in_a_hand_and_may_be_taken_like_any_card() -> None:
    state = after(position(MODERN, "1: 7 7", "2: smiling", "3: 8"), Slam(1), says(2), SEVENS)
    state = take(state, "smiling")
    assert state.hand(1) == hand("smiling")
    assert state.hand(2) == ()


# Jams.


def test_c7_jam_lays_the_pair_and_draws_from_the_pile() -> None:
    state = after(position(CLASSIC, "1: 3 7 7", "2: 9", "3: 8", pile="5 6"), Slam(1), says(jam=True))
    assert legal(state) == (SEVENS,)
    assert events_of(state, SEVENS) == [PairLaid(1, pair("7 7"), ()), CardDrawn(1, Card.FIVE, Why.JAM)]
    state = after(state, SEVENS)
    assert state.hand(1) == hand("3 5")
    assert (state.hand(2), state.hand(3)) == (hand("9"), hand("8"))
    assert state.pile == hand("6")


def test_c7_the_turn_goes_on() -> None:
    state = after(position(CLASSIC, "1: 5 7 7", "2: 9", "3: 8", pile="5 6"), Slam(1), says(jam=True), SEVENS)
    assert state.turn == 1
    assert kinds(state) == ["Slam", "Fake", "Pass"]
    state = after(state, Slam(1), says(2), Lay(1, pair("5 5")))
    assert state.laid[0] == (pair("7 7"), pair("5 5"))


def test_c7_with_the_pile_empty_no_card_is_drawn() -> None:
    state = after(position(CLASSIC, "1: 3 7 7", "2: 9", "3: 8", pile=""), Slam(1), says(jam=True))
    assert events_of(state, SEVENS) == [PairLaid(1, pair("7 7"), ())]
    assert after(state, SEVENS).to_act == 1


def test_c7_early_touchers_of_house_rules_pay_all_the_same() -> None:
    state = position(PAYING_CLASSIC, "1: 3 7 7", "2: 9", "3: 8", "4: 10", pile="5 6")
    state = after(state, Slam(1), says(early=(3,), jam=True), SEVENS)
    assert state.hand(1) == hand("3 5")
    assert state.duties == (MustTake(1, 3, Why.EARLY),)


def test_m7_jam_counts_for_nothing_and_nobody_pays() -> None:
    before = position(MODERN, "1: 3 7 7", "2: 9", "3: 8", "4: 10", pile="5 6")
    for verdict in (says(jam=True), says(early=(2,), jam=True)):
        state = after(before, Slam(1), verdict)
        assert (state.hands, state.laid, state.pile) == (before.hands, before.laid, before.pile)
        assert state.turn == 1
        assert kinds(state) == ["Slam", "Fake", "Pass"]


def test_m7_after_a_jam_the_pair_may_be_slammed_again() -> None:
    state = position(MODERN, "1: 3 7 7", "2: 9", "3: 8", pile="5 6")
    state = after(state, Slam(1), says(jam=True), Slam(1), says(2), SEVENS)
    assert state.laid[0] == (pair("7 7"),)


def test_m7_a_jam_shows_no_missing_pair() -> None:
    shown = []
    for held in ("3 7 7", "3 7 8"):
        state = after(position(MODERN, f"1: {held}", "2: 9", "3: 8", pile="5 6"), Slam(1))
        shown.append(events_of(state, says(jam=True)))
    assert shown[0] == shown[1]
    (event,) = shown[0]
    assert isinstance(event, Judged)
    assert event.outcome is Outcome.VOID


def test_c7_rulings_may_be_swapped() -> None:
    """House rules: the modern jam in the classic game, and the other way round."""
    void = replace(CLASSIC, name="Void jams", jam=JamRuling.VOID)
    state = after(position(void, "1: 3 7 7", "2: 9", "3: 8"), Slam(1), says(jam=True))
    assert state.hand(1) == hand("3 7 7")
    lays = replace(MODERN, name="Laying jams", jam=JamRuling.PILE_CARD)
    state = after(position(lays, "1: 3 7 7", "2: 9", "3: 8", pile="5 6"), Slam(1), says(jam=True), SEVENS)
    assert state.hand(1) == hand("3 5")
