"""The table of a tournament: ratings, results and who came before whom.

Everywhere here a game that repeats another is counted once (`arena.distinct`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from boyi.arena.bout import Bout
from boyi.arena.distinct import distinct
from boyi.arena.rating import Finish, Ratings, rate
from boyi.arena.tally import tally
from boyi.arena.tournament import Tournament

__all__ = ["Row", "cross_table", "rate_tournament", "table"]


@dataclass(frozen=True)
class Row:
    """How one contestant did; see `tally.Tally`."""

    contestant: int
    agent: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    firsts: float
    mean_place: float
    failures: int
    elo: float
    elo_low: float
    elo_high: float
    """The rating and its 95 % interval; the mean of all, or the anchor, is 0."""

    superiority: float | None
    """LOS: how likely it is stronger than the next in the table; None for the last."""


def rate_tournament(tournament: Tournament, bouts: Iterable[Bout], anchor: str | None = None) -> Ratings:
    """The ratings of all contestants."""
    names = tournament.names
    return rate((Finish(tuple(names[contestant] for contestant in bout.contestants), bout.places)
                 for bout in _counted(tournament, bouts)), anchor=anchor, players=names)


def table(tournament: Tournament, bouts: Iterable[Bout], ratings: Ratings) -> list[Row]:
    """All contestants, the strongest first. The same games give the same table, in whatever order they ended."""
    numbers = {name: number for number, name in enumerate(tournament.names)}
    tallies = tally(_counted(tournament, bouts), len(numbers), tournament.start.players)
    rows = []
    for row, following in zip(ratings.rows, (*ratings.rows[1:], None), strict=True):
        own = tallies[numbers[row.name]]
        rows.append(Row(
            numbers[row.name], row.name, own.games, own.wins, own.draws, own.losses, own.score, own.firsts,
            own.mean_place, own.failures, row.elo.value, row.elo.low, row.elo.high,
            None if following is None else ratings.superiority(row.name, following.name)))
    return rows


def cross_table(tournament: Tournament, bouts: Iterable[Bout]) -> dict[tuple[int, int], tuple[float, int]]:
    """For two contestants how often the one came before the other (equal places count half), and of how many times."""
    before: Counter[tuple[int, int]] = Counter()   # in halves, which add up exactly
    times: Counter[tuple[int, int]] = Counter()
    for bout in _counted(tournament, bouts):
        for seat, other in combinations(range(len(bout.places)), 2):
            if bout.contestants[seat] != bout.contestants[other]:
                for one, two in ((seat, other), (other, seat)):
                    pair = bout.contestants[one], bout.contestants[two]
                    before[pair] += 1 + (bout.places[one] < bout.places[two]) - (bout.places[one] > bout.places[two])
                    times[pair] += 1
    return {pair: (before[pair] / 2, count) for pair, count in times.items()}


def _counted(tournament: Tournament, bouts: Iterable[Bout]) -> list[Bout]:
    """The games that count, in the order of their slots."""
    return distinct(tournament, sorted(bouts, key=lambda bout: bout.slot))
