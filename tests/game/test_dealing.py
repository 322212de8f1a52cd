"""Before the first turn: the box, the seats, the cut, the deal."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from slamomatic.game import (
    CLASSIC,
    CLASSIC_JUNIOR,
    MODERN,
    PRESETS,
    Card,
    Deck,
    Edition,
    IllegalCommand,
    deal,
    dealt,
    legal,
    start,
)
from slamomatic.game.commands import Draw
from slamomatic.game.duties import MustDraw
from tests.game.positions import Script, cards, hand

NUMBERS = {Card(number): 4 for number in range(1, 11)}
EDITIONS = pytest.mark.parametrize("edition", PRESETS.values(), ids=list(PRESETS))


def at(card: str) -> tuple[int, int]:
    """Where a cut from the whole Classic deck shows this card."""
    return CLASSIC.deck.cards.index(Card.parse(card)), 42


@pytest.mark.parametrize("edition", [CLASSIC, CLASSIC_JUNIOR])
def test_c1_forty_two_cards_one_to_ten_four_times_and_both_jokers(edition: Edition) -> None:
    assert Counter(edition.deck.cards) == {**NUMBERS, Card.SMILING: 1, Card.SAD: 1}
    assert len(edition.deck) == 42


def test_m1_forty_one_cards_one_to_ten_four_times_and_one_joker() -> None:
    assert Counter(MODERN.deck.cards) == {**NUMBERS, Card.SMILING: 1}
    assert len(MODERN.deck) == 41


@EDITIONS
@pytest.mark.parametrize("players", [2, 3, 4])
def test_b1_two_to_four_players_sit_at_hands_of_the_unit(edition: Edition, players: int) -> None:
    assert deal(edition, players, Random(1)).seats == tuple(range(1, players + 1))


@pytest.mark.parametrize("seats", [(1,), (), (1, 1), (1, 2, 3, 4, 4), (0, 1), (4, 5), 1, 5, 0])
def test_b1_nobody_plays_alone_nor_shares_a_hand_nor_brings_one(seats: int | tuple[int, ...]) -> None:
    with pytest.raises(IllegalCommand):
        deal(MODERN, seats, Random(1))


def test_b1_any_of_the_four_hands_may_be_taken_in_any_order() -> None:
    assert deal(MODERN, (4, 2), Random(1)).seats == (2, 4)


@EDITIONS
@pytest.mark.parametrize("players", [2, 3, 4])
def test_b2_four_cards_each_and_the_rest_is_the_pile(edition: Edition, players: int) -> None:
    event = dealt(edition, range(1, players + 1), Random(7))
    assert event.pile is not None
    assert [len(cards) for cards in event.hands if cards] == [4] * players
    assert len(event.pile) == len(edition.deck) - 4 * players
    lying = [card for cards in (*event.hands, event.pile) for card in cards or ()]
    assert Counter(lying) == Counter(edition.deck.cards)


def test_b2_the_cards_go_round_one_at_a_time_from_the_dealers_left() -> None:
    event = dealt(MODERN, (1, 2, 3), Script(), dealer=1)
    # An unshuffled pack: 1 1 1 1 2 2 2 2 3 3 3 3 to seats 2 3 1 2 3 1 ...
    assert event.hands == (hand("1 2 3 3"), hand("1 1 2 3"), hand("1 2 2 3"))
    assert event.pile == cards("4 4 4 4 5 5 5 5 6 6 6 6 7 7 7 7 8 8 8 8 9 9 9 9 10 10 10 10 smiling")


def test_b2_the_pack_is_shuffled_well() -> None:
    tops = Counter(pile[0] for seed in range(4100) if (pile := dealt(MODERN, (1, 2), Random(seed)).pile))
    assert set(tops) == set(MODERN.deck.cards)
    assert all(330 < tops[number] < 470 for number in NUMBERS)  # 400 expected, 19 the standard deviation
    assert 60 < tops[Card.SMILING] < 140  # 100 expected


@EDITIONS
def test_b3_the_player_on_the_dealers_left_begins_with_a_draw(edition: Edition) -> None:
    for seed in range(20):
        event = dealt(edition, (1, 3, 4), Random(seed))
        state = start(event)
        assert state.turn == {1: 3, 3: 4, 4: 1}[event.dealer]
        assert state.duties == (MustDraw(state.turn),)
        assert legal(state) == (Draw(state.turn),)


def test_b3_even_a_pair_in_the_first_hand_waits_for_the_draw() -> None:
    state = deal(MODERN, (1, 2, 3), Script(), dealer=1)
    assert state.hand(2) == hand("1 1 2 3")
    assert legal(state) == (Draw(2),)


def test_c2_the_highest_card_cut_deals() -> None:
    event = dealt(CLASSIC, (1, 2, 4), Script(at("3"), at("9"), at("8")))
    assert event.dealer == 2
    assert event.cuts == (cards("3 9 8"),)


@pytest.mark.parametrize("joker", ["smiling", "sad"])
def test_c2_a_joker_ranks_below_a_one(joker: str) -> None:
    assert dealt(CLASSIC, (1, 2), Script(at(joker), at("1"))).dealer == 2


def test_c2_those_tied_for_highest_cut_again_from_the_whole_deck() -> None:
    cut = ("9", "4", "9", "9", *("9", "2", "9"), *("1", "sad"))
    event = dealt(CLASSIC, (1, 2, 3, 4), Script(*map(at, cut)))
    assert event.cuts == (cards("9 4 9 9"), cards("9 2 9"), cards("1 sad"))
    assert event.dealer == 1


def test_c2_two_jokers_are_a_tie() -> None:
    event = dealt(CLASSIC, (1, 2), Script(at("smiling"), at("sad"), at("2"), at("1")))
    assert len(event.cuts) == 2
    assert event.dealer == 1


def test_c2_the_cut_decides_whoever_is_named() -> None:
    with pytest.raises(IllegalCommand, match="cut"):
        dealt(CLASSIC, (1, 2), Random(1), dealer=1)


def test_c2_every_player_is_as_likely_to_deal() -> None:
    dealers = Counter(dealt(CLASSIC, (1, 2, 3), Random(seed)).dealer for seed in range(3000))
    assert all(900 < dealers[seat] < 1100 for seat in (1, 2, 3))


def test_m2_the_host_names_the_dealer() -> None:
    event = dealt(MODERN, (1, 2, 3), Random(1), dealer=3)
    assert event.dealer == 3
    assert event.cuts == ()


def test_m2_or_chance_does() -> None:
    dealers = Counter(dealt(MODERN, (1, 2, 3), Random(seed)).dealer for seed in range(3000))
    assert all(900 < dealers[seat] < 1100 for seat in (1, 2, 3))


def test_m2_who_does_not_sit_there_cannot_deal() -> None:
    with pytest.raises(IllegalCommand, match="hand 4"):
        dealt(MODERN, (1, 2, 3), Random(1), dealer=4)


def test_m2_the_deal_passes_to_the_left() -> None:
    state = deal(MODERN, (1, 3, 4), Random(1), dealer=4)
    assert state.left_of(state.dealer) == 1
    assert state.left_of(1) == 3


@pytest.mark.parametrize(("highest", "players"), [(2, 2), (3, 3), (4, 4)])
def test_a_deck_that_leaves_no_pile_is_refused(highest: int, players: int) -> None:
    edition = replace(MODERN, deck=Deck(highest=highest, smiling=False, sad=False))
    with pytest.raises(IllegalCommand, match="too small"):
        deal(edition, players, Random(1))
    one_more = replace(edition, deck=Deck(highest=highest, smiling=True, sad=False))
    assert len(deal(one_more, players, Random(1)).pile) == 1


def test_a_deal_shown_to_a_viewer_cannot_be_played() -> None:
    event = dealt(MODERN, (1, 2), Random(1))
    with pytest.raises(ValueError, match="left out"):
        start(replace(event, pile=None))
    with pytest.raises(ValueError, match="left out"):
        start(replace(event, hands=(event.hands[0], None)))
