"""`slamomatic replay`: a recorded game, played again and counted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click
import msgspec

from slamomatic.game import PRESETS, Card, NotationError, Record, read, score
from slamomatic.game.events import GameEnd

ENDS = {
    GameEnd.LAST_CARD: "ended by the pile's last card",
    GameEnd.ALL_PAIRS: "ended by the last pair",
    GameEnd.STALL: "stalled",
    None: "broken off",
}


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def replay(file: str, as_json: bool) -> None:
    """Play a recorded game again, and count it.

    FILE is in the text notation; "-" reads it from stdin. Every move is judged by the rules anew.
    """
    with click.open_file(file, "rb") as stream:
        content = stream.read()
    name = "stdin" if file == "-" else file
    try:
        record = read(content.decode())
    except UnicodeDecodeError:
        raise click.UsageError(f"{name} is not a text in UTF-8") from None
    except NotationError as error:
        raise click.UsageError(f"{name}, {error}") from None
    click.echo(msgspec.json.format(msgspec.json.encode(counted(record))) if as_json else told(record))


def counted(record: Record) -> dict[str, Any]:
    """The end of the game and its count, for programs: numbers as numbers, jokers by name."""
    end = record.replay()
    scores = score(end)
    presets = {edition: name for name, edition in PRESETS.items()}
    return {
        "edition": presets.get(record.edition, record.edition.name),
        "ended": end.ended,
        "turns": end.turn_number,
        "moves": len(record.moves),
        "winners": [count.seat for count in scores if count.wins and end.ended],
        "seats": [
            {
                "seat": count.seat,
                "name": name,
                "laid": [_plain(pair) for pair in laid],
                "hand": _plain(hand),
                "aside": _plain(aside),
                "score": count.total,
                "tie_break": count.tie_break,
            }
            for count, name, laid, hand, aside in zip(scores, record.names, end.laid, end.hands, end.aside, strict=True)
        ],
    }


def _plain(cards: Iterable[Card]) -> list[int | str]:
    return [int(card) if card.is_number else str(card) for card in cards]


def told(record: Record) -> str:
    """The same for people."""
    end = record.replay()
    rows = [("", "hand", "points", "laid", "held")]
    for count, name, laid, hand, aside in zip(score(end), record.names, end.laid, end.hands, end.aside, strict=True):
        tie_break = "" if count.tie_break is None else f", then {count.tie_break}"
        rows.append(
            (
                "*" if count.wins and end.ended else "",
                f"{count.seat} {name or ''}".rstrip(),
                f"{count.total}{tie_break}",
                " ".join("+".join(map(str, pair)) for pair in laid) or "-",
                " ".join([*map(str, hand), *(f"({card})" for card in aside)]) or "-",
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    return "\n".join([f"{record.edition.name}, {end.turn_number} turns, {ENDS[end.ended]}", *table])
