"""The game at a table: a new one, moves, and the hand on the unit from its reach to the verdict.

The game hears of a slam or a fake only with its verdict, so until then nobody can learn from it what it was (B16).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from slamomatic.game import decide
from slamomatic.game import play as played
from slamomatic.game.commands import Command, Fake, IllegalCommand, Judge, Slam
from slamomatic.game.dealing import dealt
from slamomatic.game.edition import DealerChoice, EarlyTouch
from slamomatic.game.engine import legal
from slamomatic.game.events import Event
from slamomatic.game.verdict import Action
from slamomatic.game.view import seen, views
from slamomatic.table import clockwork, lobby, outcome, quick, votes
from slamomatic.table.log import GameBegan, GameMoved
from slamomatic.table.output import Decided, Refusal
from slamomatic.table.protocol import (
    Act,
    Cue,
    CueKind,
    Land,
    Locked,
    Mark,
    Moved,
    RaceView,
    Reach,
    RefusalCode,
    Release,
    Shown,
    Touch,
    Touched,
    Withdraw,
)
from slamomatic.table.reach import ReachInProgress
from slamomatic.table.timing import BETWEEN_REACHES_US, LOCKOUT_US, MS, WAY_BACK_US, WINDOW_US
from slamomatic.unit import Judgement, Race, UnitRules

if TYPE_CHECKING:
    from slamomatic.table.table import Table


def begin(table: Table, now: int) -> None:
    """Deal a new game to everyone seated."""
    if table.record.is_quick:
        quick.fill(table)
    elif table.record.rated:
        lobby.send_bots_away(table)
    record = table.record
    dealer = record.dealer if record.edition.dealer is DealerChoice.CHOSEN else None
    event = dealt(record.edition, tuple(record.seats), table.rng, dealer)
    table.keep(GameBegan(now, _new_id(table), event))
    for sitting in table.sittings.values():
        sitting.ready = False
    table.reach_again_us = now
    clockwork.plan(table, now)
    table.tell_table(now)
    _tell_move(table, now, (event,), None)


def move(table: Table, now: int, commands: tuple[Command, ...], race: RaceView | None = None) -> None:
    """Play these commands, one after the other, as one move that everyone is told.

    Raises:
        IllegalCommand: the rules do not allow it; nothing has changed.
    """
    state = table.state
    events: list[Event] = []
    for command in commands:
        state, new = played(state, command, table.rng)
        events += new
    table.keep(GameMoved(now, commands, tuple(events), race))
    clockwork.plan(table, now)
    _tell_move(table, now, tuple(events), race)
    if state.ended is not None:
        table.finish(outcome.counted(table.record, now))
        votes.forget(table)
        table.tell_table(now)


def may_fake(table: Table) -> bool:
    """Whether the hovering hand may be withdrawn, or has to land (B7, B9)."""
    return Fake(table.state.turn) in legal(table.state)


def end_hover(table: Table, now: int, action: Action) -> None:
    """The hand lands, or goes back: everyone sees it now, and the race for it is open."""
    reach = table.reach
    assert reach is not None
    reach.race.ended(action, now)
    reach.cue = _new_cue(table, CueKind.CONTACT if action is Action.SLAM else CueKind.WITHDRAW, reach.seat)
    _show(table, reach)
    for seat in table.state.racers:
        if table.is_person_here(seat):
            table.probe(seat)
        else:
            reach.out.add(seat)
            _stand_in(table, reach, now, seat, action)


def bot_touches(table: Table, at_us: int, seat: int, message: Touch) -> None:
    """A bot's hand came down on the unit at that time."""
    reach = table.reach
    assert reach is not None, "touches are forgotten once a race is settled"
    reach.race.moved_by_server(seat)
    reach.out.add(seat)
    if reach.race.touched(seat, at_us, message.claim_us):
        table.announce(Touched(seat))


