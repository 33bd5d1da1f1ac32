"""Where the searches ask whether their options want what an ancestor did."""

from __future__ import annotations

from typing import Any

from boyi.core.position import Position
from boyi.core.searcher import Limits
from boyi.search.alphabeta_options import AlphaBetaOptions
from boyi.search.ancestors.question import change_question
from boyi.search.expectimax_options import ExpectimaxOptions
from boyi.search.multiplayer_options import MultiplayerOptions


def find_worker(options: AlphaBetaOptions | MultiplayerOptions) -> Any:
    """The class that searches as an ancestor did; None for what plays."""
    if isinstance(options, AlphaBetaOptions) and options.repetition == "ancestor":
        from boyi.search.ancestors.repetition import PathWorker
        return PathWorker
    if isinstance(options, MultiplayerOptions) and options.algorithm in ("average", "minimum"):
        from boyi.search.ancestors.leaves import LeafSearch
        return LeafSearch
    return None


def find_question(options: ExpectimaxOptions, position: Position, limits: Limits) -> tuple[Position, Limits]:
    """What is searched and when it ends: as asked, or as an ancestor took it."""
    if options.public_knowledge or options.time_before_depth:
        return change_question(options, position, limits)
    return position, limits
