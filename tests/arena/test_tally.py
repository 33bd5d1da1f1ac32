"""What each contestant did: the same numbers for a match and for the table of a tournament."""

from __future__ import annotations

import pytest

import boyi
from boyi.arena.bout import Bout, Slot
from boyi.arena.game import Failure
from boyi.arena.match import Match
from boyi.arena.standing import standings
from boyi.arena.table import rate_tournament, table
from boyi.arena.tally import Tally, tally
from boyi.arena.tournament import Tournament


def bout(number: int, contestants: tuple[int, ...], places: tuple[int, ...], *failed: int) -> Bout:
    return Bout(Slot((0, 1), number), contestants, places, "", 10, tuple(
        Failure(seat, "timeout", "") for seat in failed), "")


GAMES = [bout(0, (0, 1, 1), (1, 2, 3)), bout(1, (1, 0, 1), (1, 1, 3), 2), bout(2, (1, 1, 0), (1, 2, 2), 0, 1)]


def test_places_are_counted_by_seat() -> None:
    first, second, third = tally(GAMES, 3, 3)
    assert (first.games, first.seats, first.wins, first.draws, first.losses) == (3, 3, 2, 0, 1)
    assert (first.score, first.mean_place) == pytest.approx((2 / 3, 4 / 3))
    assert (first.firsts, first.failures) == (1.5, 0)
    assert (second.games, second.seats, second.wins, second.draws, second.losses) == (3, 6, 2, 1, 3)
    assert (second.firsts, second.failures, second.mean_place) == (1.5, 3, 2.0)
    assert third == Tally(0, 0, 0, 0, 0, 0.5, 0.0, 2.0, 0)


def test_a_match_and_a_tournament_count_alike() -> None:
    agents, start = ("random:seed=1", "random:seed=2"), boyi.start("chinese_checkers", players=3)
    tournament = Tournament(agents, start)
    rows = {row.contestant: row for row in table(tournament, GAMES, rate_tournament(tournament, GAMES))}
    for standing in standings(Match(agents, start), GAMES):
        row = rows[standing.contestant]
        for name in ("wins", "draws", "losses", "score", "firsts", "mean_place", "failures"):
            assert getattr(standing, name) == getattr(row, name), name
