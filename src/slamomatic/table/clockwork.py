"""What happens at a table by itself: clocks run out, hands hover too long, races settle, bots move for the absent.

Laws of this room:
- what is due is done in the order of its time, but at the time it is done: nobody saw it sooner. Only the touch of a
  bot's hand counts from its own moment;
- a table without a person in sight sleeps: its clock stands, and nothing is played for people nobody waits for. A
  reach under way is still seen to its verdict;
- every other wait has an end, but the one for somebody who is here where no clock runs (B18).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from slamomatic.game import default
from slamomatic.game.commands import Fake, Judge, Slam
from slamomatic.game.verdict import Action
from slamomatic.table import lobby, play, votes
from slamomatic.table.log import ClockRan, ClockStopped
from slamomatic.table.protocol import Act, Land, Phase, Reach, SeatMessage, Touch, Withdraw
from slamomatic.table.timing import (
    AWAY_GRACE_US,
    FIRST_PROBES,
    FIRST_PROBES_US,
    PROBES_US,
    REACH_US,
)

if TYPE_CHECKING:
    from slamomatic.table.table import Table

Due: TypeAlias = tuple[int, "Callable[[Table, int], None]"]
"""When something happens by itself, and what."""


def catch_up(table: Table, now: int) -> None:
    """Do all that is due by now, if anything is."""
    if table.wake_us is not None and table.wake_us <= now:
        go_on(table, now)


def go_on(table: Table, now: int) -> None:
    """Something has happened: do all that is due by now, and see what is due next."""
    _sleep_or_wake(table, now)
    while (due := next_due(table, now)) is not None and due[0] <= now:
        due[1](table, now)
    if table.probe_us <= now:
        _probe(table, now)
    table.wake_us = None if due is None else due[0]
    if any(sitting.connected for sitting in table.sittings.values()):
        table.wake_us = table.probe_us if due is None else min(due[0], table.probe_us)


def next_due(table: Table, now: int) -> Due | None:
    """The next thing that happens by itself; None: nothing does until somebody says or does something."""
    due: list[Due] = []
    nobody_is_missed = _nobody_is_missed(table)
    if table.reach is not None:
        due.append((table.reach.wake_us(), _end_hover if table.reach.is_open else play.settle))
        if table.errands:
            due.append((table.errands[0][0], _run_errand))
    elif nobody_is_missed or table.is_attended:
        if table.record.clock_us is not None:
            due.append((table.record.clock_us, _time_is_up))
        if table.errands:
            due.append((table.errands[0][0], _run_errand))
    if not nobody_is_missed:
        for moment, what in (
            (lobby.begins_us(table, now), play.begin),
            (lobby.host_goes_us(table, now), lobby.host_has_gone),
            (votes.gone_us(table), votes.look_round),
        ):
            if moment is not None:
                due.append((moment, what))
    return min(due, key=_when, default=None)


def _nobody_is_missed(table: Table) -> bool:
    """A game is being played, and every person at the table is here, the host among them: the usual case by far."""
    record = table.record
    if record.host is None or record.phase is not Phase.PLAYING:
        return False
    seats = record.seats
    for seat, sitting in table.sittings.items():
        if (not sitting.connected or sitting.hidden) and seats[seat].bot is None:
            return False
    return True


def plan(table: Table, now: int) -> None:
    """If no person is there to act, a bot thinks and will act, once the grace of the absent is over (B17).

    While a hand is on its way there is nothing to plan: the next move is planned when the race is settled.
    """
    if table.reach is not None:
        return
    table.errands.clear()
    state = table.record.state
    seat = None if state is None else state.to_act
    if seat is None or table.is_person_here(seat):
        return
    begin_us = now
    if table.record.seats[seat].bot is None:
        begin_us = max(now, table.sittings[seat].away_since_us + AWAY_GRACE_US[table.record.pace])
    view = table.game_view(seat)
    assert view is not None
    thought = table.bot_hand(seat).plan(view, table.rng)
    at_us = begin_us + thought.after_us
    match thought.command:
        case Slam() | Fake() as command:
            at_us = max(at_us, table.reach_again_us)
            errand(table, at_us, seat, Reach())
            end = Land() if isinstance(command, Slam) else Withdraw()
            errand(table, at_us + REACH_US + thought.hover_us, seat, end)
        case Judge():
            raise AssertionError("a bot was asked to judge")
        case command:
            errand(table, at_us, seat, Act(command))


def errand(table: Table, at_us: int, seat: int, message: SeatMessage) -> None:
    """A bot's hand will do this then, through the same message as a person's."""
    table.errands_made += 1
    heapq.heappush(table.errands, (at_us, table.errands_made, seat, message))


def touch_due_us(table: Table, seat: int) -> int | None:
    """When this bot's hand is going to touch; None: it is not."""
    return next((at for at, _, who, what in table.errands if who == seat and isinstance(what, Touch)), None)


def forget_errands(table: Table, seat: int) -> None:
    """A bot's hand holds back what it was about to do at this seat."""
    table.errands = [errand for errand in table.errands if errand[2] != seat]
    heapq.heapify(table.errands)


def _sleep_or_wake(table: Table, now: int) -> None:
    if table.awake_since_us is not None and _nobody_is_missed(table):
        return
    if not table.is_attended:
        if table.record.clock_us is not None and table.record.stopped_us is None:
            table.keep(ClockStopped(now))
        table.awake_since_us = None
    elif table.awake_since_us is None:
        table.awake_since_us = now
        if table.record.stopped_us is not None:
            table.keep(ClockRan(now))
        plan(table, now)


def _when(due: Due) -> int:
    return due[0]


def _run_errand(table: Table, now: int) -> None:
    at_us, _, seat, message = heapq.heappop(table.errands)
    if isinstance(message, Touch):
        play.bot_touches(table, at_us, seat, message)
    else:
        table.handle(now, seat, message)


def _end_hover(table: Table, now: int) -> None:
    assert table.reach is not None
    action, _ = table.reach.due()
    play.end_hover(table, now, action or _overdue(table))


def _overdue(table: Table) -> Action:
    """What becomes of a hand that has hovered as long as it may: a fake if one is left, else it lands (B7)."""
    return Action.FAKE if play.may_fake(table) else Action.SLAM


def _time_is_up(table: Table, now: int) -> None:
    """The default act of whoever let his clock run out (B18)."""
    table.errands.clear()
    command = default(table.state, table.rng)
    if isinstance(command, Slam):
        table.handle(now, command.seat, Reach())
        table.handle(now, command.seat, Land())
    else:
        play.move(table, now, (command,))


def _probe(table: Table, now: int) -> None:
    """Measure the connections, all at once: who has just come is measured oftener, and the others with him."""
    connected = [seat for seat, sitting in table.sittings.items() if sitting.connected]
    if not connected:
        return
    for seat in connected:
        table.probe(seat)
        table.sittings[seat].probes += 1
    is_first = any(table.sittings[seat].probes < FIRST_PROBES for seat in connected)
    least_us, most_us = FIRST_PROBES_US if is_first else PROBES_US
    # Nobody who would dress a path up for a measurement knows when the next one comes.
    table.probe_us = now + least_us + int(table.rng.random() * (most_us - least_us))
    for seat in connected:
        lobby.measured(table, now, seat)
