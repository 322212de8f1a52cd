"""One reach, from the hand's start to the verdict: who was last, judged by the hands and not by the packets.

Laws of this room:
- a hand's time is ``A_touch - A_shown``: from the arrival of the page's word that it has painted the contact to the
  arrival of the touch; the way down, clock offsets and route asymmetry cancel out;
- a stream is ordered: who touches before his own word was early, whatever anyone claims; but a page that keeps its word
  back is read as if it had come when an honest one would at the latest: a frame or a few after a ping that followed
  the cue was answered, or after a slow round trip;
- what cannot be told apart is not guessed: it jams; and nothing else is a jam;
- nobody waits for ever: when the window closes, who has not touched is last.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from slamomatic.game.verdict import Action, Verdict
from slamomatic.unit.signals import Signals

TAU_US = 5_000
"""The two last closer than this jam."""
PAINT_US = 60_000
"""What a page may need, once a cue is there, to paint it and say so: a few slow frames."""
MOST_RTT_US = 1_000_000
"""However slow a connection is, or makes itself look, the others do not wait longer for its page."""
PRESS_NEWS_US = 150_000
"""How long the unit waits, beyond a full press, for the news that it was released."""


class UnitRules(msgspec.Struct, frozen=True, kw_only=True):
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


class Reading(msgspec.Struct, frozen=True):
    """What the unit made of one hand; times in microseconds."""

    seat: int
    time_us: int | None
    """From contact as this player saw it to his touch; negative: early; None: no touch."""
    band_us: int
    """How far the time may be off."""
    early: bool
    note: str | None
    """Why the page's word was not taken as it came."""


class Judgement(msgspec.Struct, frozen=True):
    """A verdict with its evidence."""

    action: Action
    verdict: Verdict
    readings: tuple[Reading, ...]
    tau_us: int


class Race:
    """The unit while one hand reaches for it. Signals in, each with its time; :meth:`judge` once it is settled."""

    def __init__(self, racers: tuple[int, ...], rules: UnitRules, slow_rtt_us: Mapping[int, int]) -> None:
        """``racers``: the seats that take part, ascending; ``slow_rtt_us``: what a slow round trip of each is."""
        self._rules = rules
        self._signals = {seat: Signals(seat, slow_rtt_us[seat]) for seat in racers}
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

    def answered(self, seat: int, sent_us: int, now_us: int) -> None:
        """A ping to this seat, sent then, is answered now. It can only shorten what its page is allowed."""
        signals = self._signals.get(seat)
        is_after_cue = self._action is not None and sent_us >= self._sent_us
        if signals is not None and signals.answered_us is None and is_after_cue:
            signals.answered_us = now_us

    def shown(self, seat: int, now_us: int, frame_us: int) -> None:
        """A page's word has arrived that it has painted how the reach ended."""
        signals = self._signals.get(seat)
        if signals is not None and signals.shown_us is None and self._action is not None:
            signals.shown_us = now_us
            signals.frame_us = frame_us

    def touched(self, seat: int, now_us: int, claim_us: int | None) -> bool:
        """A touch has arrived; False if this hand takes no part, or has touched already."""
        signals = self._signals.get(seat)
        if signals is None or signals.touch_us is not None:
            return False
        signals.touch_us = now_us
        signals.claim_us = claim_us
        return True

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

    def judge(self) -> Judgement:
        """The verdict, from all that has arrived.

        Raises:
            RuntimeError: the hand still hovers.
        """
        if self._action is None:
            raise RuntimeError("the hand still hovers: there is nothing to judge")
        readings = tuple(self._reading(hand) for hand in self._signals.values())
        verdict = self._fooled(readings) if self._action is Action.FAKE else self._raced(readings)
        return Judgement(self._action, verdict, () if verdict.short else readings, TAU_US)

    def _seen_us(self, hand: Signals) -> int:
        """When this page's word came, or at the latest can honestly have come."""
        there_us = self._sent_us + min(hand.slow_rtt_us, MOST_RTT_US)
        if hand.answered_us is not None:
            there_us = min(there_us, hand.answered_us)
        latest_us = there_us + PAINT_US
        return latest_us if hand.shown_us is None else min(hand.shown_us, latest_us)

    def _back_us(self, hand: Signals) -> int:
        """When this hand can no longer be fooled."""
        return self._sent_us if hand.touch_us is not None else self._seen_us(hand) + self._rules.way_back_us

    def _reading(self, hand: Signals) -> Reading:
        seen_us = self._seen_us(hand)
        if hand.touch_us is None:
            return Reading(hand.seat, None, 0, early=False, note=None)
        time_us = hand.touch_us - seen_us
        late = hand.shown_us is None or hand.shown_us > seen_us
        note = "its page was late to say it had shown the hand" if late else None
        return Reading(hand.seat, time_us, TAU_US // 2, early=time_us < 0, note=note)

    def _fooled(self, readings: tuple[Reading, ...]) -> Verdict:
        way_back_us = self._rules.way_back_us
        fooled = (r.seat for r in readings if r.time_us is not None and r.time_us < way_back_us)
        return Verdict(early=tuple(fooled))

    def _raced(self, readings: tuple[Reading, ...]) -> Verdict:
        if not readings:  # B10: no race, and no short press
            return Verdict()
        if self._held_us is not None and self._held_us < self._rules.full_press_us:
            return Verdict(short=True)
        early = tuple(r.seat for r in readings if r.early)
        times = {
            r.seat: r.time_us for r in readings if self._rules.early_may_be_last or not r.early
        }  # those who can be last
        silent = tuple(seat for seat, time_us in times.items() if time_us is None)
        if silent:
            return Verdict(early=early, last=silent)
        order = sorted((time_us, seat) for seat, time_us in times.items() if time_us is not None)
        if not order:
            return Verdict(early=early)
        slowest_us, slowest = order[-1]
        if len(readings) == 1 and self._rules.duel_limit_us:
            in_time = slowest_us <= self._rules.duel_limit_us
            return Verdict(early=early, last=() if in_time else (slowest,))
        if len(order) > 1 and slowest_us - order[-2][0] < TAU_US:
            return Verdict(early=early, jam=True)
        return Verdict(early=early, last=(slowest,))
