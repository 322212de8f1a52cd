"""Races in virtual time: hands that are known to the microsecond, behind measured networks, judged by the real unit.

Laws of this room:
- what happens to a packet is drawn before anyone lies, so an honest player and the same player lying meet the same
  weather, the same rivals and the same luck;
- a stream keeps its order both ways, and how alike neighbouring packets fare is an argument;
- the unit hears exactly what a server hears: cues sent, pongs, words and touches as they arrive, and claims. It never
  sees the truth.

Times are in milliseconds after the cue was sent, until the unit hears them: it is told whole microseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from slamomatic.game.verdict import Action
from slamomatic.lab.population import ExGaussian, Floats, Humans, Networks, Path, reactions_ms
from slamomatic.unit import Hand, Judgement, Race, UnitRules
from slamomatic.unit.standing import SESSION

MS = 1_000
AFTER_CUE_MS = 0.05
"""The ping that follows the cue does so at once."""
LEAST_LEAD_MS = 220.0
"""From the reach to a contact without hovering."""
MOST_HOVER_MS = 600.0
IDLE_PINGS = 5
"""Round trips measured between two races, and before the first."""
RULES = UnitRules(early_may_be_last=True, duel_limit_us=0, full_press_us=0, window_us=10_000_000, way_back_us=350_000)

CORRELATIONS = (0.0, 0.5, 0.8, 0.95)
"""How alike neighbouring packets may fare: sessions take turns."""
FRAMES_MS = (1000 / 120, 1000 / 60)
GRAINS_MS = (0.1, 1.0, 1000 / 60)
PAINTINGS_MS = (0.3, 3.5)
HANDLINGS_MS = (0.65, 2.2)
"""From the quickest browsers measured to one that draws in software on a small machine."""
GRAIN_SHARES = (0.60, 0.38, 0.02)


class Train(NamedTuple):
    """How densely the racers are pinged."""

    hover_ms: float
    """From the reach to the contact."""
    contact_ms: float
    """From there to the touch."""

    def at_ms(self, ping: NDArray[np.int64]) -> Floats:
        """When pings are sent, counted from the one that follows the cue."""
        return np.asarray(AFTER_CUE_MS + np.where(ping < 0, self.hover_ms, self.contact_ms) * ping)


DENSE = Train(10.0, 10.0)
"""The unit's own."""
CROWDED = Train(200.0, 30.0)
"""Of a server where very many race at once (:mod:`slamomatic.server.trains`)."""


class Player(NamedTuple):
    """One seat of a session: what nobody can see, but the lab."""

    path: Path
    down_share: float
    """Of the lowest round trip."""
    frame_ms: float
    grain_ms: float
    painting_ms: float
    """What his browser takes on average from a cue to the page's word, beside the wait for a frame."""
    handling_ms: float
    """And from a touch to its sending."""
    person: ExGaussian


class Weather(NamedTuple):
    """What happens to one player's packets and hands in every race of a session; one row a race."""

    left: Floats
    """When each pong leaves the browser: as its ping comes in."""
    back: Floats
    """When it arrives."""
    cue: Floats
    """When the cue comes in."""
    wait: Floats
    """From there to the page's word that it has painted the contact: to the next frame, and the handling."""
    word_up: Floats
    touch_up: Floats
    """How long word and touch travel, if nothing before them is held up longer."""
    reaction: Floats
    """From the paint to the touch: the truth."""
    dispatch: Floats
    """From a touch to its sending."""
    ticks: Floats
    """Where in its grain the page's clock happens to stand."""
    luck: Floats
    """For a liar who plays dice."""
    idle: Floats
    """Round trips before each race: five columns."""


class Session(NamedTuple):
    """Some players, and 25 races between them before anyone has lied."""

    players: tuple[Player, ...]
    lead: NDArray[np.int64]
    """How many pings of the train are sent before each cue."""
    weather: tuple[Weather, ...]
    correlation: float
    train: Train


