"""The options of expectimax: every idea by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Literal

from boyi.search.options import NO_LIMIT, check
from boyi.search.window_options import SHARED_RANGES, SHARED_SOUND, WindowOptions

Outcomes = Literal["all", "sample", "presume"]


@dataclass(frozen=True, kw_only=True)
class ExpectimaxOptions(WindowOptions):
    """Expectimax: what `WindowOptions` has, and what concerns chance.

    >>> import boyi
    >>> boyi.Expectimax(options=ExpectimaxOptions(killers=False)).options.killers
    False
    """

    star1: bool = True
    """Sound. Stop at a chance node when what is still open cannot bring the mean into the window (Ballard 1983)."""

    star2: bool = False
    """Sound. First try one reply to each result of chance, for a bound on its value (Ballard 1983, Hauk et al. 2004).
    Where `scout` asks, this does not."""

    scout: bool = True
    """Sound. First ask of each result only whether it is as good as it must be, were all as good as they look:
    a zero window around the bound, shifted by the static value. Needs `star1`; it does the work of `star2` and
    bounds the mean from below as well."""

    check_extensions: bool = True
    """Search a ply deeper out of check."""

    exchanges: bool = True
    """Sound. Try captures first that win something, last those that lose; else moves come as the rules list them."""

    repetition: bool = True
    """A position that comes back is judged at once, on the path and in the game's history alike."""

    outcomes: Outcomes = "all"
    """At chance nodes: every result by its odds, a sample of them, or only the one that the evaluator presumes."""

    exact_chances: int = 1
    """Sound when at least 80. How many chance nodes of a line are enumerated; at later ones one result stands for all:
    the one whose static value is nearest to their mean, corrected by the difference (a control variate)."""

    exact_depth: int = 0
    """Sound when 0. Nearer to the horizon than this number of plies one result stands for all, too."""

    information: int = 0
    """Sound when 0. What a move is worth besides that leaves something to chance, in thousandths of the evaluator's
    scale: a value of information."""

    chance_probing: bool = False
    """Unsound. In a zero window, first search the one result that stands for all: where it is further than
    `chance_margin` outside the window, so is the mean."""

    chance_margin: int = 150
    """In thousandths of the evaluator's scale."""

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
        check(self, {"exact_chances": (0, NO_LIMIT), "exact_depth": (0, 100), "information": (-100_000, 100_000),
                     "chance_margin": (0, 100_000), "samples": (1, 2048), **SHARED_RANGES})


SOUND = (*SHARED_SOUND, "star1", "star2", "scout", "exchanges")
"""The switches that are sound, the table among them with `same_depth`."""

_PLAIN = ExpectimaxOptions(same_depth=True, exact_chances=80, **{
    field.name: False for field in fields(ExpectimaxOptions)
    if isinstance(field.default, bool) and field.name not in SOUND})  # type: ignore[arg-type]
_ANCESTOR = replace(_PLAIN, table_mb=0, public_knowledge=True, time_before_depth=True, **{
    name: False for name in SOUND if isinstance(getattr(_PLAIN, name), bool)})  # type: ignore[arg-type]

PRESETS: Mapping[str, ExpectimaxOptions] = MappingProxyType({
    "default": ExpectimaxOptions(),
    "sound": _PLAIN,
    "it2": _ANCESTOR,
    "iterative": replace(_ANCESTOR, outcomes="presume"),
})
"""`sound`: at a fixed depth the value of expectimax, by the evaluator alone.

`it2` and `iterative` go with the evaluators of these names: two engines of one of the ancestors, as its document has
them. Where the document leaves something open: captures are counted among legal moves, except that of a king; a search
whose time is up ends at once, with the last depth that it finished; `iterative` turns a piece up as what it stands for
only while that is still in the pool, and then as the likeliest; a game that is over counts as won or lost."""
