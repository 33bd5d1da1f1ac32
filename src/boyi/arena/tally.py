"""What each contestant did in games that have ended: places, wins, draws and losses."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from boyi.arena.game import Failure
from boyi.core.outcome import scores_by_place

__all__ = ["Finished", "Tally", "count_pairs", "tally"]


class Finished(Protocol):
    """What counts of a game that has ended: one of a match (`match.Played`), or of a journal (`bout.Bout`)."""

    @property
    def number(self) -> int:
        """Of the game in its match, from 0."""

    @property
    def contestants(self) -> tuple[int, ...]:
        """By seat."""

    @property
    def places(self) -> tuple[int, ...]:
        """By seat."""

    @property
    def failures(self) -> tuple[Failure, ...]: ...

    @property
    def course(self) -> tuple[str, ...]:
        """The written moves, from the start of the match on."""


@dataclass(frozen=True)
class Tally:
    """How one contestant did."""

    games: int
    """Games it took part in."""

    seats: int
    """Seats it had in all of them together; with two players as many as games, but for one who plays itself."""

    wins: int
    """Alone in the first place."""

    draws: int
    """Neither alone in the first place nor in the last (with more than two players: anything between)."""

    losses: int
    score: float
    """The mean result, from 0 to 1: with two players wins and half the draws, with more places spread evenly."""

    firsts: float
    """First places; one that was shared counts in part."""

    mean_place: float
    failures: int


def tally(games: Iterable[Finished], count: int, players: int) -> list[Tally]:
    """How each of `count` contestants did. One that has not played has the score and the place of the average."""
    taken_part, failures = Counter[int](), Counter[int]()
    results: list[Counter[int]] = [Counter() for _ in range(count)]
    scores, firsts, places = ([list[float]() for _ in range(count)] for _ in range(3))
    for game in games:
        taken_part.update(set(game.contestants))
        failures.update(game.contestants[failure.seat] for failure in game.failures)
        shared = game.places.count(1)
        for seat, (contestant, score) in enumerate(zip(game.contestants, scores_by_place(game.places), strict=True)):
            results[contestant][_result(game, seat)] += 1
            scores[contestant].append(score / 2 + 0.5)
            places[contestant].append(game.places[seat])
            if game.places[seat] == 1:
                firsts[contestant].append(1 / shared)
    return [Tally(
        taken_part[contestant], len(places[contestant]), results[contestant][1], results[contestant][0],
        results[contestant][-1], _mean(scores[contestant], 0.5), math.fsum(firsts[contestant]),
        _mean(places[contestant], (players + 1) / 2), failures[contestant]) for contestant in range(count)]


def count_pairs(games: Sequence[Finished]) -> list[int]:
    """How many pairs of games brought the first of two contestants 0, ½, 1, 1½ and 2 points, for `arena.sprt`.

    The games are in order, as `play_match` hands them over; one without its second is left out.
    """
    counts = [0] * 5
    for first, second in zip(games[::2], games[1::2], strict=False):
        counts[sum(1 + _result(game, game.contestants.index(0)) for game in (first, second))] += 1
    return counts


def _result(game: Finished, seat: int) -> int:
    """1 for the first place, -1 for the last, else 0."""
    return (game.places[seat] == 1) - (game.places[seat] == max(game.places))


def _mean(values: Sequence[float], default: float) -> float:
    return math.fsum(values) / len(values) if values else default
