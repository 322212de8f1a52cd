"""How much one address, one socket and the whole server may ask for.

Laws of this room:
- every limit has a name here, and a host may set another;
- a limit is a token bucket: so many at once, then so many a second; time is an argument;
- a bucket that is full again is forgotten, so what is remembered is bounded by who is asking just now.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

SECOND = 1_000_000
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE


Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
Time: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
"""In microseconds."""


class Rate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many at once, and then so many a second."""

    burst: Annotated[int, msgspec.Meta(ge=1)]
    per_second: Annotated[float, msgspec.Meta(gt=0)]


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What this server gives. A school behind one address must fit; a guesser of table codes must not."""

    tables: Count = 2_000
    """Awake at once."""
    tables_per_opener: Count = 20
    """The same, of one person, or of one address that named none."""
    sockets_per_address: Count = 200
    lobbies_per_address: Count = 100
    """Pages that show the open tables."""
    watchers_per_table: Count = 50

    calls: Rate = Rate(120, 4)
    """HTTP calls and new sockets of one address."""
    openings: Rate = Rate(20, 0.2)
    """Tables opened by one address."""
    newcomers: Rate = Rate(30, 0.05)
    """Guests made by one address."""
    proofs: Rate = Rate(10, 0.05)
    """Passkeys and recovery codes tried by one address."""
    changes: Rate = Rate(20, 0.1)
    """What one person changes about himself, and takes along: his name, his passkeys and codes, an export."""
    reports: Rate = Rate(5, 0.02)
    """Reports made by one person."""
    misses: Rate = Rate(60, 0.5)
    """Codes of no table asked for by one address: at this rate guessing one takes days."""
    messages: Rate = Rate(120, 60)
    """Messages of one socket."""
    incoming: Rate = Rate(4 * 2**20, 2**18)
    """Bytes of one socket: more than so many messages can have. Frames without anything in them are no messages."""
    asides: Rate = Rate(40, 1)
    """Messages of one socket about anything but the game being played: what they change is kept for ever."""
    renames: Rate = Rate(5, 0.5)
    """New names given over one socket: judging a name takes longer than any other message."""
    patience: Rate = Rate(120, 1)
    """Messages above that rate, each refused, before the socket is closed."""

    names: Rate = Rate(120, 2)
    """Names judged for one address, as it opens tables and joins them."""
    arrival_us: Time = 10 * SECOND
    """The body of a call is here within this time."""
    outbox_bytes: Count = 256 * 1024
    """What may wait for one reader; who lets more pile up is cut off."""
    hello_us: Time = 5 * SECOND
    """A new socket says who it is within this time."""
    probe_us: Time = 3 * SECOND
    """A socket silent for so long is pinged."""
    dead_us: Time = 10 * SECOND
    """A socket is given up after so long without any sign of life."""
    farewell_us: Time = 1 * SECOND
    """Last words have so long to go out; then the connection is cut."""
    empty_us: Time = 5 * SECOND
    """A table without any socket is put to sleep after so long: it costs no memory from then on."""
    abandoned_us: Time = 14 * DAY
    """A table nobody has touched for so long is closed."""
    unplayed_us: Time = 1 * DAY
    """One where next to nothing has ever happened, sooner."""
    guest_us: Time = 90 * DAY
    """A guest who has never finished a game, has no way to come back and was not seen for so long is forgotten."""


class Bucket:
    """One token bucket; it begins full."""

    __slots__ = ("_at_us", "_rate", "_tokens")

    def __init__(self, rate: Rate, now_us: int) -> None:
        self._rate = rate
        self._tokens = float(rate.burst)
        self._at_us = now_us

    def has(self, now_us: int, tokens: int = 1) -> bool:
        """Whether so many tokens are left; takes none."""
        self._refill(now_us)
        return self._tokens >= tokens

    def take(self, now_us: int, tokens: int = 1) -> bool:
        """Take so many tokens; False, and none is taken, if fewer are left."""
        if not self.has(now_us, tokens):
            return False
        self._tokens -= tokens
        return True

    def is_full(self, now_us: int) -> bool:
        """Whether it is as good as new."""
        self._refill(now_us)
        return self._tokens >= self._rate.burst

    def _refill(self, now_us: int) -> None:
        gained = max(0, now_us - self._at_us) * self._rate.per_second / SECOND
        self._tokens = min(self._rate.burst, self._tokens + gained)
        self._at_us = now_us


class Gate:
    """A bucket for each address."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: dict[str, Bucket] = {}

    def has(self, address: str, now_us: int) -> bool:
        """Whether this address has a token left; takes none."""
        bucket = self._buckets.get(address)
        return bucket is None or bucket.has(now_us)

    def take(self, address: str, now_us: int) -> bool:
        """Take one of this address's tokens; False if none is left."""
        if address not in self._buckets:
            self._buckets[address] = Bucket(self._rate, now_us)
        return self._buckets[address].take(now_us)

    def forget(self, now_us: int) -> None:
        """Forget every address whose bucket is full again."""
        self._buckets = {address: bucket for address, bucket in self._buckets.items() if not bucket.is_full(now_us)}

    def __len__(self) -> int:
        return len(self._buckets)
