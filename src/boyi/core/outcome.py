"""How a game ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from boyi.core.errors import UnknownNameError
from boyi.core.words import Words

__all__ = ["LOSSES", "Outcome", "scores_by_place"]

LOSSES: Mapping[str, Words] = {
    "resignation": Words("resigns", "认输"),
    "time": Words("has run out of time", "超时"),
    "abandoned": Words("has left the game", "离开了对局"),
    "crash": Words("has broken down", "程序崩溃"),
    "illegal_move": Words("plays an illegal move", "走出违规着法"),
    "refusal": Words("refuses to go on", "拒绝继续"),
    "timeout": Words("does not answer in time", "超时"),
}
"""How a player loses off the board: the stable name (`Outcome.reason`) and what is said after the player's name."""


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

    @classmethod
    def off_board(cls, seat_names: Sequence[Words], loser: int, reason: str = "resignation") -> Outcome:
        """The result when one player loses in one of the ways of `LOSSES`; the others share the win.

        >>> Outcome.off_board([Words("Red", "红方"), Words("Black", "黑方")], 0, "time").words.en
        'Red has run out of time'
        """
        if reason not in LOSSES:
            raise UnknownNameError.among("way to lose", reason, LOSSES)
        name, words = seat_names[loser], LOSSES[reason]
        return cls.of([-1.0 if seat == loser else 1.0 for seat in range(len(seat_names))], reason,
                      Words(f"{name.en} {words.en}", f"{name.zh}{words.zh}"))

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each player, 1 for the best; equal scores share a place."""
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
