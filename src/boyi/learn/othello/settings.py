"""How the weights of patterns are fitted; without NumPy, so that the command line can show its help without it."""

from __future__ import annotations

from dataclasses import dataclass

from boyi.core.errors import OptionError


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

    def __post_init__(self) -> None:
        for name, lowest in (("rounds", 1), ("damping", 0), ("window", 0)):
            if getattr(self, name) < lowest:
                raise OptionError(f"{name} is {getattr(self, name)} and must be at least {lowest}")
