"""Everyone this server knows: who asks, who is new, who comes back as himself, and who wants to be forgotten.

Laws of this room:
- who asks says so by a token in the ``Authorization`` header; a token costs the database one look every few seconds,
  however many calls come with it, so a ban, a deletion or a sign-out on another server counts within seconds;
- whatever changes who somebody is happens in one transaction, or not at all;
- a guest who signs in is his account from then on, with all he has played; an account never goes into another;
- who is banned may still take along and delete what is his, and nothing else.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from secrets import SystemRandom
from typing import Any

from aiohttp import web
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server import wire
from slamomatic.server.calls import Person, RecoveryCodes, SignedIn
from slamomatic.server.clock import now_us
from slamomatic.server.limits import MINUTE, SECOND
from slamomatic.server.people import names
from slamomatic.server.people.codes import hashed, new_codes
from slamomatic.server.people.tokens import Keyring, new_id
from slamomatic.server.storage import games
from slamomatic.server.storage import people as rows
from slamomatic.server.storage.database import Database
from slamomatic.server.storage.people import PersonRow
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import RefusalCode

FRESH_US = 5 * SECOND
"""So long what the database said of a device is believed."""
KNOWN = 20_000
"""Of so many devices it is remembered."""
SEEN_US = 60 * MINUTE
"""How often it is written down that somebody was here."""
EXPORTED_AT_ONCE = 50
FORGOTTEN_AT_ONCE = 500

Proof = Callable[[AsyncConnection], Awaitable[None]]
"""Uses up, within a transaction, what proved who somebody is. Raises Refusal: it proves nothing any more."""

_chance = SystemRandom()


class People:
    """The people of a database, as one server knows them."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._keys: Keyring | None = None
        self._known: OrderedDict[str, tuple[PersonRow, int]] = OrderedDict()
        """By device: whose it is, and until when that is believed."""
        names.name_filter()  # awake before anyone waits for it

    async def keyring(self) -> Keyring:
        """What signs tokens and tickets; asked of the database once."""
        if self._keys is None:
            self._keys = await Keyring.open(self.database)
        return self._keys

    # Who asks.

    async def who(self, request: web.Request, *, even_banned: bool = False) -> PersonRow | None:
        """Who asks; None: he says nothing of who he is.

        Raises:
            Refusal: the token is of nobody (any more), or of somebody banned.
            StorageError: the database does not answer.
        """
        header = request.headers.get("Authorization")
        if header is None:
            return None
        scheme, _, token = header.partition(" ")
        device = (await self.keyring()).device_of(token.strip()) if scheme.lower() == "bearer" else None
        person = None if device is None else await self._person_at(device)
        if person is None:
            raise Refusal(RefusalCode.NO_PERSON, "this device is signed out: go on as a new guest, or sign in again")
        if person.banned_us is not None and not even_banned:
            raise _banned()
        return person

    async def _person_at(self, device: str) -> PersonRow | None:
        now = now_us()
        if (known := self._known.get(device)) is not None and now < known[1]:
            self._known.move_to_end(device)
            return known[0]
        self._known.pop(device, None)
        async with self.database.read() as connection:
            person = await rows.person_at(connection, device)
        if person is None:
            return None
        if now - person.seen_us > SEEN_US:
            await self.database.write(lambda connection: rows.change(connection, person.id, seen_us=now))
        self._known[device] = person, now + FRESH_US
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)
        return person

    def forget(self, person: str) -> None:
        """Something about this person has changed: ask the database again."""
        for device in [device for device, (known, _) in self._known.items() if known.id == person]:
            del self._known[device]

    async def forget_guests(self, unseen_since_us: int) -> None:
        """Drop guests who left nothing behind and were not seen since then; some of them, if there are many."""
        await self.database.write(lambda connection: rows.drop_guests(connection, unseen_since_us, FORGOTTEN_AT_ONCE))

    def check_name(self, name: str) -> None:
        """See whether somebody may be called so.

        Raises:
            Refusal: he may not (:func:`~slamomatic.server.people.names.fit_name`).
        """
        names.fit_name(name)

    async def name_of(self, person: str) -> str:
        """What this person is called by now."""
        async with self.database.read() as connection:
            return await rows.name_of(connection, person) or rows.NOBODY

    async def is_banned(self, person: str) -> bool:
        """Whether somebody may not play here any more."""
        async with self.database.read() as connection:
            return await rows.is_banned(connection, person)

    def mark(self, address: str) -> str:
        """A word for an address that does not tell it, the same on every server; for who has been asked after first."""
        if self._keys is None:
            raise RuntimeError("nobody was asked after yet")
        return self._keys.mark(address)

    # Being somebody.

    async def become_guest(self, name: str | None) -> SignedIn:
        """Somebody new.

        Raises:
            Refusal: he may not be called so.
        """
        called = names.made_up_name(_chance) if name is None else names.fit_name(name)
        person, device, now = new_id(), new_id(), now_us()
        avatar = _chance.randrange(names.AVATARS)

        async def job(connection: AsyncConnection) -> Person:
            await rows.add_person(connection, person, called, avatar, now)
            await rows.add_device(connection, device, person, now)
            return await _profile(connection, person)

        me = await self.database.write(job)
        return SignedIn((await self.keyring()).token(device), me)

    async def profile(self, person: str) -> Person:
        """All somebody sees of himself."""
        async with self.database.read() as connection:
            return await _profile(connection, person)

    async def change(self, person: str, name: str | None, avatar: int | None) -> Person:
        """Take another name or picture; what is None stays.

        Raises:
            Refusal: he may not be called so.
        """
        wished = {"name": None if name is None else names.fit_name(name), "avatar": avatar}
        changes = {column: value for column, value in wished.items() if value is not None}

        async def job(connection: AsyncConnection) -> Person:
            if changes:
                await rows.change(connection, person, **changes)
            return await _profile(connection, person)

        me = await self.database.write(job)
        self.forget(person)
        return me

    async def sign_out(self, person: PersonRow, *, everywhere_else: bool) -> None:
        """The token of this device, or those of all others, open nothing any more."""

        async def job(connection: AsyncConnection) -> None:
            if everywhere_else:
                await rows.drop_other_devices(connection, person.id, person.device)
            else:
                await rows.drop_device(connection, person.device)

        await self.database.write(job)
        self.forget(person.id)

    # Coming back.

    async def sign_in(self, account: str, proof: Proof, guest: PersonRow | None) -> SignedIn:
        """Be somebody, on a new device, if the proof still holds; a guest who asks brings his games along.

        Raises:
            Refusal: it proves nothing, or proves somebody banned. Then nothing is used up.
        """
        device, now = new_id(), now_us()

        async def job(connection: AsyncConnection) -> Person:
            held = await rows.hold(connection, account, *([] if guest is None else [guest.id]))
            if account not in held:
                raise Refusal(RefusalCode.BAD_TICKET, "this account is deleted")
            await proof(connection)
            if await rows.is_banned(connection, account):
                raise _banned()
            if guest is not None and guest.id in held - {account} and await _is_mere_guest(connection, guest.id):
                await rows.merge(connection, guest.id, account)
            await rows.add_device(connection, device, account, now)
            return await _profile(connection, account)

        me = await self.database.write(job)
        if guest is not None:
            self.forget(guest.id)
        return SignedIn((await self.keyring()).token(device), me)

    async def recover(self, code: str, guest: PersonRow | None) -> SignedIn:
        """Come back by a recovery code, which is used up.

        Raises:
            Refusal: there is no such code, or not any more.
        """
        kept = hashed(code)
        unproved = Refusal(
            RefusalCode.BAD_TICKET,
            "this is no recovery code, or it was used already: look at it again, or take the next one",
        )
        async with self.database.read() as connection:
            account = await rows.whose_code(connection, kept)
        if account is None:
            raise unproved

        async def proof(connection: AsyncConnection) -> None:
            if not await rows.use_code(connection, kept):
                raise unproved

        return await self.sign_in(account, proof, guest)

    async def make_codes(self, person: str) -> RecoveryCodes:
        """Ten new recovery codes; older ones are void."""
        codes = new_codes()

        async def job(connection: AsyncConnection) -> None:
            if not await rows.hold(connection, person):
                raise nobody()
            await rows.set_codes(connection, person, map(hashed, codes))

        await self.database.write(job)
        return RecoveryCodes(codes)

    # Taking along and forgetting.

    async def export(self, person: str) -> AsyncIterator[bytes]:
        """All that is kept of somebody, as the text of one JSON object, piece by piece: it may be long."""
        async with self.database.read() as connection:
            me = await _profile(connection, person)
            kept = await rows.kept_of(connection, person)
        parts = {"me": me, **kept}
        yield b"{" + b",".join(b'"%b":%b' % (part.encode(), wire.write(value)) for part, value in parts.items())
        yield b',"games":['
        before_us, between = None, b""
        while page := await self._played(person, before_us):
            yield between + b",".join(map(wire.write, page))
            before_us, between = page[-1]["game"].began_us, b","
        yield b"]}"

    async def _played(self, person: str, before_us: int | None) -> list[Mapping[str, Any]]:
        """So many of his games, newest first, each with its text and what it says of him."""
        async with self.database.read() as connection:
            played = await games.games_of(connection, person, before_us, EXPORTED_AT_ONCE)
            tallies = await rows.tallies_of(connection, person, [game.id for game in played])
            return [
                {
                    "game": game,
                    "tally": json.loads(tallies.get(game.id, "null")),
                    "record": await games.text_of(connection, game.id),
                }
                for game in played
            ]

    async def delete_for_good(self, person: str) -> None:
        """Delete somebody and all that is his; the games of others no longer tell of him."""
        await self.database.write(lambda connection: rows.delete_for_good(connection, person))
        self.forget(person)


def nobody() -> Refusal:
    """Who asks is nobody, or not any more."""
    return Refusal(RefusalCode.NO_PERSON, "this takes somebody: send the token of this device")


def _banned() -> Refusal:
    return Refusal(RefusalCode.BANNED, "whoever runs this server wants you to play here no more")


async def _is_mere_guest(connection: AsyncConnection, person: str) -> bool:
    return await rows.ways_in(connection, person) == (0, 0)


async def _profile(connection: AsyncConnection, person: str) -> Person:
    me = await rows.profile(connection, person)
    if me is None:
        raise nobody()
    return me