class Told(NamedTuple):
    """What one page does in one race: an honest one what happens to it, a liar what he likes."""

    wait_ms: float
    """From the cue's arrival to the sending of its word."""
    leave_ms: float
    """When the touch is sent, after the cue was."""
    claim_ms: float | None
    grain_ms: float
    frame_ms: float
    is_silent: bool = False
    """It answers no ping from the contact until it has touched: no page can do that, but a program can."""


class Moment(NamedTuple):
    """All there is to know for a liar, be it more than any liar can."""

    honest: Told
    cue_ms: float
    """When the cue came in."""
    reaction_ms: float
    margin_ms: float
    """By how much his hand is later than the last of the others; below 0: it is not last."""
    typical_ms: float
    """His own usual reaction."""
    luck: float
    """A number in [0, 1), this race's own."""


Lie: TypeAlias = Callable[[Moment], Told]


class Detour(NamedTuple):
    """A proxy before the page that holds back everything but touches."""

    ms: float
    idle_too: bool


class Outcome(NamedTuple):
    """One race: the truth, what a server could see, and what the unit made of it. One entry a seat."""

    truth_ms: tuple[float, ...]
    arrival_ms: tuple[float, ...]
    claim_ms: tuple[float, ...]
    rtt_ms: tuple[float, ...]
    judgement: Judgement


class Oddity(NamedTuple):
    """What may be odd about honest players."""

    access: str | None = None
    """Everybody's kind of access, in place of the mix."""
    frames_ms: tuple[float, ...] = FRAMES_MS
    first: tuple[float, float] | None = None
    """The first player's frame and grain."""
    stalls: float = 0.0
    """How often the first player's page is stuck for 30 to 150 ms before it paints a contact."""
    train: Train = DENSE


NOTHING_ODD = Oddity()


def draw_session(
    networks: Networks,
    humans: Humans,
    hands: int,
    rng: np.random.Generator,
    correlation: float,
    odd: Oddity = NOTHING_ODD,
) -> Session:
    """So many players and their luck; ``correlation``: how alike neighbouring packets fare."""
    least, most = int(LEAST_LEAD_MS / odd.train.hover_ms), int(MOST_HOVER_MS / odd.train.hover_ms)
    lead = np.where(rng.random(SESSION) < 0.5, 0, rng.integers(0, most, SESSION)) + least
    players, weather = [], []
    for seat in range(hands):
        path = networks.draw(rng, odd.access)
        frame_ms, grain_ms = float(rng.choice(odd.frames_ms)), float(rng.choice(GRAINS_MS, p=GRAIN_SHARES))
        if seat == 0 and odd.first is not None:
            frame_ms, grain_ms = odd.first
        share = float(np.clip(rng.normal(0.5, 0.06), 0.3, 0.7))
        painting_ms, handling_ms = float(rng.uniform(*PAINTINGS_MS)), float(rng.uniform(*HANDLINGS_MS))
        player = Player(path, share, frame_ms, grain_ms, painting_ms, handling_ms, humans.draw(rng))
        players.append(player)
        stalls = odd.stalls if seat == 0 else 0.0
        weather.append(_weather(networks, player, lead, odd.train, rng, correlation, stalls))
    return Session(tuple(players), lead, tuple(weather), correlation, odd.train)


