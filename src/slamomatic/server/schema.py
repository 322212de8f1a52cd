"""The JSON schema of every message; ``python -m slamomatic.server.schema`` prints it for the browser's types."""

from __future__ import annotations

import json
import sys

import msgspec

from slamomatic.server import calls as people
from slamomatic.table import calls, protocol


def schema() -> dict[str, object]:
    """One schema whose definitions are all message types; its properties name the two unions and the HTTP bodies."""
    bodies = [
        body
        for room in (calls, people)
        for body in vars(room).values()
        if isinstance(body, type) and issubclass(body, msgspec.Struct) and body.__module__ == room.__name__
    ]
    roots = {
        "client": protocol.ClientMessage,
        "server": protocol.ServerMessage,
        **{body.__name__: body for body in bodies},
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
