"""A game set down: the deal, and every move with what chance made of it.

Laws of this room:
- a record is a game by the rules, whole or broken off: it is judged when it is made, so it always replays;
- chance is in the record (which card was drawn, taken, buried), so nothing here needs a generator;
- what the unit saw may stand beside its verdicts (:mod:`~slamomatic.game.evidence`); a game is the same game without;
- it holds every secret of the game: it is for showing only once the game is over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, repeat
from typing import NamedTuple

import msgspec
from msgspec.structs import force_setattr

from slamomatic.game.cards import Card
from slamomatic.game.chance import Fated
from slamomatic.game.commands import Command, IllegalCommand, Judge, Take
from slamomatic.game.dealing import CARDS_DEALT, dealt, start
from slamomatic.game.edition import DealerChoice, Edition
from slamomatic.game.engine import play
from slamomatic.game.events import CardBuried, CardDrawn, CardTaken, Dealt, Event
from slamomatic.game.evidence import NOTHING, Evidence, flaw
from slamomatic.game.scoring import Scores, score
from slamomatic.game.state import State

HIGHEST_SEED = 2**256 - 1


class BrokenRecord(ValueError):
    """This is no game by the rules: the message says why, ``move`` (from 0) where; None: before the first move."""

    def __init__(self, reason: str, move: int | None = None) -> None:
        super().__init__(reason)
        self.move = move


class Move(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """A command, and the cards that moved by it."""

    command: Command
    cards: tuple[Card, ...] = ()
    """What was drawn, taken or buried, in that order: a draw has one, a pair laid has one more after a jam (C7)."""
    evidence: Evidence = NOTHING
    """Of a verdict: what it was given on, as far as that is known."""

    @classmethod
    def of(cls, command: Command, events: Iterable[Event], evidence: Evidence = NOTHING) -> Move:
        """The move that this command and its events make.

        Raises:
            BrokenRecord: the events are those shown to a viewer, who may not know a card.
        """
        cards: list[Card] = []
        for event in events:
            if isinstance(event, CardDrawn | CardTaken | CardBuried):
                if event.card is None:
                    raise BrokenRecord("an event shown to a viewer hides its card: record the event itself")
                cards.append(event.card)
        return cls(command, tuple(cards), evidence)


class Step(NamedTuple):
    """One move of a record, and what came of it."""

    move: Move
    events: tuple[Event, ...]
    state: State
    """The position after it."""


class Record(msgspec.Struct, frozen=True, dict=True):
    """A game from its deal to its end, or to where it was broken off.

    >>> from random import Random
    >>> from slamomatic.game import MODERN, Draw, Record, dealt, play, start
    >>> rng = Random(7)
    >>> deal = dealt(MODERN, (1, 2), rng, dealer=2)
    >>> played = play(start(deal), Draw(1), rng)
    >>> Record.of(deal, [(Draw(1), played.events)], names=("Ann", None))
    <Record: Modern, Ann and hand 2, 1 move, unfinished>

    Raises:
        BrokenRecord: this is no game by the rules, or a name or the seed is unfit to be written.
    """

    deal: Dealt
    moves: tuple[Move, ...] = ()
    names: tuple[str | None, ...] = ()
    """In seat order; None: not known. Left out, nobody's is."""
    seed: int | None = None
    """If the deal is that of ``random.Random(seed)``; None: chance was live, or is kept secret."""

    @classmethod
    def of(
        cls,
        deal: Dealt,
        played: Iterable[tuple[Command, Iterable[Event]]],
        names: tuple[str | None, ...] = (),
        seed: int | None = None,
    ) -> Record:
        """The record of a game as it was played: each command with the events it led to.

        Raises:
            BrokenRecord: see the class.
        """
        return cls(deal, tuple(Move.of(command, events) for command, events in played), names, seed)

    def __post_init__(self) -> None:
        if not self.names:
            force_setattr(self, "names", (None,) * len(self.deal.seats))
        _judge_heading(self)
        _judge_deal(self.deal)
        self.replay()

    @property
    def edition(self) -> Edition:
        """The rulings the game was played by."""
        return self.deal.edition

    @property
    def seats(self) -> tuple[int, ...]:
        """The hands taken, ascending."""
        return self.deal.seats

    @property
    def result(self) -> Scores | None:
        """The final count in seat order; None if the game was broken off."""
        return score(self.replay()) if self.replay().ended else None

    def replay(self) -> State:
        """The position the game came to."""
        return self._end

    @cached_property
    def _end(self) -> State:
        state = start(self.deal)
        for step in self.steps():
            state = step.state
        return state

    def positions(self) -> Iterator[State]:
        """The position after the deal, and after each move."""
        yield start(self.deal)
        for step in self.steps():
            yield step.state

    def steps(self) -> Iterator[Step]:
        """Move by move, what happened; each is judged by the rules anew, with what chance did then."""
        state = start(self.deal)
        for number, move in enumerate(self.moves):
            _judge_evidence(move, state, number)
            try:
                state, events = play(state, move.command, _fate(state, move))
            except IllegalCommand as error:
                raise BrokenRecord(str(error), number) from error
            moved = Move.of(move.command, events).cards
            if moved != move.cards:
                raise BrokenRecord(_wrong_cards(move, moved), number)
            yield Step(move, events, state)

    def __repr__(self) -> str:
        players = [name or f"hand {seat}" for seat, name in zip(self.seats, self.names, strict=True)]
        moves = f"{len(self.moves)} move{'' if len(self.moves) == 1 else 's'}"
        end = self.replay().ended or "unfinished"
        return f"<Record: {self.edition.name}, {', '.join(players[:-1])} and {players[-1]}, {moves}, {end}>"


