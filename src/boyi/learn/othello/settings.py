"""How patterns and ProbCut are fitted; without NumPy, so that the command line can show its help without it."""

from __future__ import annotations

from dataclasses import dataclass, fields

from boyi.core.errors import OptionError

MOST_SOLVED = 23
"""Of the labels of patterns: with 24 empty points the base says what a game is worth."""


@dataclass(frozen=True, kw_only=True)
class PatternSettings:
    """How to fit."""

    rounds: int = 12
    """Conjugate-gradient rounds per stage; the first stage, which starts from nothing, gets four times as many."""

    damping: float = 30.0
    """How strongly weights are held to those of the stage before, as a number of samples (L2 regularisation)."""

    window: int = 2
    """The number of plies before and after a stage whose positions are fitted to, too."""

    first_year: int = 0
    """Games of earlier years are left out."""

    solved: int = 16
    """Positions with this number of empty points, and fewer, are solved for their labels; 0 for none."""

    def __post_init__(self) -> None:
        for name, lowest in (("rounds", 1), ("damping", 0), ("window", 0)):
            if getattr(self, name) < lowest:
                raise OptionError(f"{name} is {getattr(self, name)} and must be at least {lowest}")
        if not 0 <= self.solved <= MOST_SOLVED:
            raise OptionError(f"solved is {self.solved} and must be from 0 to {MOST_SOLVED}")


@dataclass(frozen=True, kw_only=True)
class ProbCutSettings:
    """What to measure for ProbCut."""

    positions: int = 120
    """For each number of discs."""

    deepest: int = 9
    """Plies of the deepest search that is measured."""

    solved: int = 20
    """Positions with up to this number of empty points are solved."""

    solutions: int = 100
    """How many of them, for each number of discs."""

    window: int = 2
    """A number of discs is fitted to positions with up to this number of discs more or fewer."""

    seed: int = 0

    def __post_init__(self) -> None:
        for name, lowest, highest in (("positions", 10, 10**6), ("deepest", 3, 16), ("solved", 12, 24),
                                      ("solutions", 10, 10**6), ("window", 0, 10), ("seed", 0, 2**63 - 1)):
            if not lowest <= getattr(self, name) <= highest:
                raise OptionError(f"{name} is {getattr(self, name)} and must be from {lowest} to {highest}")

    def arguments(self) -> str:
        """The options of `boyi learn probcut` that ask for this."""
        return " ".join(f"--{field.name} {getattr(self, field.name)}" for field in fields(self)
                        if getattr(self, field.name) != field.default)
