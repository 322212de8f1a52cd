"""Races as they arrive at the unit: what the hands did, what their pages said of it, and what the lines did to that.

A line keeps its order both ways. While a hand is on its way every racer is pinged as a table does it, and once more
right after the cue; a browser answers pings whatever its page says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import cycle, islice
from typing import NamedTuple

from hypothesis import strategies as st
from msgspec.structs import replace

from slamomatic.game.edition import EarlyTouch, Edition
from slamomatic.game.editions import CLASSIC, MODERN
from slamomatic.game.verdict import Action
from slamomatic.table.timing import TRAIN_US, WAY_BACK_US, WINDOW_US
from slamomatic.unit import Hand, Network, Race, Standing, Trace, UnitRules
from slamomatic.unit.evidence import FRAME_US, Heard, heard
from slamomatic.unit.signals import Signals

MS = 1_000
BEGAN = 10_000 * MS
"""When the hand starts for the unit in every race here,"""
CONTACT = BEGAN + 303 * MS
"""and when it lands, or goes back: then the cue for that is sent."""
GRAIN_US = 100


def rules_of(edition: Edition) -> UnitRules:
    """What this edition asks of the unit."""
    return UnitRules(
        early_may_be_last=edition.early_touch is EarlyTouch.FREE,
        duel_limit_us=edition.duel_limit_ms * MS,
        full_press_us=edition.full_press_ms * MS,
        window_us=WINDOW_US,
        way_back_us=WAY_BACK_US,
    )


CLASSIC_RULES = rules_of(CLASSIC)
MODERN_RULES = rules_of(MODERN)


class Line(NamedTuple):
    """What a packet takes each way; both ways the order is kept."""

    down_us: int = 20 * MS
    up_us: int = 20 * MS
    excess_us: tuple[int, ...] = (0,)
    """What packets take beyond that, one after the other, and again from the first."""

    @property
    def rtt_us(self) -> int:
        """A round trip with nothing in the way."""
        return self.down_us + self.up_us


QUIET = Line()


class Player(NamedTuple):
    """What one hand did, and what its page made of it."""

    reaction_us: int | None
    """From the painting of the cue to the touch; negative: before it; None: it never touched."""
    line: Line = QUIET
    wait_us: int = 8 * MS
    """The cue was there so long before a frame came to paint it."""
    frame_us: int = FRAME_US
    grain_us: int = GRAIN_US
    word_us: int | None = 0
    """The page said so late that it had painted the cue; None: never."""
    claim: Callable[[int], int | None] = lambda us: us
    """What the page says when the touch came so long after its word; None: it makes no claim."""
    word_held_us: int = 0
    """So long that word was held up on its way,"""
    touch_held_us: int = 0
    """and the touch."""
    is_pinged: bool = True


class Arrival(NamedTuple):
    """What reaches the server of one seat."""

    at_us: int
    what: str
    sent_us: int = 0
    """When the ping was sent that is answered."""
    claim_us: int | None = None


def ms(reaction_ms: float | None) -> Player:
    """An honest hand on a quiet line."""
    return Player(None if reaction_ms is None else round(reaction_ms * MS))


def arrivals(player: Player) -> list[Arrival]:
    """All that reaches the server of this seat, in order."""
    down = iter(cycle(player.line.excess_us))
    there_us = 0
    leaving: list[tuple[int, int, Arrival]] = []
    painted_us = 0
    pings = range(BEGAN, CONTACT + WINDOW_US, TRAIN_US) if player.is_pinged else ()
    for sent_us, is_cue in sorted([*((at, False) for at in pings), (CONTACT, True)]):
        there_us = max(there_us, sent_us + player.line.down_us + next(down))
        if is_cue:
            painted_us = there_us + player.wait_us
        if player.is_pinged:
            leaving.append((there_us, 0, Arrival(0, "answered", sent_us)))
    word_us = None if player.word_us is None else painted_us + player.word_us
    touch_us = None if player.reaction_us is None else painted_us + player.reaction_us
    if word_us is not None:
        leaving.append((word_us, player.word_held_us, Arrival(0, "shown")))
    if touch_us is not None:
        claim_us = None if word_us is None or touch_us < word_us else player.claim(touch_us - word_us)
        leaving.append((touch_us, player.touch_held_us, Arrival(0, "touched", claim_us=claim_us)))
    return _listened_to(_up(player.line, sorted(leaving, key=lambda item: item[0])))


def _up(line: Line, leaving: Iterable[tuple[int, int, Arrival]]) -> list[Arrival]:
    up = islice(cycle(line.excess_us), len(line.excess_us) // 2, None)
    arrived_us, arrived = 0, []
    for left_us, held_us, arrival in leaving:
        arrived_us = max(arrived_us, left_us + line.up_us + next(up) + held_us)
        arrived.append(arrival._replace(at_us=arrived_us))
    return arrived


def _listened_to(arrived: list[Arrival]) -> list[Arrival]:
    """Without the answers to pings that a table would not have sent any more."""
    last_us = {arrival.what: arrival.at_us for arrival in arrived}
    if {"shown", "touched"} <= set(last_us):
        until_us = max(last_us["shown"], last_us["touched"])
        return [arrival for arrival in arrived if arrival.what != "answered" or arrival.sent_us < until_us]
    return arrived


def hand_on(line: Line, standing: Standing | None = None) -> Hand:
    """A hand whose line was measured at rest."""
    network = Network()
    for number in range(8):
        network.pong(number, number + line.rtt_us)
    return Hand(network, standing)


def signals_of(player: Player, hand: Hand | None = None) -> Signals:
    """All that the unit hears of one hand in a race of its own."""
    signals = Signals(hand or hand_on(player.line))
    for arrival in arrivals(player):
        if arrival.at_us >= CONTACT:
            signals.cue_us = CONTACT
        match arrival.what:
            case "answered":
                signals.answered(arrival.sent_us, arrival.at_us)
            case "shown":
                signals.shown(arrival.at_us, player.frame_us, player.grain_us)
            case _:
                signals.touched(arrival.at_us, arrival.claim_us)
    signals.cue_us = CONTACT
    return signals


def read(player: Player, hand: Hand | None = None) -> Heard:
    """What the unit makes of this hand."""
    return heard(signals_of(player, hand))


def fair_trace(player: Player) -> Trace:
    """What this hand, honest as it is, leaves in a standing on average."""
    trace = read(player).trace
    assert trace is not None
    return replace(trace, haste_us=0, delay_us=0)


FAIR = fair_trace(ms(300))


def struck_hand(strikes: int, line: Line = QUIET) -> Hand:
    """A hand that was caught so often in the races before."""
    standing = Standing()
    for _ in range(strikes):
        standing.add(replace(FAIR, struck=True))
    return hand_on(line, standing)


def race(
    *players: Player | float | None,
    rules: UnitRules = CLASSIC_RULES,
    action: Action = Action.SLAM,
    held_ms: int | None = 60,
    hands: Mapping[int, Hand] | None = None,
    seats: tuple[int, ...] = (),
) -> Race:
    """A race of hands 2, 3, ..., or of these seats; a bare number is an honest hand's reaction in milliseconds."""
    seats = seats or tuple(range(2, 2 + len(players)))
    lined = {seat: who if isinstance(who, Player) else ms(who) for seat, who in zip(seats, players, strict=True)}
    known = {seat: hand_on(player.line) for seat, player in lined.items()} | dict(hands or {})
    run = Race(tuple(sorted(seats)), rules, known)
    news = [(arrival, seat) for seat, player in lined.items() for arrival in arrivals(player)]
    for arrival, seat in sorted(news, key=lambda item: item[0].at_us):
        if run.action is None and arrival.at_us >= CONTACT:
            run.ended(action, CONTACT)
        match arrival.what:
            case "answered":
                known[seat].network.pong(arrival.sent_us, arrival.at_us, idle=False)
                run.answered(seat, arrival.sent_us, arrival.at_us)
            case "shown":
                run.shown(seat, arrival.at_us, lined[seat].frame_us, lined[seat].grain_us)
            case _:
                run.touched(seat, arrival.at_us, arrival.claim_us)
    if run.action is None:
        run.ended(action, CONTACT)
    if held_ms is not None:
        run.released(held_ms * MS)
    return run


