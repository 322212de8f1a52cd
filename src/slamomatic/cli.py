"""The command line: `slamomatic serve | replay | lab …`. Each command loads its own room, when it is called.

Bad input ends with exit code 2 and one line on stderr that says what is wrong.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import click


class FrontDoor(click.Group):
    """The main command: what is wrong with what was typed, it says in one line."""

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Parses what belongs to no other command."""
        with _in_one_line():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Goes through one of the doors."""
        with _in_one_line():
            return super().invoke(ctx)


@contextlib.contextmanager
def _in_one_line() -> Iterator[None]:
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        raise click.UsageError(" ".join(error.format_message().split())) from error


class Door(click.Command):
    """A command that lives in another room."""

    def __init__(self, name: str, room: str, short_help: str) -> None:
        super().__init__(name, short_help=short_help)
        self._room = room

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Loads the room; from here on, the command there goes on."""
        command: click.Command = getattr(import_module(self._room), self.name or "")
        return command.make_context(*args, **more)


@click.group(cls=FrontDoor)
@click.version_option(package_name="slamomatic", prog_name="slamomatic")
def main() -> None:
    """Play Hands Down: with friends far away, in one room, or against bots."""


for door in (
    Door("serve", "slamomatic.server.main", "Serve tables, and the page to play at them."),
    Door("backup", "slamomatic.server.storage.commands", "Copy the database to FILE, while the server runs."),
    Door("restore", "slamomatic.server.storage.commands", "Put a copy made by backup in the place of the database."),
    Door("admin", "slamomatic.server.games.admin", "Look after players and tables, while the server runs or not."),
    Door("replay", "slamomatic.lab.replaying", "Play a recorded game again, and count it."),
    Door(
        "lab",
        "slamomatic.lab.commands",
        "Play many games, count positions; measure how fair the unit is, and what a server carries.",
    ),
):
    main.add_command(door)
