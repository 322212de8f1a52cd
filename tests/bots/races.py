"""A table without a network: bots play a whole game, and the unit reads every hand's true time."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import msgspec

from slamomatic.bots import Bot
from slamomatic.game import Edition, Fake, Judge, Slam, State, Verdict, deal, play, view
from slamomatic.game.chance import Rng
from slamomatic.game.duties import AwaitVerdict
from slamomatic.game.edition import EarlyTouch
from slamomatic.game.verdict import Action, possible

REACH_US = 220_000
JAM_US = 2_000


class Game(msgspec.Struct):
    """A game played to its end, and what its hands did on the way."""

    state: State
    commands: list[str]
    lasts: dict[int, int]
    """How often each seat was last."""
    fooled: dict[int, int]
    """How often each seat fell for a fake."""


def game(edition: Edition, bots: Mapping[int, Bot], rng: Random) -> Game:
    """Play to the end; raises where a bot does what it may not."""
    state = deal(edition, tuple(bots), rng)
    played = Game(state, [], dict.fromkeys(bots, 0), dict.fromkeys(bots, 0))
    while state.ended is None:
        assert state.to_act is not None
        seen = view(state, state.to_act)
        plan = bots[state.to_act].plan(seen, rng)
        assert plan.command in seen.legal
        played.commands.append(repr(plan))
        before = state
        state = play(state, plan.command, rng).state
        if state.duties and isinstance(state.duties[0], AwaitVerdict):
            assert isinstance(plan.command, Slam | Fake)
            verdict = race(before, isinstance(plan.command, Fake), plan.hover_us, bots, rng)
            for seat in verdict.last:
                played.lasts[seat] += 1
            if isinstance(plan.command, Fake):
                for seat in verdict.early:
                    played.fooled[seat] += 1
            state = play(state, Judge(verdict), rng).state
    played.state = state
    return played


def race(state: State, fake: bool, hover_us: int, bots: Mapping[int, Bot], rng: Rng) -> Verdict:
    """What the unit reads, all times from the beginning of the reach."""
    landing = REACH_US + hover_us
    jumps = {seat: bots[seat].jump_us(view(state, seat), rng) for seat in state.racers}
    if fake:
        stops = {seat: landing + bots[seat].stop_us(rng) for seat in state.racers}
        fooled = tuple(seat for seat, jump in jumps.items() if jump is not None and jump < stops[seat])
        return _checked(state, Action.FAKE, Verdict(early=fooled))
    reacts = {seat: landing + bots[seat].react_us(view(state, seat), rng) for seat in state.racers}
    times = {seat: react if (jump := jumps[seat]) is None else min(jump, react) for seat, react in reacts.items()}
    early = tuple(seat for seat, time in times.items() if time < landing)
    pays = state.edition.early_touch is EarlyTouch.PAYS
    slow_first = sorted((seat for seat in times if not (pays and seat in early)), key=lambda seat: -times[seat])
    last = tuple(slow_first[:1])
    if len(times) == 1 and last and state.edition.duel_limit_ms:
        in_time = times[last[0]] - landing <= state.edition.duel_limit_ms * 1_000
        last = () if in_time else last
    jam = len(slow_first) > 1 and times[slow_first[0]] - times[slow_first[1]] < JAM_US
    verdict = Verdict(early=early, jam=True) if jam else Verdict(early=early, last=last)
    return _checked(state, Action.SLAM, verdict)


def _checked(state: State, action: Action, verdict: Verdict) -> Verdict:
    assert verdict in possible(state.edition, state.racers, action)
    return verdict
