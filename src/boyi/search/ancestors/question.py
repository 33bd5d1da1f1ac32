"""What the ancestor's jieqi engines take a question for: the spectator's view, and time before depth."""

from __future__ import annotations

from dataclasses import replace

from boyi.core.position import Position
from boyi.core.searcher import Limits
from boyi.search.expectimax_options import ExpectimaxOptions


def change_question(options: ExpectimaxOptions, position: Position, limits: Limits) -> tuple[Position, Limits]:
    """With `public_knowledge`, the position as a spectator sees it; with `time_before_depth`, no depth with a time."""
    if options.public_knowledge:
        position = position.observe(None)
    if options.time_before_depth and limits.seconds is not None:
        limits = replace(limits, depth=None)
    return position, limits