def settle(table: Table, now: int) -> None:
    """The race is over: the verdict enters the game, as one thing."""
    reach = table.reach
    assert reach is not None
    settles_us = reach.race.settles_us()
    assert settles_us is not None
    judgement = reach.race.judge()
    action = Slam(reach.seat) if judgement.action is Action.SLAM else Fake(reach.seat)
    commands: tuple[Command, ...] = (action, Judge(judgement.verdict))
    if not table.state.racers:  # B10: no race, so nothing to judge
        commands = (action,)
    table.reach, table.last_reach = None, reach
    table.rests_since_us = now
    table.reach_again_us = now + BETWEEN_REACHES_US
    move(table, now, commands, _race_view(table, reach.seat, judgement))
    table.decided(Decided(table.memory.told_seq, settles_us, reach.race.last_touch_us))
    for seat, trace in judgement.traces.items():
        if table.record.seats[seat].bot is None:
            table.sittings[seat].hand.standing.add(trace)
            lobby.judge_standing(table, seat)
    votes.count(table, now)


# Messages.


def _act(table: Table, now: int, seat: int, message: Act) -> None:
    if message.command.seat != seat:
        raise IllegalCommand(f"you act for hand {seat}")
    after = message.after
    if after is not None and not table.memory.moves.stands_since <= after <= table.memory.told_seq:
        raise Refusal(RefusalCode.STALE, "the game has moved on: look again")
    if table.reach is not None:
        raise Refusal(RefusalCode.NOT_NOW, "a hand is on its way to the unit: wait for the verdict")
    move(table, now, (message.command,))


def _reach(table: Table, now: int, seat: int, _: Reach) -> None:
    state = table.state
    if table.reach is not None:
        raise Refusal(RefusalCode.NOT_NOW, "a hand is on its way to the unit already")
    decide(state, Slam(seat), table.rng)  # refuses, in words, whoever may not reach now
    if now < table.reach_again_us:
        raise Refusal(RefusalCode.NOT_NOW, "a moment: the hands go back first")
    hands = {racer: table.sittings[racer].hand for racer in state.racers}
    race = Race(state.racers, _unit_rules(table, seat), hands)
    table.reach = ReachInProgress(now, race, _new_cue(table, CueKind.REACH, seat))
    _show(table, table.reach)
    for racer in state.racers:
        if table.is_person_here(racer):
            table.probe(racer)
            continue
        view = table.game_view(racer)
        assert view is not None
        jump_us = table.bot_hand(racer).jump_us(view, table.rng)
        if jump_us is not None:
            clockwork.errand(table, now + jump_us, racer, Touch(table.reach.cue.cue, None))


def _land(table: Table, now: int, seat: int, _: Land) -> None:
    _own_hover(table, seat).decide(Action.SLAM, now)
    clockwork.forget_errands(table, seat)


def _withdraw(table: Table, now: int, seat: int, _: Withdraw) -> None:
    reach = _own_hover(table, seat)
    decide(table.state, Fake(seat), table.rng)  # refuses, in words, if this hand has to land
    reach.decide(Action.FAKE, now)
    clockwork.forget_errands(table, seat)


def _release(table: Table, now: int, seat: int, message: Release) -> None:
    reach = table.reach
    if reach is not None and reach.seat == seat and reach.is_decided:
        reach.race.released(message.held_us)


def _shown(table: Table, now: int, seat: int, message: Shown) -> None:
    reach = table.reach
    if reach is not None and reach.knows(seat, message.cue):
        if message.cue == reach.cue.cue:
            reach.race.shown(seat, now, message.frame_us, message.grain_us)
    elif not _came_late(table, seat, message.cue):
        raise Refusal(RefusalCode.UNKNOWN_CUE, "no such cue was sent to this seat")


