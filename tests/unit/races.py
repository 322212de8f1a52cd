"""Races as they arrive at the unit, made of what the hands did and what the lines did to it."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec.structs import replace

from slamomatic.game.edition import EarlyTouch, Edition
from slamomatic.game.editions import CLASSIC, MODERN
from slamomatic.game.verdict import Action
from slamomatic.unit import Race, UnitRules

MS = 1_000
CONTACT = 10_000 * MS
"""When the hand lands, or goes back, in every race here."""
RTT = 40 * MS
"""What counts as a slow round trip of every seat, unless a test says otherwise."""


def rules_of(edition: Edition) -> UnitRules:
    """What this edition asks of the unit."""
    return UnitRules(
        early_may_be_last=edition.early_touch is EarlyTouch.FREE,
        duel_limit_us=edition.duel_limit_ms * MS,
        full_press_us=edition.full_press_ms * MS,
        window_us=2_500 * MS,
        way_back_us=350 * MS,
    )


CLASSIC_RULES = rules_of(CLASSIC)
MODERN_RULES = rules_of(MODERN)


def race(
    *reactions_ms: float | None,
    rules: UnitRules = CLASSIC_RULES,
    action: Action = Action.SLAM,
    held_ms: int | None = 60,
    down_ms: tuple[int, ...] = (),
    up_ms: tuple[int, ...] = (),
    slow_rtt_us: int = 400 * MS,
) -> Race:
    """A race of hands 2, 3, ... that touch so long after they see the contact; None: never; negative: before it.

    Each page says so at once when it shows the contact.
    """
    seats = tuple(range(2, 2 + len(reactions_ms)))
    run = Race(seats, rules, dict.fromkeys(seats, slow_rtt_us))
    news: list[tuple[int, int, str]] = []
    for at, (seat, reaction_ms) in enumerate(zip(seats, reactions_ms, strict=True)):
        down, up = (ways[at] * MS if ways else 0 for ways in (down_ms, up_ms))
        shown = CONTACT + down + up
        news.append((shown, seat, "shown"))
        if reaction_ms is not None:
            news.append((shown + round(reaction_ms * MS), seat, "touched"))
    has_ended = False
    for when, seat, what in sorted(news, key=lambda item: item[0]):
        if when >= CONTACT and not has_ended:
            run.ended(action, CONTACT)
            has_ended = True
        if what == "shown":
            run.shown(seat, when, 0)
        else:
            run.touched(seat, when, None)
    if not has_ended:
        run.ended(action, CONTACT)
    if held_ms is not None:
        run.released(held_ms * MS)
    return run


@st.composite
def editions(draw: st.DrawFn) -> Edition:
    """Every edition the unit can be asked to judge by."""
    return replace(
        draw(st.sampled_from((CLASSIC, MODERN))),
        duel_limit_ms=draw(st.sampled_from((0, 400, 2000))),
        full_press_ms=draw(st.sampled_from((0, 30, 200))),
        early_touch=draw(st.sampled_from(tuple(EarlyTouch))),
    )


Signal = tuple[str, int, int, int]
"""What is heard, of which seat, when, and how long a press lasted or when a ping was sent."""


@st.composite
def signals(draw: st.DrawFn) -> list[Signal]:
    """Anything that can be heard in a race, in the order it is heard."""
    heard = draw(
        st.lists(
            st.tuples(
                st.sampled_from(("touched", "touched", "shown", "answered", "released")),
                st.integers(1, 4),
                st.one_of(st.integers(-2_000, 3_000), st.integers(240, 260)).map(lambda ms: CONTACT + ms * MS),
                st.integers(0, 100 * MS),
            ),
            max_size=16,
        )
    )
    return sorted(heard, key=lambda signal: signal[2])


def hear(run: Race, heard: list[Signal], action: Action, shift_us: int = 0) -> None:
    """Tell the unit all of it, and in between that the hand has landed or gone back."""
    has_ended = False
    for what, seat, at_us, value in heard:
        if at_us >= CONTACT and not has_ended:
            run.ended(action, CONTACT + shift_us)
            has_ended = True
        match what:
            case "touched":
                run.touched(seat, at_us + shift_us, None)
            case "shown":
                run.shown(seat, at_us + shift_us, 0)
            case "answered":
                run.answered(seat, at_us - value + shift_us, at_us + shift_us)
            case _:
                run.released(value)
    if not has_ended:
        run.ended(action, CONTACT + shift_us)
