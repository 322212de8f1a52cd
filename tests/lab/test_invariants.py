"""The invariants see what they are there to see: each is shown a position, or a view, that breaks it."""

from random import Random

import pytest
from msgspec.structs import replace

from slamomatic.game import CLASSIC, MODERN, Card, Edition, Record, State, View, start, view
from slamomatic.game.cards import without_card
from slamomatic.game.events import GameEnd, PairLaid
from slamomatic.game.view import Viewer
from slamomatic.lab import invariants
from slamomatic.lab.invariants import breach, cards_astray, pairs_amiss, secret_shown, stuck, wrong_end
from slamomatic.lab.playouts import Playout, playout


def a_game(edition: Edition, seed: int = 1) -> Playout:
    return playout(edition, 3, Random(seed))


def positions(game: Playout) -> list[State]:
    return list(Record.of(game.deal, game.played).positions())


def breach_of(game: Playout) -> str | None:
    return breach(game.deal, [events for _, events in game.played], game.end, Random(0))


@pytest.mark.parametrize("edition", [CLASSIC, MODERN], ids=lambda edition: edition.name)
def test_a_true_game_breaches_nothing(edition: Edition) -> None:
    game = a_game(edition)
    assert breach_of(game) is None


def test_a_card_lost_doubled_or_changed_is_seen_at_its_position() -> None:
    game = a_game(MODERN)
    state = positions(game)[2]
    for wrong in (
        replace(state, pile=state.pile[1:]),
        replace(state, pile=(*state.pile, Card.ONE)),
        replace(state, pile=(Card.SAD, *state.pile[1:])),
    ):
        assert cards_astray(wrong) == "a card is lost or doubled"


def test_a_breach_is_told_with_the_command_after_which_it_shows() -> None:
    game = a_game(MODERN)
    played = [events for _, events in game.played]
    lost = replace(game.deal, pile=(game.deal.pile or ())[1:])
    assert breach(lost, played, game.end, Random(0)) == "after the deal a card is lost or doubled"
    first, *_, last = start(game.deal).hand(1)
    assert first != last
    played[0] += (PairLaid(1, (first, last), ()),)
    told = breach(game.deal, played, game.end, Random(0))
    assert told == "after command 1 something is laid that is no pair"


def test_what_is_laid_and_no_pair_is_seen() -> None:
    end = a_game(MODERN).end
    assert pairs_amiss(end) is None
    (first, second), *others = next(laid for laid in end.laid if laid)
    for pair in ((first, Card.TEN if second is not Card.TEN else Card.ONE), (Card.SMILING, second)):
        assert pairs_amiss(replace(end, laid=((pair, *others), (), ()))) == "something is laid that is no pair"


def test_c4_a_laid_wild_joker_leaves_exactly_one_rank_odd() -> None:
    end = next(
        game.end
        for game in (a_game(CLASSIC, seed) for seed in range(100))
        if any(pair[0] is Card.SMILING for laid in game.end.laid for pair in laid)
    )
    assert pairs_amiss(end) is None
    laid = tuple(tuple(pair for pair in pairs if pair[0] is not Card.SMILING) for pairs in end.laid)
    assert pairs_amiss(replace(end, laid=laid)) is None
    assert pairs_amiss(replace(end, laid=(((Card.SMILING, Card.SAD),), (), ()))) is not None
    assert pairs_amiss(replace(end, laid=(((Card.FIVE, Card.SIX),), (), ()))) is not None


def test_a_position_without_a_command_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    game = a_game(MODERN)
    monkeypatch.setattr(invariants, "legal", lambda state: ())
    assert stuck(start(game.deal)) == "nobody can act"
    monkeypatch.setattr(invariants, "legal", lambda state: (None,))
    assert stuck(game.end) == "somebody can act after the end"


@pytest.mark.parametrize("viewer", [None, 1, 2, 3])
def test_b11_a_view_that_depends_on_a_hidden_card_is_seen(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    state = start(a_game(CLASSIC).deal)
    assert all(secret_shown(state, viewer, Random(seed)) is None for seed in range(20))

    def leaks_the_next_card(state: State, viewer: Viewer) -> View:
        return replace(view(state, viewer), turn_number=int(state.pile[0]))

    def leaks_a_neighbour(state: State, viewer: Viewer) -> View:
        neighbour = state.left_of(viewer or 1)
        return replace(view(state, viewer), fakes_left=sum(state.hand(neighbour)))

    for leaking in (leaks_the_next_card, leaks_a_neighbour):
        monkeypatch.setattr(invariants, "view", leaking)
        told = {secret_shown(state, viewer, Random(seed)) for seed in range(20)}
        who = "a spectator" if viewer is None else f"hand {viewer}"
        assert f"what {who} is shown depends on a hidden card" in told


def test_b11_a_viewer_s_own_cards_are_not_mixed() -> None:
    """Else every true view would look like a leak; or, were nothing mixed, no leak would be seen."""
    for state in positions(a_game(CLASSIC, 3)):
        mixed = invariants._reshuffled(state, 2, Random(4))
        assert mixed.hand(2) == state.hand(2)
        assert list(map(len, mixed.hands)) == list(map(len, state.hands))
        assert cards_astray(mixed) is None
        assert all(list(hand) == sorted(hand) for hand in mixed.hands)


def test_events_that_lead_elsewhere_are_seen() -> None:
    game = a_game(MODERN)
    game = game._replace(end=replace(game.end, turn_number=1000))
    assert breach_of(game) == "its events lead to another end"


def test_m12_a_game_that_ended_too_early_is_seen() -> None:
    end = next(
        game.end for game in (a_game(MODERN, seed) for seed in range(100)) if game.end.ended is GameEnd.ALL_PAIRS
    )
    assert wrong_end(end) is None
    owner = next(at for at, laid in enumerate(end.laid) if laid)
    fewer = tuple(laid[1:] if at == owner else laid for at, laid in enumerate(end.laid))
    assert wrong_end(replace(end, laid=fewer)) == "it ended with 19 pairs laid"
    holder = next(seat for seat in end.seats if Card.SMILING in end.hand(seat))
    hands = tuple(without_card(hand, Card.SMILING) if Card.SMILING in hand else hand for hand in end.hands)
    assert holder
    assert wrong_end(replace(end, hands=hands)) == "its points sum to 20"
