"""What happens at a table by itself: clocks run out, hands hover too long, races settle, bots move for the absent.

All of it is looked at in the order of its time, however late the table is woken. A table without a person in sight
sleeps: nothing is played for people whom nobody is waiting for.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import TYPE_CHECKING

from slamomatic.game import default
from slamomatic.game.commands import Fake, Judge, Slam
from slamomatic.game.verdict import Action
from slamomatic.table import lobby, play
from slamomatic.table.protocol import Act, Land, Phase, Reach, SeatMessage, Touch, Withdraw
from slamomatic.table.timing import (
    AWAY_GRACE_US,
    CLOCKS_US,
    PROBE_US,
    REACH_US,
)

if TYPE_CHECKING:
    from slamomatic.table.table import Table


def catch_up(table: Table, now: int) -> None:
    """Do all that is due by now, in the order of its time."""
    while (due := _next_due(table)) is not None and due[0] <= now:
        due_us, act = due
        act(table, due_us)
    _probe(table, now)


def wake_us(table: Table, now: int) -> int | None:
    """When the table must be looked at again, whatever arrives; None: not until someone comes back."""
    moments = [sitting.next_probe_us for sitting in table.sittings.values() if sitting.connected]
    due = _next_due(table)
    if due is not None:
        moments.append(due[0])
    return max(now, min(moments)) if moments else None


def next_move(table: Table, now: int) -> None:
    """The game stands still for someone: start his clock, and a bot's thinking if no person is there."""
    _forget_plans(table)
    table.clock_us = None
    state = table.record.state
    if state is None or state.to_act is None:
        return
    clock_us = CLOCKS_US[table.record.pace]
    if clock_us is not None:
        table.clock_us = now + clock_us
    _plan(table, now)


def presence_changed(table: Table, now: int, seat: int) -> None:
    """A person has come or gone: a bot's thinking begins, or ends; a table that slept begins anew."""
    sitting = table.sittings[seat]
    if not sitting.here:
        sitting.away_since_us = now
    if table.phase is Phase.PLAYING:
        if sitting.here and table.reach is not None and table.reach.is_open:
            forget_touches(table, seat)
        if table.reach is None:
            alone = [other for other in table.people if table.sittings[other].here] == [seat]
            if sitting.here and alone:
                next_move(table, now)
            elif table.state.to_act == seat:
                _forget_plans(table)
                _plan(table, now)
    table.tell_table()
    look_for_absentees(table, now)
    lobby.begin_if_ready(table, now)


def look_for_absentees(table: Table, now: int) -> None:
    """Set the moment at which, between games, somebody has been away for too long."""
    table.absence_over_us = lobby.absence_over_us(table, now)


def seat_handed_over(table: Table, now: int, seat: int) -> None:
    """A bot now plays at this seat, for good: if everyone waits for it, it begins to think."""
    if table.reach is None and table.state.to_act == seat:
        _forget_plans(table)
        _plan(table, now)


def errand(table: Table, at_us: int, seat: int, message: SeatMessage) -> None:
    """A bot's hand will do this then, through the same message as a person's."""
    table.errands_made += 1
    heapq.heappush(table.errands, (at_us, table.errands_made, seat, message))


def forget_touches(table: Table, seat: int) -> None:
    """This bot's hand holds back the touch it was about to make."""
    _keep_errands(table, lambda who, message: who != seat or not isinstance(message, Touch))


def _forget_plans(table: Table) -> None:
    _keep_errands(table, lambda _, message: isinstance(message, Touch))


def _keep_errands(table: Table, wanted: play.ErrandTest) -> None:
    table.errands = [errand for errand in table.errands if wanted(errand[2], errand[3])]
    heapq.heapify(table.errands)


def _plan(table: Table, now: int) -> None:
    """If no person is there to act, a bot thinks and will act, once the grace of the absent is over (B17)."""
    state = table.state
    seat = state.to_act
    if seat is None or table.is_person_here(seat):
        return
    begin_us = now
    if table.record.seats[seat].bot is None:
        begin_us = max(now, table.sittings[seat].away_since_us + AWAY_GRACE_US[table.record.pace])
    view = table.game_view(seat)
    assert view is not None
    plan = table.bot_hand(seat).plan(view, table.rng)
    at_us = begin_us + plan.after_us
    match plan.command:
        case Slam() | Fake() as command:
            at_us = max(at_us, table.reach_again_us)
            errand(table, at_us, seat, Reach())
            end = Land() if isinstance(command, Slam) else Withdraw()
            errand(table, at_us + REACH_US + plan.hover_us, seat, end)
        case Judge():
            raise AssertionError("a bot was asked to judge")
        case command:
            errand(table, at_us, seat, Act(command))


def _next_due(table: Table) -> tuple[int, Callable[[Table, int], None]] | None:
    """The next thing that happens by itself: when, and what."""
    reach = table.reach
    due: list[tuple[int, Callable[[Table, int], None]]] = []
    if table.absence_over_us is not None:
        due.append((table.absence_over_us, _absence_is_over))
    if reach is not None:
        due.append((reach.wake_us(), _end_hover if reach.is_open else play.settle))
    if table.errands and (reach is not None or table.is_attended):
        due.append((table.errands[0][0], _run_errand))
    if table.clock_us is not None and reach is None and table.is_attended:
        due.append((table.clock_us, _time_is_up))
    return min(due, key=_when, default=None)


def _when(due: tuple[int, Callable[[Table, int], None]]) -> int:
    return due[0]


def _absence_is_over(table: Table, now: int) -> None:
    look_for_absentees(table, now)
    lobby.absence_is_over(table, now)


def _run_errand(table: Table, now: int) -> None:
    _, _, seat, message = heapq.heappop(table.errands)
    if seat in table.record.seats:
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
    table.clock_us = None
    state = table.state
    command = default(state, table.rng)
    seat = state.to_act
    assert seat is not None
    if isinstance(command, Slam):
        at_us = max(now, table.reach_again_us)
        errand(table, at_us, seat, Reach())
        errand(table, at_us + REACH_US, seat, Land())
    else:
        play.move(table, now, (command,))


def _probe(table: Table, now: int) -> None:
    for seat, sitting in table.sittings.items():
        if sitting.connected and sitting.next_probe_us <= now:
            table.probe(seat)
            sitting.next_probe_us = now + PROBE_US
