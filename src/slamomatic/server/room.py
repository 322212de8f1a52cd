"""One table and the sockets at it: what arrives goes in, what the table says goes out, and its timer.

Laws of this room:
- all that has arrived by now is stamped before any of it is worked on: who was first never hangs on how long the
  work for another took;
- nobody is shown what is not kept: what comes of a step goes out once its entries are in the database, in the order
  the steps were made; the table itself goes on meanwhile. Whose entries are kept by now, at whatever table, are told
  before anything new is worked on;
- a table that breaks, or is not ours any more, is dropped with all that was not kept: its people come back to what the
  database has;
- watchers see a game so late that what they know helps nobody at the table.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from slamomatic.server import frames, wire
from slamomatic.server.clock import after_us, now_us
from slamomatic.server.codes import new_ticket
from slamomatic.server.gallery import Gallery
from slamomatic.server.games.archive import Archivist
from slamomatic.server.limits import Limits
from slamomatic.server.metrics import Metrics
from slamomatic.server.people.names import fit_name
from slamomatic.server.sockets import News, Pong, Socket
from slamomatic.server.storage.games import keeping
from slamomatic.server.storage.logs import Claim, Logs, Row, StorageError, Unavailable
from slamomatic.server.trains import Traffic, Train
from slamomatic.table.calls import JoinTable, ListedTable, Seated
from slamomatic.table.guests import Guest
from slamomatic.table.log import LOG_VERSION, SeatFlagged, SeatMoved, encode
from slamomatic.table.output import Decided, Output, Refusal
from slamomatic.table.protocol import (
    Bye,
    ByeReason,
    Delayed,
    Hello,
    Hidden,
    Phase,
    PlayMessage,
    RefusalCode,
    Rename,
    Say,
    SeatMessage,
    ServerMessage,
    Shown,
    Welcome,
)
from slamomatic.table.table import Table
from slamomatic.table.timing import MS, WATCH_DELAY_US

log = logging.getLogger(__name__)

COME_BACK = "something broke here, not with you: this page comes back by itself"


@dataclass(slots=True, eq=False)
class Step:
    """What came of one step of the table, on its way out."""

    posts: list[tuple[tuple[Socket, ...], ServerMessage]]
    """Each message with the seats' sockets it is for, in the order they were said."""
    watched: list[ServerMessage]
    """What watchers are to see of it, in its own time."""
    pings: list[Socket]
    is_kept: bool
    welcome: tuple[Socket, Welcome] | None = None
    """A watcher has come, and this is what he is to see first."""
    decided: Decided | None = None
    """If it tells a verdict: what that hung on."""
    told: asyncio.Future[None] | None = None
    """Somebody waits until this is kept."""


NOTHING = Step([], [], [], is_kept=True)


