"""What is known of one hand, and what is believed of it: from a seat's signals to a time, its doubt, and the reason.

Laws of this room:
- a hand's time runs from when its page showed the contact to its touch, both as that page lived them: the way down,
  clock offsets and route asymmetry cancel out;
- a stream is ordered: what arrives after a pong was sent after that pong's ping had come, and no path takes less than
  its lowest round trip. So far a claim is believed, and no further;
- who touches before his page's word was early, whatever anyone claims; but a word kept back is read as if it had come
  when an honest one would at the latest;
- a signal that cannot be honest is a strike; from the third on the server alone times that hand.
"""

from __future__ import annotations

from enum import StrEnum
from math import isqrt
from typing import NamedTuple

from slamomatic.unit.signals import Signals
from slamomatic.unit.standing import SLOW_FRAME_US, STRIKES, Trace

FRAME_US = 16_700
"""One frame of a 60 Hz screen."""
MOST_FRAME_US = 33_400
"""A screen said to be slower than 30 Hz is not believed to be."""
LATE_US = 4_000
"""A page's word follows the pong that proves the cue was there by a frame at most, and by what handling it takes."""
LAST_MOMENT_US = 1_000
"""A word that comes with no more than this left of that came as late as it can pass."""
TOO_LATE_US = 8_000
"""A word proved to have left a frame and so much after that pong is a strike."""
SLACK_US = 4_000
"""A touch leaves so long after its event at most, on a browser's way; and the lowest round trip may not be quite the
path's."""
IMPOSSIBLE_US = 2_000
"""A claim so far below what the stream proves is a strike."""
PAINTING_US = 2_000
"""From the cue's coming in to the page's word a browser takes so long on average, beside the wait for a frame."""
SPENT_US = 2_000
"""So much the server's own timing leans against a page whose word is spent: the doubt is no longer its own."""
HANDLING_US = 1_300
"""From a touch to its sending a browser takes so long, and up to twice that."""
COARSE_US = 2_000
"""A clock with a grain above this is coarse: what it tells is a span."""
MOST_GRAIN_US = 100_000
"""A clock said to be coarser is not believed to be: browsers that hide their users round to this."""
SILENCE_US = 50_000
"""A browser that has answered nothing for so long before a touch vouches for no claim: its way down may be held up, but
not in most races."""
SPIKE_US = 150_000
"""So much longer than usual a slow round trip is allowed to be."""
TOLD_US = 1_000
"""A correction above this is told: nobody sees a smaller one."""
MOST_RTT_US = 1_000_000
"""However slow a connection is, or makes itself look, the others do not wait longer for its page."""


class Doubt(StrEnum):
    """Why a page's word was not taken as it came."""

    CLAIM = "claim"
    """It claims a touch earlier than its own connection allows: timed by what that proves."""
    LATE_WORD = "late-word"
    """It was late to say that it had shown the hand: timed from when it should have."""
    RECORD = "record"
    """Its last races show that it claims or shows a little off, race after race: corrected by so much."""
    UNSEEN = "unseen"
    """It touched without having said that anything was shown: timed by the server."""
    UNWITNESSED = "unwitnessed"
    """Its browser falls silent before touches, or all along, so nothing vouches for a claim: timed by arrivals."""
    TIMED_BY_SERVER = "timed-by-server"
    """Too much it said in the last races could not be: timed by the server."""


class Heard(NamedTuple):
    """What the unit makes of one hand that touched; times in microseconds."""

    time_us: int
    """From contact as this player saw it to his touch; negative: before it."""
    band_us: int = 0
    """How far off it may be for reasons the player cannot help: his clock, his path."""
    slow_us: int = 0
    """How far off it may be because his screen is slow: two equally slow ones are off alike."""
    early: bool = False
    doubt: Doubt | None = None
    forgiven_us: int | None = None
    """The time if this race's strike were none; set for a first and second one: they alone make nobody last."""
    trace: Trace | None = None
    """What this race adds to the seat's standing."""


class Belief(NamedTuple):
    """A time, and how far off it may be."""

    time_us: int
    band_us: int


def seen_us(hand: Signals) -> int:
    """When the page has said it has shown the hand, or at the latest can honestly have said so."""
    latest_us = _cue_there_us(hand) + _frame_us(hand) + LATE_US
    return latest_us if hand.shown_us is None else min(hand.shown_us, latest_us)


