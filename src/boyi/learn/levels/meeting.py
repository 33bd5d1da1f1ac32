"""Games between two rungs, and what they came to.

With two players every second game has the colours exchanged. With more, every second seat is of the higher rung, in
the next game every other; what counts are couples of a higher and a lower seat, and which of the two came out ahead.
If places follow Plackett and Luce's model, the share of couples is the score of a Bradley–Terry game
(`learn.tuning.trial`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from boyi.arena.adjudication import OFF, Adjudication
from boyi.arena.match import Match
from boyi.arena.rating import Finish
from boyi.arena.score import elo, interval
from boyi.core.position import Position
from boyi.core.strength import SEARCH
from boyi.learn.levels.rung import TOP, Rung
from boyi.learn.tuning.trial import count_points

__all__ = ["Meeting", "Table", "Task", "to_entry"]


RESIGNING = Adjudication(resign_value=0.97, resign_moves=5)
"""Between levels that overlook nothing, a game is over when both sides are sure of it for a while."""


@dataclass(frozen=True)
class Task:
    """One game to be played."""

    lower: Rung
    higher: Rung
    number: int


@dataclass(frozen=True)
class Table:
    """Under what conditions all games are played; it can be sent to other processes."""

    start: Position
    random_plies: int
    seed: int
    full_nodes: int
    """For a move of full strength."""

    def play(self, task: Task) -> tuple[Task, list[bool], list[int]]:
        """A game: by seat, is it of the higher rung, and the places."""
        players = self.start.players
        seats = [(seat + task.number) % 2 == 0 for seat in range(players)]
        higher, lower = (rung.spec(self.start, self.full_nodes) for rung in (task.higher, task.lower))
        # Every two games share an opening; a match of one game has its own seed.
        match = Match(tuple(higher if seat else lower for seat in seats), self.start, 1,
                      random_plies=self.random_plies, seed=self.seed + task.number // 2,
                      adjudication=RESIGNING if players == 2 and task.lower.strength >= SEARCH else OFF)
        return task, seats, list(match.play(0).outcome.places)


@dataclass
class Meeting:
    """What the games of two rungs came to."""

    lower: Rung
    higher: Rung
    finishes: list[Finish] = field(default_factory=list)
    points: float = 0.0
    """Of the higher rung, 1 for a game in which it came out ahead of all of the lower."""

    @property
    def games(self) -> int:
        return len(self.finishes)

    @property
    def score(self) -> float:
        return self.points / self.games if self.games else 0.5

    @property
    def elo(self) -> float:
        """By how much the higher rung is better; half a game is given to either side, so that it is finite."""
        return elo((self.points + 0.5) / (self.games + 1))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score."""
        return interval(self.score, self.games)

    def add(self, seats: Sequence[bool], places: Sequence[int]) -> None:
        most = 2 * sum(seats) * (len(seats) - sum(seats))
        self.points += count_points(seats, places) / most
        self.finishes.append(Finish(tuple(str(self.higher if seat else self.lower) for seat in seats), tuple(places)))


def to_entry(task: Task, seats: Sequence[bool], places: Sequence[int], seconds: float) -> dict[str, Any]:
    """A game as the journal keeps it; one with full strength says how long that had for a move."""
    facts = {"lower": task.lower.strength, "higher": task.higher.strength, "number": task.number, "seats": list(seats),
             "places": list(places)}
    return facts | {"seconds": seconds} if task.higher == TOP else facts