def _touch(table: Table, now: int, seat: int, message: Touch) -> None:
    """A hand is on the unit: in a race if its page showed one, otherwise for nothing (B9, B13)."""
    sitting = table.sittings[seat]
    reach = table.reach
    in_race = reach is not None and reach.knows(seat, message.cue)
    if message.cue is not None and not in_race and not _came_late(table, seat, message.cue):
        raise Refusal(RefusalCode.UNKNOWN_CUE, "no such cue was sent to this seat")
    if now < sitting.locked_until_us:
        table.send(seat, Locked((sitting.locked_until_us - now) // MS))
    elif reach is not None and in_race:
        if seat not in reach.out and reach.race.touched(seat, now, message.claim_us):
            table.announce(Touched(seat))
    else:
        sitting.locked_until_us = now + LOCKOUT_US
        table.send(seat, Locked(LOCKOUT_US // MS))


HANDLERS: dict[type, Callable[[Any, int, int, Any], None]] = {
    Act: _act,
    Reach: _reach,
    Land: _land,
    Withdraw: _withdraw,
    Release: _release,
    Shown: _shown,
    Touch: _touch,
}


# The pieces.


def _own_hover(table: Table, seat: int) -> ReachInProgress:
    reach = table.reach
    if reach is None or reach.seat != seat or not reach.is_open:
        raise Refusal(RefusalCode.NOT_NOW, "your hand is not reaching")
    if reach.is_decided:
        raise Refusal(RefusalCode.NOT_NOW, "your hand is on its way: how it ends is said already")
    return reach


def _came_late(table: Table, seat: int, cue: str) -> bool:
    """Whether that was a cue of the last reach, and this seat was sent it."""
    return table.last_reach is not None and table.last_reach.knows(seat, cue)


def _show(table: Table, reach: ReachInProgress) -> None:
    """Everyone is shown what the hand does now."""
    for seat in (*table.record.seats, None):
        table.show(reach, seat)


def _new_cue(table: Table, kind: CueKind, seat: int) -> Cue:
    """A cue under an id nobody can guess."""
    return Cue(_random_hex(table), kind, seat)


def _new_id(table: Table) -> str:
    """The id of a game: whoever has it was given it."""
    return _random_hex(table) + _random_hex(table)


def _random_hex(table: Table) -> str:
    """As much chance as a generator gives at once, in 13 figures."""
    return f"{int(table.rng.random() * 2**52):013x}"


def _stand_in(table: Table, reach: ReachInProgress, now: int, seat: int, action: Action) -> None:
    """A bot's hand follows the contact, or tries to hold back from a withdrawn one (B17)."""
    reach.race.moved_by_server(seat)
    hand = table.bot_hand(seat)
    jump_us = clockwork.touch_due_us(table, seat)
    if action is Action.FAKE:
        if jump_us is not None and jump_us - now > hand.stop_us(table.rng):
            clockwork.forget_errands(table, seat)
        return
    view = table.game_view(seat)
    assert view is not None
    touch_us = now + hand.react_us(view, table.rng)
    if jump_us is None or touch_us < jump_us:
        clockwork.forget_errands(table, seat)
        clockwork.errand(table, touch_us, seat, Touch(reach.cue.cue, touch_us - now))


def _unit_rules(table: Table, seat: int) -> UnitRules:
    edition = table.state.edition
    return UnitRules(
        early_may_be_last=edition.early_touch is EarlyTouch.FREE,
        duel_limit_us=edition.duel_limit_ms * MS,
        full_press_us=0 if table.record.seats[seat].never_short else edition.full_press_ms * MS,
        window_us=WINDOW_US,
        way_back_us=WAY_BACK_US,
    )


def _race_view(table: Table, seat: int, judgement: Judgement) -> RaceView:
    marks = tuple(Mark(r.seat, r.time_us, r.band_us, r.early, r.doubt) for r in judgement.readings)
    is_duel = judgement.action is Action.SLAM and len(marks) == 1
    limit_us = table.state.edition.duel_limit_ms * MS
    return RaceView(
        seat=seat,
        action=judgement.action,
        marks=marks,
        verdict=judgement.verdict,
        tau_us=judgement.tau_us,
        jam=judgement.jam,
        alike=judgement.alike,
        duel_limit_us=limit_us if is_duel and limit_us else None,
    )


def _tell_move(table: Table, now: int, events: tuple[Event, ...], race: RaceView | None) -> None:
    assert table.record.state is not None
    told = {seat: table.viewer(seat) for seat in (*table.record.seats, None) if table.hears(seat)}
    known = views(table.record.state, set(told.values()))
    for seat, viewer in told.items():
        shown = tuple(seen(event, viewer) for event in events)
        table.send(seat, Moved(shown, known[viewer], race, table.clock_ms(now), table.memory.told_seq))
