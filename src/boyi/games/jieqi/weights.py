"""Where the evaluators of the ancestor can be told to do otherwise than its document."""

from __future__ import annotations

from dataclasses import dataclass

from boyi.core.errors import OptionError

__all__ = ["AncestorWeights"]


@dataclass(frozen=True, kw_only=True)
class AncestorWeights:
    """The switch of `it2` and `iterative`: `expectimax:preset=it2,weights.king_gain=0`."""

    king_gain: int = 1
    """1, as the document has it: the best capture may be that of the king, 100000. A king in check could be taken, so
    a check at the horizon outweighs all material (0.3 of 100000, cut to 28000, where evaluations end). 0: a king is
    never taken, and counts for nothing."""

    def __post_init__(self) -> None:
        if self.king_gain not in (0, 1):
            raise OptionError(f"the weight king_gain of jieqi is 1 (as the document has it) or 0, not {self.king_gain}")
