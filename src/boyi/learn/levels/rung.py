"""A rung that may become a level: a point of the path of strength, or an end of it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import total_ordering

from boyi.agents.searching import find_default
from boyi.core.game import Game
from boyi.core.level import Level
from boyi.core.position import Position
from boyi.core.strength import FULL, level_at
from boyi.kit.ladder import low_evaluator, searches

__all__ = ["RANDOM", "TOP", "Rung", "at"]

PARTS = ("nodes", "lines", "temperature", "evaluator", "attention", "depth")


@total_ordering
@dataclass(frozen=True)
class Rung:
    """Where on the path; `RANDOM` is below and `TOP` above all others."""

    strength: float

    def __lt__(self, other: Rung) -> bool:
        return self.strength < other.strength

    def __str__(self) -> str:
        return "random" if self == RANDOM else "full" if self == TOP else f"{self.strength:.3f}"

    def level(self, game: Game) -> Level:
        """What it is as a level."""
        if self == TOP:
            return FULL
        return level_at(self.strength, evaluator=low_evaluator(game), searches=searches(game))

    def spec(self, start: Position, full_nodes: int) -> str:
        """The agent that plays it. No rung has a book: openings are drawn, and the same for both sides.

        Full strength has a limit in nodes, too, so that games can be repeated, and on a busy machine.
        """
        if self == RANDOM:
            return "random"
        if self == TOP:
            return f"{find_default(start).name}:nodes={full_nodes}"
        level = self.level(start.game)
        parts = [f"{one.name}={_write(value)}" for one in fields(Level)
                 if one.name in PARTS and (value := getattr(level, one.name)) != one.default]
        return f"strength:{','.join([*parts, 'book=off'])}"


def _write(value: object) -> str:
    return f"{value:.9f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


RANDOM = Rung(-1.0)
TOP = Rung(1e9)


def at(strength: float) -> Rung:
    """The rung at a strength, to a thousandth."""
    return Rung(round(strength, 3))
