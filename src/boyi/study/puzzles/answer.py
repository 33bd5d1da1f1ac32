"""Is a move as good as the expected one? A puzzle has one solution, but who finds another that wins has solved it, too.

The engine looks at both moves alone, each with the same number of nodes; a solver is asked first where a game has one.
"""

from __future__ import annotations

from boyi.agents.interruption import search
from boyi.agents.searching import expect, find_default
from boyi.core.position import Position
from boyi.core.puzzles import PuzzleFacts
from boyi.core.searcher import DeepeningSearcher, Limits, Searcher

__all__ = ["NODES", "accepts"]

NODES = 100_000
"""For each of the two moves."""

TOLERANCE = 0.4
"""What a move may be worse, as a share of the game's margin (`PuzzleFacts.margin`)."""


def accepts(position: Position, move: int, expected: int, nodes: int = NODES) -> bool:
    """Is `move`, a legal one, at most a little worse than `expected`?"""
    if move == expected:
        return True
    facts = position.game.puzzles or PuzzleFacts()
    proven = None if facts.judge is None else facts.judge()(position)
    if proven is not None:
        return proven[move] >= proven[expected]
    algorithm = find_default(position)
    searcher = algorithm.make(position.game, {})
    mine, best = (_odds(searcher, position, each, nodes, alone=algorithm.ends_by_depth) for each in (move, expected))
    return mine >= best - TOLERANCE * facts.margin


def _odds(searcher: Searcher, position: Position, move: int, nodes: int, *, alone: bool) -> float:
    """The odds of a move for the player to act."""
    if alone:
        deepening: DeepeningSearcher = searcher  # type: ignore[assignment]   # one that ends by depth deepens
        return expect(searcher, deepening.search(position, Limits(nodes=nodes), None, (move,)).lines[0])
    result = search(searcher, position, Limits(nodes=nodes, lines=len(position.moves())))
    return next((expect(searcher, line) for line in result.lines if line.moves[0] == move), 0.0)
