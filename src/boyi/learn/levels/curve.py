"""How Elo grows along the path of strength, as far as it was measured: straight between the rungs that were played."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from boyi.learn.levels.rung import TOP, Rung, at

__all__ = ["Curve"]


class Curve:
    """Rungs in order, each with its Elo above the one before. Where the path falls the way back up is left out."""

    def __init__(self, rungs: Sequence[Rung], steps: Sequence[float], summit: float) -> None:
        """`steps` are the differences of neighbours; `summit` is where full strength would lie on the path.

        >>> from boyi.learn.levels.rung import RANDOM
        >>> curve = Curve([RANDOM, at(0.5), at(0.9), at(1.0), at(1.2), TOP], [100, 200, -50, 150, 200], summit=1.6)
        >>> curve.total, str(curve.find(200)), str(curve.find(350)), str(curve.find(500))
        (600.0, '0.700', '1.133', '1.400')
        """
        self._summit = summit
        self._points = [(rungs[0], 0.0)]
        height = highest = 0.0
        for (lower, upper), step in zip(pairwise(rungs), steps, strict=True):
            before, height = height, height + step
            if height <= highest:
                continue
            if before < highest:     # back at where the path was already: the rest is new
                share = (highest - before) / (height - before)
                if upper != TOP:
                    lower = at(lower.strength + share * (upper.strength - lower.strength))
                self._points.append((lower, highest))
            self._points.append((upper, height))
            highest = height
        self.total = float(highest)
        self.last = max(rung for rung, _ in self._points if rung != TOP)
        """The highest rung below full strength."""

    def elo(self, rung: Rung) -> float:
        """Of a rung above random moves."""
        for (lower, low), (upper, high) in pairwise(self._points):
            if rung == upper:
                return high
            if rung < upper:
                begin, end = self._span(lower, upper)
                share = (rung.strength - begin) / (end - begin) if end > begin else 0.0
                return low + (high - low) * min(1.0, max(0.0, share))
        return self.total

    def find(self, elo: float) -> Rung:
        """The rung with this much Elo; full strength where that is too much."""
        for (lower, low), (upper, high) in pairwise(self._points):
            if elo < high:
                begin, end = self._span(lower, upper)
                return at(begin + (end - begin) * max(0.0, elo - low) / (high - low)) if end > begin else lower
        return self._points[-1][0]

    def _span(self, lower: Rung, upper: Rung) -> tuple[float, float]:
        """Where on the path two points lie."""
        return max(lower.strength, 0.0), self._summit if upper == TOP else upper.strength
