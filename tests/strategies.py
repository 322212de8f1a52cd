"""What Hypothesis makes of the game: editions, deals, positions that can come about, and every conceivable command."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from itertools import chain, combinations, product
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

from slamomatic.game import (
    PRESETS,
    Card,
    Choose,
    Command,
    Deck,
    Draw,
    Edition,
    Fake,
    Judge,
    Lay,
    Pass,
    Slam,
    State,
    Take,
    Verdict,
    carry_out,
    deal,
    legal,
)
from slamomatic.game.chance import pick
from slamomatic.game.dealing import CARDS_DEALT
from slamomatic.game.edition import (
    DealerChoice,
    EarlyTouch,
    EmptyHandDraw,
    EmptySlam,
    Ending,
    JamRuling,
    JokerPower,
    PassWithPair,
    PileOut,
    Scoring,
    Tie,
)

SEEDS = st.integers(0, 2**32 - 1)


class Setting(NamedTuple):
    """All it takes for a game: by what rules, at which hands, with what chance."""

    edition: Edition
    seats: tuple[int, ...]
    seed: int

    def dealt(self) -> tuple[State, Random]:
        """The position after the deal, and the chance that goes on."""
        rng = Random(self.seed)
        return deal(self.edition, self.seats, rng), rng


@st.composite
def house_rules(draw: st.DrawFn, least_cards: int = 0) -> Edition:
    """Rulings of any kind that fit together (B19), with a deck of any size down to ``least_cards``."""
    ending = draw(st.sampled_from(Ending))
    scoring = draw(st.sampled_from(Scoring))
    smiling = draw(st.booleans())
    sad = scoring is not Scoring.PAIRS and draw(st.booleans())
    must_be_kept = ending is Ending.ALL_PAIRS and smiling
    least = max(2, -(-(least_cards - smiling - sad) // 4))
    return Edition(
        name="House rules",
        deck=Deck(highest=draw(st.integers(least, 10)), smiling=smiling, sad=sad),
        joker=JokerPower.KEPT if must_be_kept else draw(st.sampled_from(JokerPower)),
        dealer=draw(st.sampled_from(DealerChoice)),
        empty_hand_draw=draw(st.sampled_from(EmptyHandDraw)),
        pile_out=PileOut.NO_DRAW if ending is Ending.LAST_CARD else PileOut.FROM_OPPONENT,
        early_touch=draw(st.sampled_from(EarlyTouch)),
        jam=draw(st.sampled_from(JamRuling)),
        full_press_ms=draw(st.sampled_from((0, 30))),
        empty_slam=draw(st.sampled_from(EmptySlam)),
        pass_with_pair=draw(st.sampled_from(PassWithPair)),
        free_fakes=draw(st.integers(0, 3)),
        duel_limit_ms=draw(st.sampled_from((0, 400))),
        ending=ending,
        scoring=scoring,
        tie=draw(st.sampled_from(Tie)),
    )


def editions(least_cards: int = 0) -> st.SearchStrategy[Edition]:
    """A preset, or house rules."""
    return st.sampled_from(tuple(PRESETS.values())) | house_rules(least_cards)


@st.composite
def games(draw: st.DrawFn) -> Setting:
    """Any edition, at two to four of the unit's hands."""
    seats = tuple(sorted(draw(st.sets(st.sampled_from((1, 2, 3, 4)), min_size=2))))
    edition = draw(editions(least_cards=CARDS_DEALT * len(seats) + 1))
    return Setting(edition, seats, draw(SEEDS))


class Habit(StrEnum):
    """What a table full of people tends to do; whatever it is, by the rules."""

    ANYTHING = "anything"
    PAIRS = "pairs"
    """They slam when they hold a pair and pass when they do not."""
    SLAMS = "slams"
    """They slam whenever they can."""
    FAKES = "fakes"
    """They fake whenever they can."""
    PASSES = "passes"
    """They pass whenever they can."""
    JAMS = "jams"
    """They slam whenever they can, and the unit jams whenever it can."""


def choose(habit: Habit, state: State, commands: Sequence[Command], rng: Random) -> Command:
    """What is done now by people of this habit."""
    wanted = _WANTED[habit]
    liked = [command for command in commands if wanted(state, command)]
    return pick(rng, liked or commands)


def _wants_pairs(state: State, command: Command) -> bool:
    if not isinstance(command, Slam | Pass):
        return False
    hand = [card for card in state.hand(state.turn) if card.is_number]
    return isinstance(command, Slam) == (len(set(hand)) < len(hand))


_WANTED: dict[Habit, Callable[[State, Command], bool]] = {
    Habit.ANYTHING: lambda _state, _command: True,
    Habit.PAIRS: _wants_pairs,
    Habit.SLAMS: lambda _state, command: isinstance(command, Slam),
    Habit.FAKES: lambda _state, command: isinstance(command, Fake),
    Habit.PASSES: lambda _state, command: isinstance(command, Pass),
    Habit.JAMS: lambda _state, command: (
        isinstance(command, Slam) or (isinstance(command, Judge) and command.verdict.jam)
    ),
}


def walk(setting: Setting, habit: Habit, most: int = 10**9) -> Iterator[State]:
    """The positions of one game, the last one included, or the first ``most`` of them."""
    state, rng = setting.dealt()
    for _ in range(most):
        yield state
        commands = legal(state)
        if not commands:
            return
        state, _events = carry_out(state, choose(habit, state, commands, rng), rng)


@st.composite
def positions(draw: st.DrawFn) -> State:
    """Any position that can come about; what is seldom due, or the end, is as likely as what is often due."""
    setting, habit, seed = draw(games()), draw(st.sampled_from(Habit)), draw(SEEDS)
    by_kind: dict[object, list[State]] = {}
    for state in walk(setting, habit, most=600):
        kind = type(state.duties[0]) if state.duties else state.ended
        by_kind.setdefault(kind, []).append(state)
    rng = Random(seed)
    return pick(rng, pick(rng, list(by_kind.values())))


def conceivable(state: State) -> Iterator[Command]:
    """Every command anyone could think of at this table: all that is legal, and thousands that are not."""
    nobody = next(seat for seat in range(1, 6) if seat not in state.seats)
    seats = (*state.seats, nobody, 0)
    for seat in seats:
        yield from (Draw(seat), Slam(seat), Fake(seat), Pass(seat))
        for other in seats:
            yield Choose(seat, other)
            cards = len(state.hand(other)) if other in state.seats else 2
            yield from (Take(seat, other, position) for position in range(-1, cards + 2))
        yield from (Lay(seat, pair) for pair in product(Card, Card))
    some = tuple(chain.from_iterable(combinations((*state.seats, nobody), size) for size in range(4)))
    for early, last, jam, short in product(some, some, (False, True), (False, True)):
        yield Judge(Verdict(early, last, jam, short))
    for backwards in combinations(reversed(state.seats), 2):
        yield from (Judge(Verdict(early=backwards)), Judge(Verdict(last=backwards)))
