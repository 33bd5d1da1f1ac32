"""The options of expectimax: every idea by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from boyi.search.options import NO_LIMIT, TABLE_MB, check

Outcomes = Literal["all", "sample", "presume"]


@dataclass(frozen=True, kw_only=True)
class ExpectimaxOptions:
    """Expectimax. *Sound* switches never change the value at a depth; the others trade exactness for depth."""

    table_mb: int = 16
    """Sound with `same_depth`. Megabytes of the transposition table; 0 for none."""

    same_depth: bool = False
    """Believe the table only about the very depth asked for: what makes it sound. Else deeper values serve too."""

    star1: bool = True
    """Sound. Stop at a chance node when what is still open cannot bring the mean into the window (Ballard 1983)."""

    star2: bool = False
    """Sound. First try one reply to each result of chance, for a bound on its value (Ballard 1983, Hauk et al. 2004).
    Where `scout` asks, this does not."""

    scout: bool = True
    """Sound. First ask of each result only whether it is as good as it must be, were all as good as they look:
    a zero window around the bound, shifted by the static value. Needs `star1`; it does the work of `star2` and
    bounds the mean from below as well."""

    principal_variation: bool = True
    """Sound. After the first move, only ask whether another is better (zero window), and look closer if so."""

    exchanges: bool = True
    """Sound. Try captures first that win something, last those that lose."""

    killers: bool = True
    """Sound. Try quiet moves first that refuted a sibling."""

    history: bool = True
    """Sound. Try quiet moves first that often caused cut-offs."""

    quiescence: bool = True
    """Search captures on at the horizon. What chance would decide there counts as its exchange value."""

    null_move: bool = True
    """Unsound. If passing is good enough, do not look for a move."""

    late_move_reductions: bool = True
    """Unsound. Search late quiet moves less deeply first."""

    late_move_pruning: bool = True
    """Unsound. Near the horizon, leave late quiet moves out."""

    futility: bool = True
    """Unsound. Near the horizon, give up where the static value is far outside the window."""

    check_extensions: bool = True
    """Search a ply deeper out of check."""

    repetition: bool = True
    """A position that comes back is judged at once, on the path and in the game's history alike."""

    outcomes: Outcomes = "all"
    """At chance nodes: every result by its odds, a sample of them, or only the one that the evaluator presumes."""

    exact_chances: int = 1
    """Sound when at least 80. How many chance nodes of a line are enumerated; at later ones one result stands for all:
    the one whose static value is nearest to their mean, corrected by the difference (a control variate)."""

    samples: int = 3
    """With `outcomes="sample"`: how many. They depend on the position only, so that an answer can be repeated."""

    seed: int = 1
    """With `outcomes="sample"`: another seed, another sample."""

    public_knowledge: bool = False
    """Search the spectator's view, `observe(None)`, instead of what this player was shown."""

    time_before_depth: bool = False
    """Ignore the limit of depth when there is one of time."""

    def is_stochastic(self, *, net: bool, chance: bool) -> bool:
        """See `options.Seeded`."""
        return self.outcomes == "sample"

    def __post_init__(self) -> None:
        check(self, {"table_mb": TABLE_MB, "exact_chances": (0, NO_LIMIT), "samples": (1, 2048)})


_ANCESTOR = ExpectimaxOptions(
    table_mb=0, star1=False, star2=False, scout=False, principal_variation=False, exchanges=False, killers=False,
    history=False, quiescence=False, null_move=False, late_move_reductions=False, late_move_pruning=False,
    futility=False, check_extensions=False, repetition=False, exact_chances=80, public_knowledge=True,
    time_before_depth=True)

PRESETS: Mapping[str, ExpectimaxOptions] = MappingProxyType({
    "default": ExpectimaxOptions(),
    "it2": _ANCESTOR,
    "iterative": replace(_ANCESTOR, outcomes="presume"),
})
"""`it2` and `iterative` go with the evaluators of these names: two engines of one of the ancestors, as its document has
them. Where the document leaves something open: captures are counted among legal moves, except that of a king; a search
whose time is up ends at once, with the last depth that it finished; `iterative` turns a piece up as what it stands for
only while that is still in the pool, and then as the likeliest; a game that is over counts as won or lost."""
