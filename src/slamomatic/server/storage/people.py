"""People and what proves who they are: what is asked of their tables. Every function works within the transaction it
is given, and those that change something are meant for the one writer.

Laws of this room:
- whatever is good for one use is used up by the statement that finds it, so two servers cannot both find it;
- a guest whose games went into an account stays as a row that names the account: a game he still plays at that moment
  finds its way (:func:`now_known_as`);
- who is deleted is nobody anywhere: his games stay for those who played with him, and say :data:`NOBODY` of him.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server.calls import PasskeyInfo, Person
from slamomatic.server.storage.schema import (
    devices,
    passkeys,
    people,
    players,
    ratings,
    recovery_codes,
    reports,
    secrets,
    spent,
)

NOBODY = "Somebody"
"""The name of whoever is deleted, in the games of others."""
MOST_DEVICES = 50
"""From so many devices one person asks."""


class PersonRow(NamedTuple):
    """A person, as the device he asks from knows him."""

    id: str
    name: str
    avatar: int
    seen_us: int
    banned_us: int | None
    device: str


class PasskeyRow(NamedTuple):
    """What it takes to believe a passkey."""

    id: str
    person: str
    public_key: bytes
    sign_count: int


class WaysIn(NamedTuple):
    """By how many passkeys and recovery codes a person comes back on another device."""

    passkeys: int
    codes: int


# The service's own keys.


async def secret(connection: AsyncConnection, name: str) -> bytes | None:
    """A key this service made for itself; None: not yet."""
    found: bytes | None = await connection.scalar(select(secrets.c.value).where(secrets.c.name == name))
    return found


async def keep_secret(connection: AsyncConnection, name: str, value: bytes) -> None:
    """Keep a new key, unless another server was faster: the first one counts."""
    await _insert_once(connection, insert(secrets).values(name=name, value=value))


async def spend(connection: AsyncConnection, mark: str, until_us: int, now_us: int) -> bool:
    """Use up what is good for one use until then; False: it was used before."""
    await connection.execute(delete(spent).where(spent.c.until_us < now_us))
    return await _insert_once(connection, insert(spent).values(mark=mark, until_us=until_us))


# People and their devices.


async def add_person(connection: AsyncConnection, person: str, name: str, avatar: int, now_us: int) -> None:
    """Somebody new."""
    row = {"id": person, "name": name, "avatar": avatar, "made_us": now_us, "seen_us": now_us}
    await connection.execute(insert(people).values(row))


async def add_device(connection: AsyncConnection, device: str, person: str, now_us: int) -> None:
    """A device from which this person asks. Who has too many is signed out on the oldest."""
    await connection.execute(insert(devices).values(id=device, person=person, made_us=now_us))
    newest = (
        select(devices.c.id).where(devices.c.person == person).order_by(devices.c.made_us.desc()).limit(MOST_DEVICES)
    )
    await connection.execute(delete(devices).where(devices.c.person == person, devices.c.id.not_in(newest)))


async def person_at(connection: AsyncConnection, device: str) -> PersonRow | None:
    """Whose device that is; None: nobody's any more."""
    query = (
        select(people.c.id, people.c.name, people.c.avatar, people.c.seen_us, people.c.banned_us)
        .join(devices, devices.c.person == people.c.id)
        .where(devices.c.id == device)
    )
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else PersonRow(*row, device)


async def name_of(connection: AsyncConnection, person: str) -> str | None:
    """What this person is called; None: there is no such person."""
    found: str | None = await connection.scalar(select(people.c.name).where(people.c.id == person))
    return found


async def profile(connection: AsyncConnection, person: str) -> Person | None:
    """All this person sees of himself; None: there is no such person."""
    row = (await connection.execute(select(people).where(people.c.id == person))).mappings().one_or_none()
    if row is None:
        return None
    keys = select(passkeys).where(passkeys.c.person == person).order_by(passkeys.c.made_us, passkeys.c.id)
    known = tuple(
        PasskeyInfo(id=key["id"], label=key["label"], made_us=key["made_us"], used_us=key["used_us"])
        for key in (await connection.execute(keys)).mappings()
    )
    codes = (await ways_in(connection, person)).codes
    return Person(
        id=row["id"],
        name=row["name"],
        avatar=row["avatar"],
        has_account=bool(known or codes),
        passkeys=known,
        recovery_codes_left=codes,
        made_us=row["made_us"],
    )


async def change(connection: AsyncConnection, person: str, **changes: Any) -> None:
    """Change columns of a person's own row."""
    await connection.execute(update(people).where(people.c.id == person).values(**changes))


