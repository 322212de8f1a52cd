"""`slamomatic backup` and `slamomatic restore`: whole, checked, and nothing lost on the way."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from slamomatic.cli import main
from slamomatic.server.storage.database import Database, StorageError, url_of
from slamomatic.server.storage.logs import Logs
from slamomatic.server.storage.serving import alone_with, serving
from tests.server.storage.appending import append, entry, opened


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "copy.db"


def _run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def _refused(*words: str | Path) -> str:
    told = _run(*words)
    assert told.exit_code == 1
    assert told.stdout == ""
    assert told.stderr.count("\n") == 1
    return told.stderr


async def _make(data: Path, entries: int, code: str = "AAAA") -> None:
    """A database with one more table of so many entries in it."""
    database = await Database.open(url_of(data, None))
    logs = Logs(database, "one")
    claim = await opened(logs, code)
    await append(logs, claim, *(entry(seq) for seq in range(entries)))
    await database.close()


def _make_now(data: Path, entries: int, code: str = "AAAA") -> None:
    asyncio.run(_make(data, entries, code))


def _lengths(file: Path) -> dict[str, int]:
    with closing(sqlite3.connect(file)) as connection:
        return dict(connection.execute("SELECT code, count(*) FROM entries GROUP BY code"))


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


async def test_a_backup_under_play_is_one_moment_with_all_that_was_acknowledged_before(data: Path, copy: Path) -> None:
    database = await Database.open(url_of(data, None))
    logs = Logs(database, "one")
    claims = [await opened(logs, f"TAB{number}") for number in range(3)]
    over, under_way = False, asyncio.Event()
    acknowledged = dict.fromkeys((claim.code for claim in claims), 0)

    async def play(number: int) -> None:
        while not over:
            code = claims[number].code
            await append(logs, claims[number], entry(acknowledged[code], code * 50))
            acknowledged[code] += 1
            if min(acknowledged.values()) >= 20:
                under_way.set()

    players = [asyncio.create_task(play(number)) for number in range(3)]
    for _ in range(5):
        await under_way.wait()
        before = dict(acknowledged)
        told = await asyncio.to_thread(_run, "backup", "--data", data, "--force", copy)
        assert told.exit_code == 0, told.output
        assert "checked" in told.stdout
        lengths = _lengths(copy)
        assert all(before[code] <= lengths[code] <= acknowledged[code] + 1 for code in before)
    over = True
    await asyncio.gather(*players)
    await database.close()
    assert _names(copy.parent) == {"copy.db", "data"}


def test_a_backup_and_the_database_are_read_by_their_owner_alone(data: Path, copy: Path) -> None:
    _make_now(data, 1)
    assert _run("backup", "--data", data, copy).exit_code == 0
    for file in (copy, data / "slamomatic.db"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(data.stat().st_mode) == 0o700


def test_what_is_restored_is_what_was_saved_and_the_former_is_kept(data: Path, copy: Path) -> None:
    _make_now(data, 3)
    assert _run("backup", "--data", data, copy).exit_code == 0
    _make_now(data, 5, "LATE")
    told = _run("restore", "--data", data, copy)
    assert told.exit_code == 0, told.output
    assert _lengths(data / "slamomatic.db") == {"AAAA": 3}
    [former] = data.glob("slamomatic.db.before-*")
    assert str(former) in told.stdout
    assert _lengths(former) == {"AAAA": 3, "LATE": 5}
    _make_now(data, 4, "NEXT")  # and play goes on
    assert _lengths(data / "slamomatic.db") == {"AAAA": 3, "NEXT": 4}
    assert _run("restore", "--data", data, copy).exit_code == 0
    assert len(list(data.glob("slamomatic.db.before-*"))) == 2


def test_a_copy_can_be_restored_where_nothing_was(data: Path, copy: Path, tmp_path: Path) -> None:
    _make_now(data, 3)
    assert _run("backup", "--data", data, copy).exit_code == 0
    told = _run("restore", "--data", tmp_path / "new" / "place", copy)
    assert told.exit_code == 0, told.output
    assert "before" not in told.stdout
    assert _lengths(tmp_path / "new" / "place" / "slamomatic.db") == {"AAAA": 3}


def test_what_a_killed_server_left_in_its_write_ahead_log_is_saved_and_kept(data: Path, copy: Path) -> None:
    _make_now(data, 2)
    database = data / "slamomatic.db"
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("INSERT INTO entries VALUES ('AAAA', 2, 1, 2, x'00')")
        left = {suffix: (data / f"slamomatic.db{suffix}").read_bytes() for suffix in ("", "-wal")}
    for suffix, content in left.items():  # as a server that was killed just then leaves them
        (data / f"slamomatic.db{suffix}").write_bytes(content)
    assert _run("backup", "--data", data, copy).exit_code == 0
    assert _lengths(copy) == {"AAAA": 3}
    for suffix, content in left.items():
        (data / f"slamomatic.db{suffix}").write_bytes(content)
    assert _run("restore", "--data", data, copy).exit_code == 0
    [former] = data.glob("slamomatic.db.before-*")
    assert _lengths(former) == {"AAAA": 3}
    assert _lengths(database) == {"AAAA": 3}


def test_the_log_of_a_database_that_is_gone_does_not_get_into_the_one_restored(data: Path, copy: Path) -> None:
    _make_now(data, 2)
    assert _run("backup", "--data", data, copy).exit_code == 0
    database = data / "slamomatic.db"
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("INSERT INTO entries VALUES ('AAAA', 2, 1, 2, x'00')")
        log = (data / "slamomatic.db-wal").read_bytes()
    database.unlink()
    (data / "slamomatic.db-wal").write_bytes(log)
    assert _run("restore", "--data", data, copy).exit_code == 0
    assert _lengths(database) == {"AAAA": 2}
    [former] = data.glob("slamomatic.db.before-*")
    assert former.read_bytes() == log


def test_nothing_is_overwritten_unless_it_is_said(data: Path, copy: Path) -> None:
    _make_now(data, 1)
    copy.write_text("precious")
    assert "--force" in _refused("backup", "--data", data, copy)
    assert copy.read_text() == "precious"
    assert "itself" in _refused("backup", "--data", data, "--force", data / "slamomatic.db")
    assert "itself" in _refused("restore", "--data", data, data / "slamomatic.db")
    assert _run("backup", "--data", data, "--force", copy).exit_code == 0
    assert _lengths(copy) == {"AAAA": 1}


def test_there_must_be_something_to_save_and_a_place_for_it(data: Path, copy: Path, tmp_path: Path) -> None:
    assert "there is no slamomatic.db" in _refused("backup", "--data", data, copy)
    assert not data.exists()
    _make_now(data, 1)
    assert "there is no folder" in _refused("backup", "--data", data, tmp_path / "nowhere" / "copy.db")
    assert "there is no file" in _refused("restore", "--data", data, copy)


def test_a_running_servers_database_is_not_replaced(data: Path, copy: Path) -> None:
    _make_now(data, 1)
    assert _run("backup", "--data", data, copy).exit_code == 0
    with serving(url_of(data, None)):
        assert "a server is running" in _refused("restore", "--data", data, copy)
        with pytest.raises(StorageError, match="a server is running"), alone_with(data):
            pass
        assert _run("backup", "--data", data, "--force", copy).exit_code == 0
    assert _run("restore", "--data", data, copy).exit_code == 0


def test_a_server_that_is_killed_lets_its_folder_go(data: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from slamomatic.server.storage.serving import alone_with\n"
        "with alone_with(Path(sys.argv[1])): print('alone', flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(data)], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "alone\n"
        with pytest.raises(StorageError), alone_with(data):
            pass
        server.kill()
        server.wait()
    with alone_with(data):
        pass


def test_any_number_of_servers_serve_from_postgresql(postgres_url: str) -> None:
    with serving(postgres_url), serving(postgres_url):
        pass


def _other_database(copy: Path) -> None:
    copy.unlink()
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("CREATE TABLE things (name)")


def _newer(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


def _orphans(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("DELETE FROM tables")


def _against_its_own_rules(copy: Path) -> None:
    """What can be read as if nothing were wrong."""
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("PRAGMA writable_schema=ON")
        rule = "sql = replace(sql, 'closed_us BIGINT', 'closed_us BIGINT NOT NULL')"
        connection.execute(f"UPDATE sqlite_master SET {rule} WHERE name = 'tables'")


def _cut(copy: Path) -> None:
    copy.write_bytes(copy.read_bytes()[: copy.stat().st_size * 2 // 3])


def _scratched(copy: Path) -> None:
    content = bytearray(copy.read_bytes())
    for page in range(4_096, len(content), 4_096):
        content[page + 3 : page + 9] = b"\xff" * 6
    copy.write_bytes(content)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda copy: copy.write_text("no database at all " * 100), "not a database"),
        (lambda copy: copy.write_bytes(b""), "no database of slamomatic"),
        (_other_database, "no database of slamomatic"),
        (_newer, "newer slamomatic"),
        (_orphans, "damaged"),
        (_against_its_own_rules, "NULL value"),
        (_cut, "malformed|damaged"),
        (_scratched, "malformed|damaged"),
    ],
    ids=["text", "empty", "another's", "newer", "orphans", "against its own rules", "cut", "scratched"],
)
def test_a_bad_copy_is_not_restored_and_a_bad_database_not_saved(
    data: Path, copy: Path, tmp_path: Path, spoil: object, why: str
) -> None:
    _make_now(data, 300)
    assert _run("backup", "--data", data, copy).exit_code == 0
    assert callable(spoil)
    spoil(copy)
    before = (data / "slamomatic.db").read_bytes()
    told = _run("restore", "--data", data, copy)
    assert told.exit_code == 1
    assert any(words in told.stderr for words in why.split("|"))
    assert (data / "slamomatic.db").read_bytes() == before
    assert _names(data) == {"slamomatic.db", "slamomatic.lock"}
    shutil.copy(copy, data / "slamomatic.db")
    assert _run("backup", "--data", data, tmp_path / "of-the-bad.db").exit_code == 1
    assert _names(tmp_path) == {"copy.db", "data"}


@pytest.fixture
def good(tmp_path: Path) -> Path:
    _make_now(tmp_path / "elsewhere", 2)
    return tmp_path / "elsewhere" / "slamomatic.db"


def test_a_damaged_database_is_kept_as_it_was_found_when_a_good_one_takes_its_place(data: Path, good: Path) -> None:
    _make_now(data, 300)
    _scratched(data / "slamomatic.db")
    (data / "slamomatic.db").write_bytes(b"x" * 100 + (data / "slamomatic.db").read_bytes()[100:])
    found = (data / "slamomatic.db").read_bytes()
    told = _run("restore", "--data", data, good)
    assert told.exit_code == 0, told.output
    [former] = data.glob("slamomatic.db.before-*")
    assert former.read_bytes() == found
    assert _lengths(data / "slamomatic.db") == {"AAAA": 2}


def test_a_database_somebody_else_has_open_is_not_replaced(data: Path, good: Path) -> None:
    _make_now(data, 3)
    with closing(sqlite3.connect(data / "slamomatic.db", isolation_level=None)) as somebody:
        somebody.execute("BEGIN IMMEDIATE")
        assert "open" in _refused("restore", "--data", data, good)
        with suppress(sqlite3.Error):
            somebody.execute("COMMIT")
    assert _lengths(data / "slamomatic.db") == {"AAAA": 3}
    assert not list(data.glob("slamomatic.db.before-*"))
