"""What the games of a match say about the strength of each contestant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from boyi.arena.distinct import distinct
from boyi.arena.match import Match
from boyi.arena.score import elo, interval, superiority
from boyi.arena.tally import Finished, tally

__all__ = ["Standing", "standings"]


@dataclass(frozen=True)
class Standing:
    """How one contestant did; see `tally.Tally`.

    >>> import boyi
    >>> match = boyi.Match(("alphabeta:nodes=200", "random"), boyi.start("othello"), games=4, seed=1)
    >>> first, second = standings(match, list(boyi.play_match(match)))
    >>> first.score > second.score, first.low <= first.score <= first.high
    (True, True)
    """

    contestant: int
    seats: int
    wins: int
    draws: int
    losses: int
    score: float
    low: float
    high: float
    """The 95 % interval of the score."""

    firsts: float
    mean_place: float
    failures: int

    share: float
    """First places over seats, as a multiple of the fair share; 1 is as good as the others."""

    share_low: float
    share_high: float
    """The 95 % interval of the share."""

    @property
    def elo(self) -> float:
        """The difference in rating that the score stands for; infinite when every game had the same end."""
        return elo(self.score)

    @property
    def superiority(self) -> float:
        """How likely it is the stronger of two."""
        return superiority(self.wins, self.losses)


def standings(match: Match, games: Sequence[Finished]) -> list[Standing]:
    """What the games say about each contestant; one that repeats another is counted once (`arena.distinct`).

    >>> import boyi
    >>> match = boyi.Match(("mcts:nodes=50", "random"), boyi.start("tic_tac_toe"), games=4, seed=1)
    >>> sum(row.wins + row.draws + row.losses for row in standings(match, list(boyi.play_match(match)))) >= 2
    True
    """
    games = distinct(match, games)
    players, count = match.start.players, len(games)
    rows = []
    for contestant, own in enumerate(tally(games, len(match.contestants), players)):
        # The seats of one contestant in a game are one observation, not several: they depend on each other.
        low, high = interval(own.score, count)
        first_low, first_high = interval(own.firsts / count if count else 0.0, count)
        fair = own.seats / count / players if count else 1 / players   # first places in a game among equals
        rows.append(Standing(
            contestant, own.seats, own.wins, own.draws, own.losses, own.score, low, high, own.firsts, own.mean_place,
            own.failures, own.firsts / count / fair if count else 1.0, first_low / fair, first_high / fair))
    return rows