# What Hypothesis makes of it.


@st.composite
def lines(draw: st.DrawFn) -> Line:
    """Any line: near or far, as unequal both ways and as restless as can be."""
    way = st.integers(0, 150 * MS)
    excess = st.integers(0, 5 * MS) | st.integers(0, 200 * MS) | st.just(0)
    return Line(draw(way), draw(way), tuple(draw(st.lists(excess, min_size=1, max_size=40))))


def steady_lines() -> st.SearchStrategy[Line]:
    """Lines on which every packet takes the same."""
    way = st.integers(0, 150 * MS)
    return st.tuples(way, way).map(lambda ways: Line(*ways))


REACTIONS_US = st.integers(120 * MS, 900 * MS)
WAITS_US = st.integers(0, FRAME_US)


@st.composite
def honest(draw: st.DrawFn) -> Player:
    """Somebody on any line, whose page tells the truth."""
    return Player(draw(REACTIONS_US), draw(lines()), draw(WAITS_US))


@st.composite
def liars(draw: st.DrawFn, line: st.SearchStrategy[Line]) -> Player:
    """Somebody whose page says anything at all, at any time."""
    claim_us = draw(st.none() | st.integers(-2_000 * MS, 2_000 * MS))
    return Player(
        draw(st.integers(-200 * MS, 900 * MS)),
        draw(line),
        draw(WAITS_US),
        frame_us=draw(st.integers(0, 60_000 * MS)),
        grain_us=draw(st.sampled_from((0, 100, 1_000, 16_700)) | st.integers(0, 60_000 * MS)),
        word_us=draw(st.none() | st.integers(0, 1_500 * MS)),
        claim=draw(st.sampled_from((lambda us: claim_us, lambda us: us + (claim_us or 0)))),
    )


