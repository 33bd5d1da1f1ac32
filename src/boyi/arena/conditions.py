"""Under what conditions games of a match or a tournament are played."""

from __future__ import annotations

from dataclasses import dataclass

from boyi.arena.adjudication import OFF, Adjudication
from boyi.arena.game import LONGEST
from boyi.arena.timecontrol import TimeControl
from boyi.core.position import Position

__all__ = ["RANDOM_PLIES", "Conditions"]

RANDOM_PLIES = 4


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """The same for all contestants."""

    openings: tuple[Position, ...] = ()
    """Where rounds begin, one after the other and again from the first; none for random ones."""

    random_plies: int = RANDOM_PLIES
    """Without openings: the number of random moves that begin a round."""

    seed: int = 0
    move_seconds: float | None = None
    """A move that took longer loses the game, under any clock; None for no such limit."""

    longest: int = LONGEST
    time: TimeControl | None = None
    """What players may spend; None without a clock: agents think as long as they are set to."""

    adjudication: Adjudication = OFF
