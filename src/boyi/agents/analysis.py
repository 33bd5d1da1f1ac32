"""Searching a position and describing the best lines: for the command line, the engines, the server and the stages.

    analyse          search under limits; `on_depth` is called with what each finished depth has found
    describe         what a search answered, in words: an `Analysis`
    describe_line    one line of it: an `AnalysedLine`
    follow           the moves of a line, each with the position in which it is made
    observe_turn     what the player to act knows, which is what is searched

Values and odds are those of the player to act.

>>> import boyi
>>> from boyi.agents.searching import find_default
>>> from boyi.core.searcher import Limits
>>> position = boyi.start("tic_tac_toe")
>>> for move in ("a1", "b2", "a2", "c1"):
...     position.play(move)
>>> searcher = find_default(position).make(position.game, {})
>>> analysis = analyse(searcher, position, Limits(depth=4, lines=2))
>>> [(line.texts[0], line.odds, line.wins_in) for line in analysis.lines]
[('a3', 1.0, 1), ('b1', 0.0, -2)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from boyi.agents.searching import expect
from boyi.core.errors import TextError
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.searcher import DeepeningSearcher, Limits, Line, Result, Searcher


@dataclass(frozen=True)
class AnalysedLine:
    """A move, what is expected to follow, and what it is worth to the player to act."""

    moves: tuple[int, ...]
    """As numbers, up to where chance acts."""

    texts: tuple[str, ...]
    """The same in the game's own notation."""

    paths: tuple[tuple[str, ...], ...]
    """The points that each move touches."""

    value: float
    """In the evaluator's units."""

    odds: float
    """Of winning, from 0 to 1; a draw counts as half."""

    wins_in: int | None = None
    """Plies to a proven win (positive) or loss (negative)."""

    visits: int | None = None
    """How often a tree search went there."""

    @property
    def mate_in(self) -> int | None:
        """Moves of the winner to a proven end, below 0 for a loss; None without a proof."""
        if self.wins_in is None:
            return None
        moves = (abs(self.wins_in) + 1) // 2
        return moves if self.wins_in > 0 else -moves


@dataclass(frozen=True)
class Analysis:
    """What a search has found: after a depth, or in the end."""

    lines: tuple[AnalysedLine, ...]
    """The best first."""

    depth: int
    """The last depth searched to its end."""

    nodes: int
    """Of all depths together."""

    seconds: float
    statistics: Mapping[str, int] = field(default_factory=dict)
    """Counters of the algorithm."""

    @property
    def speed(self) -> int:
        """Nodes per second."""
        return round(self.nodes / max(self.seconds, 1e-6))


def analyse(searcher: Searcher, position: Position, limits: Limits,
            on_depth: Callable[[Analysis], object] | None = None, only: tuple[int, ...] = ()) -> Analysis:
    """Search a position and describe the best lines.

    `on_depth` is called, in the thread that searches, after every depth, and once more where a depth that was not
    finished has found other lines: the last analysis it is given is the one returned. `only`, if not empty, are the
    first moves to keep to. Both are for searchers that deepen.
    """
    if on_depth is None and not only:
        return describe(searcher, position, searcher.search(position, limits))
    last: tuple[Result, Analysis] | None = None

    def hear(result: Result) -> None:
        nonlocal last
        last = result, describe(searcher, position, result)
        if on_depth is not None:
            on_depth(last[1])

    result = cast(DeepeningSearcher, searcher).search(position, limits, hear, only)
    if last is None or last[0].lines != result.lines:
        hear(result)
    assert last is not None
    return last[1]


def describe(searcher: Searcher, position: Position, result: Result) -> Analysis:
    """What a searcher answered about a position."""
    return Analysis(tuple(describe_line(position, line, expect(searcher, line)) for line in result.lines),
                    result.depth, result.nodes, result.seconds, result.statistics)


def describe_line(position: Position, line: Line, odds: float) -> AnalysedLine:
    """A line of a search and its odds."""
    moves, texts, paths = list[int](), list[str](), list[tuple[str, ...]]()
    for before, move in follow(position, line.moves):
        moves.append(move)
        texts.append(before.format_move(move))
        paths.append(tuple(before.path(move)))
    return AnalysedLine(tuple(moves), tuple(texts), tuple(paths), line.value, odds, line.wins_in, line.visits)


def follow(position: Position, moves: tuple[int, ...]) -> Iterator[tuple[Position, int]]:
    """Each move with the position before it, which is played on afterwards.

    A line ends where chance acts or the game is over, and at a move that is not legal: the end of a line may come
    from a transposition table, where two positions can share an entry.
    """
    before = position.copy()
    for move in moves:
        if before.turn < 0 or not before.is_legal(move):
            return
        yield before, move
        before.play(move)


def observe_turn(position: Position) -> Position:
    """What the player to act knows of a position; refused where nobody acts."""
    if position.turn == OVER:
        raise TextError("the game is over; there is nothing to analyse (`boyi judge` tells why)")
    if position.turn == CHANCE:
        raise TextError("here chance acts, not a player; analyse the position before it or after it")
    return position.observe(position.turn)
