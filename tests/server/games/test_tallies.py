"""What a game says of its players: of their own hands, and of nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from slamomatic.game.commands import Command, Fake, Judge, Pass, Slam
from slamomatic.game.evidence import Evidence, Timing
from slamomatic.game.record import Move
from slamomatic.game.verdict import Verdict
from slamomatic.server.calls import Rating
from slamomatic.server.games.tallies import MOST_REACTIONS, GameTally, Played, game_tallies, summed
from slamomatic.table.log import GameMoved
from slamomatic.table.protocol import Phase
from slamomatic.table.records import records
from tests.server.games.made import game_entries, table_entries
from tests.table.pages import SECOND
from tests.table.test_records import LONG, READY, party


def own(seat: int, ms: float, doubt: str | None = None) -> Timing:
    return Timing(seat, round(ms * 1000), 100, doubt)


def bots(seat: int, ms: float) -> Timing:
    return Timing(seat, round(ms * 1000))


def never(seat: int) -> Timing:
    return Timing(seat, None)


def slam(seat: int, *timings: Timing, last: tuple[int, ...] = (), early: tuple[int, ...] = ()) -> list[Move]:
    return _reach(Slam(seat), Verdict(early=early, last=last), timings)


def fake(seat: int, *timings: Timing, fooled: tuple[int, ...] = ()) -> list[Move]:
    return _reach(Fake(seat), Verdict(early=fooled), timings)


def _reach(command: Command, verdict: Verdict, timings: tuple[Timing, ...]) -> list[Move]:
    return [Move(command), Move(Judge(verdict), evidence=Evidence(timings))]


def test_a_race_counts_for_each_hand_in_it_and_its_time_for_who_was_not_early() -> None:
    moves = slam(1, own(2, 210.4), own(3, -30), own(4, 400), last=(4,), early=(3,))
    assert game_tallies(moves, {}) == {
        2: GameTally(reactions_ms=(210,), races=1),
        3: GameTally(races=1),
        4: GameTally(reactions_ms=(400,), races=1, last=1),
    }


def test_a_time_that_is_in_doubt_is_no_reaction_but_a_race() -> None:
    moves = slam(1, own(2, 210, "claim"), own(3, 300), last=(3,))
    assert game_tallies(moves, {})[2] == GameTally(races=1)


def test_who_never_touched_was_there_himself_and_last() -> None:
    moves = slam(1, never(2), own(3, 300), last=(2,))
    assert game_tallies(moves, {})[2] == GameTally(races=1, last=1)


def test_what_a_stand_in_did_is_nobodys_number() -> None:
    moves = [*slam(1, bots(2, 250), own(3, 300), last=(3,)), *fake(1, bots(2, 5), never(3), fooled=(2,))]
    assert 2 not in game_tallies(moves, {})


def test_fakes_count_for_who_makes_them_and_for_who_sees_them() -> None:
    moves = [*fake(1, own(2, 20), never(3), fooled=(2,)), *fake(1, never(2), never(3))]
    assert game_tallies(moves, {}) == {
        1: GameTally(fakes=2, fakes_worked=1),
        2: GameTally(faked_at=2, fell=1),
        3: GameTally(faked_at=2),
    }


def test_a_hand_that_held_still_is_his_own_only_if_it_was_in_the_races_round_it() -> None:
    away = slam(1, bots(2, 250), own(3, 300), last=(3,))
    here = slam(1, own(2, 250), own(3, 300), last=(3,))
    still = fake(3, never(2))
    seen = [
        game_tallies([*before, *still, *after], {}).get(2, GameTally()).faked_at
        for before in (here, away)
        for after in (here, away)
    ]
    assert seen == [1, 0, 0, 0]


def test_who_is_away_makes_no_fakes() -> None:
    moves = [*slam(1, bots(2, 250), own(3, 300), last=(3,)), *fake(2, own(3, 10), fooled=(3,))]
    found = game_tallies(moves, {})
    assert 2 not in found
    assert found[3].fell == 1


def test_nothing_counts_for_who_has_got_up() -> None:
    race = slam(1, own(2, 250), own(3, 300), last=(3,))
    moves = [*race, *fake(2, never(3)), *fake(1, never(2), never(3))]
    assert game_tallies(moves, {2: 2})[2] == GameTally(reactions_ms=(250,), races=1)


def test_a_press_too_short_and_a_touch_alone_are_no_races() -> None:
    assert game_tallies([Move(Slam(1)), Move(Judge(Verdict(short=True))), Move(Slam(1)), Move(Pass(1))], {}) == {}


@given(st.integers(0, 2**20), st.sampled_from([(1, 2), (1, 3, 4), (1, 2, 3, 4)]), st.booleans())
def test_what_is_counted_adds_up_to_the_game(seed: int, seats: tuple[int, ...], one_is_a_bot: bool) -> None:
    gone = seats[-1:] if one_is_a_bot else ()
    entries = game_entries("g", seats=seats, seed=seed, bots=gone)
    [record] = records([*table_entries("TALLY7", seats={seat: str(seat) for seat in seats}), *entries])
    races = [entry.race for entry in entries if isinstance(entry, GameMoved) and entry.race is not None]
    slams = [race for race in races if race.action == "slam"]
    tallies = game_tallies(record.moves, {})
    for seat in seats:
        tally = tallies.get(seat, GameTally())
        marks = [(race, mark) for race in slams for mark in race.marks if mark.seat == seat]
        mine = [(race, mark) for race, mark in marks if seat not in gone or mark.time_us is None]
        assert tally.races == len(mine)
        assert tally.last == sum(seat in race.verdict.last for race, _ in mine)
        assert len(tally.reactions_ms) == sum(mark.time_us is not None and not mark.early for _, mark in mine)
        if not gone:
            fakes = [race for race in races if race.action == "fake"]
            assert tally.fakes == sum(race.seat == seat for race in fakes)
            assert tally.faked_at == sum(race.seat != seat for race in fakes if any(m.seat == seat for m in race.marks))
            assert tally.fell == sum(seat in race.verdict.early for race in fakes)


def test_at_a_real_table_who_plays_is_counted_and_who_is_away_is_not() -> None:
    evening, (ann, bob, cid) = party("Ann", "Bob", "Cid", seed=4)
    for page in (ann, bob, cid):
        page.says(READY)
    evening.wait(SECOND)
    cid.hides()
    evening.until(lambda: evening.phase() is Phase.RESULT, LONG)
    [record] = records(evening.log)
    races = [entry.race for entry in evening.log if isinstance(entry, GameMoved) and entry.race is not None]
    tallies = game_tallies(record.moves, {})
    assert cid.seat not in tallies
    for page in (ann, bob):
        tally = tallies[page.seat]
        marks = [mark for race in races if race.action == "slam" for mark in race.marks if mark.seat == page.seat]
        assert tally.races == len(marks) > 3
        assert len(tally.reactions_ms) > 3
        assert all(100 < ms < 1_000 for ms in tally.reactions_ms)


def played(won: bool, edition: str = "Classic", called_off: bool = False, left: bool = False, **more: int) -> Played:
    return Played(edition, called_off, won, left, GameTally(**more))  # type: ignore[arg-type]


def test_a_persons_numbers_are_the_sums_of_his_games() -> None:
    rating = Rating(1600, 300, 12, provisional=False)
    games = [played(True, fakes=3, fell=1), played(False, "Modern", races=4, last=2), played(True, races=1)]
    tally = summed(games, {"Classic": rating})
    assert (tally.games, tally.wins, tally.fakes, tally.fell, tally.races, tally.last) == (3, 2, 3, 1, 5, 2)
    assert [(one.edition, one.games, one.wins, one.rating) for one in tally.editions] == [
        ("Classic", 2, 2, rating),
        ("Modern", 1, 0, None),
    ]


def test_streaks_are_of_games_won_or_not_won_in_a_row() -> None:
    def streaks(*won: bool) -> tuple[int, int]:
        tally = summed([played(one) for one in won], {})
        return tally.streak, tally.best_streak

    assert streaks() == (0, 0)
    assert streaks(True, True, False, True) == (1, 2)
    assert streaks(True, False, False) == (-2, 1)


def test_a_game_called_off_is_in_no_streak_and_a_game_one_has_left_is_not_won() -> None:
    tally = summed([played(True), played(False, called_off=True, races=2), played(True)], {})
    assert (tally.games, tally.wins, tally.streak, tally.races) == (2, 2, 2, 2)
    assert summed([played(True, left=True)], {}).wins == 0


def test_only_the_newest_reactions_are_told() -> None:
    games = [Played("Classic", False, True, False, GameTally(reactions_ms=(at,) * 300)) for at in range(5)]
    told = summed(games, {}).reactions_ms
    assert len(told) == MOST_REACTIONS
    assert told == (*(1,) * 100, *(2,) * 300, *(3,) * 300, *(4,) * 300)


def test_a_game_not_counted_yet_is_a_game() -> None:
    assert summed([Played("Classic", False, True, False, None)], {}).wins == 1
