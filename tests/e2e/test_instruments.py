"""The instruments of these tests find what they are there to find."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from playwright.async_api import Browser

from slamomatic.game import CLASSIC, Draw, deal, play, view
from slamomatic.game.cards import Card
from slamomatic.game.events import CardDrawn, Dealt, Event
from slamomatic.game.state import State
from slamomatic.game.view import seen
from slamomatic.table.protocol import PROTOCOL, Missed, Moved, Pace, Phase, TableView, Welcome
from tests.e2e.eyes import CardsTold, find_obstacles, see_cards
from tests.e2e.wire import secrets_in, strictly

pytestmark = [pytest.mark.e2e, pytest.mark.timed]

CARD = '<svg class="card" role="img" aria-label="{}"><text>7</text></svg>'
PAD = '<section aria-label="Your moves"><button style="width: 200px; height: 100px">SLAM</button></section>'


def drawn(state: State) -> tuple[State, tuple[Event, ...]]:
    return play(state, Draw(state.turn), Random(1))


def told(state: State, events: tuple[Event, ...], seat: int | None) -> Moved:
    """What that seat is told of them."""
    return Moved(tuple(seen(event, seat) for event in events), view(state, seat), None, None, seq=7)


def told_later(state: State, events: tuple[Event, ...], seat: int | None) -> Welcome:
    """What that seat is told of them if it was away meanwhile."""
    table = TableView(
        code="ABCDEF", phase=Phase.PLAYING, seats=(), edition=state.edition, pace=Pace.NORMAL, listed=False,
        rtt_cap_ms=None, dealer=None, game_number=1, watchers=0, rated=False, locked=False, fills_ms=None,
        end_votes=None, last_game=None,
    )  # fmt: skip
    missed = Missed(7, tuple(seen(event, seat) for event in events), None)
    return Welcome(PROTOCOL, seat, table, view(state, seat), None, None, None, seq=7, missed=(missed,), delay_ms=0)


def test_what_a_seat_may_know_is_no_secret() -> None:
    state, events = drawn(deal(CLASSIC, 3, Random(4)))
    for seat in (*state.seats, None):
        for message in (told(state, events, seat), told_later(state, events, seat)):
            frame = msgspec.json.encode(message).decode()
            assert secrets_in([strictly(frame)], seat) == []


def test_a_card_told_to_the_wrong_seat_is_found_wherever_it_stands() -> None:
    before = deal(CLASSIC, 3, Random(4))
    state, events = drawn(before)
    drawer = before.turn
    others = [seat for seat in (*state.seats, None) if seat != drawer]
    for seat in others:
        leaks = secrets_in([told(state, events, drawer)], seat)
        assert any(".hand." in leak for leak in leaks)
        assert any(leak.startswith("Moved.events.") for leak in leaks)
        later = secrets_in([told_later(state, events, drawer)], seat)
        assert any(leak.startswith("Welcome.missed.0.events.") for leak in later)
    planted = Dealt(CLASSIC, state.seats, 1, (), (None, None, None), pile=(Card.ONE, Card.SAD))
    assert len(secrets_in([msgspec.structs.replace(told(state, events, None), events=(planted,))], None)) == 2
    assert isinstance(events[0], CardDrawn)


def test_a_field_the_protocol_does_not_name_is_found() -> None:
    strictly('{"type":"Touched","seat":2}')
    with pytest.raises(AssertionError, match="more than the protocol"):
        strictly('{"type":"Touched","seat":2,"hand":[7,7]}')


async def test_a_card_in_the_page_is_found_unless_it_is_laid(browser: Browser) -> None:
    page = await browser.new_page()
    prompt = '<p data-testid="prompt">Watch Ann</p>'
    await page.set_content(f'<div class="laid">{CARD.format("seven")}</div>{prompt}')
    assert await see_cards(page) == CardsTold(over=False, open=(), words=())
    await page.set_content(f'{CARD.format("")}<ul title="two sevens"></ul>{prompt}')
    assert await see_cards(page) == CardsTold(over=False, open=("",), words=("two sevens",))


@pytest.mark.parametrize(
    ("page_content", "obstacle"),
    [
        (PAD, None),
        (PAD.replace("100px", "40px"), "is 200×40 px"),
        (PAD + '<div style="position: fixed; inset: 0"></div>', "is covered by"),
        (PAD.replace("width", "position: fixed; left: 300px; width"), "is not wholly on the screen"),
        (PAD + '<div style="height: 3000px"></div>', "scrolls by"),
        (PAD + '<div style="width: 3000px">.</div>', "scrolls sideways"),
    ],
)
async def test_whatever_is_in_the_way_of_a_thumb_is_found(
    browser: Browser, page_content: str, obstacle: str | None
) -> None:
    page = await browser.new_page(viewport={"width": 390, "height": 844})
    await page.set_content(f"<!doctype html>{page_content}")
    obstacles = await find_obstacles(page)
    if obstacle is None:
        assert obstacles == []
    else:
        assert any(obstacle in found for found in obstacles), obstacles