def _weather(
    networks: Networks,
    player: Player,
    lead: NDArray[np.int64],
    train: Train,
    rng: np.random.Generator,
    correlation: float,
    stalls: float,
) -> Weather:
    races = len(lead)
    path = player.path
    down_ms = path.min_rtt_ms * player.down_share
    up_ms = path.min_rtt_ms - down_ms
    reaction = reactions_ms(player.person, rng, races)
    dispatch = rng.uniform(0.1, 2 * player.handling_ms, races)
    wait = rng.uniform(0, player.frame_ms, races) + rng.uniform(0.1, 2 * player.painting_ms, races)
    wait += np.where(rng.random(races) < stalls, rng.uniform(30, 150, races), 0.0)
    # The train runs until the touch arrives; a spike on top of the longest touch is room enough.
    longest_ms = float(reaction.max()) + player.frame_ms + 2 * path.min_rtt_ms + 2 * path.excess_ms[-1] + 200
    pings = int(lead.max()) + int(longest_ms / train.contact_ms)
    sent = train.at_ms(np.arange(pings)[None, :] - lead[:, None])
    moods = _moods(rng, (races, pings), correlation)
    rows = np.arange(races)
    neighbour = moods[rows, lead - 1]
    excess, splits = networks.excess_ms(path, _uniform(moods)), rng.random((races, pings))
    cue_excess = networks.excess_ms(path, _uniform(_like(neighbour, rng, correlation))) * rng.random(races)
    left = sent + down_ms + excess * splits
    left = np.maximum.accumulate(left, axis=1)
    cue = np.maximum(down_ms + cue_excess, left[rows, lead - 1])
    later = np.arange(pings)[None, :] >= lead[:, None]
    left = np.where(later, np.maximum(left, cue[:, None]), left)
    back = np.maximum.accumulate(left + up_ms + excess * (1 - splits), axis=1)

    def travel(leave: Floats) -> Floats:
        before = np.clip((left <= leave[:, None]).sum(axis=1) - 1, 0, pings - 1)
        mood = _like(moods[rows, before], rng, correlation)
        return up_ms + networks.excess_ms(path, _uniform(mood)) * rng.random(races)

    idle = path.min_rtt_ms + networks.excess_ms(path, rng.random((races, IDLE_PINGS)))
    return Weather(
        left,
        back,
        cue,
        wait,
        travel(cue + wait),
        travel(cue + wait + reaction),
        reaction,
        dispatch,
        rng.random(races),
        rng.random(races),
        idle,
    )


def _moods(rng: np.random.Generator, shape: tuple[int, int], correlation: float) -> Floats:
    """What a path does to each packet in turn: normal, and as like the one before as asked."""
    moods = rng.standard_normal(shape)
    if correlation:
        rest = (1 - correlation**2) ** 0.5
        for packet in range(1, shape[1]):
            moods[:, packet] = correlation * moods[:, packet - 1] + rest * moods[:, packet]
    return moods


def _like(mood: Floats, rng: np.random.Generator, correlation: float) -> Floats:
    """What a path does to a packet beside this one."""
    return np.asarray(correlation * mood + (1 - correlation**2) ** 0.5 * rng.standard_normal(mood.shape))


def _uniform(normal: Floats) -> Floats:
    """The normal distribution function, to seven digits (Abramowitz and Stegun 7.1.26)."""
    x = np.abs(normal) / np.sqrt(2)
    t = 1 / (1 + 0.3275911 * x)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    half = 0.5 * series * np.exp(-x * x)
    return np.asarray(np.where(normal > 0, 1 - half, half))


