"""Opponents by strength: `level:1` to `level:10`, for every game.

A level is a search cut short and a looseness. The search values the best few moves
(MultiPV); the looser the level, the more often one of the others is played, but only
in proportion to its value. So low levels play like people who look a little ahead and
are content with a move that seems all right, not like dice.

What the levels of a game are is data: `LEVELS`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from boyi.agents.agent import Clock
from boyi.agents.book import own_book
from boyi.agents.interruption import search
from boyi.agents.random import HIGHEST_SEED
from boyi.agents.searching import expect, find_default, find_scale
from boyi.agents.spec import AgentKind, Parameter, Value, switch, whole_number
from boyi.agents.timing import plan
from boyi.core.errors import OptionError
from boyi.core.position import Position
from boyi.core.searcher import Limits, Line, Searcher
from boyi.core.words import Words

HIGHEST = 10

OUT_OF_SIGHT = 4.0
"""A move that is so many loosenesses worse than the best is never played."""


@dataclass(frozen=True)
class Level:
    """How strong an opponent is."""

    nodes: int
    """How much it searches for a move."""

    lines: int
    """Among how many moves it chooses."""

    looseness: float
    """How much worse a move must be to be played e times less often: 1 is what turns even odds into 73 %."""


def ladder(nodes: Sequence[int], lines: Sequence[int], looseness: Sequence[float]) -> tuple[Level, ...]:
    """The levels of a game from 1 up."""
    return tuple(Level(*row) for row in zip(nodes, lines, looseness, strict=True))


_LINES = (8, 8, 8, 6, 6, 5, 4, 3, 1, 1)
_LOOSENESS = (1.0, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05, 0.0, 0.0)

DEFAULT_LEVELS = ladder((300, 450, 700, 1_000, 1_600, 2_500, 4_000, 8_000, 16_000, 40_000), _LINES, _LOOSENESS)
"""For games that have no levels of their own. They may be written in plain Python, where 10,000 nodes take seconds."""

LEVELS: Mapping[str, tuple[Level, ...]] = {
    "xiangqi": ladder((2_200, 3_270, 4_700, 7_400, 9_100, 12_500, 16_000, 22_000, 25_000, 30_000),
                      (7, 7, 6, 6, 5, 5, 4, 4, 2, 1), (1.03, 0.825, 0.66, 0.49, 0.41, 0.305, 0.223, 0.128, 0.075, 0.0)),
    "jieqi": ladder((600, 740, 960, 1_330, 1_950, 2_800, 5_100, 9_500, 16_500, 31_000),
                    (8, 7, 7, 7, 6, 6, 5, 4, 3, 1), (1.35, 1.23, 1.09, 0.94, 0.8, 0.66, 0.45, 0.24, 0.095, 0.0)),
    "othello": ladder((820, 1_270, 1_900, 2_600, 3_700, 6_000, 9_500, 13_000, 16_000, 20_000),
                      (7, 7, 6, 6, 5, 4, 4, 3, 2, 1), (0.89, 0.73, 0.61, 0.5, 0.39, 0.25, 0.14, 0.08, 0.04, 0.0)),
    "liuzhou": ladder((440, 620, 1_400, 2_400, 4_200, 6_300, 10_000, 18_000, 27_000, 60_000),
                      (8, 7, 7, 6, 6, 5, 5, 4, 3, 1), (1.35, 1.2, 0.92, 0.76, 0.6, 0.48, 0.34, 0.18, 0.06, 0.0)),
    "chinese_checkers": ladder((3_750, 4_600, 5_600, 6_500, 8_200, 9_600, 11_200, 13_300, 15_000, 20_000),
                               (7, 6, 6, 5, 5, 5, 4, 3, 2, 1),
                               (0.605, 0.53, 0.445, 0.4, 0.325, 0.27, 0.22, 0.145, 0.05, 0.0)),
}

LEVELS_FOR_MORE: Mapping[str, tuple[Level, ...]] = {
    "chinese_checkers": ladder((1_600, 2_000, 2_600, 3_500, 5_000, 8_000, 13_000, 20_000, 30_000, 100_000),
                               (7, 7, 7, 7, 6, 5, 5, 4, 1, 1),
                               (4.0, 3.2, 2.5, 1.9, 1.4, 1.0, 0.6, 0.3, 0.0, 0.0)),
}
"""With more than two players, where another algorithm searches and moves differ by more in its values."""


class LevelAgent:
    """Plays at a level: searches a little, then chooses among the best moves by value.

    Where the game comes with an opening book, its moves come first.
    """

    def __init__(self, number: int, seed: int | None = None, *, book: bool = True) -> None:
        self._number = number
        self._from_book = book
        self._generator = random.Random(seed)
        self._searcher: Searcher | None = None
        self._made_for: tuple[str, int] | None = None
        self.expectation: float | None = None
        """Of the move it chose; see `agents.agent.expectation_of`."""

    def prepare(self, observation: Position) -> None:
        """Make the searcher."""
        self._ready(observation)

    def _ready(self, observation: Position) -> Searcher:
        if self._searcher is None or self._made_for != (observation.game.name, observation.players):
            self._searcher = find_default(observation).make(observation.game, {})
            self._made_for = observation.game.name, observation.players
        return self._searcher

    def choose(self, observation: Position, clock: Clock) -> int:
        game = observation.game
        self.expectation = None
        book = own_book(game) if self._from_book else None
        known = None if book is None else book.choose(observation, self._generator)
        if known is not None:
            return known
        searcher = self._ready(observation)
        level = find_level(self._number, game.name, observation.players)
        result = search(searcher, observation, plan(Limits(nodes=level.nodes, lines=level.lines), clock))
        chosen = choose_line(result.lines, level.looseness * find_scale(searcher), self._generator)
        self.expectation = expect(searcher, chosen)
        return chosen.moves[0]


def choose_line(lines: Sequence[Line], looseness: float, generator: random.Random) -> Line:
    """One of the lines, the better the likelier; the best one with no looseness or an immediate win.

    Nobody walks knowingly into a proven loss while there is another move.
    """
    best = max(lines, key=lambda line: line.value)
    if looseness <= 0 or best.wins_in == 1:
        return best
    fair = [line for line in lines if best.value - line.value <= OUT_OF_SIGHT * looseness
            and (line.wins_in is None or line.wins_in > 0 or line is best)]
    weights = [math.exp((line.value - best.value) / looseness) for line in fair]
    return generator.choices(fair, weights)[0]


def find_level(number: int, game: str, players: int = 2) -> Level:
    if not 1 <= number <= HIGHEST:
        raise OptionError(f"there is no level {number}; levels go from 1 to {HIGHEST}")
    return (LEVELS if players == 2 else LEVELS_FOR_MORE).get(game, DEFAULT_LEVELS)[number - 1]


def _make(values: Mapping[str, Value]) -> LevelAgent:
    seed = values.get("seed")
    return LevelAgent(int(values["level"]), None if seed is None else int(seed), book=bool(values.get("book", True)))


def _suits(values: Mapping[str, Value], position: Position) -> None:
    find_default(position)


KIND = AgentKind(
    name="level",
    title=Words("level", "等级"),
    help=Words("an opponent by strength, from 1 to 10", "按强度分级的对手（1 至 10 级）"),
    make=_make,
    leading=Parameter("level", Words("its strength", "强度"), whole_number(1, HIGHEST),
                      f"a whole number from 1 to {HIGHEST}", "5"),
    parameters=(
        Parameter("seed", Words("the same seed plays the same moves", "种子相同则着法相同"),
                  whole_number(0, HIGHEST_SEED), f"a whole number from 0 to {HIGHEST_SEED}"),
        Parameter("book", Words("play from the game's opening book (on)", "使用开局库（默认开）"), switch, "on or off"),
    ),
    suits=_suits,
)