async def hold(connection: AsyncConnection, *persons: str) -> frozenset[str]:
    """Nobody else changes who these people are until the transaction ends; returns those that there are.

    Whoever changes anything that hangs on a person holds him first, and several in the order of their ids: so no two
    transactions ever wait for each other.
    """
    query = select(people.c.id).where(people.c.id.in_(persons), people.c.merged_into.is_(None))
    return frozenset(await connection.scalars(query.order_by(people.c.id).with_for_update()))


async def is_banned(connection: AsyncConnection, person: str) -> bool:
    """Whether the operator wants this person here no more."""
    return await connection.scalar(select(people.c.banned_us).where(people.c.id == person)) is not None


async def drop_device(connection: AsyncConnection, device: str) -> None:
    """The token of this device opens nothing any more."""
    await connection.execute(delete(devices).where(devices.c.id == device))


async def drop_other_devices(connection: AsyncConnection, person: str, device: str) -> None:
    """The tokens of all other devices of this person open nothing any more."""
    await connection.execute(delete(devices).where(devices.c.person == person, devices.c.id != device))


# Ways in.


async def ways_in(connection: AsyncConnection, person: str) -> WaysIn:
    """How this person comes back on another device."""
    counts = select(
        _count(select(passkeys.c.id).where(passkeys.c.person == person)),
        _count(select(recovery_codes.c.hash).where(recovery_codes.c.person == person)),
    )
    return WaysIn(*(await connection.execute(counts)).one())


async def passkey(connection: AsyncConnection, key: str) -> PasskeyRow | None:
    """The passkey of this id."""
    query = select(passkeys.c.id, passkeys.c.person, passkeys.c.public_key, passkeys.c.sign_count)
    row = (await connection.execute(query.where(passkeys.c.id == key))).one_or_none()
    return None if row is None else PasskeyRow(*row)


async def passkeys_of(connection: AsyncConnection, person: str) -> list[str]:
    """The ids of a person's passkeys."""
    return list(await connection.scalars(select(passkeys.c.id).where(passkeys.c.person == person)))


async def add_passkey(connection: AsyncConnection, row: PasskeyRow, label: str, now_us: int) -> bool:
    """Keep a new passkey; False: it is here already, his or another's."""
    values = {**row._asdict(), "label": label, "made_us": now_us}
    return await _insert_once(connection, insert(passkeys).values(values))


async def use_passkey(connection: AsyncConnection, row: PasskeyRow, sign_count: int, now_us: int) -> bool:
    """Note that it was used; False: it was used elsewhere since it was looked up, or is gone."""
    using = (
        update(passkeys)
        .where(passkeys.c.id == row.id, passkeys.c.sign_count == row.sign_count)
        .values(sign_count=sign_count, used_us=now_us)
    )
    return bool((await connection.execute(using)).rowcount)


async def drop_passkey(connection: AsyncConnection, person: str, key: str) -> bool:
    """Take away one of this person's passkeys; False: it is none of his."""
    dropping = delete(passkeys).where(passkeys.c.id == key, passkeys.c.person == person)
    return bool((await connection.execute(dropping)).rowcount)


async def set_codes(connection: AsyncConnection, person: str, hashes: Iterable[str]) -> None:
    """These recovery codes instead of those before."""
    await connection.execute(delete(recovery_codes).where(recovery_codes.c.person == person))
    await connection.execute(insert(recovery_codes), [{"hash": one, "person": person} for one in hashes])


async def whose_code(connection: AsyncConnection, hashed: str) -> str | None:
    """Whose recovery code that is; None: nobody's, or not any more."""
    found: str | None = await connection.scalar(select(recovery_codes.c.person).where(recovery_codes.c.hash == hashed))
    return found


async def use_code(connection: AsyncConnection, hashed: str) -> bool:
    """Use a recovery code up; False: it is used already."""
    using = delete(recovery_codes).where(recovery_codes.c.hash == hashed)
    return bool((await connection.execute(using)).rowcount)


# Becoming another, and nobody.


async def merge(connection: AsyncConnection, guest: str, account: str) -> None:
    """All a guest has played and said is the account's from now on. His tokens open nothing any more: whoever had a
    copy of one would be in the account with it."""
    await connection.execute(update(players).where(players.c.person == guest).values(person=account))
    await connection.execute(update(reports).where(reports.c.reporter == guest).values(reporter=account))
    await connection.execute(update(reports).where(reports.c.person == guest).values(person=account))
    # A rating cannot be added to another: where both have one, the guest's stays, as a sign to count them all anew.
    his = select(ratings.c.edition).where(ratings.c.person == account)
    moves = update(ratings).where(ratings.c.person == guest, ratings.c.edition.not_in(his))
    await connection.execute(moves.values(person=account))
    await connection.execute(delete(devices).where(devices.c.person == guest))
    await change(connection, guest, merged_into=account, name=NOBODY)


