"""What nobody may learn: a card that is not for his eyes, and before the contact whether a hand will land (B11, B16).

The driver checks every message of every test against what its viewer may know. Here evenings are played twice, with one
secret changed, and all that leaves the table for the others must be the same: byte for byte, at the same moments.
"""

from __future__ import annotations

from itertools import chain
from random import Random
from typing import NamedTuple, TypeAlias

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from slamomatic.game import CLASSIC, MODERN, PRESETS, Draw, Edition, Pass, Take
from slamomatic.game.events import CardDrawn, Dealt
from slamomatic.table.play import may_fake
from slamomatic.table.protocol import (
    Act,
    AddBot,
    Cue,
    CueKind,
    Hello,
    Land,
    Level,
    Moved,
    Reach,
    Ready,
    SeatMessage,
    Touch,
    Welcome,
    Withdraw,
)
from slamomatic.table.table import Table
from tests.table.evening import Evening, Sent, deal_of, evening_of
from tests.table.pages import MS, SECOND, Player
from tests.table.puppets import Puppet, puppets
from tests.table.test_random_evenings import WORDS, networks

# Whether a hand will land.


class Wavering(Table):
    """A table at which one reach of the evening, person's or bot's, ends as a test says."""

    nth = 0
    lands = False
    ends = 0
    whose = 0

    def handle(self, now: int, seat: int, message: SeatMessage) -> None:
        """One message."""
        if isinstance(message, Land | Withdraw) and may_fake(self):
            self.ends += 1
            if self.ends == self.nth:
                self.whose = seat
                message = Land() if self.lands else Withdraw()
        super().handle(now, seat, message)


class WaveringEvening(Evening):
    """An evening at such a table."""

    kind = Wavering


class Ending(NamedTuple):
    """How a reach ended, and what had left the table for the others until then."""

    cue: Cue
    at_us: int
    before: list[Sent]


def the_end_of(nth: int, seed: int, edition: Edition, people: int, *, lands: bool) -> Ending:
    """An evening up to the end of its nth reach."""
    evening = WaveringEvening(edition=edition, seed=seed)
    evening.watch()
    chance = Random(seed)
    for number in range(people):
        evening.joins(Player(evening, f"P{number}", Random(chance.random()), **networks(chance)))
    for _ in range(4 - people):
        evening.sockets[1].says(AddBot(chance.choice(tuple(Level))))
    table = evening.table
    assert isinstance(table, Wavering)
    table.nth, table.lands = nth, lands
    evening.until(lambda: table.ends >= nth, 3_600 * SECOND)
    evening.until(lambda: table.reach is None or not table.reach.is_open)
    cues = [sent for sent in evening.sent if sent.to is None and b'"Cue"' in sent.data]
    end = cues[-1]
    before = [sent for sent in evening.sent if sent.at_us < end.at_us and sent.to != table.whose]
    return Ending(msgspec.json.decode(end.data, type=Cue), end.at_us, before)


@settings(max_examples=60)
@given(
    nth=st.integers(1, 8),
    seed=st.integers(0, 2**32),
    edition=st.sampled_from(tuple(PRESETS.values())),
    people=st.integers(1, 4),
)
def test_nothing_before_the_contact_tells_a_slam_from_a_fake(
    nth: int, seed: int, edition: Edition, people: int
) -> None:
    slam = the_end_of(nth, seed, edition, people, lands=True)
    fake = the_end_of(nth, seed, edition, people, lands=False)
    assert slam.before == fake.before
    assert slam.at_us == fake.at_us
    assert slam.cue.kind is CueKind.CONTACT
    assert slam.cue == replace(fake.cue, kind=CueKind.CONTACT)


# Cards.


def two_deals(edition: Edition, viewer: int | None, sizes: tuple[int, int, int], seed: int) -> tuple[Dealt, Dealt]:
    """Two deals between which this viewer cannot tell; what he himself will draw lies on top of both piles."""
    chance = Random(seed)
    cards = list(edition.deck.cards)
    chance.shuffle(cards)
    own = cards[: sizes[viewer - 1]] if viewer else []
    rest = cards[len(own) :]
    top = rest[:10] if viewer else []
    rest = rest[len(top) :]
    deals = []
    for _ in range(2):
        chance.shuffle(rest)
        hidden = iter(rest)
        hands = {
            seat: own if seat == viewer else [next(hidden) for _ in range(size)]
            for seat, size in zip((1, 2, 3), sizes, strict=True)
        }
        written = {seat: " ".join(map(str, hand)) for seat, hand in hands.items()}
        deals.append(deal_of(edition, written, pile=" ".join(map(str, chain(top, hidden))), dealer=3))
    return deals[0], deals[1]


FIRST: tuple[SeatMessage, ...] = (Act(Draw(1)), Reach(), Land(), Withdraw(), Act(Pass(1)), Act(Take(1, 2, 0)))
"""What the hand whose turn it is may try; none of it hangs on a card another could not see."""
OTHERS: tuple[SeatMessage | None, ...] = (None, Reach(), Touch(None, None))

