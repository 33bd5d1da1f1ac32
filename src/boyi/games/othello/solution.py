"""What Othello's solver is asked and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

from boyi.core.errors import OptionError


@dataclass(frozen=True, kw_only=True)
class SolverOptions:
    """What the solver uses. All are sound: without them it needs more nodes for the same answer."""

    parity: bool = True
    """Moves into regions with an odd number of empty points first."""

    stability: bool = True
    """Cut off what the opponent's stable discs forbid."""

    table: bool = True
    """Remember positions."""

    transpositions: bool = True
    """Look all successors up in the table before searching the first."""

    patterns: bool = True
    """Sort moves far from the end by shallow searches with the pattern evaluation."""

    megabytes: int = 64
    """The size of the table."""

    processor: str = "auto"
    """What the search is compiled for: one of `solver.usable_processors()`, or auto for the fastest of them."""

    def __post_init__(self) -> None:
        if not isinstance(self.megabytes, int) or not 1 <= self.megabytes <= 1 << 14:
            raise OptionError(f"a table of {self.megabytes} MB cannot be made; 1 to {1 << 14} can")


@dataclass(frozen=True)
class Solution:
    """A position solved."""

    margin: int
    """Discs that the player to act wins by, negative if they lose; empty points count for the winner."""

    moves: tuple[int, ...]
    """A line of best play to the end of the game, as move numbers; passes are moves."""

    nodes: int
    seconds: float
