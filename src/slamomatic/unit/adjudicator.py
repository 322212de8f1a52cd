"""One reach, from the hand's start to the verdict: who was last, judged by the hands and not by the packets.

Laws of this room:
- a hand's time is what :mod:`~slamomatic.unit.evidence` makes of it; here times are only compared;
- what cannot be told apart is not guessed: it jams. How near is too near is no constant but what is known of the two
  hands; and one odd signal alone makes nobody last;
- nobody waits for ever: when the window closes, who has not touched is last.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from slamomatic.game.verdict import Action, Verdict
from slamomatic.unit.evidence import Doubt, Heard, heard, seen_us
from slamomatic.unit.signals import Hand, Signals
from slamomatic.unit.standing import Trace

LEAST_TAU_US = 2_000
"""However sure both times are, two hands closer than this jam."""
PRESS_NEWS_US = 150_000
"""How long the unit waits, beyond a full press, for the news that it was released."""


class UnitRules(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What the edition and the table ask of the unit in this race; times in microseconds."""

    early_may_be_last: bool
    """C6: an early touch counts as its time says; M10: its hand is down and cannot be last."""
    duel_limit_us: int
    """B15: an only opponent must touch by then; 0: he is always last."""
    full_press_us: int
    """M8: released sooner, a press is short; 0: no press is."""
    window_us: int
    """B12: so long after contact the race closes."""
    way_back_us: int
    """B8: a withdrawn hand still fools people so long."""


class Jam(StrEnum):
    """Why a race jammed."""

    CLOSE = "close"
    """Two hands came closer than what is known of them can tell apart."""
    DOUBT = "doubt"
    """A hand would be last only for an odd signal of its page."""


class Reading(msgspec.Struct, frozen=True, gc=False):
    """What the unit made of one hand; times in microseconds."""

    seat: int
    time_us: int | None
    """From contact as this player saw it to his touch; negative: early; None: no touch."""
    band_us: int
    """How far the time may be off."""
    early: bool
    doubt: Doubt | None
    """Why the page's word was not taken as it came."""


class Judgement(msgspec.Struct, frozen=True, gc=False):
    """A verdict with its evidence."""

    action: Action
    verdict: Verdict
    readings: tuple[Reading, ...]
    tau_us: int
    """So near the two last would have had to be, or were, to jam."""
    jam: Jam | None
    alike: tuple[int, ...]
    """The two seats a jam lies between."""
    traces: dict[int, Trace]
    """What the race adds to each seat's standing, once it is over."""


