"""The rules once more, as naively as they can be put: a second opinion on every move of a game.

Written from the rule book and sharing nothing with the engine but the names of rulings and cards: plain lists that
change in place, one long list of ifs, and verdicts found by letting every hand touch at every time it can.
"""

from __future__ import annotations

from itertools import product

from slamomatic.game import Choose, Command, Draw, Fake, Judge, Lay, Pass, Slam, State, Take, Verdict
from slamomatic.game.cards import Card

SMILING, SAD = int(Card.SMILING), int(Card.SAD)
NEVER = 99


class Naive:
    """A game that starts where this position does, which must be one just dealt."""

    def __init__(self, state: State) -> None:
        self.rules = state.edition
        self.seats = list(state.seats)
        self.hands = {seat: [int(card) for card in state.hand(seat)] for seat in self.seats}
        self.laid: dict[int, list[list[int]]] = {seat: [] for seat in self.seats}
        self.aside: dict[int, list[int]] = {seat: [] for seat in self.seats}
        self.pile = [int(card) for card in state.pile]
        self.turns_without_pair = 0
        self.over = ""
        self.begin(self.seats[(self.seats.index(state.dealer) + 1) % len(self.seats)])

    def copy(self) -> Naive:
        """Another one like this."""
        new = object.__new__(Naive)
        for name, value in vars(self).items():
            if isinstance(value, dict):
                value = {seat: list(cards) for seat, cards in value.items()}  # noqa: PLW2901
            setattr(new, name, list(value) if isinstance(value, list) else value)
        return new

    def left(self, seat: int) -> int:
        at = self.seats.index(seat)
        return (self.seats + self.seats)[at + 1]

    def round_from_left(self, seat: int) -> list[int]:
        seats = []
        while (seat := self.left(seat)) != self.me:
            seats.append(seat)
        return seats

    def begin(self, seat: int) -> None:
        """A turn begins with a draw (B3), or two with an empty hand where M4 says so, as far as there are cards."""
        self.me = seat
        self.flops = self.bare_touches = self.idle = 0
        self.done = self.paired = False
        wanted = 2 if not self.hands[seat] and self.rules.empty_hand_draw == "two" else 1
        there = len(self.pile)
        if self.rules.pile_out == "from-opponent":
            there += sum(len(self.hands[other]) for other in self.seats if other != seat)
        self.todo: list[tuple[str, object]] = [("draw", None)] * min(wanted, there)

    def followers(self) -> list[int]:
        return [seat for seat in self.seats if seat != self.me and self.hands[seat]]

    def pairs(self) -> set[tuple[int, int]]:
        mine = self.hands[self.me]
        found = {(card, card) for card in mine if mine.count(card) >= 2}
        if SMILING in mine and self.rules.joker == "wild-once":
            found |= {(SMILING, card) for card in mine if card not in (SMILING, SAD)}
        return found

    def verdicts(self, action: str) -> set[Verdict]:
        """Every hand touches before contact (< 0) or after it or never; times closer than 3 cannot be told apart."""
        if not self.followers():
            return {Verdict()}
        found = set()
        for chosen in product((-4, -1, 1, 4, NEVER), repeat=len(self.followers())):
            touched = dict(zip(self.followers(), chosen, strict=True))
            early = tuple(seat for seat, time in touched.items() if time < 0)
            if action == "fake":  # Who touched fell for it; when does not matter.
                found.add(Verdict(early=tuple(seat for seat, time in touched.items() if time != NEVER)))
                continue
            racing = dict(touched)
            if self.rules.early_touch == "pays":
                racing = {seat: time for seat, time in touched.items() if time > 0}
            never = tuple(seat for seat, time in racing.items() if time == NEVER)
            latest = [seat for seat, time in racing.items() if max(racing.values()) - time < 3]
            if never:
                found.add(Verdict(early=early, last=never))
            elif len(touched) == 1 and self.rules.duel_limit_ms and chosen[0] < 4:
                found.add(Verdict(early=early))  # A duel, and he was in time.
            elif not latest:
                found.add(Verdict(early=early))
            elif len(latest) == 1:
                found.add(Verdict(early=early, last=tuple(latest)))
            else:
                found.add(Verdict(early=early, jam=True))
        if action == "slam" and self.rules.full_press_ms > 0:
            found.add(Verdict(short=True))
        return found

    def moves(self) -> set[Command]:
        """Everything that is allowed now."""
        me = self.me
        if self.over:
            return set()
        if not self.todo:
            free: set[Command] = set()
            if self.hands[me]:
                free.add(Slam(me))
                if self.followers() and self.flops < self.rules.free_fakes:
                    free.add(Fake(me))
            if self.pile or not self.pairs() or self.rules.pass_with_pair == "allowed":
                free.add(Pass(me))
            return free
        what, detail = self.todo[0]
        if what == "draw" and self.pile:
            return {Draw(me)}
        if what == "draw":
            return {Take(me, other, at) for other in self.followers() for at in range(len(self.hands[other]))}
        if what == "unit":
            return {Judge(verdict) for verdict in self.verdicts(str(detail))}
        if what == "lay":
            return {Lay(me, (Card(one), Card(two))) for one, two in self.pairs()}
        if what == "bury":
            return {Take(self.left(me), me, at) for at in range(len(self.hands[me]))}
        if what == "take":
            assert isinstance(detail, int)
            return {Take(me, detail, at) for at in range(len(self.hands[detail]))}
        assert what == "choose"
        assert isinstance(detail, tuple)
        return {Choose(me, loser) for loser in detail}

    def do(self, command: Command, card: int | None = None) -> None:
        """Play it; ``card`` is the one that chance gave, or else the one that lies at the position taken."""
        me = self.me
        mine = self.hands[me]
        what, detail = self.todo[0] if self.todo else ("free", None)
        if isinstance(command, Draw):
            self.todo.pop(0)
            mine.append(self.pile.pop(0))
        elif isinstance(command, Take):
            self.todo.pop(0)
            theirs = self.hands[command.loser]
            lost = sorted(theirs)[command.position] if card is None else card
            theirs.remove(lost)
            if what != "bury":
                mine.append(lost)
            elif self.rules.ending == "last-card" and not self.pile:
                self.aside[me].append(lost)
            else:
                self.pile.append(lost)
        elif isinstance(command, Slam):
            self.idle += 1
            if self.followers():
                self.todo = [("unit", "slam")]
            else:
                self.judge_slam(Verdict())
        elif isinstance(command, Fake):
            self.idle += 1
            self.todo = [("unit", "fake")]
        elif isinstance(command, Judge):
            self.todo.pop(0)
            if detail == "slam":
                self.judge_slam(command.verdict)
            else:
                self.todo = [("take", seat) for seat in self.round_from_left(me) if seat in command.verdict.early]
                self.flops += not self.todo
        elif isinstance(command, Lay):
            assert isinstance(detail, Verdict)
            self.todo.pop(0)
            for laid in command.pair:
                mine.remove(laid)
            self.laid[me].append([int(laid) for laid in command.pair])
            self.paired, self.idle = True, 0
            if detail.jam and self.pile:
                mine.append(self.pile.pop(0))
            if self.rules.early_touch == "pays":
                self.todo += [("take", seat) for seat in self.round_from_left(me) if seat in detail.early]
            if len(detail.last) == 1:
                self.todo.append(("take", detail.last[0]))
            elif detail.last:
                self.todo.append(("choose", detail.last))
        elif isinstance(command, Choose):
            self.todo[0] = ("take", command.loser)
        else:
            self.done = True
        if not self.todo:
            self.settle()

    def judge_slam(self, verdict: Verdict) -> None:
        if verdict.short:
            self.done = True
        elif verdict.jam and self.rules.jam == "void":
            pass
        elif self.pairs():
            self.todo = [("lay", verdict)]
        elif self.rules.empty_slam == "ends-turn":
            self.done = True
        else:
            self.bare_touches += 1
            self.done = self.bare_touches == 2
            self.todo = [("bury", None)]

    def settle(self) -> None:
        """Nothing is owed any more: is the game over, or the turn?"""
        numbers = sum(card < SMILING for pairs in self.laid.values() for pair in pairs for card in pair)
        if self.rules.ending == "all-pairs" and numbers == 4 * self.rules.deck.highest:
            self.hands[self.me] += self.pile
            self.pile = []
            self.over = "all-pairs"
            return
        if not self.done and self.idle < 50:
            return
        self.turns_without_pair = 0 if self.paired else self.turns_without_pair + 1
        too_many_turns = {2: 50, 3: 75, 4: 100}[len(self.seats)]
        if self.rules.ending == "last-card" and not self.pile:
            self.over = "last-card"
        elif self.idle >= 50 or self.turns_without_pair >= too_many_turns:
            self.over = "stall"
        else:
            self.begin(self.left(self.me))


def naive_perft(game: Naive, depth: int) -> int:
    """How many sequences of so many moves start here."""
    if depth == 0:
        return 1
    total = 0
    for command in game.moves():
        following = game.copy()
        following.do(command)
        total += naive_perft(following, depth - 1)
    return total