def heard(hand: Signals) -> Heard:
    """The reading of a hand that has touched, in a race whose cue is out."""
    touch_us = hand.touch_us
    assert touch_us is not None
    assert hand.cue_us is not None
    if hand.moved_by_server:
        time_us = touch_us - hand.cue_us
        return Heard(time_us, early=time_us < 0)
    seen = seen_us(hand)
    if hand.touched_unseen and touch_us <= seen:
        return Heard(touch_us - seen, _unrest_us(hand), early=True)
    path_us, there_us = hand.hand.network.least_us, _cue_there_us(hand)
    if path_us is None:  # it never answered anything
        return Heard(touch_us - seen, doubt=Doubt.UNWITNESSED)
    least_us = _least_us(hand, seen, path_us)
    by_server_us = max(touch_us - there_us - _middle_us(hand), least_us)
    belief, doubt = _belief(hand, seen, least_us, _most_us(hand, path_us), by_server_us)
    late = _is_word_too_late(hand, path_us, there_us)
    struck = late or _is_claim_impossible(hand, least_us)
    trace = _trace(hand, seen, path_us, there_us, struck=struck)
    standing = hand.hand.standing
    if standing.strikes + struck >= STRIKES:
        return Heard(by_server_us + SPENT_US, doubt=Doubt.TIMED_BY_SERVER, trace=trace)
    slow_us = _slow_us(hand)
    time_us = belief.time_us + slow_us + standing.delay_us
    if not struck:
        if doubt is None and standing.haste_us + standing.delay_us > TOLD_US:
            doubt = Doubt.RECORD
        return Heard(time_us, belief.band_us, slow_us, doubt=doubt, trace=trace)
    forgiven_us = min(time_us, 0 if hand.claim_us is None else hand.claim_us + standing.delay_us)
    return Heard(time_us, 0, slow_us, False, Doubt.LATE_WORD if late else Doubt.CLAIM, forgiven_us, trace)


# The rules, one function each.


def _cue_there_us(hand: Signals) -> int:
    """When the cue was at the page: a ping sent after it was answered, before the touch if there was one.

    Answers held back until then are not waited for: a slow round trip is all there is to allow, but no slower than a
    spike makes the usual one, as all can see it; and none to a browser that never answered anything.
    """
    assert hand.cue_us is not None
    if hand.answered_us is not None and (hand.touch_us is None or hand.answered_us <= hand.touch_us):
        return hand.answered_us
    network = hand.hand.network
    if network.rtt_us is None:
        return hand.cue_us
    if hand.hand.standing.is_silent:  # nor is a spike allowed in most races
        return hand.cue_us + min(network.rtt_us, MOST_RTT_US)
    return hand.cue_us + min(network.slow_rtt_us, network.rtt_us + SPIKE_US, MOST_RTT_US)


def _belief(hand: Signals, seen: int, least_us: int, most_us: int, by_server_us: int) -> tuple[Belief, Doubt | None]:
    """What is believed of a touch after contact, and why it is not the claim, if it is not."""
    if hand.touched_unseen:
        return Belief(by_server_us, 0), Doubt.UNSEEN
    has_answered = hand.touch_witness_us is not None
    if not has_answered or (hand.hand.standing.is_silent and not _is_vouched_for(hand)):
        return _by_arrivals(hand, seen, least_us), Doubt.UNWITNESSED
    if hand.claim_us is None:  # a page without a clock
        return _by_arrivals(hand, seen, least_us), None
    return _believed(hand, hand.claim_us, least_us, most_us), None


def _is_vouched_for(hand: Signals) -> bool:
    """Whether the browser has kept answering up to the touch: its answers come first if it has."""
    if hand.touch_us is None or hand.touch_pong_us is None or hand.answered_us is None:
        return False
    return hand.answered_us <= hand.touch_us <= hand.touch_pong_us + SILENCE_US


def _by_arrivals(hand: Signals, seen: int, least_us: int) -> Belief:
    """What is left where there is no claim, or none to believe."""
    assert hand.touch_us is not None
    return Belief(max(hand.touch_us - seen - HANDLING_US, least_us), 0)


