"""An evening at a table, in virtual time: pages behind networks, bots, watchers, and no clock, socket or sleep.

:class:`Evening` does what a server does with a table's output, and holds the table to its promises at every step: what
is in the log is what the table is, nobody is told a card he may not know, nothing spins and nothing is stuck. Every
message travels as the bytes it would be on the wire.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from random import Random
from typing import NamedTuple, TypeAlias

import msgspec

from slamomatic.bots import bot
from slamomatic.game import CLASSIC, Card, Edition, possible
from slamomatic.game.commands import Judge
from slamomatic.game.events import CardBuried, CardDrawn, CardTaken, Dealt, Event
from slamomatic.table.clockwork import next_due
from slamomatic.table.hands import BotMaker
from slamomatic.table.log import LOG_VERSION, Entry, GameBegan, GameMoved, SeatMoved, decode, encode
from slamomatic.table.memory import Memory
from slamomatic.table.outcome import Outcome
from slamomatic.table.output import Output
from slamomatic.table.protocol import (
    AddBot,
    Bye,
    Level,
    Moved,
    Pace,
    Phase,
    SeatMessage,
    ServerMessage,
    Welcome,
)
from slamomatic.table.table import Table
from slamomatic.table.timing import TRAIN_US
from tests.table.pages import SECOND, Delay, Page, at_once

LONGEST_REACH_US = 6 * SECOND
"""A hover, a window, and what a late waking may add to both."""
MOST_WAKINGS_A_SECOND = 100
"""More than this is a table that spins."""

NAMES = ("Ann", "Bob", "Cid", "Dee")
GAME = "an id nobody can guess"
"""Of a game a test has dealt."""


_to_client: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


class Sent(NamedTuple):
    """Something that left the table."""

    at_us: int
    to: int | None
    data: bytes


class Evening:
    """One table and everyone round it."""

    kind = Table

    def __init__(
        self,
        *,
        edition: Edition = CLASSIC,
        pace: Pace = Pace.NORMAL,
        seed: int = 1,
        bots: BotMaker = bot,
        lateness: Delay = at_once,
        entries: Iterable[Entry] = (),
        quick: bool = False,
        rated: bool = False,
        now: int = 1_000 * SECOND,
    ) -> None:
        self.now = now
        self.rng = Random(seed)
        self.bots = bots
        self.log: list[Entry] = []
        self.finished: list[Outcome] = []
        self.sockets: dict[int, Page] = {}
        self.sent: list[Sent] = []
        """All that left the table."""
        self.watching = False
        self._lateness = lateness
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._order = 0
        self._wake: tuple[int, int] | None = None
        """When the table wants to be woken, and when it will be."""
        self._wakings: Counter[int] = Counter()
        """How often the table was woken in each second."""
        self._busy = False
        self._train_runs = False
        self._shadow = Memory()
        self._cards: Counter[Card] = Counter()
        """What was dealt."""
        if entries:
            for entry in entries:
                self._keep(entry)
            self.table = self.kind.rebuild(self.log, self.now, self.now, self.rng, self.bots)
            self._carry_out(self.table.tick(self.now))
        else:
            self.table, output = self.kind.open(
                "SLAMMED",
                self.now,
                self.rng,
                self.bots,
                edition=edition,
                pace=pace,
                listed=True,
                quick=quick,
                rated=rated,
            )
            self._carry_out(output)

    # People.

    def joins(self, page: Page | str, hand: int | None = None) -> Page:
        """Someone sits down and opens his page."""
        page = self.sits(page, hand)
        self.connect(page)
        return page

    def sits(self, page: Page | str, hand: int | None = None) -> Page:
        """Someone sits down; his page is not open yet."""
        page = page if isinstance(page, Page) else Page(self, page)
        page.seat, output = self.table.join(self.now, page.name, page.ticket, hand, page.guest)
        self._carry_out(output)
        return page

    def connect(self, page: Page) -> None:
        """A page says Hello with its ticket, and how far it has followed; a newer one takes the older one's place."""
        seat = self.table.seat_of(page.ticket)
        assert seat is not None, "this ticket opens nothing"
        older = self.sockets.get(seat)
        if older is not None:
            older.connected = False
            older.line += 1
        page.seat = seat
        page.connected = True
        page.line += 1
        self.sockets[seat] = page
        self._carry_out(self.table.connect(self.now, seat, page.seq))
        self.settle()

    def hang_up(self, page: Page) -> None:
        """A connection is lost."""
        if self.sockets.get(page.seat) is page:
            del self.sockets[page.seat]
            page.connected = False
            page.line += 1
            self._carry_out(self.table.disconnect(self.now, page.seat))
            self.settle()

    def watch(self) -> Welcome:
        """A watcher comes."""
        self.watching = True
        welcome, output = self.table.watch(self.now)
        self._check_secrets(None, welcome)
        self._carry_out(output)
        self.settle()
        return welcome

    def unwatch(self) -> None:
        """He goes."""
        self._carry_out(self.table.unwatch(self.now))
        self.watching = False
        self.settle()

    def phase(self) -> Phase:
        """Where the table stands."""
        return self.table.phase

    def host(self) -> int | None:
        """Whose the host's rights are."""
        return self.table.record.host

    def watched(self) -> list[ServerMessage]:
        """What every watcher was sent."""
        return [_to_client.decode(data) for _, to, data in self.sent if to is None]

    def restart(self, down_us: int = 0) -> None:
        """The server stops, and starts again after a while: the table comes back from its log, everybody connects."""
        pages, watching = self.crash(), self.watching
        self.watching = False
        self.wait(down_us)
        self.comes_back(self.now - down_us)
        for page in pages:
            self.connect(page)
        if watching:
            self.watch()

    def crash(self) -> list[Page]:
        """The server is gone, and with it every line; nothing wakes the table any more."""
        pages, self.sockets = list(self.sockets.values()), {}
        for page in pages:
            page.connected = False
            page.line += 1
        self._wake = None
        return pages

    def comes_back(self, alive_us: int) -> None:
        """The table comes back from its log; its server was last seen alive then."""
        self.table = self.kind.rebuild(self.log, self.now, alive_us, self.rng, self.bots)
        self._carry_out(self.table.tick(self.now))

    # Time.

    def later(self, in_us: int, act: Callable[[], None]) -> None:
        """Something happens then."""
        self._order += 1
        heapq.heappush(self._events, (self.now + in_us, self._order, act))

    def settle(self) -> None:
        """Whatever happens at this instant."""
        if not self._busy:
            self.wait(0)

    def wait(self, us: int) -> None:
        """Time passes."""
        end = self.now + us
        while (at := self._next()) is not None and at <= end:
            self.step()
        self.now = end

    def until(self, condition: Callable[[], object], within_us: int = 60 * SECOND) -> None:
        """Time passes until this is so; fails if it takes too long."""
        end = self.now + within_us
        while not condition():
            at = self._next()
            assert at is not None, "nothing will ever happen again"
            assert at <= end, "it takes too long"
            self.step()
        self.settle()

    def step(self) -> None:
        """The next thing happens."""
        self._busy = True
        events, wake = self._events, self._wake
        if wake is not None and (not events or wake[1] <= events[0][0]):
            self._wake = None
            self.now = max(self.now, wake[1])
            self._wakings[self.now // SECOND] += 1
            assert self._wakings[self.now // SECOND] < MOST_WAKINGS_A_SECOND, "the table spins"
            self._carry_out(self.table.tick(self.now))
        else:
            self.now, _, act = heapq.heappop(events)
            act()
        self._busy = False

    def _next(self) -> int | None:
        moments = [self._events[0][0]] if self._events else []
        if self._wake is not None:
            moments.append(self._wake[1])
        return min(moments, default=None)

    # What a server does.

    def arrives(self, page: Page, message: SeatMessage) -> None:
        """A message has come in."""
        if self.sockets.get(page.seat) is page:
            self._carry_out(self.table.receive(self.now, page.seat, message))

    def does(self, act: Callable[[], Output]) -> None:
        """The server does something to the table of its own accord."""
        self._carry_out(act())
        self.settle()

    def pong(self, page: Page, sent_us: int) -> None:
        """A ping was answered."""
        if self.sockets.get(page.seat) is page:
            self.table.pong(self.now, page.seat, sent_us)

    def _carry_out(self, output: Output) -> None:
        for entry in output.log:
            self._keep(entry)
        if output.finished is not None:
            self.finished.append(output.finished)
        self._check_record()
        for send in output.sends:
            data = msgspec.json.encode(send.message)
            self._check_secrets(send.to, send.message)
            self.sent.append(Sent(self.now, send.to, data))
            if send.to is None:
                assert self.watching, "a message to watchers, of whom there are none"
            elif send.to in self.sockets:
                page = self.sockets[send.to]
                page.down_the_line(partial(_read, page, data))
                if isinstance(send.message, Bye):
                    page.connected = False
                    del self.sockets[send.to]
        for seat in output.probes:
            self._ping(seat)
        self._run_train()
        self._check_waits(output)
        if output.wake_us is None:
            self._wake = None
        elif self._wake is None or self._wake[0] != output.wake_us:
            self._wake = (output.wake_us, output.wake_us + self._lateness())

    def _ping(self, seat: int) -> None:
        self.sent.append(Sent(self.now, seat, b"ping"))
        if seat in self.sockets:
            page, sent_us = self.sockets[seat], self.now
            page.down_the_line(partial(page.pinged, sent_us))

    def _run_train(self) -> None:
        if not self._train_runs and self.table.train():
            self._train_runs = True
            self.later(TRAIN_US, self._ping_racers)

    def _ping_racers(self) -> None:
        self._train_runs = False
        for seat in self.table.train():
            self._ping(seat)
        self._run_train()

    def _keep(self, entry: Entry) -> None:
        again = decode(LOG_VERSION, encode(entry))
        assert again == entry, "an entry is read as it was written"
        self._shadow.take(again)
        self.log.append(again)
        state = self._shadow.record.state
        if state is not None and isinstance(entry, GameBegan | GameMoved):
            cards = Counter(chain(state.pile, *state.hands, *state.aside, *chain.from_iterable(state.laid)))
            self._cards = cards if isinstance(entry, GameBegan) else self._cards
            assert cards == self._cards, "nobody loses a card"
        if isinstance(entry, SeatMoved) and entry.seat in self.sockets:
            page = self.sockets.pop(entry.seat)
            page.seat = entry.hand
            self.sockets[entry.hand] = page

    # What a table promises at every step.

    def _check_record(self) -> None:
        assert self._shadow.record == self.table.record, "the record is the fold of the log"
        assert self._shadow.seq == self.table.seq == len(self.log)
        assert set(self.table.sittings) == set(self.table.record.seats)
        people = self.table.people
        assert not any(sitting.connected for seat, sitting in self.table.sittings.items() if seat not in people)
        if any(self.table.sittings[seat].here for seat in people):
            assert self.table.record.host in people, "somebody here can lead the table"

    def _check_waits(self, output: Output) -> None:
        table = self.table
        is_timed = table.phase is Phase.PLAYING and table.record.pace is not Pace.UNTIMED
        assert (table.record.clock_us is not None) == is_timed, "who has to act has a clock, and nobody else"
        assert (table.record.stopped_us is not None) == (is_timed and not table.is_attended), "and it stands in sleep"
        assert output.wake_us is None or output.wake_us > self.now, "what is due now is done now"
        if table.reach is not None:
            assert self.now < table.reach.began_us + LONGEST_REACH_US, "every race is settled in time"
        if table.phase is Phase.PLAYING and table.is_attended:
            bots_move = table.state.to_act is not None and not table.is_person_here(table.state.to_act)
            if table.record.pace is not Pace.UNTIMED or table.reach is not None or bots_move:
                due = next_due(table, self.now)
                assert due is not None, "somebody is waited for without end"
                assert due[0] <= self.now + 65 * SECOND, "nobody waits longer than a minute and a thought"

    def _check_secrets(self, viewer: int | None, message: ServerMessage) -> None:
        """No card is in a message that its viewer may not know (B11), and no game's id before its end."""
        record = self.table.record
        if viewer is not None and viewer in record.seats and not record.seats[viewer].dealt_in:
            viewer = None
        if record.phase is Phase.PLAYING and record.game is not None:
            assert record.game.encode() not in msgspec.json.encode(message)
        events: list[Event] = []
        match message:
            case Welcome():
                events += [event for missed in message.missed or () for event in missed.events]
            case Moved():
                events += message.events
            case _:
                pass
        if isinstance(message, Welcome | Moved) and message.view is not None:
            is_over = record.state is not None and record.state.ended is not None
            assert message.view.viewer == viewer
            for player in message.view.players:
                if player.seat != message.view.viewer and not is_over:
                    assert player.hand is None
            acts = {command.seat for command in message.view.legal if not hasattr(command, "verdict")}
            assert acts <= {viewer}
        for event in events:
            check_seen(event, viewer)


def check_seen(event: Event, viewer: int | None) -> None:
    """This viewer is told no card here that he may not know (B11)."""
    match event:
        case Dealt():
            assert event.pile is None
            assert all(hand is None for seat, hand in zip(event.seats, event.hands, strict=True) if seat != viewer)
        case CardDrawn():
            assert event.card is None or event.seat == viewer
        case CardTaken():
            assert event.card is None or viewer in (event.seat, event.loser)
        case CardBuried():
            assert event.card is None or event.loser == viewer
        case _:
            pass


Scene: TypeAlias = tuple[Evening, dict[int, Page]]
"""An evening, and the pages of its people by their seats."""


def check_verdicts(log: list[Entry]) -> None:
    """Every race has a verdict, and it is one the rules know."""
    memory = Memory()
    for entry in log:
        if isinstance(entry, GameMoved):
            state = memory.record.state
            assert state is not None
            for command in entry.commands:
                if isinstance(command, Judge):
                    assert entry.race is not None
                    assert command.verdict in possible(state.edition, state.racers, entry.race.action)
        memory.take(entry)


def _read(page: Page, data: bytes) -> None:
    page.hears(_to_client.decode(data))


def deal_of(edition: Edition, hands: dict[int, str], *, pile: str | None = None, dealer: int) -> Dealt:
    """A deal with these hands, cards written as in ``5 5 smiling``; the pile holds these cards, or the deck's rest.

    Positions no honest deal leads to are wanted here: hands of any size, decks with cards missing.
    """
    dealt = {seat: tuple(sorted(map(Card.parse, hand.split()))) for seat, hand in hands.items()}
    rest = Counter(edition.deck.cards) - Counter(chain.from_iterable(dealt.values()))
    left = tuple(rest.elements()) if pile is None else tuple(map(Card.parse, pile.split()))
    return Dealt(edition, tuple(dealt), dealer, (), tuple(dealt.values()), left)


def evening_of(
    dealt: Dealt,
    *,
    bots: dict[int, Level] | None = None,
    maker: BotMaker = bot,
    pace: Pace = Pace.NORMAL,
    seed: int = 1,
    lateness: Delay = at_once,
    page: Callable[[Evening, str], Page] = Page,
) -> Scene:
    """An evening in the middle of this game: people at all hands but those named for bots, all of them here."""
    bots = bots or {}
    before = Evening(edition=dealt.edition, pace=pace)
    people = [seat for seat in dealt.seats if seat not in bots]
    for seat, name in zip(people, NAMES, strict=False):
        before.joins(name, seat)
    for seat, level in bots.items():
        before.sockets[people[0]].says(AddBot(level, seat))
    evening = Evening(
        seed=seed, bots=maker, lateness=lateness, entries=(*before.log, GameBegan(before.now, GAME, dealt))
    )
    pages = {seat: page(evening, name) for seat, name in zip(people, NAMES, strict=False)}
    for each in pages.values():
        evening.connect(each)
    return evening, pages
