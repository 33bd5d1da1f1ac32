"""Is one move the only good one? Asked of a search, or of the game's solver where it can tell.

A move is *good alone* if its odds are at least `PuzzleFacts.least`, and better than those of every other move by at
least `PuzzleFacts.margin`. A line goes on as long as that is true of the solver's moves, with the replies that the
search holds as best in between; it ends where chance acts, for what comes then nobody can know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from boyi.agents.interruption import search
from boyi.agents.searching import expect, find_default, find_evaluator
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.core.puzzles import PuzzleFacts, SolvedLine
from boyi.core.searcher import Limits, Result, Searcher
from boyi.study.puzzles.rating import rate_by_nodes

LONGEST = 7
"""Moves of the solver."""

TABLE_MB = 8
"""Of a search's table, which is made anew for every question: what was remembered would make puzzles look easier."""


@dataclass(frozen=True)
class Look:
    """What is held of a position."""

    move: int
    """The best one."""

    odds: float
    """After it, for the player to act."""

    others: float
    """After the second best."""

    wins_in: int | None
    """Plies to a proven win."""

    found: int
    """Nodes after which the search held the move as best and stayed with it."""


@dataclass(frozen=True)
class Solved:
    """A line in which each of the solver's moves is the only good one."""

    line: SolvedLine
    rating: int
    """By the nodes that it took."""

    looks: tuple[Look, ...]
    """Of the solver's moves that had to be found."""


class Examiner:
    """Examines positions of one game, with a number of nodes a question."""

    def __init__(self, game: Game, nodes: int, *, strictness: float = 1.0) -> None:
        """`strictness` times the game's margin is asked for: more than 1 where more nodes are to confirm it later."""
        self.game = game
        self.nodes = nodes
        self.strictness = strictness
        self.facts = game.puzzles or PuzzleFacts()
        self._judge = None if self.facts.judge is None else self.facts.judge()
        algorithm = find_default(game.start())
        known = set() if algorithm.options is None else {part.name for part in fields(algorithm.options)}
        self._algorithm = algorithm
        settings = {"table_mb": TABLE_MB, "seed": 0}     # so that the same question has the same answer
        self._options = algorithm.read_options({name: value for name, value in settings.items() if name in known})
        self._evaluator = find_evaluator(game, {}, for_two=algorithm.for_two)     # a network takes long to read

    def make_searcher(self) -> Searcher:
        """A search that remembers nothing."""
        return self._algorithm.searcher(self._evaluator, self._options)

    # ------------------------------------------------------------------ one position

    def look(self, position: Position, searcher: Searcher | None = None) -> Look | None:
        """What is held of a position; None where there is nothing to choose."""
        if position.turn < 0 or len(position.moves()) < 2:
            return None
        asked = searcher or self.make_searcher()
        best = list[tuple[int, int]]()

        def note(depth: Result) -> None:
            best.append((depth.nodes, depth.move))

        result = search(asked, position, Limits(nodes=self.nodes, lines=2),
                        note if self._algorithm.ends_by_depth else None)
        best.append((result.nodes, result.move))
        proven = self.prove(position)
        if proven is not None:
            return _from_proof(proven, result, best)
        if len(result.lines) < 2:
            return None
        return Look(result.move, expect(asked, result.lines[0]), expect(asked, result.lines[1]),
                    _win(result.lines[0].wins_in), _found(best, result.move))

    def prove(self, position: Position) -> Mapping[int, float] | None:
        """What the game's solver says of every move; None where it does not."""
        return None if self._judge is None else self._judge(position)

    def is_good_alone(self, odds: float, others: float) -> bool:
        """See the top of this module; `others` are the odds after the second best move."""
        return odds >= self.facts.least and odds - others >= self.strictness * self.facts.margin

    # ------------------------------------------------------------------ a line

    def solve(self, position: Position) -> Solved | None:
        """The line that solves a position; None if it is no puzzle."""
        board, solver = position.copy(), position.turn
        looks, moves, pending = list[Look](), list[int](), list[int]()
        while board.turn >= 0 and len(looks) < LONGEST:
            if board.turn != solver or (looks and len(board.moves()) == 1):
                pending.append(self._reply(board))
                board.play(pending[-1])
                continue
            look = self.look(board)
            if look is None or not self.is_good_alone(look.odds, look.others):
                break
            looks.append(look)
            moves += [*pending, look.move]
            pending.clear()
            board.play(look.move)
        if not looks:
            return None
        first = looks[0]
        return Solved(SolvedLine(position.copy(), tuple(moves), first.odds, first.others, first.wins_in),
                      rate_by_nodes([look.found for look in looks]), tuple(looks))

    def _reply(self, board: Position) -> int:
        legal = board.moves()
        return legal[0] if len(legal) == 1 else search(self.make_searcher(), board, Limits(nodes=self.nodes)).move


def _from_proof(proven: Mapping[int, float], result: Result, best: list[tuple[int, int]]) -> Look:
    """What a solver says, and how long the search took to find the same."""
    ranked = sorted(proven, key=lambda move: (proven[move], move == result.move), reverse=True)
    move = ranked[0]
    return Look(move, proven[move], proven[ranked[1]], None, _found(best, move))


def _found(best: list[tuple[int, int]], move: int) -> int:
    """Nodes after the first depth from which on the move was best; twice all of them if it was not in the end."""
    if best[-1][1] != move:
        return 2 * best[-1][0]
    first = len(best) - 1
    while first and best[first - 1][1] == move:
        first -= 1
    return max(1, best[first][0])


def _win(wins_in: int | None) -> int | None:
    return wins_in if wins_in is not None and wins_in > 0 else None