def _frame_us(hand: Signals) -> int:
    """How long this page's frames take: as it says, if they are slow, down to 30 Hz. A flag tells of it."""
    return FRAME_US if hand.frame_us < SLOW_FRAME_US else min(hand.frame_us, MOST_FRAME_US)


def _slow_us(hand: Signals) -> int:
    """A slow screen's word comes later by half of its longer frame on average, but nobody can check that: a third of it
    is believed, and the rest is doubt."""
    return (_frame_us(hand) - FRAME_US) // 3


def _grain_us(hand: Signals) -> int:
    """How coarse this page's clock is, as it says."""
    return min(hand.grain_us, MOST_GRAIN_US)


def _middle_us(hand: Signals) -> int:
    """From the cue's being there to the page's word, on average."""
    return _frame_us(hand) // 2 + PAINTING_US


def _unrest_us(hand: Signals) -> int:
    """How far a single arrival may be off on this path: the root of the mean squared excess in this race."""
    return isqrt(hand.mean_unrest)


def _least_us(hand: Signals, seen: int, path_us: int) -> int:
    """No touch can be sooner: it left after the page's word, and after the ping had come whose pong came before it."""
    witness_us = hand.touch_witness_us
    if witness_us is None:  # nothing was answered before it
        return 0
    return max(0, witness_us + path_us - seen - SLACK_US)


def _most_us(hand: Signals, path_us: int) -> int:
    """No touch can be later: it arrived, and the page's word left after the cue, and the ping before it, had come."""
    assert hand.touch_us is not None
    assert hand.cue_us is not None
    from_us = hand.cue_us if hand.shown_witness_us is None else max(hand.cue_us, hand.shown_witness_us)
    return hand.touch_us - path_us - from_us + SLACK_US


def _believed(hand: Signals, claim_us: int, least_us: int, most_us: int) -> Belief:
    """The claim, within what is proved. A coarse clock's claim is a span: the middle of what of it is possible.

    A touch that has come sooner than the path is long proves the path to be shorter, and that bound to be none.
    """
    claim_us += hand.hand.standing.haste_us
    grain_us = _grain_us(hand)
    if grain_us > COARSE_US:
        low, high = max(claim_us - grain_us, least_us), min(claim_us + grain_us, most_us)
        if low <= high:
            return Belief((low + high) // 2, (high - low) // 4)
        return Belief(max(claim_us, least_us), 0)
    if claim_us < least_us:
        return Belief(least_us, 0)
    possible_us = min(claim_us, most_us) if most_us >= least_us else claim_us
    return Belief(max(possible_us, least_us), grain_us)


def _is_word_too_late(hand: Signals, path_us: int, there_us: int) -> bool:
    """Whether the page's word is proved to have left later than any frame explains."""
    witness_us = hand.touch_witness_us if hand.touched_unseen and hand.shown_us is None else hand.shown_witness_us
    return witness_us is not None and witness_us + path_us - there_us > _frame_us(hand) + TOO_LATE_US


def _is_claim_impossible(hand: Signals, least_us: int) -> bool:
    """Whether the claim is further below what is proved than a clock's grain and a path's whims explain."""
    if hand.claim_us is None:
        return False
    rounded_us = _grain_us(hand) if _grain_us(hand) > COARSE_US else 0
    return hand.claim_us < least_us - rounded_us - IMPOSSIBLE_US


def _trace(hand: Signals, seen: int, path_us: int, there_us: int, *, struck: bool) -> Trace:
    """What this race adds to the seat's standing."""
    assert hand.touch_us is not None
    idle_us = hand.hand.network.idle_us
    quietest_us = path_us if hand.least_us is None else hand.least_us
    return Trace(
        haste_us=0 if hand.claim_us is None else hand.touch_us - seen - hand.claim_us - HANDLING_US,
        delay_us=seen - there_us - _middle_us(hand),
        unrest=hand.mean_unrest,
        grain_us=_grain_us(hand),
        frame_us=_frame_us(hand),
        late=seen - there_us > _frame_us(hand) + LATE_US - LAST_MOMENT_US,
        silent=not _is_vouched_for(hand),
        struck=struck,
        detour_us=0 if idle_us is None else quietest_us - idle_us,
    )
