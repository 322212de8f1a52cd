"""A position of the game: everything there is to know, secrets included. It leaves the server only as a view.

Per-seat fields stand in seat order, parallel to ``seats``. The next seat to the left is the next higher number (B3).
"""

from __future__ import annotations

from itertools import compress

import msgspec

from slamomatic.game.cards import Hand, Pair
from slamomatic.game.duties import AwaitVerdict, Duty
from slamomatic.game.edition import Edition
from slamomatic.game.events import GameEnd, TurnEnd


class State(msgspec.Struct, frozen=True, gc=False):
    """One position; made by :func:`~slamomatic.game.engine.evolve` alone."""

    edition: Edition
    seats: tuple[int, ...]
    dealer: int
    hands: tuple[Hand, ...]
    laid: tuple[tuple[Pair, ...], ...]
    """Each player's pairs, in the order they were laid."""
    aside: tuple[Hand, ...]
    """Cards lost to C8 once the pile was out; they count against their loser as if held (C9)."""
    pile: Hand
    """Top first."""
    turn: int
    """The active player's seat."""
    duties: tuple[Duty, ...]
    """What must be settled before the active player is free; the head is open, the rest waits."""
    turn_number: int = 1
    paired_turn: int = 0
    """The number of the turn in which a pair was last laid; 0: none yet (B14)."""
    fizzled: int = 0
    """Fakes this turn that nobody fell for (B7)."""
    empty_slams: int = 0
    """Touches without a pair this turn (C8)."""
    idle_actions: int = 0
    """Slams and fakes this turn since a pair was last laid (B14)."""
    over: TurnEnd | None = None
    """Set when the turn ends as soon as its duties are settled."""
    ended: GameEnd | None = None
    """Set when the game is over."""

    def index(self, seat: int) -> int:
        """Where this seat's fields stand in the per-seat tuples."""
        return self.seats.index(seat)

    def hand(self, seat: int) -> Hand:
        """The cards this seat holds."""
        return self.hands[self.seats.index(seat)]

    def left_of(self, seat: int) -> int:
        """The next seat to the left."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def from_left_of(self, seat: int) -> tuple[int, ...]:
        """All other seats, going left (B8, M10)."""
        at = self.seats.index(seat)
        return self.seats[at + 1 :] + self.seats[:at]

    @property
    def holders(self) -> tuple[int, ...]:
        """The seats that hold a card, ascending: nobody else has a part at the unit (B9)."""
        return tuple(compress(self.seats, self.hands))

    @property
    def racers(self) -> tuple[int, ...]:
        """The opponents of the active player who hold a card, ascending: they alone take part in a race (B9)."""
        return tuple([seat for seat in self.holders if seat != self.turn])

    @property
    def has_racers(self) -> bool:
        """Whether there are any :attr:`racers`, for an active player who holds a card himself (B9, B10)."""
        return self.hands.count(()) < len(self.hands) - 1

    @property
    def to_act(self) -> int | None:
        """The seat everyone waits for; None while the unit judges and when the game is over."""
        if self.ended is not None:
            return None
        if not self.duties:
            return self.turn
        duty = self.duties[0]
        return None if isinstance(duty, AwaitVerdict) else duty.seat

    def __str__(self) -> str:
        rows = [f"{self.edition.name}, turn {self.turn_number}, pile {len(self.pile)}"]
        for seat, hand, laid in zip(self.seats, self.hands, self.laid, strict=True):
            marks = ("*" if seat == self.turn else " ") + ("d" if seat == self.dealer else " ")
            pairs = " ".join("+".join(map(str, pair)) for pair in laid)
            rows.append(f"{marks}{seat}: {' '.join(map(str, hand)) or '-':<30} | {pairs}".rstrip())
        return "\n".join(rows)
