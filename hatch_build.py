"""Puts the built web client into the wheel, as `slamomatic/server/static`.

An editable install takes none: the server then serves `web/dist` of the checkout.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WebClientHook(BuildHookInterface[Any]):
    """Refuses to build a wheel that could not be played."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        dist = Path(self.root, "web", "dist")
        if not (dist / "index.html").is_file():
            raise FileNotFoundError(f"{dist} holds no built web client: run `make web` first")
        build_data["force_include"][str(dist)] = "slamomatic/server/static"