def play(
    session: Session, lie: Lie | None = None, detour: Detour | None = None
) -> Iterator[tuple[Outcome, list[Hand]]]:
    """The session's races in turn, each with the hands as they stand after it. The first player may lie."""
    seats = range(len(session.players))
    hands = [Hand() for _ in seats]
    truth = np.stack([weather.reaction for weather in session.weather])
    for race in range(SESSION):
        for seat in seats:
            away_ms = detour.ms if detour is not None and detour.idle_too and seat == 0 else 0.0
            for rtt_ms in session.weather[seat].idle[race]:
                hands[seat].network.pong(0, _us(rtt_ms + away_ms))
        told = [_honest(session.players[seat], session.weather[seat], race) for seat in seats]
        if lie is not None:
            others = max(truth[seat, race] for seat in seats if seat)
            weather = session.weather[0]
            reaction = float(weather.reaction[race])
            person = session.players[0].person
            told[0] = lie(
                Moment(
                    told[0],
                    float(weather.cue[race]),
                    reaction,
                    reaction - float(others),
                    person.mu + person.tau,
                    float(weather.luck[race]),
                )
            )
        run = Race(tuple(seats), RULES, dict(enumerate(hands)))
        run.ended(Action.SLAM, 0)
        rtts = [hand.network.rtt_us or 0 for hand in hands]
        arrivals = [
            _hear(run, hands[seat], session, race, seat, told[seat], detour if seat == 0 else None) for seat in seats
        ]
        judgement = run.judge()
        for seat, trace in judgement.traces.items():
            hands[seat].standing.add(trace)
        claims = tuple(t.claim_ms if t.claim_ms is not None else -1.0 for t in told)
        truths = tuple(float(t) for t in truth[:, race])
        yield Outcome(truths, tuple(arrivals), claims, tuple(rtt / MS for rtt in rtts), judgement), hands


def _honest(player: Player, weather: Weather, race: int) -> Told:
    wait = float(weather.wait[race])
    word = float(weather.cue[race]) + wait
    touch = word + float(weather.reaction[race])
    grain, offset = player.grain_ms, float(weather.ticks[race]) * player.grain_ms
    claim = ((touch + offset) // grain - (word + offset) // grain) * grain
    return Told(wait, touch + float(weather.dispatch[race]), claim, grain, player.frame_ms)


def _hear(run: Race, hand: Hand, session: Session, race: int, seat: int, told: Told, detour: Detour | None) -> float:
    """Let the unit hear one seat's race, in the order of its stream; when the touch arrived."""
    weather, lead = session.weather[seat], int(session.lead[race])
    held_ms = detour.ms if detour else 0.0
    left, back = weather.left[race], weather.back[race] + held_ms
    word_ms = float(weather.cue[race]) + told.wait_ms
    word_at, touch_at = (int(np.searchsorted(left, when, side="right")) for when in (word_ms, told.leave_ms))
    word_in = max(word_ms + float(weather.word_up[race]) + held_ms, float(back[word_at - 1]))
    touch_in = told.leave_ms + float(weather.touch_up[race])
    is_first = told.leave_ms < word_ms
    if detour:  # its touches overtake
        touch_at, is_first = int(np.searchsorted(back, touch_in)), touch_in < word_in
    elif is_first:
        touch_in = max(touch_in, float(back[touch_at - 1]))
        word_in = max(word_in, touch_in)
    else:
        touch_in = max(touch_in, float(back[touch_at - 1]), word_in)

    def train(begin: int, end: int, not_before_us: int) -> None:
        arrivals = (back[begin:end] * MS).astype(np.int64).tolist()
        sent = np.rint(session.train.at_ms(np.arange(begin, end) - lead) * MS).astype(np.int64).tolist()
        for sent_us, arrival_us in zip(sent, arrivals, strict=True):
            at_us = max(arrival_us, not_before_us)
            hand.network.pong(sent_us, at_us, idle=False)
            run.answered(seat, sent_us, at_us)

    def word() -> None:
        run.shown(seat, _us(word_in), _us(told.frame_ms), _us(told.grain_ms))

    def touch() -> None:
        run.touched(seat, _us(touch_in), None if told.claim_ms is None else _us(told.claim_ms))

    if told.is_silent:
        train(0, lead, -10_000_000)
        word()
        touch()
        train(lead, touch_at, _us(touch_in))
        return touch_in
    first, second = ((touch_at, touch, touch_in), (word_at, word, word_in))
    if not is_first:
        first, second = second, first
    train(0, first[0], -10_000_000)
    first[1]()
    train(first[0], second[0], _us(first[2]))
    second[1]()
    train(second[0], max(second[0], lead + 1), _us(second[2]))
    return touch_in


def _us(ms: float) -> int:
    return round(ms * MS)
