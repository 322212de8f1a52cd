"""How long things take at a table, in one place. All in microseconds; what an edition rules is in the edition."""

from __future__ import annotations

from slamomatic.table.protocol import Pace

MS = 1_000
SECOND = 1_000_000

REACH_US = 220 * MS
"""A hand needs this long to get to the unit: no contact is shown sooner after its reach."""
HOVER_US = 1_500 * MS
"""A hand hovers no longer than this; then it is withdrawn, or lands where no fake is left (B7)."""
BETWEEN_REACHES_US = 1_000 * MS
"""From the end of one reach to the beginning of the next: time for the others to take their hands back."""
WAY_BACK_US = 350 * MS
"""A withdrawn hand is on its way back so long; who touches meanwhile has been fooled too (B8)."""
WINDOW_US = 2_500 * MS
"""A race closes this long after contact; who has not touched is last (B12)."""
LOCKOUT_US = 700 * MS
"""How long a hand rests after a touch when nothing was going on (B13)."""

CLOCKS_US = {Pace.NORMAL: 20 * SECOND, Pace.RELAXED: 60 * SECOND, Pace.UNTIMED: None}
"""How long one may think about one thing (B18)."""
AWAY_GRACE_US = {Pace.NORMAL: 6 * SECOND, Pace.RELAXED: 20 * SECOND, Pace.UNTIMED: 60 * SECOND}
"""How long an away player's turn waits for him before a bot makes his move (B17); in races it stands in at once."""
GONE_US = 20 * SECOND
"""So much longer than that grace he may be away while others play; then they may vote to call the game off."""
FILL_US = 20 * SECOND
"""A quick match waits so long for people, from the first one on; then bots take the free hands."""
READY_GRACE_US = 10 * SECOND
"""Between games the others wait so long for someone away who has not said he is ready."""
HOST_GRACE_US = 60 * SECOND
"""A host may be away so long before his rights move on to someone who is here."""
TRAIN_US = 10 * MS
"""From a reach to its verdict, whoever is still to be heard in the race is pinged this often."""
PROBES_US = (2 * SECOND, 5 * SECOND)
"""A connection at rest is measured at intervals nobody can foresee, between these."""
FIRST_PROBES = 8
"""So many come sooner, so that the lowest round trip of a new connection is known before its first race."""
FIRST_PROBES_US = (50 * MS, 150 * MS)
"""And these are the intervals between them."""
WATCH_DELAY_US = 3 * SECOND
"""Watchers see everything so much later: longer than a hand hovers and the race for it takes, so that what they are
shown of a reach, of its end, of who has touched, is over when somebody at the table could hear of it from them."""
EMOTE_US = 800 * MS
"""One emote a seat in so long."""
