"""What a viewer may know, and nothing else."""

from random import Random

import msgspec
import pytest

from slamomatic.game import CLASSIC, MODERN, Card, Lay, Pass, Slam, State, Take, legal, play, seen, view
from slamomatic.game.dealing import dealt
from slamomatic.game.duties import MustTake, Why
from slamomatic.game.events import CardBuried, CardDrawn, CardTaken, Dealt, Event, GameEnd
from tests.game.positions import Script, after, events_of, hand, kinds, pair, position, says, take

VIEWERS = (1, 2, 3, None)


def shown(event: Event, card: Card) -> list[int | None]:
    """The viewers to whom this event names its card."""
    assert not isinstance(event, Dealt)
    return [viewer for viewer in VIEWERS if getattr(seen(event, viewer), "card", None) == card]


def test_b11_ones_own_hand_and_the_number_of_the_others_cards() -> None:
    state = position(CLASSIC, "1: 3 7 7 | 2 2", "2: 9", "3: smiling sad", pile="5 6")
    mine = view(state, 1)
    assert [player.hand for player in mine.players] == [hand("3 7 7"), None, None]
    assert [player.cards for player in mine.players] == [3, 1, 2]
    assert mine.player(1).laid == (pair("2 2"),)
    assert mine.pile == 2


def test_b11_a_spectator_sees_no_hand() -> None:
    state = position(CLASSIC, "1: 3 7 7", "2: 9", "3: smiling sad", pile="5 6")
    assert [player.hand for player in view(state, None).players] == [None, None, None]


def test_b11_nobody_sees_what_lies_in_the_pile_or_aside() -> None:
    names = {field.name for field in msgspec.structs.fields(type(view(position(CLASSIC, "1: 3", "2: 9"), 1)))}
    assert names == {
        *("viewer", "edition", "dealer", "players", "pile", "turn", "turn_number", "duties", "to_act"),
        *("fakes_left", "legal", "ended", "scores"),
    }
    state = position(CLASSIC, "1: 3", "2: 9", pile="", aside=(hand("4"), ()))
    for viewer in (1, 2, None):
        assert view(state, viewer).players[0].aside == 1


def test_b11_a_card_drawn_is_known_to_who_drew_it() -> None:
    for why in (Why.TURN, Why.JAM, Why.END):
        assert shown(CardDrawn(2, Card.SEVEN, why), Card.SEVEN) == [2]


def test_b11_a_card_taken_is_known_to_taker_and_loser_alone() -> None:
    assert shown(CardTaken(1, 3, 0, Card.SEVEN, Why.LAST), Card.SEVEN) == [1, 3]


def test_c8_the_picker_does_not_see_the_card() -> None:
    for aside in (False, True):
        assert shown(CardBuried(2, 1, 0, Card.SEVEN, aside), Card.SEVEN) == [1]


def test_b11_the_deal_shows_each_his_own_cards() -> None:
    event = dealt(CLASSIC, (1, 2, 3), Random(3))
    for viewer in VIEWERS:
        mine = seen(event, viewer)
        assert isinstance(mine, Dealt)
        assert mine.pile is None
        assert mine.cuts == event.cuts
        assert mine.hands == tuple(
            h if seat == viewer else None for seat, h in zip((1, 2, 3), event.hands, strict=True)
        )


def test_b11_a_position_picked_has_nothing_to_do_with_the_card() -> None:
    state = position(CLASSIC, "1: 7 7", "2: 4 5 9", "3: 8")
    state = after(state, Slam(1), says(2), Lay(1, pair("7 7")))
    for position_picked in range(3):
        cards = [
            event.card
            for which in range(3)
            for event in play(state, Take(1, 2, position_picked), Script((which, 3))).events
            if isinstance(event, CardTaken)
        ]
        assert cards == [Card.FOUR, Card.FIVE, Card.NINE]


def test_b11_once_the_game_is_over_the_cards_are_shown_and_counted() -> None:
    state = position(CLASSIC, "1: 3 | 7 7", "2: 9", "3: sad", pile="")
    before, over = view(state, None), view(after(state, Pass(1)), None)
    assert before.scores == ()
    assert over.ended is GameEnd.LAST_CARD
    assert [player.hand for player in over.players] == [hand("3"), hand("9"), hand("sad")]
    assert [count.total for count in over.scores] == [11, -9, -20]
    assert over.legal == ()
    assert over.to_act is None


def test_a_view_lists_what_this_viewer_may_do_now() -> None:
    state = position(CLASSIC, "1: 3 7 7", "2: 9", "3: 8")
    assert view(state, 1).legal == legal(state)
    assert [view(state, viewer).legal for viewer in (2, 3, None)] == [(), (), ()]
    judging = after(state, Slam(1))
    assert [view(judging, viewer).legal for viewer in VIEWERS] == [()] * 4
    assert {view(judging, viewer).to_act for viewer in VIEWERS} == {None}


def test_a_view_says_who_owes_what() -> None:
    state = after(position(MODERN, "1: 7 7", "2: 9", "3: 8"), Slam(1), says(3, early=(2,)), Lay(1, pair("7 7")))
    for viewer in VIEWERS:
        assert view(state, viewer).duties == (MustTake(1, 2, Why.EARLY), MustTake(1, 3, Why.LAST))


def test_b7_a_view_counts_the_fakes_left() -> None:
    state = position(CLASSIC, "1: 3", "2: 9", "3: 8")
    assert view(state, 2).fakes_left == 2


@pytest.mark.parametrize("seat", [0, 4, 5, -1])
def test_who_does_not_sit_there_sees_nothing(seat: int) -> None:
    with pytest.raises(LookupError, match=f"hand {seat}"):
        view(position(CLASSIC, "1: 3", "2: 9", "3: 8"), seat)
    with pytest.raises(LookupError, match=f"hand {seat}"):
        view(position(CLASSIC, "1: 3", "2: 9", "3: 8"), 1).player(seat)


def slams_of(*hands: str) -> list[State]:
    return [after(position(MODERN, f"1: {held}", "2: 9", "3: 8", pile="5"), Slam(1)) for held in hands]


def test_b16_until_the_verdict_nobody_learns_whether_there_is_a_pair() -> None:
    with_pair, without = slams_of("7 7", "6 7")
    for viewer in (2, 3, None):
        assert view(with_pair, viewer) == view(without, viewer)
        assert msgspec.json.encode(view(with_pair, viewer)) == msgspec.json.encode(view(without, viewer))


def test_b16_nor_afterwards_how_many_there_were() -> None:
    one, two = (after(state, says(2)) for state in slams_of("3 5 7 7", "3 3 7 7"))
    for viewer in (2, 3, None):
        assert view(one, viewer) == view(two, viewer)
    assert kinds(one) == kinds(two) == ["Lay"]


def test_b11_a_hand_is_shown_in_order_so_that_it_tells_nothing_of_where_a_card_came_from() -> None:
    state = after(position(CLASSIC, "1: 7 7 10", "2: 4", "3: 8"), Slam(1), says(2), Lay(1, pair("7 7")))
    state = take(state, "4")
    assert view(state, 1).player(1).hand == hand("4 10")


def test_events_of_a_slam_show_no_cards_to_a_spectator() -> None:
    state = after(position(CLASSIC, "1: 7 7 10", "2: 4", "3: 8"), Slam(1), says(2), Lay(1, pair("7 7")))
    (event,) = events_of(state, Take(1, 2, 0))
    shown_to_all = seen(event, None)
    assert isinstance(shown_to_all, CardTaken)
    assert shown_to_all.card is None
    assert shown_to_all.loser == 2