async def delete_for_good(connection: AsyncConnection, person: str) -> None:
    """Delete a person and all that is his: profile, devices, passkeys, codes and ratings. In the games of others he is
    :data:`NOBODY`."""
    await hold(connection, person)
    ids = [person, *await _former(connection, person)]
    nobody = {"person": None, "name": NOBODY, "avatar": 0, "tally": None}
    await connection.execute(update(players).where(players.c.person.in_(ids)).values(nobody))
    await connection.execute(update(reports).where(reports.c.reporter.in_(ids)).values(reporter=""))
    await connection.execute(delete(reports).where(reports.c.person.in_(ids)))
    await connection.execute(delete(people).where(people.c.id.in_(ids)))  # and what hangs on them


async def drop_guests(connection: AsyncConnection, unseen_since_us: int, limit: int) -> None:
    """Delete so many of the guests not seen since then who have finished no game and have no way to come back."""
    trodden = [table.c.person for table in (players, passkeys, recovery_codes)]
    idle = (
        select(people.c.id)
        .where(people.c.seen_us < unseen_since_us, people.c.banned_us.is_(None), people.c.merged_into.is_(None))
        .where(*(~select(column).where(column == people.c.id).exists() for column in trodden))
        .limit(limit)
    )
    ids = list((await connection.execute(idle)).scalars())
    if ids:
        await connection.execute(delete(people).where(people.c.id.in_(ids)))


async def now_known_as(connection: AsyncConnection, ids: Collection[str]) -> dict[str, str | None]:
    """Who these people are by now, and stay until the transaction ends: themselves, the account a guest went into, or
    nobody (None). For the one writer: who is deleted at that moment waits, and is found in what was written."""
    query = select(people.c.id, func.coalesce(people.c.merged_into, people.c.id)).where(people.c.id.in_(list(ids)))
    held = query.order_by(people.c.id).with_for_update(read=True, key_share=True)
    known: dict[str, str] = dict((await connection.execute(held)).all())
    return {person: known.get(person) for person in ids}


# What is kept of somebody, for his own eyes.


async def kept_of(connection: AsyncConnection, person: str) -> Mapping[str, list[dict[str, Any]]]:
    """A person's devices, ratings and reports, and the guests he was before."""
    ids = [person, *await _former(connection, person)]
    device = select(devices.c.made_us).where(devices.c.person == person).order_by(devices.c.made_us)
    rating = (
        select(ratings.c.edition, ratings.c.mu, ratings.c.sigma, ratings.c.games)
        .where(ratings.c.person == person)
        .order_by(ratings.c.edition)
    )
    report = (
        select(reports.c.at_us, reports.c.code, reports.c.name, reports.c.reason)
        .where(reports.c.reporter.in_(ids))
        .order_by(reports.c.at_us)
    )
    guest = select(people.c.id, people.c.made_us).where(people.c.merged_into == person).order_by(people.c.made_us)
    parts = {"devices": device, "ratings": rating, "reports": report, "guests": guest}
    return {part: [_named(row) for row in await connection.execute(query)] for part, query in parts.items()}


async def tallies_of(connection: AsyncConnection, person: str, games: Collection[str]) -> dict[str, str]:
    """What these games say of a person, as JSON, as far as they were counted."""
    query = select(players.c.game, players.c.tally).where(
        players.c.person == person, players.c.game.in_(list(games)), players.c.tally.is_not(None)
    )
    return dict((await connection.execute(query)).all())


async def _former(connection: AsyncConnection, person: str) -> list[str]:
    """The guests this person was before they went into his account."""
    return list(await connection.scalars(select(people.c.id).where(people.c.merged_into == person)))


async def _insert_once(connection: AsyncConnection, statement: Any) -> bool:
    """Insert; False: it is there already."""
    try:
        async with connection.begin_nested():
            await connection.execute(statement)
    except IntegrityError:
        return False
    return True


def _count(query: Select[Any]) -> Any:
    return select(func.count()).select_from(query.subquery()).scalar_subquery()


def _named(row: Row[Any]) -> dict[str, Any]:
    return dict(row._mapping)
