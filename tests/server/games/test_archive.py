"""Finished games are kept whole: with the move that ends them, and what is written a moment later, once."""

from __future__ import annotations

import asyncio
import contextlib
import logging

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import delete, select, update

from slamomatic.game import CLASSIC, MODERN, read, write
from slamomatic.game.evidence import NOTHING
from slamomatic.server.games import archive
from slamomatic.server.games.archive import Archivist, with_names, written_down
from slamomatic.server.games.tallies import GameTally
from slamomatic.server.storage import games as stored
from slamomatic.server.storage.games import keeping
from slamomatic.server.storage.people import NOBODY, delete_for_good, merge
from slamomatic.server.storage.schema import entries as entries_table
from slamomatic.server.storage.schema import games, players
from slamomatic.table.log import Entry, GameBegan, GameCalledOff, GameMoved, SeatHandedOver
from slamomatic.table.protocol import Level
from tests.server.games.made import BEGAN_US, Keeper, events_of, game_entries, outcome_of, table_entries, until


async def text_of(keeper: Keeper, game: str) -> str | None:
    async with keeper.database.read() as connection:
        return await stored.text_of(connection, game)


async def tallies_of(keeper: Keeper, game: str) -> dict[int, GameTally | None]:
    query = select(players.c.seat, players.c.tally).where(players.c.game == game).order_by(players.c.seat)
    async with keeper.database.read() as connection:
        rows = (await connection.execute(query)).all()
    return {seat: None if tally is None else msgspec.json.decode(tally, type=GameTally) for seat, tally in rows}


def is_of(text: str | None, entries: list[Entry]) -> bool:
    """Whether this text tells this game."""
    assert text is not None
    record = read(text)
    told = [record.deal, *(event for step in record.steps() for event in step.events)]
    return told == events_of(entries)


