"""What shallow searches tell about deep ones: the statistics behind ProbCut.

Buro 1995, "ProbCut: An effective selective extension of the alpha-beta algorithm". For positions with a number of discs
and a pair of depths, the value of the deep search is slope * (value of the shallow search) + offset, give or take a
standard deviation, all in hundredths of a disc; the evaluation is that of the patterns. `boyi learn probcut` measures
it.

The file is JSON: a card that tells how it was made, and a row per fit. Rows that no position was measured for are
extrapolated: the logarithm of the deviation is linear in both depths and in the discs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from boyi.core.errors import BoyiError

OWN_FILE = "probcut.json"
"""The statistics that come with the package."""

FORMAT = "boyi othello probcut"
FORMAT_VERSION = 1

DEEPEST = 20
"""Plies of the deepest search that is foretold."""

TO_THE_END = 0
"""The deep search of a fit that goes to the end of the game: its value is the margin."""

SHALLOW = {3: 1, 4: 2, 5: 1, 6: 2, 7: 3, 8: 4, 9: 3, 10: 4, 11: 3, 12: 4, 13: 5, 14: 4, 15: 5, 16: 6, 17: 5, 18: 6,
           19: 7, 20: 6}
"""Which search foretells a deep one: of the same parity, for odd and even depths differ, and about a third as deep."""

DEEPEST_FOR_END = 8
"""Plies of the deepest search that foretells a margin."""

SOLVED_FROM = 12
SOLVED_TO = 40
"""Empty points of positions whose margin is foretold."""


def shallow_for_end(empties: int) -> int:
    """Which search foretells the margin of a position with this number of empty points."""
    return min(DEEPEST_FOR_END, max(2, (empties - 4) // 3))


@dataclass(frozen=True)
class Fit:
    """What a shallow search tells about a deep one."""

    discs: int
    shallow: int
    deep: int
    """Plies, or TO_THE_END."""

    slope: float
    offset: float
    deviation: float
    count: int
    """Of positions that it was measured on; 0 where it is extrapolated."""


@dataclass(frozen=True)
class ProbCut:
    """All fits, and how they were made."""

    fits: tuple[Fit, ...] = ()
    card: Mapping[str, Any] = field(default_factory=dict)

    def to_text(self) -> str:
        rows = ",\n".join(json.dumps(astuple(fit)) for fit in self.fits)
        head = json.dumps({"format": FORMAT, "version": FORMAT_VERSION, "card": dict(self.card)}, indent=1)
        return f'{head.removesuffix("}").rstrip()},\n "fits": [\n{rows}\n]}}\n'

    @staticmethod
    def from_text(text: str) -> ProbCut:
        try:
            data = json.loads(text)
            if data["format"] != FORMAT or data["version"] != FORMAT_VERSION:
                raise ValueError(f"{data['format']!r}, version {data['version']!r}")
            return ProbCut(tuple(_checked(Fit(*row)) for row in data["fits"]), data["card"])
        except (ValueError, KeyError, TypeError) as error:
            raise BoyiError(f"these are no statistics for ProbCut: {error}") from error


def _checked(fit: Fit) -> Fit:
    depths = fit.shallow >= 1 and (fit.deep == TO_THE_END or fit.shallow < fit.deep <= DEEPEST)
    if not (4 <= fit.discs <= 64 and depths and fit.slope > 0 and fit.deviation > 0):
        raise ValueError(f"a fit of {fit}")
    return fit


@cache
def own_probcut() -> ProbCut:
    """The statistics that come with the package; none where the file is missing."""
    try:
        return ProbCut.from_text((files("boyi.games.othello") / OWN_FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return ProbCut()


def fits_to_the_end(probcut: ProbCut) -> Iterable[Fit]:
    """Those that foretell the margin, as the solver uses them."""
    return (fit for fit in probcut.fits if fit.deep == TO_THE_END)
