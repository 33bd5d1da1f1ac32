"""What is counted beside the players of Chinese checkers: how many steps their pieces are from their goal.

Each piece counts its steps to the apex of the opposite corner; a full corner counts 0. Hops make it faster.
"""

from __future__ import annotations

from functools import cache

from boyi.core.position import Position
from boyi.core.token import Token
from boyi.core.words import Words
from boyi.games.chinese_checkers.board import CORNERS, NAMES, SEATS, apex, camp, steps_between

TO_GO = Words("Steps to go", "距终点步数")
_HOLES = {name: hole for hole, name in enumerate(NAMES)}


def tally(position: Position) -> tuple[Token, ...]:
    players, pieces = position.players, int(position.options["pieces"])
    steps = dict.fromkeys(SEATS[players], 0)
    for stone in position.stones():
        goal = (CORNERS.index(stone.glyph) + 3) % 6
        steps[stone.glyph] += steps_between(_HOLES[stone.point], apex(goal))
    least = _least(pieces)
    return tuple(Token(TO_GO, str(max(0, steps[corner] - least)), seat, "tally")
                 for seat, corner in enumerate(SEATS[players]))


@cache
def _least(pieces: int) -> int:
    """The sum of a full corner; the same for each."""
    return sum(steps_between(hole, apex(0)) for hole in camp(0, pieces))
