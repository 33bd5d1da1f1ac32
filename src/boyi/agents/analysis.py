"""Searching a position and describing the best lines: for the command line, the engines, the server and the stages.

    analyse          search under limits; `on_depth` is called with what each finished depth has found
    describe         what a search answered, in words: an `Analysis`
    describe_line    one line of it: an `AnalysedLine`
    in_notation      the same with its moves in another notation
    line_to_json     a line for other programs
    turns_up         what chance may bring after a move
    follow           the moves of a line, each with the position in which it is made
    observe_turn     what the player to act knows, which is what is searched
    find_search      the search that a spec names, or the one that suits the game
    set_limits       how long to search: as asked, as the spec says, a second, or without end

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
from dataclasses import dataclass, field, replace
from typing import Any, cast

from boyi.agents.searching import LARGEST, Algorithm, all_algorithms, expect, find_default, read_limits
from boyi.agents.spec import read_spec
from boyi.agents.timing import DEFAULT_SECONDS
from boyi.core.errors import OptionError, TextError
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.searcher import HUNDREDTHS, DeepeningSearcher, Limits, Line, Result, Searcher

DEEPEST = 100
"""Plies: where a search without limits ends."""


@dataclass(frozen=True)
class AnalysedLine:
    """A move, what is expected to follow, and what it is worth to the player to act.

    >>> import boyi
    >>> ending = boyi.parse("xiangqi", "3k5/9/9/9/9/9/9/4R4/9/4K4 w - - 0 1")
    >>> line = boyi.analyse(ending, depth=3).lines[0]
    >>> line.texts, line.odds, line.wins_in
    (('e2d2',), 1.0, 1)
    """

    moves: tuple[int, ...]
    """As numbers, up to where chance acts."""

    texts: tuple[str, ...]
    """The same in the game's own notation, or the one that was chosen (`in_notation`)."""

    paths: tuple[tuple[str, ...], ...]
    """The points that each move touches."""

    value: float
    """In hundredths of the game's unit."""

    odds: float
    """Of winning, from 0 to 1; a draw counts as half."""

    wins_in: int | None = None
    """Plies to a proven win (positive) or loss (negative)."""

    visits: int | None = None
    """How often a tree search went there."""

    @property
    def units(self) -> float:
        """The value in the game's own unit (`Game.unit`): pawns, discs, steps."""
        return self.value / HUNDREDTHS

    @property
    def mate_in(self) -> int | None:
        """Moves of the winner to a proven end, below 0 for a loss; None without a proof."""
        if self.wins_in is None:
            return None
        moves = (abs(self.wins_in) + 1) // 2
        return moves if self.wins_in > 0 else -moves


@dataclass(frozen=True)
class Analysis:
    """What a search has found: after a depth, or in the end.

    >>> import boyi
    >>> found = boyi.analyse(boyi.start("othello"), nodes=2000, lines=2)
    >>> len(found.lines), found.nodes >= 2000
    (2, True)
    """

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
    finished has found other lines: the last analysis it is given has the lines that are returned. `only`, if not
    empty, are the first moves to keep to. Both are for searchers that deepen.
    """
    if on_depth is None and not only:
        return describe(searcher, position, searcher.search(position, limits))
    last: Result | None = None

    def hear(result: Result) -> None:
        nonlocal last
        last = result
        if on_depth is not None:
            on_depth(describe(searcher, position, result))

    result = cast(DeepeningSearcher, searcher).search(position, limits, hear, only)
    if last is None or last.lines != result.lines:
        hear(result)
    return describe(searcher, position, result)


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


def in_notation(analysis: Analysis, position: Position, notation: str | None) -> Analysis:
    """The analysis of a position with its moves written in a notation of the game; None: in the game's own.

    >>> import boyi
    >>> position = boyi.start("xiangqi")
    >>> line = describe_line(position, Line(tuple(map(position.parse_move, ("h2e2",))), 20.0), 0.5)
    >>> in_notation(Analysis((line,), 1, 1, 0.1), position, "chinese").lines[0].texts
    ('炮二平五',)
    """
    if notation is None:
        return analysis
    write = position.game.notation(notation).format
    return replace(analysis, lines=tuple(
        replace(line, texts=tuple(write(before, move) for before, move in follow(position, line.moves)))
        for line in analysis.lines))


def line_to_json(position: Position, line: AnalysedLine) -> dict[str, Any]:
    """A line as JSON has it, documented in docs/cli.md."""
    return {"moves": list(line.texts), "value": round(line.units, 4), "odds": round(line.odds, 4),
            "wins_in": line.wins_in, "visits": line.visits,
            "turns_up": {after.format_move(result): round(chance, 6)
                         for after, result, chance in turns_up(position, line.moves[0])}}


def turns_up(position: Position, move: int) -> list[tuple[Position, int, float]]:
    """What chance may bring after a move: the position in which it acts, the result, and how likely it is.

    The likeliest comes first. Empty where chance plays no part.
    """
    after = position.copy()
    after.play(move)
    if after.turn != CHANCE:
        return []
    return sorted(((after, result, chance) for result, chance in after.odds()), key=lambda one: -one[2])


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


def find_search(spec: str | None, position: Position, *, trusted: bool = False) -> tuple[Algorithm, Mapping[str, Any]]:
    """The algorithm that a spec names, and its settings; without one, the algorithm that suits the game."""
    if spec is None:
        return find_default(position), {}
    chosen, algorithms = read_spec(spec, trusted=trusted), all_algorithms()
    if chosen.kind.name not in algorithms:
        raise OptionError(f"{chosen.kind.name} is no search that can be asked for lines; "
                          f"there are: {', '.join(algorithms)}")
    chosen.check(position)
    return algorithms[chosen.kind.name], chosen.values


def set_limits(algorithm: Algorithm, values: Mapping[str, Any], lines: int, *, seconds: float | None = None,
               nodes: int | None = None, depth: int | None = None, endless: bool = False) -> Limits:
    """The limits that are given, or else those of a spec, or else a second; `endless`: none but those given."""
    given = None
    if seconds is not None or nodes is not None or depth is not None:
        given = Limits(seconds=seconds, nodes=nodes, depth=depth)
    limits = given or read_limits(values)
    if limits is None and endless:
        limits = Limits(depth=DEEPEST) if algorithm.ends_by_depth else Limits(nodes=LARGEST)
    elif limits is None:
        limits = Limits(seconds=DEFAULT_SECONDS)
    elif limits.seconds is None and limits.nodes is None and not algorithm.ends_by_depth:
        limits = replace(limits, nodes=LARGEST) if endless else replace(limits, seconds=DEFAULT_SECONDS)
    return replace(limits, lines=lines)
