"""What this service signs: tokens of devices, and tickets good for a short while.

Laws of this room:
- a token names a device and nothing else, so all are of one length and nothing about a person is in any; whose the
  device is, the database knows, and a device that is not there any more opens nothing;
- the signature spares the database whatever was made up: only what we gave away is ever looked for;
- the key is made once, by whichever server is first, and never leaves the database but for a server's memory.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TypeVar

import msgspec
from itsdangerous import BadData, Signer, URLSafeSerializer

from slamomatic.server.storage import people as rows
from slamomatic.server.storage.database import Database

T = TypeVar("T", bound=msgspec.Struct)

KEY_NAME = "people"
KEY_BYTES = 32
ID_BYTES = 12
MARK_CHARS = 16


def new_id() -> str:
    """An id of a person or a device: 96 random bits, and no dash first, which in a command would begin an option."""
    while (drawn := secrets.token_urlsafe(ID_BYTES)).startswith("-"):
        pass
    return drawn


class Keyring:
    """Signs and checks, each kind of thing with a key of its own, drawn from the one that is kept."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._devices = Signer(key, salt="device", sep=".", key_derivation="hmac", digest_method=hashlib.sha256)

    @classmethod
    async def open(cls, database: Database) -> Keyring:
        """The keyring of all servers on this database; the first one makes its key.

        Raises:
            StorageError: the database does not answer.
        """
        async with database.read() as connection:
            key = await rows.secret(connection, KEY_NAME)
        if key is None:
            made = secrets.token_bytes(KEY_BYTES)
            await database.write(lambda connection: rows.keep_secret(connection, KEY_NAME, made))
            async with database.read() as connection:
                key = await rows.secret(connection, KEY_NAME)
        if key is None:
            raise RuntimeError("a key that was just kept is not there")
        return cls(key)

    def token(self, device: str) -> str:
        """The token of a device; keep it secret."""
        return self._devices.sign(device).decode()

    def device_of(self, token: str) -> str | None:
        """The device a token names; None: it is none of ours."""
        try:
            return self._devices.unsign(token).decode()
        except (BadData, UnicodeError):
            return None

    def ticket(self, content: msgspec.Struct) -> str:
        """Something said to a page that it has to bring back unchanged."""
        return self._tickets(type(content)).dumps(msgspec.to_builtins(content))

    def read_ticket(self, kind: type[T], ticket: str) -> T | None:
        """What a ticket of this kind says; None: it is none of ours. Whether it still counts, its reader knows."""
        try:
            return msgspec.convert(self._tickets(kind).loads(ticket), kind)
        except (BadData, UnicodeError, msgspec.MsgspecError):
            return None

    def mark(self, address: str) -> str:
        """A word for an address: always the same for it, and nobody without the key finds the address by it."""
        return hmac.new(self._key, b"address" + address.encode(), hashlib.sha256).hexdigest()[:MARK_CHARS]

    def _tickets(self, kind: type[msgspec.Struct]) -> URLSafeSerializer:
        settings = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
        return URLSafeSerializer(self._key, salt=f"ticket {kind.__name__}", signer_kwargs=settings)