async def test_the_rows_of_a_game_are_kept_with_the_move_that_ends_it(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")
    await keeper.played("g1", {1: "ann", 2: "bob"}, rated=True, most=10)
    async with keeper.database.read() as connection:
        info = await stored.info(connection, "g1")
    assert info is not None
    assert (info.edition, info.rated, info.public, info.began_us) == ("Classic", True, False, BEGAN_US)
    assert [(one.seat, one.person, one.name, one.place, one.won) for one in info.players] == [
        (1, "ann", "Ann", 1, True),
        (2, "bob", "Bob", 2, False),
    ]
    assert await text_of(keeper, "g1") is None


async def test_rows_kept_twice_are_as_kept_once(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")
    outcome = outcome_of("g1", {1: "ann", 2: "bob"})
    await keeper.game(outcome)
    await keeper.game(outcome_of("g1", {1: "ann", 2: "bob"}, places={1: 2, 2: 1}))
    async with keeper.database.read() as connection:
        info = await stored.info(connection, "g1")
    assert info is not None
    assert [one.place for one in info.players] == [1, 2]


async def test_a_finished_game_is_written_down_with_what_the_unit_saw_and_each_persons_numbers(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")
    entries = await keeper.played("g1", {1: "ann", 2: "bob"})
    await Archivist(keeper.database).catch_up()
    text = await text_of(keeper, "g1")
    assert is_of(text, entries)
    assert any(move.evidence != NOTHING for move in read(text or "").moves)
    tallies = await tallies_of(keeper, "g1")
    races = sum(isinstance(one, GameMoved) and one.race is not None and bool(one.race.marks) for one in entries)
    counted = sum(one.races + one.faked_at for one in tallies.values() if one is not None)
    assert counted == races > 0


async def test_a_text_has_no_names_and_is_shown_with_those_of_today(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")
    await keeper.played("g1", {1: "ann", 4: "bob"}, most=10)
    await Archivist(keeper.database).catch_up()
    text = await text_of(keeper, "g1")
    assert text is not None
    assert "Ann" not in text
    named = read(with_names(text, {1: 'A "quoted" \\ name', 4: "Бо́б"}))
    assert named.names == ('A "quoted" \\ name', "Бо́б")


async def test_each_game_of_an_evening_is_told_by_its_own_part_of_the_log(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")
    people = {1: "ann", 2: "bob"}
    parts = [game_entries(f"g{at}", seed=at, edition=edition) for at, edition in enumerate((CLASSIC, MODERN, CLASSIC))]
    log = [*table_entries("EVENING"), *parts[0], *parts[1], *parts[2]]
    await keeper.table("EVENING", log, [outcome_of(f"g{at}", people, code="EVENING") for at in range(2)])
    await Archivist(keeper.database).catch_up()
    assert is_of(await text_of(keeper, "g0"), parts[0])
    assert is_of(await text_of(keeper, "g1"), parts[1])
    assert await text_of(keeper, "g2") is None, "it is not over"


async def test_a_game_called_off_is_written_down_as_far_as_it_came(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")
    part = game_entries("g1", most=12)
    log = [*table_entries("EVENING"), *part, GameCalledOff(BEGAN_US, (2,))]
    outcome = outcome_of("g1", {1: "ann", 2: "bob"}, code="EVENING", called_off=True, left=(2,))
    await keeper.table("EVENING", log, [outcome])
    await Archivist(keeper.database).catch_up()
    text = await text_of(keeper, "g1")
    assert is_of(text, part)
    assert read(text or "").result is None


async def test_what_a_bot_did_after_somebody_had_got_up_is_not_his(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")
    began, *moves = game_entries("g1", seed=3)
    log = [*table_entries("EVENING"), began, SeatHandedOver(2, Level.STEADY), *moves]
    await keeper.table("EVENING", log, [outcome_of("g1", {1: "ann", 2: "bob"}, code="EVENING", left=(2,))])
    await Archivist(keeper.database).catch_up()
    tallies = await tallies_of(keeper, "g1")
    assert tallies[1] != GameTally()
    assert tallies[2] == GameTally()


async def test_only_people_have_numbers(keeper: Keeper) -> None:
    await keeper.people("ann")
    await keeper.table(
        "EVENING",
        [*table_entries("EVENING"), *game_entries("g1")],
        [outcome_of("g1", {1: "ann", 2: None}, code="EVENING")],
    )
    await Archivist(keeper.database).catch_up()
    tallies = await tallies_of(keeper, "g1")
    assert tallies[1] is not None
    assert tallies[2] is None


async def test_nothing_is_written_twice(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")
    await keeper.played("g1", {1: "ann", 2: "bob"})
    await Archivist(keeper.database).catch_up()
    marked = update(games).values(record="; written before")
    await keeper.database.write(lambda connection: connection.execute(marked))
    first, second = Archivist(keeper.database), Archivist(keeper.database)
    await asyncio.gather(first.catch_up(), second.catch_up())
    assert await text_of(keeper, "g1") == "; written before"
    again = await keeper.database.write(lambda connection: stored.write_down(connection, "g1", "other", {1: "{}"}))
    assert not again
    assert (await tallies_of(keeper, "g1"))[1] != GameTally()


async def test_two_servers_that_look_at_once_write_a_game_once(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")
    entries = await keeper.played("g1", {1: "ann", 2: "bob"}, rated=True)
    await asyncio.gather(*(Archivist(keeper.database).catch_up() for _ in range(3)))
    assert is_of(await text_of(keeper, "g1"), entries)


async def test_what_a_crash_left_is_completed_at_the_start_and_then_each_game_as_it_ends(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")
    left = await keeper.played("left", {1: "ann", 2: "bob"}, seed=4)
    archivist = Archivist(keeper.database)
    work = asyncio.create_task(archivist.run())
    await until(lambda: text_of(keeper, "left"))
    new = await keeper.played("new", {1: "ann", 2: "bob"}, seed=5)
    archivist.finished(outcome_of("new", {1: "ann", 2: "bob"}, code="NEW"))
    await until(lambda: text_of(keeper, "new"))
    work.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await work
    assert is_of(await text_of(keeper, "left"), left)
    assert is_of(await text_of(keeper, "new"), new)


async def test_a_game_whose_log_is_gone_is_left_and_the_others_are_written(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")
    await keeper.played("gone", {1: "ann", 2: "bob"})
    await keeper.played("g2", {1: "ann", 2: "bob"})
    forgetting = delete(entries_table).where(entries_table.c.code == "GONE")
    await keeper.database.write(lambda connection: connection.execute(forgetting))
    await Archivist(keeper.database).catch_up()
    assert await text_of(keeper, "gone") is None
    assert await text_of(keeper, "g2") is not None


async def test_a_log_that_makes_no_game_is_told_once_and_stops_nobody(
    keeper: Keeper, caplog: pytest.LogCaptureFixture
) -> None:
    await keeper.people("ann", "bob")
    people = {1: "ann", 2: "bob"}
    began, *moves = game_entries("bad")
    await keeper.table("BAD", [*table_entries("BAD"), began, *moves[1:]], [outcome_of("bad", people, code="BAD")])
    await keeper.played("good", people)
    archivist = Archivist(keeper.database)
    with caplog.at_level(logging.ERROR):
        await archivist.catch_up()
        await archivist.catch_up()
    assert len(caplog.records) == 1
    assert await text_of(keeper, "good") is not None


async def test_more_games_than_can_wait_are_found_at_the_next_look(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_WAITING", 1)
    await keeper.people("ann", "bob")
    archivist = Archivist(keeper.database)
    for game in ("g1", "g2", "g3"):
        await keeper.played(game, {1: "ann", 2: "bob"}, most=10)
        archivist.finished(outcome_of(game, {1: "ann", 2: "bob"}, code=game.upper()))
    await archivist.catch_up()
    assert all([await text_of(keeper, game) for game in ("g1", "g2", "g3")])


async def test_a_guest_who_has_become_an_account_and_one_who_is_deleted_are_so_in_a_game_that_ends_later(
    keeper: Keeper,
) -> None:
    await keeper.people("guest", "account", "leaver")
    await keeper.database.write(lambda connection: merge(connection, "guest", "account"))
    await keeper.database.write(lambda connection: delete_for_good(connection, "leaver"))
    await keeper.game(outcome_of("g1", {1: "guest", 2: "leaver", 3: None}))
    async with keeper.database.read() as connection:
        info = await stored.info(connection, "g1")
    assert info is not None
    assert [(one.person, one.name) for one in info.players] == [("account", "Guest"), (None, NOBODY), (None, "Bot")]


async def test_rows_are_for_the_move_that_ends_the_game_or_not_there(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")

    async def breaks(connection: object) -> None:
        await keeping(outcome_of("g1", {1: "ann", 2: "bob"}))(connection)  # type: ignore[arg-type]
        raise LookupError

    with pytest.raises(LookupError):
        await keeper.database.write(breaks)
    async with keeper.database.read() as connection:
        assert await stored.info(connection, "g1") is None


@given(st.integers(0, 2**20), st.sampled_from([(1, 2), (2, 3, 4), (1, 2, 3, 4)]), st.sampled_from([CLASSIC, MODERN]))
def test_a_game_comes_back_from_its_text(seed: int, seats: tuple[int, ...], edition: object) -> None:
    entries = game_entries("g", seats=seats, seed=seed, edition=edition)  # type: ignore[arg-type]
    text = written_down(entries).text
    assert is_of(text, entries)
    assert write(read(text)) == text
    assert isinstance(entries[0], GameBegan)
