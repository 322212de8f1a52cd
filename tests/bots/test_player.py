from collections.abc import Callable
from math import exp
from random import Random

import pytest
from msgspec.structs import replace

from slamomatic.bots import LEVELS, Bot, bot
from slamomatic.bots.player import Plan
from slamomatic.game import CLASSIC, MODERN, PRESETS, Edition, Fake, Pass, Slam, State, view
from slamomatic.game.chance import Rng
from slamomatic.table import hands, timing
from tests.bots.positions import holding, wandering
from tests.bots.races import Game, game

REACHING = holding("1 1 2", "4 5", "6")


def plans(state: State, level: str, count: int = 4_000) -> list[Plan]:
    assert state.to_act is not None
    rng, mine = Random(3), view(state, state.to_act)
    return [bot(level).plan(mine, rng) for _ in range(count)]


def share(wanted: Callable[[Plan], bool], of: list[Plan]) -> float:
    return sum(map(wanted, of)) / len(of)


def test_a_bot_is_what_a_table_asks_for() -> None:
    maker: hands.BotMaker = bot
    hand: hands.BotHand = maker("steady")
    plan: hands.Plan = hand.plan(view(REACHING, 1), Random(1))
    assert plan.command in view(REACHING, 1).legal


def test_who_has_nothing_to_do_is_told_so() -> None:
    with pytest.raises(LookupError, match="nothing is legal"):
        bot("steady").plan(view(REACHING, 2), Random(1))


def test_a_hasty_bot_thinks_sooner_and_does_the_same() -> None:
    mine = view(REACHING, 1)
    for seed in range(50):
        usual, hasty = bot("steady").plan(mine, Random(seed)), bot("steady", haste=4).plan(mine, Random(seed))
        assert hasty.after_us == pytest.approx(usual.after_us / 4, abs=1)
        assert replace(hasty, after_us=0) == replace(usual, after_us=0)


@pytest.mark.parametrize("level", LEVELS)
def test_how_long_it_thinks_and_hovers_is_the_same_whatever_it_holds(level: str) -> None:
    for seed in range(300):
        with_pair, without = (
            bot(level).plan(view(holding(hand, "4 5", "6"), 1), Random(seed)) for hand in ("1 1 2", "1 2 3")
        )
        assert with_pair.after_us == without.after_us
        if isinstance(without.command, Fake):
            assert with_pair == without
        else:
            assert isinstance(with_pair.command, Slam)


@pytest.mark.parametrize("level", LEVELS)
def test_slams_fakes_and_passes_are_thought_about_equally_long(level: str) -> None:
    for state in (REACHING, holding("1 2 3", "4 5", "6")):
        thought = {
            act: [plan.after_us for plan in plans(state, level, 12_000) if isinstance(plan.command, act)]
            for act in (Slam, Fake, Pass)
        }
        tried = [times for times in thought.values() if len(times) > 300]
        assert len(tried) == 2
        assert gap(*tried) < 0.08
        assert all(700_000 <= time <= 2_500_000 for times in tried for time in times)


@pytest.mark.parametrize("level", LEVELS)
def test_slams_and_fakes_hover_equally_long(level: str) -> None:
    of = plans(REACHING, level, 12_000)
    slams = [plan.hover_us for plan in of if isinstance(plan.command, Slam)]
    fakes = [plan.hover_us for plan in of if isinstance(plan.command, Fake)]
    assert gap(slams, fakes) < 0.08
    assert 0.17 < slams.count(0) / len(slams) < 0.23
    assert max(slams) <= 900_000 < timing.HOVER_US - timing.REACH_US


def test_a_hover_ends_as_soon_after_a_while_as_at_first() -> None:
    hovers = [plan.hover_us / 1_000 for plan in plans(REACHING, "steady", 20_000) if plan.hover_us]
    for already in (0, 150, 300):
        going_on = [hover for hover in hovers if hover > already]
        ending = sum(hover <= already + 150 for hover in going_on) / len(going_on)
        whole = 1 - exp(-(900 - already) / 350)
        assert ending == pytest.approx((1 - exp(-150 / 350)) / whole, abs=0.03)


def gap(some: list[int], others: list[int]) -> float:
    """The greatest distance between the two cumulative shares (Kolmogorov and Smirnov)."""
    return max(
        abs(sum(x <= at for x in some) / len(some) - sum(x <= at for x in others) / len(others))
        for at in range(0, 2_600_000, 50_000)
    )