Script: TypeAlias = list[tuple[int, int, SeatMessage | Hello | None]]
"""After how many ms who says what; None: touches what he sees; Hello: loses his line, or is back and asks what he has
missed."""


def told(dealt: Dealt, viewer: int | None, script: Script) -> list[tuple[int, bytes]]:
    """What this viewer was sent while that happened, up to the first verdict: that may tell of a pair."""
    evening, pages = evening_of(dealt, maker=puppets(Puppet()))
    evening.watch()
    start = evening.now
    for wait_ms, seat, message in script:
        evening.wait(wait_ms * MS)
        page = pages[seat]
        match message:
            case None:
                page.touches()
            case Hello():
                if page.connected:
                    page.loses_connection()
                elif evening.table.seat_of(page.ticket) is not None:  # who has left has no way back
                    page.connects()
            case _:
                page.says(message)
    heard = [(at - start, data) for at, to, data in evening.sent if to == viewer]
    verdict = next((at for at, (_, data) in enumerate(heard) if b'"Moved"' in data and b'"race":{' in data), None)
    return heard[:verdict]


@settings(max_examples=150)
@given(
    edition=st.sampled_from((CLASSIC, MODERN)),
    viewer=st.sampled_from((1, 2, 3, None)),
    sizes=st.tuples(*[st.integers(0, 6)] * 3),
    seed=st.integers(0, 2**32),
    length=st.integers(1, 12),
)
def test_b11_nothing_one_is_sent_hangs_on_a_card_one_may_not_know(
    edition: Edition, viewer: int | None, sizes: tuple[int, int, int], seed: int, length: int
) -> None:
    chance = Random(seed)
    script: Script = [(100, 1, Act(Draw(1)))] if chance.random() < 0.8 else []
    for _ in range(length):
        wait_ms = chance.choice((0, 50, 300, 1_000, 3_000, 8_000))
        seat = chance.choice((1, 1, 2, 3))
        if chance.random() < 0.2:
            script.append((wait_ms, viewer or seat, Hello()))
        elif seat == viewer and chance.random() < 0.5:
            script.append((wait_ms, seat, chance.choice(WORDS)(chance)))
        else:
            script.append((wait_ms, seat, chance.choice(FIRST if seat == 1 else OTHERS)))
    one, other = two_deals(edition, viewer, sizes, seed)
    assert told(one, viewer, script) == told(other, viewer, script)


def test_b11_what_was_missed_is_told_without_a_card_one_may_not_know() -> None:
    """So is the rest of the scene above: that in it somebody comes back to moves he has missed."""
    deals = two_deals(MODERN, 2, (3, 3, 3), 7)
    script: Script = [
        (0, 2, Hello()),
        (0, 1, Act(Draw(1))),
        (100, 1, Act(Pass(1))),
        (8_000, 3, Act(Draw(3))),
        (0, 2, Hello()),
    ]
    one, other = (told(deal, 2, script) for deal in deals)
    assert one == other
    welcome = msgspec.json.decode(next(data for _, data in reversed(one) if b'"Welcome"' in data), type=Welcome)
    assert welcome.missed is not None
    drawn = [event for move in welcome.missed for event in move.events if isinstance(event, CardDrawn)]
    assert [(event.seat, event.card is None) for event in drawn][:2] == [(1, True), (2, False)]


def test_the_game_begins_without_a_word_about_its_cards() -> None:
    evening = Evening(edition=MODERN)
    evening.watch()
    pages = [evening.joins(name) for name in ("Ann", "Bob")]
    for page in pages:
        page.says(Ready(ready=True))
    (dealt,) = pages[1].last(Moved).events
    assert isinstance(dealt, Dealt)
    assert dealt.hands[0] is None
    assert dealt.hands[1] is not None
    assert dealt.pile is None
    (watched,) = next(message for message in reversed(evening.watched()) if isinstance(message, Moved)).events
    assert isinstance(watched, Dealt)
    assert watched.hands == (None, None)


def test_a_refused_pass_tells_of_a_pair_to_its_owner_alone() -> None:
    for hand, refusal in (("5 5 8", "the pile is out: with a pair in hand you must slam"), ("5 6 8", None)):
        evening, pages = evening_of(deal_of(MODERN, {1: hand, 2: "2 3", 3: "1"}, pile="7", dealer=3))
        pages[1].says(Act(Draw(1)))
        before = len(evening.sent)
        pages[2].says(Act(Pass(1)), Act(Pass(2)), Reach())
        texts = [data for _, to, data in evening.sent[before:]]
        assert len(texts) == 3
        assert not any(b"pair" in text for text in texts)
        pages[1].says(Act(Pass(1)))
        assert (pages[1].refused() is not None) == (refusal is not None)
