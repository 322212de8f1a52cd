"""``slamomatic backup`` and ``slamomatic restore``: for the SQLite file; PostgreSQL brings its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from platformdirs import user_data_path

from slamomatic.server.storage import backup as copies
from slamomatic.server.storage.errors import StorageError


def data_option(text: str) -> Callable[[Any], Any]:
    """``--data DIR``, the same for every command that works on the SQLite file."""
    return click.option(
        "--data",
        type=click.Path(path_type=Path, file_okay=False),
        envvar="SLAMOMATIC_DATA",
        show_envvar=True,
        default=user_data_path("slamomatic", appauthor=False),
        show_default=True,
        metavar="DIR",
        help=text,
    )


@click.command()
@data_option("The folder of the database.")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def backup(data: Path, force: bool, file: Path) -> None:
    """Copy the database to FILE, while the server runs.

    The copy is one moment of it and is checked. It holds the keys of this server and all its people: keep it safe.
    """
    try:
        size = copies.backup(data, file, overwrite=force)
    except StorageError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{file}: {size:,} bytes, checked")


@click.command()
@data_option("The folder of the database.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def restore(data: Path, file: Path) -> None:
    """Put a copy made by backup in the place of the database.

    The server must not run. The database that was there is kept beside it, under another name.
    """
    try:
        former = copies.restore(data, file)
    except StorageError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"restored from {file}")
    if former is not None:
        click.echo(f"what was there before is now {former}")