def _fate(state: State, move: Move) -> Fated:
    """What chance did then: of all that happens by a command, only the card taken from a hand is its choice."""
    command = move.command
    if isinstance(command, Take) and command.loser in state.seats and move.cards:
        hand = state.hand(command.loser)
        if move.cards[0] in hand:
            return Fated(hand.index(move.cards[0]), len(hand))
    return Fated(0, 1)


def _wrong_cards(move: Move, moved: tuple[Card, ...]) -> str:
    if isinstance(move.command, Take) and len(moved) == len(move.cards):
        return f"hand {move.command.loser} holds no {move.cards[0]}"
    said, is_so = (" and ".join(map(str, cards)) or "no card" for cards in (move.cards, moved))
    return f"by the rules {is_so} moves here, not {said}"


def _judge_evidence(move: Move, state: State, number: int) -> None:
    if move.evidence != NOTHING:
        if not isinstance(move.command, Judge):
            raise BrokenRecord("no verdict is given here, so there is no evidence for one", number)
        reason = flaw(move.evidence, move.command.verdict, state.racers)
        if reason is not None:
            raise BrokenRecord(reason, number)


def _judge_heading(record: Record) -> None:
    if len(record.names) != len(record.seats):
        raise BrokenRecord(f"{len(record.seats)} players have {len(record.names)} names")
    if not all(name is None or _can_be_written(name) for name in record.names):
        raise BrokenRecord("a name is at least one character, and no half of one")
    if record.seed is not None and not 0 <= record.seed <= HIGHEST_SEED:
        raise BrokenRecord("a seed is a number from 0 to 2**256 - 1")


def _can_be_written(name: str) -> bool:
    try:
        return bool(name.encode())
    except UnicodeEncodeError:
        return False


def _judge_deal(deal: Dealt) -> None:
    """The dealer is who the rules make it, and every card of the deck is dealt, once (B2, C2, M2)."""
    edition = deal.edition
    named = deal.dealer if edition.dealer is DealerChoice.CHOSEN else None
    try:
        again = dealt(edition, deal.seats, _Told(deal), named)
    except IllegalCommand as error:
        raise BrokenRecord(str(error)) from error
    if deal.seats != again.seats:
        raise BrokenRecord("seats are told in ascending order")
    if (deal.dealer, deal.cuts) != (again.dealer, again.cuts):
        raise BrokenRecord(f"these cuts do not make hand {deal.dealer} the dealer")
    if deal.pile is None or None in deal.hands:
        raise BrokenRecord("a deal shown to a viewer hides its cards: record the deal itself")
    for seat, hand in zip(deal.seats, deal.hands, strict=True):
        if hand is None or len(hand) != CARDS_DEALT or list(hand) != sorted(hand):
            raise BrokenRecord(f"hand {seat} is dealt {CARDS_DEALT} cards, told in ascending order")
    cards = Counter(chain(*filter(None, deal.hands), deal.pile))
    for card, count in (cards - Counter(edition.deck.cards)).items():
        raise BrokenRecord(f"there are {count} more of {card} than the deck holds")
    for card, count in (Counter(edition.deck.cards) - cards).items():
        raise BrokenRecord(f"there are {count} fewer of {card} than the deck holds")


class _Told:
    """Chance as the cuts tell it; how the cards were shuffled is told by where they lie."""

    def __init__(self, deal: Dealt) -> None:
        deck = deal.edition.deck.cards
        cuts = [Fated(deck.index(card), len(deck)).random() for card in chain(*deal.cuts) if card in deck]
        self._numbers = chain(cuts, repeat(0.0, len(deck)))

    def random(self) -> float:
        """The number that leads to the next card cut."""
        try:
            return next(self._numbers)
        except StopIteration:
            raise BrokenRecord("these cuts do not settle who deals") from None
