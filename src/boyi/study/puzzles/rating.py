"""How hard a puzzle is: the rating of a level that solves it every other time.

Each level of the game's ladder that has a rating tries the puzzle `TRIES` times; missing a move of the line is failing.
The rating of the puzzle is fitted to that as the rating of an opponent is to results (Elo, maximum likelihood), on the
scale of the ladder, where random moves have 0.

Where the ladder was not fitted, the measure is the number of positions that the game's own search looks at until it
holds the move as best and stays with it; of a line, that of the hardest move. A doubling is `POINTS_PER_DOUBLING` more,
and every further move of the line `POINTS_PER_MOVE`: the whole line has to be seen.

>>> rate_by_nodes([40]), rate_by_nodes([40, 5_120])
(650, 1775)
>>> rate_by_results([(200, 0, 3), (600, 1, 3), (1000, 3, 3), (1400, 3, 3)])
664
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from boyi.agents import Clock, make_agent
from boyi.core.game import Game
from boyi.kit.ladder import find_ladder

if TYPE_CHECKING:
    from boyi.study.puzzles.puzzle import Puzzle

__all__ = ["EASIEST", "HARDEST", "rate_by_levels", "rate_by_nodes", "rate_by_results"]

EASIEST, HARDEST = 100, 2800
ZERO_NODES = 20
ZERO_RATING = 500
"""What is found with `ZERO_NODES` nodes is rated so."""

POINTS_PER_DOUBLING = 150
"""Twice the nodes are worth about that much to an alpha-beta search of few nodes."""

POINTS_PER_MOVE = 75

TRIES = 3
"""Of each level; more than the number of levels would make it only a little more exact."""

Result = tuple[float, int, int]
"""A level: its rating, how often it solved the puzzle, and how often it tried."""


def rate_by_nodes(nodes: Sequence[int]) -> int:
    """The rating of a puzzle whose moves were found after these numbers of nodes."""
    hardest = max(1, *nodes)
    rating = ZERO_RATING + POINTS_PER_DOUBLING * math.log2(hardest / ZERO_NODES) + POINTS_PER_MOVE * (len(nodes) - 1)
    return _within(rating)


def rate_by_results(results: Sequence[Result]) -> int:
    """The rating with which these results are most likely.

    One win and one loss against imagined levels far below and far above keep it finite where all solved it, or none.
    """
    low, high = float(EASIEST), float(HARDEST)
    imagined = [(low - 400, 0, 1), (high + 400, 1, 1)]
    while high - low > 0.5:
        middle = (low + high) / 2
        expected = sum(tries / (1 + 10 ** ((middle - rating) / 400)) for rating, _, tries in [*results, *imagined])
        solved = sum(solved for _, solved, _ in [*results, *imagined])
        low, high = (middle, high) if expected > solved else (low, middle)
    return _within((low + high) / 2)


def rate_by_levels(puzzle: Puzzle, game: Game, options: Mapping[str, object]) -> int | None:
    """The rating of a puzzle by who solves it; None where the ladder of the game was not fitted."""
    steps = [step for step in puzzle.steps(game, options) if step.asked]
    levels = [(number, level.rating) for number, level in
              enumerate(find_ladder(game, steps[0].position.players).levels, 1)
              if level.rating is not None and not level.full]
    if not levels:
        return None
    results = []
    for number, rating in levels:
        solved = 0
        for seed in range(TRIES):
            agent = make_agent(f"level:{number},seed={int(puzzle.id, 16) + seed},book=off")
            solved += all(agent.choose(step.position.copy(), Clock()) == step.move for step in steps)
        results.append((rating, solved, TRIES))
    return rate_by_results(results)


def _within(rating: float) -> int:
    return max(EASIEST, min(round(rating), HARDEST))
