"""How a game ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from boyi.core.words import Words


@dataclass(frozen=True)
class Outcome:
    """The result of a finished game.

    >>> Outcome.of([1.0, -1.0], "checkmate", Words("checkmate", "将死")).winner
    0
    """

    scores: tuple[float, ...]
    """Per player, from 1 (best) to -1 (worst)."""

    reason: str
    """Why it ended, as a stable name in snake_case."""

    words: Words
    """Why it ended, for people."""

    @classmethod
    def of(cls, scores: Sequence[float], reason: str, words: Words) -> Outcome:
        return cls(tuple(scores), reason, words)

    @property
    def places(self) -> tuple[int, ...]:
        """Per player his place, 1 for the best; equal scores share a place."""
        return tuple(1 + sum(other > score for other in self.scores) for score in self.scores)

    @property
    def results(self) -> tuple[int, ...]:
        """Per player 1 for the first place, -1 for the last, else 0 (all equal: a draw, all 0)."""
        best, worst = max(self.scores), min(self.scores)
        return tuple((score == best) - (score == worst) for score in self.scores)

    @property
    def winner(self) -> int | None:
        """The player who alone came first, if there is one."""
        first = [player for player, place in enumerate(self.places) if place == 1]
        return first[0] if len(first) == 1 else None


def scores_by_place(places: Sequence[int]) -> list[float]:
    """Spread places evenly over 1 … -1; those who share a place share the average.

    >>> scores_by_place([1, 3, 1])
    [0.5, -1.0, 0.5]
    """
    last = len(places) - 1
    return [1 - 2 * (place - 1 + (places.count(place) - 1) / 2) / last for place in places]
