"""Do the solutions hold? Every move that the solver has to find is examined again, with more nodes.

A puzzle holds if each of these moves is still the only good one (`examiner`). Of one that holds in part, the beginning
of the line is kept. Themes are found and the rating is measured anew on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from boyi.agents.interruption import listening
from boyi.arena.pool import Pool
from boyi.core.puzzles import SolvedLine
from boyi.games import find_game
from boyi.study.puzzles.collection import Puzzles
from boyi.study.puzzles.examiner import Examiner
from boyi.study.puzzles.puzzle import Puzzle
from boyi.study.puzzles.rating import rate_by_levels
from boyi.study.puzzles.themes import find_themes

__all__ = ["TIMES", "Verdict", "verify"]

TIMES = 10
"""The nodes with which puzzles were made."""


@dataclass(frozen=True)
class Verdict:
    """What became of a puzzle."""

    puzzle: Puzzle
    """As far as it holds: with themes and rating as found now, and the line up to the last move that holds."""

    holds: bool
    """Does at least the first move?"""

    failed_at: str = ""
    """The first move that is not the only good one, if any."""


def verify(puzzles: Puzzles, nodes: int, jobs: int = 1) -> Iterator[Verdict]:
    """Examine every puzzle with this number of nodes for each of its moves."""
    with Pool(jobs) as pool:
        yield from pool.run(partial(_verify_one, puzzles.game.name, nodes, dict(puzzles.options)), puzzles.puzzles,
                            in_order=True)


@cache
def _make_examiner(game: str, nodes: int) -> Examiner:
    return Examiner(find_game(game), nodes)


def _verify_one(game: str, nodes: int, options: dict[str, Any], puzzle: Puzzle) -> Verdict:
    """Examine one puzzle, until a move does not hold."""
    examiner = _make_examiner(game, nodes)
    steps, first, held, failed_at = list(puzzle.steps(examiner.game, options)), None, 0, ""
    with listening():
        for number, step in enumerate(steps, 1):
            if not step.asked:
                continue
            look = examiner.look(step.position)
            if look is None or look.move != step.move or not examiner.is_good_alone(look.odds, look.others):
                failed_at = step.text
                break
            first, held = first or look, number
    if first is None:
        return Verdict(puzzle, holds=False, failed_at=failed_at)
    moves = tuple(step.move for step in steps[:held])
    line = SolvedLine(steps[0].position, moves, first.odds, first.others, first.wins_in)
    kept = replace(puzzle, solution=puzzle.solution[:held], themes=find_themes(line))
    rating = rate_by_levels(kept, examiner.game, options)
    return Verdict(kept if rating is None else replace(kept, rating=rating), holds=True, failed_at=failed_at)
