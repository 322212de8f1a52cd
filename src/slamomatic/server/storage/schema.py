"""The tables of the database, alike in SQLite and PostgreSQL. A change here goes with a migration.

Laws of this room:
- times are whole microseconds since 1970 (``_us``);
- a live table is its entries, and (table, seq) is unique: what two servers would both call the next entry, one of them
  cannot write;
- a finished game is a row of ``games`` and a row of ``players`` for each hand, written in the transaction of the move
  that ended it; its text may come a moment later.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

NAMING = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
"""Every constraint has a name, so that a migration can speak of it."""

metadata = MetaData(naming_convention=NAMING)

servers = Table(
    "servers",
    metadata,
    Column("name", String, primary_key=True),
    Column("alive_us", BigInteger, nullable=False),
)
"""Who serves, and when each was last known alive."""

tables = Table(
    "tables",
    metadata,
    Column("code", String, primary_key=True),
    Column("epoch", Integer, nullable=False),
    Column("owner", String),
    Column("opened_us", BigInteger, nullable=False),
    Column("touched_us", BigInteger, nullable=False),
    Column("closed_us", BigInteger),
)
OPEN = tables.c.closed_us.is_(None)
OWNED = tables.c.owner.is_not(None)
Index(None, tables.c.touched_us, sqlite_where=OPEN, postgresql_where=OPEN)
Index(None, tables.c.owner, sqlite_where=OWNED, postgresql_where=OWNED)
"""Each table that ever was: whose it is, for the how manieth time it was taken, and whether it is closed."""

entries = Table(
    "entries",
    metadata,
    Column("code", ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("epoch", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
"""The log of each live table, entry by entry."""

people = Table(
    "people",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("avatar", Integer, nullable=False),
    Column("made_us", BigInteger, nullable=False),
    Column("seen_us", BigInteger, nullable=False),
    Column("banned_us", BigInteger),
    Column("merged_into", String),
)
"""Guests and accounts alike: an account is a person with a passkey or recovery codes."""

devices = Table(
    "devices",
    metadata,
    Column("id", String, primary_key=True),
    Column("person", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("made_us", BigInteger, nullable=False),
)
"""What a signed token speaks of: where it is not here any more, the token opens nothing."""

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String, primary_key=True),
    Column("person", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("label", String, nullable=False),
    Column("made_us", BigInteger, nullable=False),
    Column("used_us", BigInteger),
)

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("hash", String, primary_key=True),
    Column("person", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
)
"""Those not used yet; the code itself is nowhere."""

spent = Table(
    "spent",
    metadata,
    Column("mark", String, primary_key=True),
    Column("until_us", BigInteger, nullable=False, index=True),
)
"""Tickets good for one use that have been used, until they would have run out by themselves."""

games = Table(
    "games",
    metadata,
    Column("id", String, primary_key=True),
    Column("code", String, nullable=False, index=True),
    Column("number", Integer, nullable=False),
    Column("edition", String, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("called_off", Boolean, nullable=False),
    Column("began_us", BigInteger, nullable=False),
    Column("ended_us", BigInteger, nullable=False, index=True),
    Column("record", Text),
)
"""Finished games. ``record`` is the game's text, with the evidence of each verdict; null: not written down yet."""

players = Table(
    "players",
    metadata,
    Column("game", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", String, index=True),
    Column("name", String, nullable=False),
    Column("avatar", Integer, nullable=False),
    Column("bot", String),
    Column("place", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("left", Boolean, nullable=False),
    Column("tally", Text),
)
"""``tally``: what this game says of the player, as JSON; null: not counted yet, or none of a person."""

ratings = Table(
    "ratings",
    metadata,
    Column("person", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("edition", String, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Index(None, "edition", "mu"),
)

rated = Table(
    "rated",
    metadata,
    Column("game", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
)
"""The games that are in the ratings: each counts once."""

reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at_us", BigInteger, nullable=False),
    Column("code", String, nullable=False),
    Column("reporter", String, nullable=False),
    Column("person", String),
    Column("name", String, nullable=False),
    Column("reason", Text, nullable=False),
    Column("settled_us", BigInteger),
)

orders = Table(
    "orders",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at_us", BigInteger, nullable=False),
    Column("kind", String, nullable=False),
    Column("subject", String, nullable=False),
)
"""What the operator has done from the command line, for running servers to hear of: a ban, a new name, a table shut."""

secrets = Table(
    "secrets",
    metadata,
    Column("name", String, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
"""Keys this service made for itself; every server on this database has the same."""
