"""One table and the sockets at it: what arrives goes in, what the table says goes out, and its timer.

Laws of this room:
- all that has arrived by now is stamped before any of it is worked on: who was first never hangs on how long the
  work for another took;
- what a table wants kept is kept before anyone sees what came of it;
- an error inside a table stays here: it is logged, the table is made anew from its log, and play goes on.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial

from slamomatic.game.chance import Rng
from slamomatic.game.dealing import HANDS_OF_THE_UNIT
from slamomatic.server import wire
from slamomatic.server.clock import now_us
from slamomatic.server.codes import new_ticket
from slamomatic.server.limits import MINUTE, Limits
from slamomatic.server.metrics import Metrics
from slamomatic.server.sockets import News, Pong, Socket
from slamomatic.server.store import Store
from slamomatic.table.calls import JoinTable, ListedTable, Seated
from slamomatic.table.hands import BotMaker
from slamomatic.table.log import SeatFlagged, SeatMoved
from slamomatic.table.output import Output, Refusal
from slamomatic.table.protocol import (
    Bye,
    ByeReason,
    Hello,
    Hidden,
    Phase,
    RefusalCode,
    SeatMessage,
    Shown,
)
from slamomatic.table.table import Table
from slamomatic.table.timing import TRAIN_US

log = logging.getLogger(__name__)

MAX_MENDINGS = 5
"""A table that breaks more often within a minute is closed."""


class Room:
    """A live table with its sockets."""

    def __init__(
        self,
        code: str,
        table: Table,
        opener: str,
        *,
        store: Store,
        rng: Rng,
        bots: BotMaker,
        limits: Limits,
        metrics: Metrics,
    ) -> None:
        self.code = code
        self.table = table
        self.opener = opener
        """The address it was opened from."""
        self.seats: dict[int, Socket] = {}
        """The newest socket of each seat."""
        self.watchers: set[Socket] = set()
        self.empty_since_us = now_us()
        """Since when it has had no socket; of meaning only while it has none."""
        self.is_closed = False
        self._rebuild = partial(Table.rebuild, rng=rng, bots=bots)
        self._store = store
        self._limits = limits
        self._metrics = metrics
        self._inbox: deque[tuple[Socket, int, News]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._train: asyncio.TimerHandle | None = None
        """While a race is on: the next pings to whoever is still to be heard in it."""
        self._mended_us: deque[int] = deque(maxlen=MAX_MENDINGS)

    # The sockets.

    def enter(self, socket: Socket, hello: Hello) -> None:
        """A socket has said who it is: the holder of a seat's ticket, or a watcher."""
        self._work()
        if self.is_closed:
            socket.close(ByeReason.CLOSED, "this table is closed")
        elif hello.ticket is None:
            self._watch(socket)
        else:
            self._sit(socket, hello.ticket)

    def arrive(self, socket: Socket, at_us: int, news: News) -> None:
        """Something arrived at that time; it is worked on once everything that has arrived by now is here."""
        if not self._inbox:
            asyncio.get_running_loop().call_soon(self._work)
        self._inbox.append((socket, at_us, news))

    def leave(self, socket: Socket) -> None:
        """A socket is gone; its seat stays its owner's."""
        self._work()
        if socket in self.watchers:
            self.watchers.remove(socket)
            self._do(lambda: self.table.unwatch(now_us()))
        elif socket.seat is not None and self.seats.get(socket.seat) is socket:
            seat = socket.seat
            del self.seats[seat]
            self._do(lambda: self.table.disconnect(now_us(), seat))
        self.empty_since_us = now_us()

    def sockets(self) -> Iterator[Socket]:
        """Everyone connected."""
        yield from self.seats.values()
        yield from self.watchers

    # The calls.

    def join(self, wish: JoinTable) -> Seated:
        """Take a seat; the ticket in the answer will prove it.

        Raises:
            Refusal: the table says why not.
        """
        self._work()
        ticket = new_ticket()
        try:
            seat, output = self.table.join(now_us(), wish.name, ticket, wish.hand)
            self._keep(output)
        except Refusal:
            raise
        except Exception:
            self._mend()
            raise
        self._deliver(output)
        return Seated(self.code, seat, ticket)

    def speak_for(self, seat: int, message: SeatMessage) -> None:
        """Do as if that seat's page had said so."""
        self._work()
        self._do(lambda: self.table.receive(now_us(), seat, message))

    def look(self) -> ListedTable:
        """What someone who knows the code is told before he sits down."""
        table = self.table.table_view()
        return ListedTable(
            code=self.code,
            host=next((seat.name for seat in table.seats if seat.host), ""),
            edition=table.edition.name,
            players=len(table.seats),
            free=len(HANDS_OF_THE_UNIT) - len(table.seats),
            phase=table.phase,
        )

    # Upkeep.

    def check(self, now: int) -> None:
        """Ping who has been silent, and give up who does not answer, whatever else he says meanwhile."""
        for socket in list(self.sockets()):
            silent_us = now - socket.heard_us
            if max(silent_us, socket.waits_for_pong_us(now)) > self._limits.dead_us:
                socket.cut()
            elif min(silent_us, now - socket.pinged_us) > self._limits.probe_us:
                socket.ping()

    def is_abandoned(self, now: int) -> bool:
        """Whether nobody has been here for so long that nobody will come back."""
        patience_us = self._limits.empty_in_game_us if self.table.phase is Phase.PLAYING else self._limits.empty_us
        return not self.seats and not self.watchers and now - self.empty_since_us > patience_us

    def close(self, reason: ByeReason, text: str) -> None:
        """Send everyone away and stand still."""
        self.is_closed = True
        self._set_timer(None)
        self._stop_train()
        for socket in self.sockets():
            socket.close(reason, text)
        self.seats.clear()
        self.watchers.clear()

    # Inside.

    def _keep(self, output: Output) -> None:
        self._store.append(self.code, output.log)
        for entry in output.log:
            self._metrics.note(entry)
            if isinstance(entry, SeatFlagged) and entry.is_raised:
                log.warning("table %s: the connection of hand %d is odd (%s)", self.code, entry.seat, entry.flag)

    def _deliver(self, output: Output) -> None:
        """Send, ping, and set the timer; what was to be kept is kept by now."""
        for entry in output.log:
            if isinstance(entry, SeatMoved):
                self._move(entry)
        written: dict[int, bytes] = {}  # one message to many is written once
        for send in output.sends:
            message = send.message
            data = written.get(id(message)) or written.setdefault(id(message), wire.write(message))
            for socket in self._addressed(send.to):
                if isinstance(message, Bye):
                    socket.close(message.reason, message.text)
                    self._forget(socket)
                else:
                    socket.send(data)
        for seat in output.probes:
            if seat in self.seats:
                self.seats[seat].ping()
        self._set_timer(output.wake_us)
        self._run_train()

    def _sit(self, socket: Socket, ticket: str) -> None:
        seat = self.table.seat_of(ticket)
        if seat is None:
            text = "this ticket is of no seat at this table: join it anew, or watch"
            socket.send(wire.refused(RefusalCode.BAD_TICKET, text))
            socket.close(ByeReason.REFUSED, text)
            return
        older = self.seats.get(seat)
        if older is not None:
            older.close(ByeReason.NEWER_TAB, "this seat is now played from a newer page")
        socket.seat = seat
        self.seats[seat] = socket
        self._do(lambda: self.table.connect(now_us(), seat))

    def _watch(self, socket: Socket) -> None:
        if len(self.watchers) >= self._limits.watchers_per_table:
            socket.close(ByeReason.REFUSED, "too many people watch this table already")
            return
        self.watchers.add(socket)
        self._do(lambda: self._welcome(socket))

    def _welcome(self, socket: Socket) -> Output:
        welcome, output = self.table.watch(now_us())
        socket.send(wire.write(welcome))
        return output

    def _work(self) -> None:
        """Everything that has arrived, in the order it did."""
        while self._inbox:
            socket, at_us, news = self._inbox.popleft()
            if socket.seat is not None and self.seats.get(socket.seat) is socket:
                self._hear(socket, socket.seat, at_us, news)
            elif socket in self.watchers and not isinstance(news, Pong):
                self._answer_watcher(socket, news)

    def _hear(self, socket: Socket, seat: int, at_us: int, news: News) -> None:
        if isinstance(news, Pong):
            self._pong(at_us, seat, news.sent_us)
            return
        try:
            message = wire.read_message(news)
        except Refusal as refusal:
            socket.send(wire.refused(refusal.code, refusal.text))
            return
        if isinstance(message, Hello):
            socket.send(wire.refused(RefusalCode.NOT_NOW, "Hello is said once, as the first message"))
            return
        self._do(lambda: self.table.receive(at_us, seat, message))

    def _pong(self, at_us: int, seat: int, sent_us: int) -> None:
        """Evidence for the table, of which nothing comes at once: there are hundreds of pongs in a race."""
        try:
            self.table.pong(at_us, seat, sent_us)
        except Exception:
            log.exception("table %s broke; making it anew from its log", self.code)
            self._mend()

    def _answer_watcher(self, socket: Socket, data: bytes) -> None:
        try:
            message = wire.read_message(data)
        except Refusal as refusal:
            socket.send(wire.refused(refusal.code, refusal.text))
            return
        if not isinstance(message, Shown | Hidden):  # what every page tells, whoever looks at it
            socket.send(wire.refused(RefusalCode.NO_SEAT, "you are watching: join the table to take part"))

    def _addressed(self, to: int | None) -> list[Socket]:
        if to is None:
            return list(self.watchers)
        return [self.seats[to]] if to in self.seats else []

    def _forget(self, socket: Socket) -> None:
        """A socket the table itself has sent away: it is told nothing more of it."""
        self.watchers.discard(socket)
        if socket.seat is not None and self.seats.get(socket.seat) is socket:
            del self.seats[socket.seat]
        self.empty_since_us = now_us()

    def _move(self, entry: SeatMoved) -> None:
        socket = self.seats.pop(entry.seat, None)
        if socket is not None:
            socket.seat = entry.hand
            self.seats[entry.hand] = socket

    def _tick(self) -> None:
        self._timer = None
        self._work()
        self._do(lambda: self.table.tick(now_us()))

    def _set_timer(self, wake_us: int | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if wake_us is not None and not self.is_closed:
            self._timer = _after_us(wake_us - now_us(), self._tick)

    def _ping_racers(self) -> None:
        """A train of pings beside the race, as long as the table asks for it: the table itself sleeps on."""
        self._train = None
        self._work()  # what has arrived comes before what is asked next
        for seat in self.table.train():
            if seat in self.seats:
                self.seats[seat].ping()
        self._run_train()

    def _run_train(self) -> None:
        if self._train is None and not self.is_closed and self.table.train():
            self._train = _after_us(TRAIN_US, self._ping_racers)

    def _stop_train(self) -> None:
        if self._train is not None:
            self._train.cancel()
            self._train = None

    def _do(self, act: Callable[[], Output]) -> None:
        """One step of the table, and what comes of it; an error in it mends the table."""
        if self.is_closed:
            return
        try:
            output = act()
            self._keep(output)
        except Exception:
            log.exception("table %s broke; making it anew from its log", self.code)
            self._mend()
        else:
            self._deliver(output)

    def _mend(self) -> None:
        """Make the table anew: whatever an error left half-done is not in the log."""
        now = now_us()
        self._mended_us.append(now)
        if len(self._mended_us) == MAX_MENDINGS and now - self._mended_us[0] < MINUTE:
            self._give_up()
            return
        try:
            self.table = self._rebuild(self._store.entries(self.code), now)
            for seat in sorted(self.seats):
                self._catch_up(self.table.connect(now, seat))
            for socket in list(self.watchers):
                self._catch_up(self._welcome(socket))
            self._catch_up(self.table.tick(now))
        except Exception:
            log.exception("table %s cannot be made anew", self.code)
            self._give_up()

    def _catch_up(self, output: Output) -> None:
        self._keep(output)
        self._deliver(output)

    def _give_up(self) -> None:
        self.close(ByeReason.CLOSED, "something is wrong with this table: open another, please")


def _after_us(us: int, act: Callable[[], None]) -> asyncio.TimerHandle:
    """In whole milliseconds, rounded up: loops differ in how fine their timers are, and none may wake too early."""
    return asyncio.get_running_loop().call_later(max(1, math.ceil(us / 1000)) / 1000, act)