def test_nothing_reaches_where_no_hand_is_asked_for() -> None:
    assert all(
        plan.hover_us == 0 for plan in plans(holding("1 2 3", "4 5"), "steady") if isinstance(plan.command, Pass)
    )


@pytest.mark.parametrize("level", LEVELS)
def test_it_falls_for_a_reach_as_often_as_its_level_says(level: str) -> None:
    rng, seen = Random(5), view(REACHING, 2)
    jumps = [bot(level).jump_us(seen, rng) for _ in range(10_000)]
    assert sum(jump is not None for jump in jumps) / 10_000 == pytest.approx(LEVELS[level].falls, abs=0.012)


@pytest.mark.parametrize("level", LEVELS)
def test_c6_it_goes_at_once_where_that_is_free_as_often_as_it_notices(level: str) -> None:
    rng, seen = Random(5), view(replace(REACHING, fizzled=CLASSIC.free_fakes), 2)
    jumps = sum(bot(level).jump_us(seen, rng) is not None for _ in range(10_000))
    wanted = max(LEVELS[level].notices, LEVELS[level].falls)
    assert jumps / 10_000 == pytest.approx(wanted, abs=0.03)


def test_a_bot_is_one_person_all_its_life() -> None:
    def jumps(one: Bot, rng: Rng) -> float:
        return sum(one.jump_us(view(REACHING, 2), rng) is not None for _ in range(4_000)) / 4_000

    rng = Random(12)
    first, second = (bot("gentle") for _ in range(2))
    habits = [[jumps(one, rng) for _ in range(2)] for one in (first, second)]
    for once, again in habits:
        assert once == pytest.approx(again, abs=0.03)
    assert abs(habits[0][0] - habits[1][0]) > 0.05


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_gives_the_same_bot(level: str) -> None:
    def life(seed: int) -> list[object]:
        one, rng = bot(level), Random(seed)
        told: list[object] = []
        for state in wandering(MODERN, 3, Random(1)):
            for seat in state.racers:
                told += [one.jump_us(view(state, seat), rng), one.react_us(view(state, seat), rng), one.stop_us(rng)]
            if state.to_act is not None:
                told.append(one.plan(view(state, state.to_act), rng))
        return told

    assert life(1) == life(1)
    assert life(1) != life(2)


HOUSE_RULES = replace(MODERN, name="House rules", free_fakes=0, full_press_ms=0, duel_limit_ms=0)


def played(edition: Edition, players: int, seed: int) -> Game:
    crew = ("sharp", "steady", "gentle", "steady")
    return game(edition, {seat: bot(crew[seat - 1]) for seat in range(1, players + 1)}, Random(seed))


@pytest.mark.parametrize("edition", [*PRESETS.values(), HOUSE_RULES], ids=lambda edition: edition.name)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_bots_play_whole_games_to_their_proper_end(edition: Edition, players: int) -> None:
    for seed in range(10):
        end = played(edition, players, seed).state
        assert end.ended == ("all-pairs" if edition.ending == "all-pairs" else "last-card")
        cards = sum(map(len, (*end.hands, *end.aside, end.pile))) + 2 * sum(map(len, end.laid))
        assert cards == len(edition.deck)


def test_a_whole_game_is_the_same_again_from_the_same_seed() -> None:
    assert played(CLASSIC, 4, 5).commands == played(CLASSIC, 4, 5).commands
    assert played(CLASSIC, 4, 5).commands != played(CLASSIC, 4, 6).commands


def test_fast_hands_are_last_less_often_and_fooled_less_often() -> None:
    rng = Random(2)
    lasts, fooled = dict.fromkeys(LEVELS, 0), dict.fromkeys(LEVELS, 0)
    for _ in range(40):
        told = game(MODERN, {seat: bot(level) for seat, level in enumerate(LEVELS, 1)}, rng)
        for seat, level in enumerate(LEVELS, 1):
            lasts[level] += told.lasts[seat]
            fooled[level] += told.fooled[seat]
    assert lasts["gentle"] > 1.5 * lasts["steady"] > 1.5 * lasts["sharp"]
    assert fooled["gentle"] > fooled["steady"] > fooled["sharp"]
