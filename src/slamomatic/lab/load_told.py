"""What a load measurement found, for programs and for people."""

from __future__ import annotations

from typing import Any

import msgspec

from slamomatic.lab.load import Load, Percentiles

NOT_SAID = "not said by this system"


def flat(result: Load) -> dict[str, Any]:
    """All figures side by side."""
    figures: dict[str, Any] = msgspec.to_builtins(result)
    figures |= figures.pop("paced")
    figures |= figures.pop("saturated")
    return figures


def told(result: Load) -> str:
    """All figures, each with what it is of."""
    paced, saturated = result.paced, result.saturated
    node = saturated.node_ws_moves_per_second
    rows = {
        "tables": f"{result.tables:,} of four people, {result.sockets:,} sockets, {result.seconds:g} s, {result.store}",
        "at human pace": f"{paced.verdicts_per_second:,.1f} verdicts/s, {paced.moves_at_pace_per_second:,.1f} other "
        f"moves/s, {paced.pings_per_second:,.0f} pings/s",
        "added": _times(paced.added_ms) + "  from a touch at the socket to the verdict's sending",
        "by its stamps": _times(paced.stamped_ms) + "  from a touch read",
        "until heard": _times(paced.heard_ms) + "  to the first player, his lateness included",
        "busy": f"{_share(paced.server_cpu_share)} of the server's core, {paced.players_cpu_share:.0%} of the players'",
        "memory": f"{_kib(paced.kib_per_seat)} a seat after play; a table without sockets {_kib(paced.kib_per_table)}, "
        f"a socket before play {_kib(paced.kib_per_socket)}",
        "saturated": f"{saturated.moves_per_second:,.0f} moves/s, each kept and told in four views of "
        f"{saturated.move_bytes:,} bytes ({_share(saturated.moves_cpu_share)} of the core)",
        "bare Node ws": f"{node:,.0f} moves/s, nothing kept" if node is not None else f"none: {saturated.why_no_node}",
        "disk": f"sure of a block in {result.sync_ms:.2f} ms",
    }
    return "\n".join(f"{name:<14} {value}" for name, value in rows.items())


def _times(times: Percentiles | None) -> str:
    if times is None:
        return "no race"
    return f"p50 {times.p50:.2f}  p99 {times.p99:.2f}  p99.9 {times.p999:.2f} ms"


def _share(share: float | None) -> str:
    return NOT_SAID if share is None else f"{share:.0%}"


def _kib(kib: float | None) -> str:
    return NOT_SAID if kib is None else f"{kib:.1f} KiB"
