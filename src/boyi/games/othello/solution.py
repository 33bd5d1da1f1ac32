"""What Othello's solver is asked and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

from boyi.core.errors import OptionError

MOST_THREADS = 256


@dataclass(frozen=True, kw_only=True)
class SolverOptions:
    """What the solver uses, and what is asked of it.

    All but `outcome` and `certainty` are sound: without them it needs more nodes for the same answer.
    """

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

    prepare: bool = True
    """Far from the end, search selectively first: for a margin to look around, and for first moves."""

    outcome: bool = False
    """Find out who wins, not by how much: the margin is a bound with the right sign."""

    certainty: float = 1.0
    """How certain the search must be to leave a position out (ProbCut, from 0.5); 1 for a proof."""

    megabytes: int = 64
    """The size of the table."""

    threads: int = 1
    """This number of threads search the same position and share the table. More than one need `table`; nodes and lines
    then differ from run to run, margins do not."""

    processor: str = "auto"
    """What the search is compiled for: one of `processors.usable_processors()`, or auto for the fastest of them."""

    def __post_init__(self) -> None:
        if not 0.5 <= self.certainty <= 1:
            raise OptionError(f"a certainty of {self.certainty} is not from 0.5 to 1")
        if self.certainty < 1 and not self.patterns:
            raise OptionError("a certainty below 1 needs patterns: their evaluation decides what is left out")
        if not isinstance(self.threads, int) or not 1 <= self.threads <= MOST_THREADS:
            raise OptionError(f"a solver has 1 to {MOST_THREADS} threads, not {self.threads}")
        if self.threads > 1 and not self.table:
            raise OptionError("threads share what they find by the table, which is switched off")
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