@st.composite
def editions(draw: st.DrawFn) -> Edition:
    """Every edition the unit can be asked to judge by."""
    return replace(
        draw(st.sampled_from((CLASSIC, MODERN))),
        duel_limit_ms=draw(st.sampled_from((0, 400, 2000))),
        full_press_ms=draw(st.sampled_from((0, 30, 200))),
        early_touch=draw(st.sampled_from(tuple(EarlyTouch))),
    )


Noise = tuple[str, int, int, int, int | None]
"""What is heard, of which seat, when; how long a press or a round trip lasted or a page's frame; and a claim."""


@st.composite
def noises(draw: st.DrawFn) -> list[Noise]:
    """Anything at all, in the order it is heard, whether or not any line and page could do that."""
    heard = draw(
        st.lists(
            st.tuples(
                st.sampled_from(("touched", "touched", "shown", "answered", "answered", "released", "moved_by_server")),
                st.integers(1, 4),
                st.one_of(st.integers(-2_000, 3_000), st.integers(0, 60), st.integers(240, 260)).map(
                    lambda ms: CONTACT + ms * MS
                ),
                st.integers(0, 100 * MS),
                st.none() | st.integers(-60_000 * MS, 60_000 * MS) | st.integers(200 * MS, 300 * MS),
            ),
            max_size=24,
        )
    )
    return sorted(heard, key=lambda noise: noise[2])


def hear(run: Race, seats: tuple[int, ...], noise: list[Noise], action: Action, shift_us: int = 0) -> None:
    """Tell the unit all of it, up to when the race is settled, and in between that the hand has landed or gone back."""
    for what, seat, at_us, value, claim_us in noise:
        if run.action is None and at_us >= CONTACT:
            run.ended(action, CONTACT + shift_us)
        settles_us = run.settles_us()
        now_us = at_us + shift_us
        if settles_us is not None and settles_us <= now_us:
            return
        match what:
            case "touched":
                run.touched(seat, now_us, claim_us)
            case "shown":
                run.shown(seat, now_us, value, value)
            case "answered":
                run.answered(seat, now_us - value, now_us)
            case "moved_by_server" if seat in seats:
                run.moved_by_server(seat)
            case "released":
                run.released(value)
            case _:
                pass
    if run.action is None:
        run.ended(action, CONTACT + shift_us)
