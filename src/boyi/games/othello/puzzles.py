"""What Othello knows about its puzzles: endings are solved, so that the only winning move is a fact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from boyi.core.position import OVER, Position
from boyi.core.puzzles import Judge, PuzzleFacts, SolvedLine
from boyi.core.searcher import Limits
from boyi.core.words import Words
from boyi.games.othello.position import OthelloPosition
from boyi.games.othello.solution import SolverOptions
from boyi.games.othello.solver import Solver

MOST_EMPTIES = 16
"""With more empty points nothing is solved."""

SOLVE_NODES = 20_000_000
"""For one move, at most."""

MEGABYTES = 16
CORNERS = frozenset(f"{column}{row}" for column in "ah" for row in "18")
X_SQUARES = frozenset(f"{column}{row}" for column in "bg" for row in "27")
QUIET_FLIPS = 1
LATE_EMPTIES = 10

THEMES: Mapping[str, Words] = {
    "corner": Words("corner", "占角"),
    "x_square": Words("X-square", "星位"),
    "parity": Words("parity", "奇偶"),
    "pass": Words("opponent must pass", "迫使对方停步"),
    "quiet_flip": Words("flips one disc", "只翻一子"),
    "last_moves": Words("last ten empties", "最后十格"),
    "saves_draw": Words("saves a draw", "求和"),
}
"""By name."""


def make_judge() -> Judge:
    """A judge with a solver of its own."""
    solver = Solver(SolverOptions(megabytes=MEGABYTES))

    def judge(position: Position) -> Mapping[int, float] | None:
        if position.turn < 0 or position.to_text().count("-") > MOST_EMPTIES:
            return None
        board, player, results = position.copy(), position.turn, {}
        for move in position.moves():
            board.play(move)
            result = _solve(solver, board, player)
            board.undo()
            if result is None:
                return None
            results[move] = result
        return results

    return judge


def _solve(solver: Solver, board: Position, player: int) -> float | None:
    """1, 0.5 or 0 for a player."""
    assert isinstance(board, OthelloPosition)
    if board.turn == OVER:
        margin = board.margin() if player == 0 else -board.margin()
    else:
        solution = solver.solve(board, Limits(nodes=SOLVE_NODES), outcome=True)
        if solution is None:
            return None
        margin = solution.margin if board.turn == player else -solution.margin
    return 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0


def find_themes(line: SolvedLine) -> Iterator[str]:
    """The themes of a line, by its first move."""
    position, move = line.position, line.moves[0]
    path = position.path(move)
    if path and path[0] in CORNERS:
        yield "corner"
    if path and path[0] in X_SQUARES:
        yield "x_square"
    if path and _is_odd_region(position, path[0]):
        yield "parity"
    if sum(change.kind == "flipped" for change in position.changes(move)) == QUIET_FLIPS:
        yield "quiet_flip"
    if position.to_text().count("-") <= LATE_EMPTIES:
        yield "last_moves"
    if line.odds == 0.5:
        yield "saves_draw"
    after = position.copy()
    after.play(move)
    if after.turn >= 0 and after.forced_move() is not None:
        yield "pass"


def _is_odd_region(position: Position, point: str) -> bool:
    """Is a move the first into a region with an odd number of empty points, among regions of which some are even?

    Who enters an odd region also makes its last move.
    """
    regions = _regions(position)
    own = next(region for region in regions if point in region)
    return len(regions) > 1 and len(own) % 2 == 1 and any(len(region) % 2 == 0 for region in regions)


def _regions(position: Position) -> list[set[str]]:
    """The empty points, those together that touch each other."""
    taken = {stone.point for stone in position.stones()}
    left = {point.name for point in position.board.points} - taken
    regions = []
    while left:
        region, edge = set[str](), [left.pop()]
        while edge:
            point = edge.pop()
            region.add(point)
            near = {f"{chr(ord(point[0]) + x)}{int(point[1]) + y}" for x in (-1, 0, 1) for y in (-1, 0, 1)} & left
            left -= near
            edge += near
        regions.append(region)
    return regions


PUZZLES = PuzzleFacts(themes=THEMES, find_themes=find_themes, judge=make_judge, margin=0.4, least=0.5)
"""A move is puzzling where it alone wins, or alone saves a draw; before the ending, where it is far better."""
