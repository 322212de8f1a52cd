"""What the unit has seen of people's claims, wherever they play: who leaves a table, or lets it sleep, takes it along.

It lives as long as the server runs, for so many people as are bounded here: those who were longest at no table are
forgotten first. It decides nothing about a person but how far his page's word goes in the next race.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping

from slamomatic.unit.standing import Standing

REMEMBERED = 20_000


class Standings(Mapping[str, Standing]):
    """By person's id; whoever is asked after has one."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Standing] = OrderedDict()

    def __getitem__(self, person: str) -> Standing:
        standing = self._known.setdefault(person, Standing())
        self._known.move_to_end(person)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return standing

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
