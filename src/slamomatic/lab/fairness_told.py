"""The fairness study in print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from slamomatic.lab.fairness import Fairness, Figure, Method

METHODS = {
    "arrival": "order of arrival",
    "half_rtt": "arrival − RTT/2",
    "full_rtt": "arrival − RTT",
    "raw_claims": "claims as they are",
    "ours": "the unit",
}


def told(study: Fairness) -> str:
    """All of it, as tables of plain text."""
    correlations, taus, conditions = study.correlations, study.taus, study.conditions
    sections = [
        [
            f"{study.rounds:,} races, {study.hands} hands, seed {study.seed}; {study.attack_rounds:,} for each lie",
            f"{study.seconds:.0f} s on one core; in brackets: 95% of the resamples of whole sessions",
        ],
        _table(
            ("", "wrong of ruled", "jams", "injustice, ms"),
            ((METHODS[name], *_method(method)) for name, method in study.methods.items()),
        ),
        ["jams by cause: " + ", ".join(f"{cause} {_percent(share)}" for cause, share in study.jam_causes.items())],
        _table(
            ("access", "lost", "truly last", "ratio"),
            (
                (kind, _percent(losses.loss_share), _percent(losses.fair_share), f"{losses.ratio:.3f}")
                for kind, losses in study.access.items()
            ),
        ),
        _table(
            ("the first player …", "loses", "honest", "ratio", "flagged"),
            (
                (
                    result.about + ("" if result.page_only else " *"),
                    _percent(result.loss_share),
                    _percent(result.fair_share),
                    f"{result.ratio.value:.2f} [{result.ratio.low:.2f} {result.ratio.high:.2f}]",
                    _percent(result.flagged, 1),
                )
                for result in (study.attacks | study.small_lies).values()
            ),
        ),
        ["* more than a page's script can do", f"honest sessions flagged: {_percent(study.honest_flagged)}"],
        _table(
            ("neighbouring packets alike", "wrong of ruled", "jams"),
            ((name, _percent(r.wrong_of_ruled, 3), _percent(r.jam)) for name, r in correlations.items()),
        ),
        _table(
            ("jam below, ms", "wrong of ruled", "jams"),
            ((name, _percent(r.wrong_of_ruled, 3), _percent(r.jam)) for name, r in taus.items()),
        ),
        _table(
            ("honest, but …", "wrong of ruled", "jams", "the one loses", "flagged"),
            (
                (
                    condition.about,
                    _percent(condition.wrong_of_ruled, 3),
                    _percent(condition.jam),
                    f"{condition.first_ratio:.3f}",
                    _percent(condition.first_flagged, 1),
                )
                for condition in conditions.values()
            ),
        ),
    ]
    return "\n\n".join("\n".join(section) for section in sections)


def _method(method: Method) -> tuple[str, str, str]:
    injustice = method.injustice_ms
    return (
        _share(method.wrong_of_ruled, 3),
        _share(method.jam, 2),
        f"{injustice.value:.3f} [{injustice.low:.3f} {injustice.high:.3f}]",
    )


def _share(figure: Figure, digits: int) -> str:
    return f"{_percent(figure.value, digits)} [{100 * figure.low:.{digits}f} {100 * figure.high:.{digits}f}]"


def _percent(share: float, digits: int = 2) -> str:
    return f"{100 * share:.{digits}f}%"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return [
        "  ".join(
            cell.ljust(width) if not column else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
