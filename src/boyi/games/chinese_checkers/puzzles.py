"""What Chinese checkers knows about its puzzles: chains of hops, and races in which nobody stands in the way.

Once all pieces have passed those of the opponent, each side plays alone, and who needs fewer turns wins: the result of
every move is proven by counting turns.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from boyi.core.position import Position
from boyi.core.puzzles import Judge, PuzzleFacts, SolvedLine
from boyi.core.setup import write_rows
from boyi.core.words import Words
from boyi.games.chinese_checkers.board import COORDINATES, HOLES, NAMES, board, camp
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from boyi.games.chinese_checkers.solver import SoloSolver

THEMES: Mapping[str, Words] = {
    "hop_chain": Words("hop chain", "连跳"),
    "long_chain": Words("chain of five hops or more", "五连跳以上"),
    "single_step": Words("single step", "平移一步"),
    "race": Words("race home", "归营竞速"),
}
"""By name."""

CHAIN, LONG_CHAIN = 2, 5
"""Hops."""

MARGIN = 0.1
"""A turn is worth about three hundredths of the odds between equals: this is three turns."""

MOST_TURNS = 6
"""Races are proven when the opponent needs no more than this."""

PROOF_NODES = 5_000
BEAM = 100
"""Boards for one count of turns: to prove that no fewer are enough, and to find a plan of that length."""

MOST_OUTSIDE = 3
"""Pieces of each side that are not at home yet, in a composed race."""


def find_themes(line: SolvedLine) -> Iterator[str]:
    """The themes of a line, by its first move."""
    position = line.position
    assert isinstance(position, ChineseCheckersPosition)
    path = position.path(line.moves[0])
    hops = len(path) - 1
    if hops >= CHAIN:
        yield "hop_chain"
    if hops >= LONG_CHAIN:
        yield "long_chain"
    if hops == 1 and _are_neighbours(position, path):
        yield "single_step"
    if position.players == 2 and SoloSolver(1).passed(position):
        yield "race"


def _are_neighbours(position: ChineseCheckersPosition, path: tuple[str, ...]) -> bool:
    here, there = (position.board.points[position.board.index[name]] for name in path[:2])
    return (here.x - there.x) ** 2 + (here.y - there.y) ** 2 < 2


# ---------------------------------------------------------------------- races

def make_judge() -> Judge:
    """A judge with a solver of its own."""
    solver = SoloSolver(BEAM)

    def judge(position: Position) -> Mapping[int, float] | None:
        assert isinstance(position, ChineseCheckersPosition)
        rules = position.options
        if rules["long_hops"] or rules["stay_home"] or rules["pieces"] != 10 or not solver.passed(position):
            return None
        player = position.turn
        turns = _count(solver, position, 1 - player)
        if turns is None:
            return None
        after, results = position.copy(), {}
        for move in position.moves():
            after.play(move)
            result = _is_in_time(solver, after, player, turns)
            after.undo()
            if result is None:
                return None
            results[move] = float(result)
        return results

    return judge


def _count(solver: SoloSolver, position: ChineseCheckersPosition, player: int) -> int | None:
    """How many turns a player needs; None for too many, or if it is not certain."""
    plan = solver.plan(position, player, MOST_TURNS, alone=True)
    if plan is None or solver.least(position, player, len(plan), PROOF_NODES, alone=True) < len(plan):
        return None
    return len(plan)


def _is_in_time(solver: SoloSolver, after: Position, player: int, turns: int) -> bool | None:
    """After a move of the player: are fewer than `turns` more enough? None if it is not certain."""
    assert isinstance(after, ChineseCheckersPosition)
    if player in after.finished:
        return True
    if solver.least(after, player, turns, PROOF_NODES, alone=True) >= turns:
        return False
    return True if solver.plan(after, player, turns - 1, alone=True) is not None else None


def compose(generator: random.Random) -> str:
    """A race: most pieces of both sides are at home, a few are on their way and have passed each other.

    One side is the other turned round, so that both need the same number of turns and who moves may not lose one.
    """
    outside = generator.randint(2, MOST_OUTSIDE)
    way = [hole for hole, (row, *rest) in enumerate(COORDINATES) if -4 <= row < 0 and max(map(abs, rest)) <= 4]
    holes = [*generator.sample(sorted(camp(3)), 10 - outside), *generator.sample(way, outside)]
    stones = {NAMES[hole]: "A" for hole in holes} | {NAMES[HOLES - 1 - hole]: "D" for hole in holes}
    return f"{write_rows(board(2, 10), stones)} {generator.choice('AD')} AD - 20"


PUZZLES = PuzzleFacts(themes=THEMES, find_themes=find_themes, compose=compose, judge=make_judge, margin=MARGIN)
