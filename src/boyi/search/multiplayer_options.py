"""The options of the search for any number of players: every idea by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, get_args

from boyi.search.options import NO_LIMIT, TABLE_MB, check

Algorithm = Literal["best_reply", "paranoid", "max_n", "own_plan", "average", "minimum"]
ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)


@dataclass(frozen=True, kw_only=True)
class MultiplayerOptions:
    """Who is thought to play how, and which moves are looked at.

    *Sound* switches never change the value at a depth. The switches of forward pruning do; they need
    an evaluator that describes moves (`core.race`), and do nothing without one.

    >>> MultiplayerOptions(targets=3).targets
    3
    """

    algorithm: Algorithm = "best_reply"
    """`best_reply`: of all opponents only one, the most troublesome, moves between two moves of ours
    (Schadd and Winands 2011). `paranoid`: all opponents are one enemy (Sturtevant and Korf 2000). `max_n`: every player
    maximises their own value (Luckhardt and Irani 1986). `own_plan`: only our own moves. `average` and `minimum`:
    every line counts, the value of a move is that of all leaves below it together, or of the worst."""

    table_mb: int = 16
    """Sound. Megabytes of the transposition table; 0 for none. `average` and `minimum` have no use for it."""

    principal_variation: bool = True
    """Sound. After the first move, only ask whether another is better, and look closer if so."""

    killers: bool = True
    """Sound. Try moves first that refuted a sibling."""

    others_move: bool = True
    """Of `best_reply`, in races: the other opponents make the move that looks best at first sight instead of
    sitting out (BRS+, Esser and others 2013)."""

    others_move_most: int = 3
    """With more players than this, they sit out all the same: guesses about many make a bad picture."""

    deepest_for_two: int = 0
    """Plies after which two players stop to deepen, whatever the limits; 0 for no end."""

    deepest_for_more: int = 0
    """The same for three and more."""

    win_bonus: float = 0.0
    """Of `average` and `minimum`: what a win is worth more for every ply it comes before the horizon; none at it."""

    no_retreat: bool = False
    """Forward pruning: no move away from the goal."""

    claims: bool = False
    """Forward pruning: the rearmost piece chooses first, and where it may go no other piece goes."""

    targets: int = 0
    """Forward pruning: how many targets per piece, those nearest to the hole it should now take; 0 for all."""

    farthest_hop: bool = False
    """Forward pruning: of the hops of a piece only the farthest; chains are not left half-way."""

    width: int = 10
    """Forward pruning: how many moves altogether, those that gain most; 0 for all."""

    skip_searched: bool = False
    """Of `average` and `minimum`: a board met before in this search, whoever was to act, is not looked at again."""

    skip_made: bool = True
    """Do not move to a position that stood on the board before in this game while there is another move. `average` and
    `minimum` go by the boards that the player has decided on or made, whoever is to act."""

    def __post_init__(self) -> None:
        at_least_zero = (0, NO_LIMIT)
        check(self, {"table_mb": TABLE_MB, "deepest_for_two": at_least_zero, "deepest_for_more": at_least_zero,
                     "targets": at_least_zero, "width": at_least_zero, "others_move_most": at_least_zero,
                     "win_bonus": at_least_zero})


PLAIN = MultiplayerOptions(others_move=False, width=0)
"""All moves, and opponents who sit out: the algorithms as their papers describe them."""

ANCESTOR = MultiplayerOptions(
    algorithm="average", others_move=False, width=0, table_mb=0,
    deepest_for_two=5, deepest_for_more=4, win_bonus=0.1, no_retreat=True, claims=True,
    targets=3, farthest_hop=True, skip_searched=True, skip_made=True)
"""The search of the students' report, for their evaluator (own weight 3), leaf for leaf: our move, then 4 plies with
two players and 3 with more; all leaves averaged. Its other choice is `dataclasses.replace(ANCESTOR,
algorithm="minimum")`. What the report leaves open, `search.ancestors.leaves` says; `win_bonus`, 100 steps a ply, is
a guess at its `extra_score`."""

ANCESTOR_FOR_MORE = replace(ANCESTOR, targets=1)
"""The students' search with what `boyi tune` found for three and more players: one target per piece sees deeper. With
two players nothing was found; docs/results/learning.md."""

PRESETS: Mapping[str, MultiplayerOptions] = MappingProxyType({
    "default": MultiplayerOptions(),
    "plain": PLAIN,
    "ancestor": ANCESTOR,
    "ancestor_for_more": ANCESTOR_FOR_MORE,
})