class Room:
    """A live table with its sockets."""

    def __init__(
        self,
        table: Table,
        claim: Claim,
        opener: str,
        *,
        logs: Logs,
        archivist: Archivist,
        limits: Limits,
        metrics: Metrics,
        traffic: Traffic,
    ) -> None:
        self.code = claim.code
        self.table = table
        self.claim = claim
        self.opener = opener
        """Who opened it, by person or by address; empty once it came back from the database."""
        self.seats: dict[int, Socket] = {}
        """The newest socket of each seat."""
        self.gallery = Gallery()
        self.empty_since_us = now_us()
        """Since when it has had no socket; of meaning only while it has none."""
        self.is_closed = False
        self.is_broken = False
        """It was closed because of an error inside the table."""
        self._logs = logs
        self._archivist = archivist
        self._limits = limits
        self._metrics = metrics
        self._inbox: deque[tuple[Socket, int, News]] = deque()
        self._steps: deque[Step] = deque()
        """Made, and not yet told: the first of them is waiting for the database."""
        self._timer: asyncio.Handle | None = None
        self._wake_us: int | None = None
        self._train = Train(traffic, self._ping_racers)

    # The sockets.

    def enter(self, socket: Socket, hello: Hello) -> None:
        """A socket has said who it is: the holder of a seat's ticket, or a watcher."""
        self._work()
        if self.is_closed:
            socket.close(ByeReason.RESTART, "this table is being put away: come back in a moment")
        elif hello.ticket is None:
            self._watch(socket)
        else:
            self._sit(socket, hello.ticket, hello.since)

    def arrive(self, socket: Socket, at_us: int, news: News) -> None:
        """Something arrived at that time; it is worked on once everything that has arrived by now is here.

        Not so the answer to a ping that nothing waits before: it only has to keep its place in the order.
        """
        if isinstance(news, Pong) and not self._inbox:
            if socket.seat is not None and self.seats.get(socket.seat) is socket:
                self._pong(at_us, socket.seat, news.sent_us)
            return
        if not self._inbox:
            asyncio.get_running_loop().call_soon(self._work)
        self._inbox.append((socket, at_us, news))

    def leave(self, socket: Socket) -> None:
        """A socket is gone; its seat stays its owner's."""
        self._work()
        if socket in self.gallery:
            self.gallery.go(socket)
            self._do(lambda: self.table.unwatch(now_us()))
        elif socket.seat is not None and self.seats.get(socket.seat) is socket:
            seat = socket.seat
            del self.seats[seat]
            self._do(lambda: self.table.disconnect(now_us(), seat))
        self.empty_since_us = now_us()

    def sockets(self) -> Iterator[Socket]:
        """Everyone connected."""
        yield from self.seats.values()
        yield from self.gallery

    # The calls.

    def begin(self, opened: Output) -> None:
        """The table was just opened: keep that."""
        self._take(opened)

    async def join(self, wish: JoinTable, guest: Guest) -> Seated:
        """Take a seat, or come back to one's own; the ticket in the answer will prove it.

        Raises:
            Refusal: the table says why not, or it cannot be kept just now.
        """
        self._check_open()
        self._work()
        ticket = new_ticket()
        now = now_us()
        try:
            seat, output = self.table.join(now, wish.name, ticket, wish.hand, guest)
        except Refusal:
            raise
        except Exception as error:
            self._break()
            raise Refusal(RefusalCode.UNAVAILABLE, COME_BACK) from error
        await self._told(self._take(output))
        return Seated(self.code, seat, ticket)

    async def speak_for(self, seat: int, message: SeatMessage) -> None:
        """Do as if that seat's page had said so, and return once it is kept.

        Raises:
            Refusal: it cannot be kept just now.
        """
        await self.act(lambda now: self.table.receive(now, seat, message))

    async def act(self, act: Callable[[int], Output]) -> None:
        """Do this to the table now, and return once what came of it is kept.

        Raises:
            Refusal: it cannot be kept just now.
        """
        self._check_open()
        self._work()
        now = now_us()
        step = self._do(lambda: act(now))
        if step is None:
            raise Refusal(RefusalCode.UNAVAILABLE, COME_BACK)
        await self._told(step)

    def look(self) -> ListedTable:
        """What someone who knows the code is told before he sits down."""
        return self.table.row()

    # Upkeep.

    def check(self, now: int) -> None:
        """Ping who has been silent, and give up who does not answer, whatever else he says meanwhile."""
        for socket in list(self.sockets()):
            silent_us = now - socket.heard_us
            if max(silent_us, socket.waits_for_pong_us(now)) > self._limits.dead_us:
                socket.cut()
            elif min(silent_us, now - socket.pinged_us) > self._limits.probe_us:
                socket.ping()

    def may_sleep(self, now: int) -> bool:
        """Whether nobody is here, and everything that happened is kept: the log alone is enough."""
        is_empty = not self.seats and not self.gallery and not self._steps
        return is_empty and now - self.empty_since_us > self._limits.empty_us

    def close(self, reason: ByeReason, text: str) -> None:
        """Send everyone away and stand still."""
        self.is_closed = True
        self._set_timer(None)
        self._train.stop()
        for socket in self.sockets():
            socket.close(reason, text)
        self.seats.clear()
        self.gallery.close()

    async def settled(self) -> None:
        """Wait until everything that has happened is kept, or is known not to be."""
        if self._steps:
            last = self._steps[-1]
            last.told = last.told or asyncio.get_running_loop().create_future()
            await asyncio.wait([last.told])

    # From a step of the table to its people.

    def _do(self, act: Callable[[], Output]) -> Step | None:
        """One step of the table; an error in it ends this room, and the table comes back from what is kept."""
        self._logs.listen()
        if self.is_closed:
            return None
        try:
            output = act()
        except Exception:
            log.exception("table %s broke; it comes back from its log", self.code)
            self._break()
            return None
        return self._take(output)

    def _take(self, output: Output, welcome: tuple[Socket, Welcome] | None = None) -> Step:
        """Have kept what is to be kept, and told what is to be told."""
        if not (output.sends or output.log or welcome or (output.probes and self._steps)):  # most of what happens
            self._set_timer(output.wake_us)
            self._ping(output.probes)
            return NOTHING
        step = self._step(output)
        step.welcome = welcome
        step.decided = output.decided
        for entry in output.log:
            self._metrics.note(entry)
            if isinstance(entry, SeatFlagged) and entry.is_raised:
                log.warning("table %s: the connection of hand %d is odd (%s)", self.code, entry.seat, entry.flag)
        self._set_timer(output.wake_us)
        if output.log:
            first = self.table.seq - len(output.log)
            rows = [Row(seq, LOG_VERSION, encode(entry)) for seq, entry in enumerate(output.log, first)]
            also = None if output.finished is None else keeping(output.finished)
            self._steps.append(step)
            self._logs.append(
                self.claim, rows, partial(self._kept, step, output), also, can_wait=output.decided is None
            )
        elif self._steps:
            self._steps.append(step)
        else:
            self._tell(step)
        return step

    def _step(self, output: Output) -> Step:
        """Whom each message is for, as the seats are taken now."""
        for entry in output.log:
            if isinstance(entry, SeatMoved):
                self._move(entry)
        posts: list[tuple[tuple[Socket, ...], ServerMessage]] = []
        watched: list[ServerMessage] = []
        for send in output.sends:
            if send.to is None:
                watched.append(send.message)
                continue
            socket = self.seats.get(send.to)
            if socket is None:
                continue
            if posts and posts[-1][1] is send.message:
                posts[-1] = ((*posts[-1][0], socket), send.message)
            else:
                posts.append(((socket,), send.message))
            if isinstance(send.message, Bye):
                self._forget(socket)
        pings = [self.seats[seat] for seat in output.probes if seat in self.seats]
        return Step(posts, watched, pings, is_kept=not output.log)

    def _kept(self, step: Step, output: Output, error: StorageError | None) -> None:
        """The database has spoken about the entries of this step."""
        if error is not None:
            self._lose(error)
            return
        step.is_kept = True
        if output.finished is not None:
            self._archivist.finished(output.finished)
        while self._steps and self._steps[0].is_kept:
            self._tell(self._steps.popleft())

    def _tell(self, step: Step) -> None:
        """What was to be kept is kept: now it may be seen."""
        written: dict[int, bytes] = {}  # one message to many is written once
        said: dict[Socket, list[bytes]] = {socket: [] for socket in step.pings}
        farewells: list[tuple[Socket, Bye]] = []
        for sockets, message in step.posts:
            if isinstance(message, Bye):
                farewells += ((socket, message) for socket in sockets)
                continue
            data = written[id(message)] = wire.write(message)
            frame = frames.text(data)
            for socket in sockets:
                said.setdefault(socket, []).append(frame)
        for socket, its in said.items():
            socket.write(its, and_ping=socket in step.pings)
        for socket, bye in farewells:
            socket.close(bye.reason, bye.text)
        if step.decided is not None:
            self._metrics.verdict(self.code, step.decided, now_us())
        delay_us = WATCH_DELAY_US if self.table.phase is Phase.PLAYING else 0
        if step.welcome is not None:
            socket, welcome = step.welcome
            self.gallery.welcome(socket, wire.write(welcome), delay_us)
        if step.watched and self.gallery.sees_anything:
            shown = [written.get(id(message)) or wire.write(message) for message in step.watched]
            self.gallery.show(shown, delay_us)
        if step.told is not None and not step.told.done():
            step.told.set_result(None)
        if not self.is_closed:
            self._train.run(self.table.train(), follows=self.table.follows)

    async def _told(self, step: Step) -> None:
        """Wait until a step is kept.

        Raises:
            Refusal: it cannot be.
        """
        if step not in self._steps:
            return
        step.told = step.told or asyncio.get_running_loop().create_future()
        await step.told

    def _lose(self, error: StorageError) -> None:
        """What happened here cannot be kept: nobody has seen it, and nobody will."""
        if not self.is_closed:
            log.error("table %s: %s; its people come back to what is kept", self.code, error)
            self.close(ByeReason.RESTART, "what happened could not be kept: this page comes back by itself")
        code = RefusalCode.UNAVAILABLE if isinstance(error, Unavailable) else RefusalCode.ELSEWHERE
        for step in self._steps:
            if step.told is not None and not step.told.done():
                step.told.set_exception(Refusal(code, "this could not be kept: try again in a moment"))
        self._steps.clear()

    def _break(self) -> None:
        self.is_broken = True
        self.close(ByeReason.RESTART, COME_BACK)

    def _check_open(self) -> None:
        if self.is_closed:
            raise Refusal(RefusalCode.UNAVAILABLE, "this table is being put away: try again in a moment")

    # From the sockets to the table.

    def _watch(self, socket: Socket) -> None:
        if len(self.gallery) >= self._limits.watchers_per_table:
            socket.close(ByeReason.REFUSED, "too many people watch this table already")
            return
        try:
            welcome, output = self.table.watch(now_us())
        except Exception:
            log.exception("table %s broke; it comes back from its log", self.code)
            self._break()
            socket.close(ByeReason.RESTART, COME_BACK)
            return
        self.gallery.come(socket)
        if self.table.phase is Phase.PLAYING:
            socket.send(wire.write(Delayed(WATCH_DELAY_US // MS)))
        self._take(output, (socket, welcome))

    def _sit(self, socket: Socket, ticket: str, since: int | None) -> None:
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
        self._do(lambda: self.table.connect(now_us(), seat, since))

    def _work(self) -> None:
        """Everything that has arrived, in the order it did."""
        while self._inbox:
            socket, at_us, news = self._inbox.popleft()
            if socket.seat is not None and self.seats.get(socket.seat) is socket:
                self._hear(socket, socket.seat, at_us, news)
            elif socket in self.gallery and not isinstance(news, Pong):
                self._answer_watcher(socket, news)

    def _hear(self, socket: Socket, seat: int, at_us: int, news: News) -> None:
        if isinstance(news, Pong):
            self._pong(at_us, seat, news.sent_us)
            return
        try:
            message = wire.read_message(news)
            if isinstance(message, Hello):
                raise Refusal(RefusalCode.NOT_NOW, "Hello is said once, as the first message")
            if not isinstance(message, PlayMessage | Say) and not socket.asides.take(at_us):
                raise Refusal(RefusalCode.TOO_FAST, "too many wishes at once: wait a little")
            if isinstance(message, Rename):
                if not socket.renames.take(at_us):
                    raise Refusal(RefusalCode.TOO_FAST, "too many new names at once: wait a little")
                fit_name(message.name)
        except Refusal as refusal:
            socket.send(wire.refused(refusal.code, refusal.text))
            return
        self._do(lambda: self.table.receive(at_us, seat, message))

    def _pong(self, at_us: int, seat: int, sent_us: int) -> None:
        """Evidence for the table, of which nothing comes at once: there are hundreds of pongs in a race."""
        try:
            self.table.pong(at_us, seat, sent_us)
        except Exception:
            log.exception("table %s broke; it comes back from its log", self.code)
            self._break()

    def _answer_watcher(self, socket: Socket, data: bytes) -> None:
        try:
            message = wire.read_message(data)
        except Refusal as refusal:
            socket.send(wire.refused(refusal.code, refusal.text))
            return
        if not isinstance(message, Shown | Hidden):  # what every page tells, whoever looks at it
            socket.send(wire.refused(RefusalCode.NO_SEAT, "you are watching: join the table to take part"))

    def _forget(self, socket: Socket) -> None:
        """A socket the table itself has sent away: it is heard no more."""
        if socket.seat is not None and self.seats.get(socket.seat) is socket:
            del self.seats[socket.seat]
        self.empty_since_us = now_us()

    def _move(self, entry: SeatMoved) -> None:
        socket = self.seats.pop(entry.seat, None)
        if socket is not None:
            socket.seat = entry.hand
            self.seats[entry.hand] = socket

    # Time.

    def _tick(self) -> None:
        self._timer = None
        self._work()
        self._do(lambda: self.table.tick(now_us()))

    def _set_timer(self, wake_us: int | None) -> None:
        if self._timer is not None:
            if wake_us == self._wake_us:
                return
            self._timer.cancel()
            self._timer = None
        self._wake_us = wake_us
        if wake_us is not None and not self.is_closed:
            self._timer = after_us(wake_us - now_us(), self._tick)

    def _ping_racers(self) -> list[int]:
        """Beside the race: the table itself sleeps on."""
        self._work()  # what has arrived comes before what is asked next
        self._logs.listen()
        racers = self.table.train()
        if not self._steps:  # a ping must not overtake a cue that waits for the database
            self._ping(racers)
        return racers

    def _ping(self, seats: Iterable[int]) -> None:
        for seat in seats:
            if seat in self.seats:
                self.seats[seat].ping()
