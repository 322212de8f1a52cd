"""From whatever version of the tables a database has to the one this code knows: by Alembic, inside the package."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from slamomatic.server.storage.errors import StorageError

_SCRIPTS = "slamomatic.server.storage:migrations"
_LOCK = 0x51A0_0A71
"""PostgreSQL's number for "who migrates": of two servers that start at once, one waits."""


def migrate(connection: Connection) -> None:
    """Bring the tables up to the newest version, in the transaction this connection is in.

    Raises:
        StorageError: the tables are of a version this code does not know.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    version = version_of(connection)
    if version is not None and version not in known_versions():
        raise StorageError(f"the database is of version {version}, made by a newer slamomatic: use that one")
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def version_of(connection: Connection) -> str | None:
    """The version of the tables there; None: there are none."""
    return MigrationContext.configure(connection).get_current_revision()


def known_versions() -> frozenset[str]:
    """All versions this code can bring up to date."""
    return frozenset(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", _SCRIPTS)
    config.set_main_option("path_separator", "os")
    return config
