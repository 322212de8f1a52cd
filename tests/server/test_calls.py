"""The HTTP calls."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from slamomatic.game import PRESETS
from slamomatic.server.clock import now_us
from slamomatic.server.limits import Limits, Rate
from slamomatic.server.site import Site
from slamomatic.table.protocol import Hello, Level, Phase, SetListed, TableChanged, Welcome
from tests.server.guests import GENEROUS, House, Serve

SLOW = Rate(2, 0.001)


async def test_a_table_is_opened_with_its_host_and_bots_and_begins_once_he_is_there(house: House) -> None:
    seated = await house.open("Ann", edition="modern", bots=["gentle", "sharp"], start=True)
    ann = await house.dial(seated.code)
    await ann.say(Hello(seated.ticket))
    welcome = await ann.hear(Welcome)
    assert welcome.seat == seated.seat == 1
    assert [seat.bot for seat in welcome.table.seats] == [None, Level.GENTLE, Level.SHARP]
    assert welcome.table.seats[0].host
    assert welcome.table.edition == PRESETS["modern"]
    assert house.room(seated.code).table.phase is Phase.PLAYING


async def test_an_edition_of_ones_own_is_played_as_given(house: House) -> None:
    ours = msgspec.structs.replace(PRESETS["classic"], name="Ours", free_fakes=5)
    seated = await house.open(edition=msgspec.to_builtins(ours))
    assert house.room(seated.code).table.table_view(now_us()).edition == ours


async def test_friends_join_by_code_however_they_type_it(house: House) -> None:
    ann = await house.open("Ann")
    bob = await house.join(f"%20{ann.code.lower()}%20", "Bob", hand=3)
    assert (bob.code, bob.seat) == (ann.code, 3)
    assert bob.ticket != ann.ticket


async def test_only_listed_tables_are_among_the_open_ones_but_who_has_the_code_may_look(house: House) -> None:
    hidden = await house.open("Ann")
    shown = await house.open("Bea", listed=True, bots=["steady"])
    row = {
        "code": shown.code, "host": "Bea", "edition": "Classic", "players": 2, "free": 2, "phase": "waiting",
        "rated": False, "watchers": 0,
    }  # fmt: skip
    assert await house.call("GET", "/api/tables") == (200, {"tables": [row]})
    assert await house.call("GET", f"/api/tables/{shown.code}") == (200, row)
    status, looked = await house.call("GET", f"/api/tables/{hidden.code}")
    assert (status, looked["host"]) == (200, "Ann")


async def test_a_host_lists_the_table_later(house: House) -> None:
    seated = await house.open()
    ann = await house.sit(seated)
    await ann.say(SetListed(True))
    await ann.hear(TableChanged)
    _, body = await house.call("GET", "/api/tables")
    assert [row["code"] for row in body["tables"]] == [seated.code]


async def test_the_presets_are_told_by_name(house: House) -> None:
    status, body = await house.call("GET", "/api/editions")
    assert status == 200
    assert {
        name: msgspec.convert(preset, type(PRESETS["classic"])) for name, preset in body["presets"].items()
    } == PRESETS


@pytest.mark.parametrize(
    ("wish", "status", "code", "says"),
    [
        ({}, 400, "bad-message", "name"),
        ({"name": ""}, 400, "bad-message", "length"),
        ({"name": "\u200b"}, 400, "bad-name", "letter"),
        ({"name": "Ann", "extra": 1}, 400, "bad-message", "extra"),
        ({"name": "Ann", "pace": "hasty"}, 400, "bad-message", "hasty"),
        ({"name": "Ann", "edition": "classical"}, 400, "unfit-edition", "classic-junior"),
        ({"name": "Ann", "bots": ["steady"] * 4}, 400, "bad-message", "length"),
        ({"name": "Ann", "start": True}, 409, "not-now", "bot"),
        ([], 400, "bad-message", "object"),
    ],
)
async def test_a_wrong_wish_opens_no_table_and_is_told_why(
    house: House, wish: Any, status: int, code: str, says: str
) -> None:
    answered, body = await house.call("POST", "/api/tables", wish)
    assert (answered, body["code"]) == (status, code)
    assert says in body["text"]
    assert len(house.rooms) == 0


async def test_rulings_that_do_not_fit_are_refused(house: House) -> None:
    misfit = msgspec.to_builtins(PRESETS["modern"]) | {"pile_out": "no-draw"}
    status, body = await house.call("POST", "/api/tables", {"name": "Ann", "edition": misfit})
    assert (status, body["code"]) == (400, "unfit-edition")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/tables/NOSUCH", 404, "no-table"),
        ("POST", "/api/tables/NOSUCH/join", 404, "no-table"),
        ("GET", "/api/nothing", 404, "bad-message"),
        ("DELETE", "/api/tables", 404, "bad-message"),
        ("PUT", "/healthz", 405, "bad-message"),
    ],
)
async def test_what_is_not_there_is_said_so(house: House, method: str, path: str, status: int, code: str) -> None:
    answered, body = await house.call(method, path, {"name": "Ann"})
    assert (answered, body["code"]) == (status, code)


async def test_a_full_table_and_a_taken_hand_are_refused(house: House) -> None:
    seated = await house.open(bots=["steady", "steady"])
    status, body = await house.call("POST", f"/api/tables/{seated.code}/join", {"name": "Bob", "hand": 2})
    assert (status, body["code"]) == (409, "taken")
    await house.join(seated.code, "Bob")
    status, body = await house.call("POST", f"/api/tables/{seated.code}/join", {"name": "Cas"})
    assert (status, body["code"]) == (409, "full")


async def test_a_body_too_big_is_refused_unread(house: House) -> None:
    status, body = await house.call("POST", "/api/tables", {"name": "x" * 20_000})
    assert (status, body["code"]) == (413, "bad-message")


async def test_pages_of_other_sites_may_not_call(house: House) -> None:
    status, body = await house.call("POST", "/api/tables", {"name": "Ann"}, headers={"Origin": "https://evil.example"})
    assert (status, body["code"]) == (403, "bad-message")
    assert len(house.rooms) == 0


async def test_health_tells_how_busy_the_server_is(house: House) -> None:
    seated = await house.open()
    page = await house.sit(seated)
    status, body = await house.call("GET", "/healthz")
    assert (status, page.seat) == (200, 1)
    assert body.items() >= {"status": "ok", "tables": 1, "sockets": 1}.items()


async def test_an_error_of_ours_is_answered_as_one_and_the_server_goes_on(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(house.rooms, "listed", lambda: 1 // 0)
    status, body = await house.call("GET", "/api/tables")
    assert (status, body["code"]) == (500, "not-now")
    assert "ZeroDivisionError" in caplog.text
    assert (await house.call("GET", "/healthz"))[0] == 200


async def test_each_address_may_make_so_many_calls(serve: Serve) -> None:
    house = await serve(limits=Limits(calls=SLOW), site=Site(trust_proxy=True))
    statuses = [await _status_of(house, "203.0.113.1") for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert await _status_of(house, "203.0.113.2") == 200
    assert (await house.call("GET", "/healthz"))[0] == 200, "who watches over the server is not counted"


async def test_each_address_may_open_so_many_tables_at_once(serve: Serve) -> None:
    house = await serve(limits=msgspec.structs.replace(GENEROUS, openings=SLOW))
    await house.open()
    await house.open()
    status, body = await house.call("POST", "/api/tables", {"name": "Ann"})
    assert (status, body["code"]) == (429, "too-fast")


async def test_each_address_may_keep_so_many_tables_and_the_server_too(serve: Serve) -> None:
    house = await serve(
        limits=msgspec.structs.replace(GENEROUS, tables_per_opener=1, tables=2), site=Site(trust_proxy=True)
    )
    answers = [
        await house.call("POST", "/api/tables", {"name": "Ann"}, headers={"X-Forwarded-For": address})
        for address in ("203.0.113.1", "203.0.113.1", "203.0.113.2", "203.0.113.3")
    ]
    assert [status for status, _ in answers] == [201, 409, 201, 409]
    assert "too many tables open" in answers[1][1]["text"]
    assert "no room" in answers[3][1]["text"]


async def test_who_guesses_codes_is_soon_told_nothing_at_all(serve: Serve) -> None:
    house = await serve(limits=msgspec.structs.replace(GENEROUS, misses=SLOW))
    seated = await house.open()
    for _ in range(2):
        assert (await house.call("GET", "/api/tables/NOSUCH"))[0] == 404
    assert (await house.call("GET", "/api/tables/NOSUCH"))[0] == 429
    assert (await house.call("GET", f"/api/tables/{seated.code}"))[0] == 429
    assert (await house.call("POST", f"/api/tables/{seated.code}/join", {"name": "Bob"}))[0] == 429


async def test_codes_that_are_right_are_never_counted_as_guesses(serve: Serve) -> None:
    house = await serve(limits=msgspec.structs.replace(GENEROUS, misses=SLOW))
    seated = await house.open()
    for _ in range(10):
        assert (await house.call("GET", f"/api/tables/{seated.code}"))[0] == 200


async def _status_of(house: House, address: str) -> int:
    status, _ = await house.call("GET", "/api/tables", headers={"X-Forwarded-For": address})
    return status