class Race:
    """The unit while one hand reaches for it. Signals in, each with its time; :meth:`judge` once it is settled."""

    __slots__ = ("_action", "_held_us", "_rules", "_sent_us", "_signals")

    def __init__(self, racers: tuple[int, ...], rules: UnitRules, hands: Mapping[int, Hand]) -> None:
        """``racers``: the seats that take part, ascending; ``hands``: what is known of each of them before."""
        self._rules = rules
        self._signals = {seat: Signals(hands[seat]) for seat in racers}
        self._action: Action | None = None
        self._sent_us = 0
        self._held_us: int | None = None

    @property
    def action(self) -> Action | None:
        """A slam once the hand has landed, a fake once it is withdrawn; None while it hovers."""
        return self._action

    def ended(self, action: Action, now_us: int) -> None:
        """The hand landed or was withdrawn, and the cue for it is sent now."""
        self._action = action
        self._sent_us = now_us
        for signals in self._signals.values():
            signals.cue_us = now_us

    def moved_by_server(self, seat: int) -> None:
        """A bot's hand races at this seat: its touches are stamped where they are made."""
        self._signals[seat].moved_by_server = True

    def answered(self, seat: int, sent_us: int, now_us: int) -> None:
        """A ping to this seat, sent then, is answered now. It can only narrow what its page is believed."""
        signals = self._signals.get(seat)
        if signals is not None:
            signals.answered(sent_us, now_us)

    def shown(self, seat: int, now_us: int, frame_us: int, grain_us: int) -> None:
        """A page's word has arrived that it has painted how the reach ended."""
        signals = self._signals.get(seat)
        if signals is not None and signals.shown_us is None and self._action is not None:
            signals.shown(now_us, frame_us, grain_us)

    def touched(self, seat: int, now_us: int, claim_us: int | None) -> bool:
        """A touch has arrived; False if this hand takes no part, or has touched already."""
        signals = self._signals.get(seat)
        if signals is None or signals.touch_us is not None:
            return False
        signals.touched(now_us, claim_us)
        return True

    def listens_to(self, seat: int) -> bool:
        """Whether more pings to this seat would tell more: it has yet to touch, or to say what it has shown."""
        signals = self._signals.get(seat)
        return (
            signals is not None
            and not signals.moved_by_server
            and (signals.touch_us is None or signals.shown_us is None)
        )

    def released(self, held_us: int) -> None:
        """The slammer's own press lasted so long (M8)."""
        if self._held_us is None:
            self._held_us = held_us

    def settles_us(self) -> int | None:
        """When the race is settled if nothing more arrives; None while the hand hovers."""
        match self._action:
            case None:
                return None
            case Action.FAKE:
                return max((self._back_us(hand) for hand in self._signals.values()), default=self._sent_us)
            case Action.SLAM if not self._signals:
                return self._sent_us
            case Action.SLAM if any(hand.touch_us is None for hand in self._signals.values()):
                return self._sent_us + self._rules.window_us
            case Action.SLAM:
                press_known_us = self._sent_us
                if self._held_us is None and self._rules.full_press_us:
                    press_known_us += self._rules.full_press_us + PRESS_NEWS_US
                return max(press_known_us, *(self._seen_us(hand) for hand in self._signals.values()))

    @property
    def last_touch_us(self) -> int | None:
        """When the last touch arrived so far; None: none has."""
        touches = [hand.touch_us for hand in self._signals.values() if hand.touch_us is not None]
        return max(touches, default=None)

    def judge(self) -> Judgement:
        """The verdict, from all that has arrived.

        Raises:
            RuntimeError: the hand still hovers.
        """
        if self._action is None:
            raise RuntimeError("the hand still hovers: there is nothing to judge")
        hands = {
            seat: heard(signals) if signals.touch_us is not None else None for seat, signals in self._signals.items()
        }
        if self._action is Action.FAKE:
            return self._judgement(self._fooled(hands), hands)
        if self._held_us is not None and self._held_us < self._rules.full_press_us and hands:
            return self._judgement(Verdict(short=True), {})  # B10: without a race no press is short
        return self._raced(hands)

    def _seen_us(self, hand: Signals) -> int:
        return self._sent_us if hand.moved_by_server else seen_us(hand)

    def _back_us(self, hand: Signals) -> int:
        """When this hand can no longer be fooled."""
        return self._sent_us if hand.touch_us is not None else self._seen_us(hand) + self._rules.way_back_us

    def _fooled(self, hands: Mapping[int, Heard | None]) -> Verdict:
        way_back_us = self._rules.way_back_us
        return Verdict(
            early=tuple(seat for seat, hand in hands.items() if hand is not None and hand.time_us < way_back_us)
        )

    def _raced(self, hands: Mapping[int, Heard | None]) -> Judgement:
        early = tuple(seat for seat, hand in hands.items() if hand is not None and hand.early)
        compared = {seat: hand for seat, hand in hands.items() if self._rules.early_may_be_last or seat not in early}
        silent = tuple(seat for seat, hand in compared.items() if hand is None)
        if silent:
            return self._judgement(Verdict(early=early, last=silent), hands)
        order = sorted(
            ((hand.time_us, seat, hand) for seat, hand in compared.items() if hand is not None), reverse=True
        )
        if not order:
            return self._judgement(Verdict(early=early), hands)
        _, slowest, last = order[0]
        if len(hands) == 1 and self._rules.duel_limit_us:
            is_last = _surely_later_than(self._rules.duel_limit_us, last)
            return self._judgement(Verdict(early=early, last=(slowest,) if is_last else ()), hands)
        for _, seat, other in order[1:]:
            tau_us = _tau_us(last, other)
            if last.time_us - other.time_us < tau_us:
                return self._judgement(Verdict(early=early, jam=True), hands, tau_us, Jam.CLOSE, (slowest, seat))
        tau_us = _tau_us(last, order[1][2]) if len(order) > 1 else LEAST_TAU_US
        if last.forgiven_us is not None and len(order) > 1 and last.forgiven_us < order[1][0] + tau_us:
            verdict = Verdict(early=early, jam=True)
            return self._judgement(verdict, hands, tau_us, Jam.DOUBT, (slowest, order[1][1]))
        return self._judgement(Verdict(early=early, last=(slowest,)), hands, tau_us)

    def _judgement(
        self,
        verdict: Verdict,
        hands: Mapping[int, Heard | None],
        tau_us: int = LEAST_TAU_US,
        jam: Jam | None = None,
        alike: tuple[int, ...] = (),
    ) -> Judgement:
        assert self._action is not None
        readings = tuple(
            Reading(seat, None, 0, early=False, doubt=None)
            if hand is None
            else Reading(seat, hand.time_us, hand.band_us + hand.slow_us, hand.early, hand.doubt)
            for seat, hand in hands.items()
        )
        traces = {}
        if self._action is Action.SLAM:  # who is fooled by a fake is not racing
            traces = {seat: hand.trace for seat, hand in hands.items() if hand is not None and hand.trace is not None}
        return Judgement(self._action, verdict, readings, tau_us, jam, alike, traces)


def _tau_us(a: Heard, b: Heard) -> int:
    """How near two hands must be not to be told apart: as near as what is known of both allows."""
    return max(LEAST_TAU_US, a.band_us + b.band_us + abs(a.slow_us - b.slow_us))


def _surely_later_than(limit_us: int, hand: Heard) -> bool:
    """B15: the only opponent has the benefit of every doubt, for a duel does not jam."""
    best_us = hand.time_us - hand.band_us - hand.slow_us
    return (best_us if hand.forgiven_us is None else min(best_us, hand.forgiven_us)) > limit_us
