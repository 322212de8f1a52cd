"""The JSON schema of every message; ``python -m slamomatic.table.schema`` prints it for the browser's types."""

from __future__ import annotations

import json
import sys

import msgspec

from slamomatic.table import protocol


def schema() -> dict[str, object]:
    """One schema whose definitions are all message types; its properties name the two unions and the HTTP bodies."""
    roots = {
        "client": protocol.ClientMessage,
        "server": protocol.ServerMessage,
        "open": protocol.OpenTable,
        "join": protocol.JoinTable,
        "seated": protocol.Seated,
        "tables": protocol.ListedTables,
        "editions": protocol.Editions,
        "failure": protocol.Failure,
    }
    shapes, definitions = msgspec.json.schema_components(roots.values(), ref_template="#/definitions/{name}")
    return {
        "title": "Wire",
        "type": "object",
        "properties": dict(zip(roots, shapes, strict=True)),
        "required": list(roots),
        "additionalProperties": False,
        "definitions": definitions,
    }


if __name__ == "__main__":
    json.dump(schema(), sys.stdout, indent=2, sort_keys=True)
    sys.stdout.write("\n")
