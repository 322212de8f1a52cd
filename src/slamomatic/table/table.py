"""A live table without I/O: messages in, messages out, and when to be woken. Time and chance are handed in.

Laws of this room:
- a whole evening runs in a test: no socket, no clock, no task;
- whatever must not be lost goes through :meth:`Table.keep`, so the record is always the fold of the log;
- whatever leaves about the game goes through :func:`~slamomatic.game.view.view` and :func:`~slamomatic.game.view.seen`;
- no message, however wrong or late, raises: it is refused in words.

The waiting room is in :mod:`~slamomatic.table.lobby`, the host's rights in :mod:`~slamomatic.table.house`, the game in
:mod:`~slamomatic.table.play`, what happens by itself in :mod:`~slamomatic.table.clockwork`, what pages are shown around
the game in :mod:`~slamomatic.table.showing`.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping

from slamomatic.game.chance import Rng
from slamomatic.game.commands import IllegalCommand
from slamomatic.game.edition import Edition
from slamomatic.game.state import State
from slamomatic.game.verdict import Action
from slamomatic.game.view import View, Viewer, view
from slamomatic.table import clockwork, house, lobby, play, showing, votes
from slamomatic.table.calls import ListedTable
from slamomatic.table.guests import NOBODY, Guest
from slamomatic.table.hands import BotHand, BotMaker
from slamomatic.table.log import (
    ClockStopped,
    Entry,
    Opened,
    SeatFreed,
    SeatMoved,
    SeatTaken,
    TicketRenewed,
)
from slamomatic.table.memory import Memory
from slamomatic.table.outcome import Outcome
from slamomatic.table.output import Decided, Output, Refusal, Send
from slamomatic.table.protocol import (
    ByeReason,
    Pace,
    Phase,
    PlayMessage,
    RefusalCode,
    Refused,
    SeatMessage,
    ServerMessage,
    Shown,
    TableChanged,
    TableView,
    Welcome,
)
from slamomatic.table.reach import ReachInProgress
from slamomatic.table.sitting import STAND_IN, Sitting
from slamomatic.table.timing import FILL_US
from slamomatic.unit import Hand, Network, Standing


class Table:
    """One table. Times are whole microseconds since 1970 that never go back."""

    def __init__(self, memory: Memory, rng: Rng, bots: BotMaker) -> None:
        self.memory = memory
        self.record = memory.record
        self.rng = rng
        self.sittings = {seat: Sitting() for seat in self.record.seats}
        self.reach: ReachInProgress | None = None
        self.last_reach: ReachInProgress | None = None
        """The one before, settled: a touch for one of its cues came too late, no more."""
        self.rests_since_us = 0
        """When the last reach was settled: what was pinged since met a connection at rest."""
        self.reach_again_us = 0
        self.awake_since_us: int | None = None
        """Since when somebody has been in sight for whom the game goes on; None: it sleeps, and the clock stands."""
        self.fill_left_us = FILL_US
        """A quick match waits so much longer for people, once somebody is here."""
        self.fills_us: int | None = None
        """And as long as somebody is: until then."""
        self.gone: set[int] = set()
        """People away for so long that the others may do without them."""
        self.end_votes: set[int] = set()
        """Who wants to call the game off."""
        self.errands: list[tuple[int, int, int, SeatMessage]] = []
        """What bots' hands are going to do: (when, tie-break, seat, message), a heap."""
        self.errands_made = 0
        self.watchers = 0
        self.probe_us = 0
        """When the connections are measured next, all of them at once."""
        self.wake_us: int | None = 0
        """When something is due again; None: nothing is, until somebody comes back."""
        self._bots = bots
        self._bot_hands: dict[int, BotHand] = {}
        self._out = Output()

    @classmethod
    def open(
        cls,
        code: str,
        now: int,
        rng: Rng,
        bots: BotMaker,
        *,
        edition: Edition,
        pace: Pace,
        listed: bool,
        quick: bool = False,
        rated: bool = False,
    ) -> tuple[Table, Output]:
        """A new table with nobody at it; ``quick``: bots take the hands that nobody has taken after a while.

        Raises:
            Refusal: the edition's deck is too small for a table, or the table cannot be rated.
        """
        lobby.check_edition(edition, rated=rated)
        if quick and rated:
            raise Refusal(RefusalCode.NOT_NOW, "a quick match takes bots in: it cannot be rated")
        entry = Opened(code, edition, pace, listed, quick, rated)
        memory = Memory()
        memory.take(entry)
        table = cls(memory, rng, bots)
        table._out.log.append(entry)
        return table, table._done(now)

    @classmethod
    def rebuild(
        cls,
        entries: Iterable[Entry],
        now: int,
        alive_us: int,
        rng: Rng,
        bots: BotMaker,
        standings: Mapping[str, Standing] | None = None,
    ) -> Table:
        """A table from its log, in one go; see :meth:`remember`.

        Raises:
            ValueError: the log does not begin as a log does.
        """
        memory = Memory()
        for entry in entries:
            memory.take(entry)
        return cls.remember(memory, now, alive_us, rng, bots, standings)

    @classmethod
    def remember(
        cls,
        memory: Memory,
        now: int,
        alive_us: int,
        rng: Rng,
        bots: BotMaker,
        standings: Mapping[str, Standing] | None = None,
    ) -> Table:
        """A table from what it knew: everyone away, a reach cut short is as if it had never begun.

        ``alive_us`` is when it was last known to live. What an open duty had left of its clock then it has left now.
        The first step's log may say so: take it with :meth:`tick`. ``standings`` is what the unit still knows of
        people's pages: nobody clears his by letting a table sleep.

        Raises:
            ValueError: that memory is empty.
        """
        table = cls(memory, rng, bots)
        record = table.record
        for seat, sitting in table.sittings.items():
            sitting.away_since_us = now
            sitter = record.seats[seat]
            if standings is not None and sitter.person is not None and sitter.bot is None:
                sitting.hand = Hand(standing=standings.get(sitter.person))
        if record.clock_us is not None and record.stopped_us is None:
            table.keep(ClockStopped(max(alive_us, record.timed_us) if record.timed_us else 0))
        clockwork.plan(table, now)
        return table

    # People come and go.

    def join(
        self, now: int, name: str, ticket: str, hand: int | None = None, guest: Guest | None = None
    ) -> tuple[int, Output]:
        """Someone sits down; the ticket is what proves the seat from now on. Who sits already has his seat again.

        Raises:
            Refusal: no free hand, that hand is taken, the name is unreadable, a game is being played, or he is not
                wanted, or not known well enough, at this table.
        """
        guest = guest or NOBODY
        back = None if guest.person is None else self.rejoin(now, guest.person, ticket)
        if back is not None:
            return back
        seat = lobby.sit_down(self, now, name, _hashed(ticket), hand, guest)
        return seat, self._done(now)

    def rejoin(self, now: int, person: str, ticket: str) -> tuple[int, Output] | None:
        """A new ticket for who sits already, instead of his old one; None: this person does not."""
        seat = self.record.seat_of(person)
        if seat is None:
            return None
        self.keep(TicketRenewed(seat, _hashed(ticket)))
        return seat, self._done(now)

    def banish(self, now: int, person: str) -> Output:
        """Whoever runs the server wants this person nowhere: wherever he sits, he gets up."""
        clockwork.catch_up(self, now)
        seat = self.record.seat_of(person)
        if seat is not None:
            lobby.get_up(self, now, seat, ByeReason.BANNED, "you may not play on this server any more")
        return self._done(now)

    def rename_person(self, now: int, person: str, name: str) -> Output:
        """This person has another name, at his seat and at the one he has left to a bot.

        Raises:
            Refusal: the name is unreadable.
        """
        clockwork.catch_up(self, now)
        for seat, sitter in self.record.seats.items():
            if sitter.person == person:
                lobby.rename(self, now, seat, name)
        return self._done(now)

    def standing_of(self, seat: int) -> Standing:
        """What the unit knows of this seat's page from its races so far.

        Raises:
            LookupError: nobody sits there.
        """
        return self.sittings[seat].hand.standing

    def seat_of(self, ticket: str) -> int | None:
        """The seat this ticket proves, if any."""
        hashed = _hashed(ticket)
        for seat, sitter in self.record.seats.items():
            if sitter.ticket_hash is not None and hmac.compare_digest(sitter.ticket_hash, hashed):
                return seat
        return None

    def connect(self, now: int, seat: int, since: int | None = None) -> Output:
        """The seat's newest page is connected; its first message is its welcome, which holds all it needs.

        ``since``: how much of the log it has seen already.
        """
        clockwork.catch_up(self, now)
        sitting = self.sittings[seat]
        if sitting.connected:  # by a page that this one takes the place of
            self._loses_hand(seat)
        sitting.connected = True
        sitting.hidden = False
        if self.reach is not None and self.reach.is_open:
            sitting.hand.network = Network()  # he will race on the path that he has now
        else:
            sitting.hand = Hand(Network(), sitting.hand.standing)  # what he has done by now came on the other one
        self.probe_us = now
        sitting.probes = 0
        lobby.presence_changed(self, now, seat)
        clockwork.catch_up(self, now)
        self._out.sends = [send for send in self._out.sends if send.to != seat]
        self.send(seat, showing.welcome(self, now, seat, since))
        if self.reach is not None:
            self.show(self.reach, seat)
        if seat == self.record.host:
            lobby.tell_flags(self)
        return self._done(now)

    def disconnect(self, now: int, seat: int) -> Output:
        """The seat's page is gone; the seat is not."""
        clockwork.catch_up(self, now)
        if seat in self.sittings and self.sittings[seat].connected:
            was_here = self.sittings[seat].here
            self.sittings[seat].connected = False
            self._loses_hand(seat)
            if was_here:
                lobby.presence_changed(self, now, seat)
        return self._done(now)

    def watch(self, now: int) -> tuple[Welcome, Output]:
        """One watcher more."""
        clockwork.catch_up(self, now)
        self.watchers += 1
        self.tell_table(now)
        return showing.welcome(self, now, None, None), self._done(now)

    def unwatch(self, now: int) -> Output:
        """One watcher fewer."""
        clockwork.catch_up(self, now)
        self.watchers -= 1
        self.tell_table(now)
        return self._done(now)

    # Messages and time.

    def receive(self, now: int, seat: int, message: SeatMessage) -> Output:
        """A message from a seat's page, stamped as it arrived. Never raises: what cannot be is refused."""
        clockwork.catch_up(self, now)
        if seat in self.people:
            try:
                self._check_in_sight(seat, message)
                self.handle(now, seat, message)
            except IllegalCommand as illegal:
                self.send(seat, Refused(RefusalCode.ILLEGAL, str(illegal)))
            except Refusal as refusal:
                self.send(seat, Refused(refusal.code, refusal.text))
        return self._done(now)

    def pong(self, now: int, seat: int, sent_us: int) -> None:
        """A ping was answered now that was sent then. It is evidence and no more: nothing comes of it yet.

        A race brings hundreds of them, so a table is not looked over for each: what everybody sees of a round trip is
        told when it is next measured at rest.
        """
        if seat not in self.sittings:
            return
        reach = self.reach
        is_idle = sent_us >= self.rests_since_us and (reach is None or sent_us < reach.began_us)
        self.sittings[seat].hand.network.pong(sent_us, now, idle=is_idle)
        if reach is not None and seat not in reach.out:
            reach.race.answered(seat, sent_us, now)

    def train(self) -> list[int]:
        """The seats to be pinged every :data:`~slamomatic.table.timing.TRAIN_US` now, until this is empty."""
        if self.reach is None:
            return []
        reach, sittings = self.reach, self.sittings
        return [seat for seat in sittings if sittings[seat].connected and reach.listens_to(seat)]

    @property
    def follows(self) -> bool:
        """Whether a hand has landed, and others are to follow."""
        return self.reach is not None and self.reach.race.action is Action.SLAM

    def tick(self, now: int) -> Output:
        """Time has passed."""
        return self._done(now)

    def handle(self, now: int, seat: int, message: SeatMessage) -> None:
        """One message, from a person's page or a bot's hand.

        Raises:
            IllegalCommand, Refusal: it cannot be; nothing has changed.
        """
        _HANDLERS[type(message)](self, now, seat, message)

    # What everyone may ask.

    @property
    def seq(self) -> int:
        """How many entries the log has."""
        return self.memory.seq

    @property
    def phase(self) -> Phase:
        """Where the table stands."""
        return self.record.phase

    @property
    def state(self) -> State:
        """The game being played.

        Raises:
            Refusal: none is.
        """
        state = self.record.state
        if state is None or state.ended is not None:
            raise Refusal(RefusalCode.NOT_NOW, "no game is being played")
        return state

    @property
    def people(self) -> list[int]:
        """The seats of people, present or away."""
        return [seat for seat, sitter in self.record.seats.items() if sitter.bot is None]

    @property
    def is_attended(self) -> bool:
        """Whether anybody waits for the game to go on: a person who plays, or a watcher where only bots are left."""
        people = self.people
        return any(self.sittings[seat].here for seat in people) if people else self.watchers > 0

    def is_person_here(self, seat: int) -> bool:
        """Whether a person at this seat sees the table, so that no bot need move the hand."""
        return self.record.seats[seat].bot is None and self.sittings[seat].here

    def bot_hand(self, seat: int) -> BotHand:
        """The bot at this seat, or the one that stands in for its person."""
        if seat not in self._bot_hands:
            level = self.record.seats[seat].bot or STAND_IN
            self._bot_hands[seat] = self._bots(level.value)
        return self._bot_hands[seat]

    def row(self) -> ListedTable:
        """What someone who knows the code is told before he sits down."""
        return showing.row(self)

    def listing(self) -> ListedTable | None:
        """The table's row among those strangers find; None while its host does not want that, or there is none."""
        return showing.row(self) if self.record.listed and self.record.host is not None else None

    def table_view(self, now: int) -> TableView:
        """The table around the game, as everyone sees it."""
        return showing.table_view(self, now)

    def game_view(self, seat: Viewer) -> View | None:
        """The game as this seat may know it; who sat down after it sees what a watcher sees."""
        state = self.record.state
        return None if state is None else view(state, self.viewer(seat))

    def viewer(self, seat: Viewer) -> Viewer:
        """Whose eyes these are in the game: who was not dealt in watches."""
        return seat if seat in self.record.seats and self.record.seats[seat].dealt_in else None

    def clock_ms(self, now: int) -> int | None:
        """What is left of the open duty's time."""
        record = self.record
        if record.clock_us is None:
            return None
        return max(0, record.clock_us - (now if record.stopped_us is None else record.stopped_us)) // 1000

    # What the rooms of a table share.

    def keep(self, entry: Entry) -> None:
        """Write an entry to the log, and be what it makes of the table."""
        self.memory.take(entry)
        self.record = self.memory.record
        self._out.log.append(entry)

    def finish(self, outcome: Outcome) -> None:
        """A game is over: what is kept of it goes out with the log of this step."""
        self._out.finished = outcome

    def decided(self, decided: Decided) -> None:
        """A verdict is given: whoever measures is told what it hung on."""
        self._out.decided = decided

    def send(self, seat: Viewer, message: ServerMessage) -> None:
        """To one seat, if a person's page is open there; or to the watchers."""
        if self.hears(seat):
            self._out.sends.append(Send(seat, message))

    def hears(self, seat: Viewer) -> bool:
        """Whether a person's page is open at this seat, or anybody watches."""
        if seat is None:
            return self.watchers > 0
        return seat in self.sittings and self.sittings[seat].connected

    def announce(self, message: ServerMessage) -> None:
        """To everyone, the same."""
        for seat in (*self.record.seats, None):
            self.send(seat, message)

    def tell_table(self, now: int) -> None:
        """Something around the game has changed."""
        self.announce(TableChanged(self.table_view(now)))

    def show(self, reach: ReachInProgress, seat: Viewer) -> None:
        """To one seat, or to the watchers, what the hand that reaches does now."""
        self.send(seat, reach.cue)
        if seat is not None and self.sittings[seat].connected:
            reach.sent.setdefault(reach.cue.cue, set()).add(seat)

    def probe(self, seat: int) -> None:
        """Have this seat's connection measured now."""
        self._out.probes.append(seat)

    def seat(self, entry: SeatTaken, standing: Standing | None = None) -> None:
        """Someone takes a hand that is free."""
        self.keep(entry)
        self.sittings[entry.seat] = Sitting(hand=Hand(standing=standing))
        self._bot_hands.pop(entry.seat, None)

    def free(self, seat: int) -> None:
        """Nobody sits there any more."""
        self.keep(SeatFreed(seat))
        del self.sittings[seat]

    def move_seat(self, entry: SeatMoved) -> None:
        """Someone takes another hand, and what is true of him right now goes with him."""
        sitting = self.sittings.pop(entry.seat)
        self.keep(entry)
        self.sittings[entry.hand] = sitting

    def _check_in_sight(self, seat: int, message: SeatMessage) -> None:
        """Whose page is hidden has no hand at the table: it would be a second one beside the bot's (B17)."""
        plays = isinstance(message, PlayMessage) and not isinstance(message, Shown)
        if plays and not self.sittings[seat].here:
            raise Refusal(RefusalCode.NOT_NOW, "this page is hidden, and a bot plays for it: show it first")

    def _loses_hand(self, seat: int) -> None:
        """A connection is lost: if a hand has landed, or gone back, it was in the middle of the race for it."""
        if self.reach is not None and not self.reach.is_open:
            self.reach.out.add(seat)

    def _done(self, now: int) -> Output:
        clockwork.go_on(self, now)
        out, self._out = self._out, Output()
        out.wake_us = self.wake_us
        return out


_HANDLERS = {**lobby.HANDLERS, **house.HANDLERS, **votes.HANDLERS, **play.HANDLERS}


def _hashed(ticket: str) -> str:
    return hashlib.sha256(ticket.encode()).hexdigest()
