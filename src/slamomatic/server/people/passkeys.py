"""Passkeys: how an account is kept without a password, a user name or a mail address.

Laws of this room:
- a ceremony has two halves, and a ticket goes from the first to the second: signed, good for a few minutes and for one
  use. Only its use is written down, in the transaction of what it was used for; so asking for tickets costs nothing to
  keep, and of two servers that see the same answer one is refused by the database;
- an answer counts for the page it was asked from, at the address people type, and for nobody else;
- the private key never leaves its device: what is kept here opens nothing, and a passkey that counts backwards has
  been copied and opens nothing either.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import secrets
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
import webauthn
from aiohttp import web
from sqlalchemy.ext.asyncio import AsyncConnection
from webauthn.helpers import bytes_to_base64url, options_to_json_dict
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from slamomatic.server.calls import PasskeyAnswer, PasskeyOptions, Person, SignedIn
from slamomatic.server.clock import now_us
from slamomatic.server.limits import MINUTE
from slamomatic.server.people.people import People, nobody
from slamomatic.server.people.tokens import Keyring
from slamomatic.server.site import Site
from slamomatic.server.storage import people as rows
from slamomatic.server.storage.people import PasskeyRow, PersonRow
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import RefusalCode

RP_NAME = "Hands Down"
TICKET_US = 5 * MINUTE
"""So long somebody has to find his thumb."""
CLOCKS_US = 5 * MINUTE
"""So far the clocks of two servers may be apart before a used ticket could count again."""
MOST = 20
"""Passkeys of one person."""
CHALLENGE_BYTES = 32
_ID = re.compile(r"[A-Za-z0-9_-]{1,1364}")
"""The id of a credential, as text: at most 1,023 bytes. Nothing else is looked for."""


class Page(NamedTuple):
    """Where a ceremony takes place, as an authenticator sees it."""

    origin: str
    host: str


class Ceremony(msgspec.Struct, frozen=True):
    """What a ticket says. Its challenge is random, and so it names the ticket too."""

    person: str | None
    """Who adds a passkey; None: somebody signs in."""
    challenge: bytes
    origin: str
    host: str
    until_us: int

    @property
    def mark(self) -> str:
        """What is written down of a used one."""
        return hashlib.sha256(self.challenge).hexdigest()


class Passkeys:
    """The passkeys of the people of a database."""

    def __init__(self, people: People, site: Site) -> None:
        self._database = people.database
        self._people = people
        self._site = site

    # Adding one.

    async def ask_for_new(self, person: PersonRow, request: web.Request) -> PasskeyOptions:
        """The first half of adding a passkey.

        Raises:
            Refusal: this address cannot have passkeys, or he has enough.
        """
        async with self._database.read() as connection:
            known = await rows.passkeys_of(connection, person.id)
        ceremony = self._begin(self._page(request), person.id)
        options = webauthn.generate_registration_options(
            rp_id=ceremony.host,
            rp_name=RP_NAME,
            user_name=person.name,
            user_id=person.id.encode(),
            challenge=ceremony.challenge,
            timeout=TICKET_US // 1_000,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(webauthn.base64url_to_bytes(key)) for key in known],
        )
        return PasskeyOptions((await self._people.keyring()).ticket(ceremony), options_to_json_dict(options))

    async def add(self, person: PersonRow, answer: PasskeyAnswer) -> Person:
        """The second half: keep it.

        Raises:
            Refusal: the answer is not to a question of ours, or proves nothing; or he has enough.
        """
        ceremony = _still_good(await self._people.keyring(), answer.ticket)
        if ceremony.person != person.id:
            raise _unproved("this passkey was begun for somebody else: begin anew")
        try:
            made = webauthn.verify_registration_response(
                credential=answer.credential,
                expected_challenge=ceremony.challenge,
                expected_rp_id=ceremony.host,
                expected_origin=ceremony.origin,
            )
        except Exception:  # noqa: BLE001 - its parsers raise whatever their parts raise: it is no passkey
            raise _unproved("this is no answer to what the browser was asked: try again") from None
        row = PasskeyRow(bytes_to_base64url(made.credential_id), person.id, made.credential_public_key, made.sign_count)
        label, now = _in_one_line(answer.label) or "Passkey", now_us()

        async def job(connection: AsyncConnection) -> Person:
            if not await rows.hold(connection, person.id):
                raise nobody()
            await _use_up(connection, ceremony, now)
            if (await rows.ways_in(connection, person.id)).passkeys >= MOST:
                raise Refusal(RefusalCode.FULL, f"{MOST} passkeys are enough: remove one first")
            if not await rows.add_passkey(connection, row, label, now):
                raise Refusal(RefusalCode.TAKEN, "this passkey is here already: sign in with it")
            me = await rows.profile(connection, person.id)
            if me is None:
                raise nobody()
            return me

        return await self._database.write(job)

    # Signing in.

    async def ask_for_known(self, request: web.Request) -> PasskeyOptions:
        """The first half of signing in; who it will be, the browser asks.

        Raises:
            Refusal: this address cannot have passkeys.
        """
        ceremony = self._begin(self._page(request), None)
        options = webauthn.generate_authentication_options(
            rp_id=ceremony.host,
            challenge=ceremony.challenge,
            timeout=TICKET_US // 1_000,
            user_verification=UserVerificationRequirement.PREFERRED,
        )
        return PasskeyOptions((await self._people.keyring()).ticket(ceremony), options_to_json_dict(options))

    async def sign_in(self, answer: PasskeyAnswer, guest: PersonRow | None) -> SignedIn:
        """The second half: be who the passkey says; a guest who asks brings his games along.

        Raises:
            Refusal: the answer is not to a question of ours, or proves nothing.
        """
        ceremony = _still_good(await self._people.keyring(), answer.ticket)
        if ceremony.person is not None:
            raise _unproved("this was begun to add a passkey, not to sign in: begin anew")
        known = await self._known(answer.credential.get("id"))
        try:
            proved = webauthn.verify_authentication_response(
                credential=answer.credential,
                expected_challenge=ceremony.challenge,
                expected_rp_id=ceremony.host,
                expected_origin=ceremony.origin,
                credential_public_key=known.public_key,
                credential_current_sign_count=known.sign_count,
            )
        except Exception:  # noqa: BLE001 - as above
            raise _unproved("this passkey does not prove who you are: try again, or use a recovery code") from None
        if not _is_of(answer.credential, known.person):
            raise _unproved("this passkey was made for somebody else")

        async def proof(connection: AsyncConnection) -> None:
            now = now_us()
            await _use_up(connection, ceremony, now)
            if not await rows.use_passkey(connection, known, proved.new_sign_count, now):
                raise _unproved("this passkey was used elsewhere just now: try again")

        return await self._people.sign_in(known.person, proof, guest)

    async def _known(self, key: object) -> PasskeyRow:
        known = None
        if isinstance(key, str) and _ID.fullmatch(key):
            async with self._database.read() as connection:
                known = await rows.passkey(connection, key)
        if known is None:
            raise _unproved("this passkey is not known here (any more): use another, or a recovery code")
        return known

    # Removing one.

    async def remove(self, person: str, key: str) -> Person:
        """Take one of somebody's own passkeys away.

        Raises:
            Refusal: it is none of his, or the last way into his account.
        """

        unknown = _unproved("you have no such passkey (any more)")
        if not _ID.fullmatch(key):
            raise unknown

        async def job(connection: AsyncConnection) -> Person:
            if not await rows.hold(connection, person) or not await rows.drop_passkey(connection, person, key):
                raise unknown
            if await rows.ways_in(connection, person) == (0, 0):
                text = "this is the last way into your account: make recovery codes or add another passkey first"
                raise Refusal(RefusalCode.NOT_NOW, text)
            me = await rows.profile(connection, person)
            if me is None:
                raise nobody()
            return me

        return await self._database.write(job)

    # Where it takes place.

    def _page(self, request: web.Request) -> Page:
        """Where the asking page is, as its browser says: :meth:`Site.is_ours` has looked at that already."""
        told = request.headers.get("Origin") or f"{request.scheme}://{request.host}"
        asking = urlsplit(told)
        if self._site.public_url is not None:
            public = urlsplit(self._site.public_url)
            if (asking.scheme, asking.netloc) != (public.scheme, public.netloc):
                text = f"passkeys belong to {self._site.public_url}: open the game there"
                raise Refusal(RefusalCode.NOT_NOW, text)
        host = asking.hostname or ""
        if _is_number(host):
            text = "passkeys need an address with a name, or localhost; recovery codes work everywhere"
            raise Refusal(RefusalCode.NOT_NOW, text)
        return Page(f"{asking.scheme}://{asking.netloc}", host)

    def _begin(self, page: Page, person: str | None) -> Ceremony:
        until_us = now_us() + TICKET_US
        return Ceremony(person, secrets.token_bytes(CHALLENGE_BYTES), page.origin, page.host, until_us)


def _still_good(keys: Keyring, ticket: str) -> Ceremony:
    ceremony = keys.read_ticket(Ceremony, ticket)
    if ceremony is None:
        raise _unproved("this ticket is none of ours: begin anew")
    if now_us() >= ceremony.until_us:
        raise _unproved("that took too long: begin anew")
    return ceremony


async def _use_up(connection: AsyncConnection, ceremony: Ceremony, now: int) -> None:
    if not await rows.spend(connection, ceremony.mark, ceremony.until_us + CLOCKS_US, now):
        raise _unproved("this ticket was used already: begin anew")


def _is_of(credential: dict[str, Any], person: str) -> bool:
    """Whether the authenticator, if it says whom it speaks for, means the same person."""
    response = credential.get("response")
    told = response.get("userHandle") if isinstance(response, dict) else None
    return told is None or told == bytes_to_base64url(person.encode())


def _in_one_line(label: str) -> str:
    """What can be seen of it; nobody else ever does."""
    return " ".join("".join(char for char in label if char.isprintable()).split())


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return not host
    return True


def _unproved(text: str) -> Refusal:
    return Refusal(RefusalCode.BAD_TICKET, text)
