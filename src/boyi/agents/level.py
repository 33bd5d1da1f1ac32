"""Opponents by strength: `level:1` to `level:10`, or `level:easy`, `level:medium`, `level:hard`, for every game.

A level is a search cut short and a temperature. The search values the best few moves
(MultiPV), and one of them is drawn from a softmax of their values, or of their visits where
the search is a tree search. So low levels play like people who look a little ahead and are
content with a move that seems all right, not like dice.

A level may be played by a network instead (`Level.nets`), where there is one for the rules.

What the levels of a game are is the game's own: `Game.levels`. They count nodes, and the same
seed plays the same moves; only in a game in plain Python that is too slow for its nodes a limit
in time comes first (`agents.timing.limit_python`).
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from boyi.agents.agent import Clock
from boyi.agents.analysis import Analysis, describe
from boyi.agents.book import own_book
from boyi.agents.interruption import search
from boyi.agents.random import HIGHEST_SEED
from boyi.agents.searching import all_algorithms, expect, find_default, find_scale
from boyi.agents.spec import AgentKind, Parameter, Value, switch, whole_number
from boyi.agents.timing import limit_python, plan
from boyi.core.errors import OptionError
from boyi.core.game import Game
from boyi.core.level import DEFAULT_LEVELS, HIGHEST, ROLLOUT_LEVELS, TAKES, Level, read_level
from boyi.core.position import Position
from boyi.core.searcher import Limits, Line, Searcher
from boyi.core.words import Words
from boyi.nets.predictor import open_net

OUT_OF_REACH = 4.0
"""A move this many temperatures below the best one is never played."""


class LevelAgent:
    """Plays at a level: searches a little, then chooses among the best moves by value.

    Where the game comes with an opening book, its moves come first.
    """

    def __init__(self, number: int, seed: int | None = None, *, book: bool = True) -> None:
        self._number = number
        self._from_book = book
        self._generator = random.Random(seed)
        self._searcher: Searcher | None = None
        self._made_for: tuple[str, int, str | None] | None = None
        self.expectation: float | None = None
        """Of the move it chose; see `agents.agent.expectation_of`."""

    def prepare(self, observation: Position) -> None:
        """Make the searcher."""
        self._ready(observation)

    def _ready(self, observation: Position) -> tuple[Searcher, int]:
        """The searcher of this level here, and how many nodes it searches."""
        level = find_level(self._number, observation.game, observation.players)
        net = find_net(level.nets, observation)
        if self._searcher is None or self._made_for != (observation.game.name, observation.players, net):
            values = {} if level.evaluator is None else {"evaluator": level.evaluator}
            self._searcher = (find_default(observation).make(observation.game, values) if net is None else
                              all_algorithms()["mcts"].make(observation.game, {"net": net}))
            self._made_for = observation.game.name, observation.players, net
        return self._searcher, level.nodes if net is None else level.simulations

    def stop(self) -> None:
        """See `agents.agent.stop_agent`."""
        if self._searcher is not None:
            self._searcher.stop()

    def choose(self, observation: Position, clock: Clock) -> int:
        game = observation.game
        self.expectation = None
        book = own_book(game) if self._from_book else None
        known = None if book is None else book.choose(observation, self._generator)
        if known is not None:
            return known
        searcher, nodes = self._ready(observation)
        level = find_level(self._number, game, observation.players)
        limits = limit_python(Limits(nodes=nodes, lines=level.lines), observation)
        result = search(searcher, observation, plan(limits, clock))
        if result.lines[0].visits is None:
            chosen = choose_line(result.lines, level.temperature * find_scale(searcher), self._generator)
        else:
            chosen = choose_visited(result.lines, level.temperature, self._generator)
        self.expectation = expect(searcher, chosen)
        return chosen.moves[0]

    def analyse(self, observation: Position, limits: Limits | None, lines: int) -> Analysis:
        """See `agents.agent.ask_for_analysis`: what the level sees, before it chooses."""
        searcher, nodes = self._ready(observation)
        asked = replace(limits or Limits(nodes=nodes), lines=lines)
        return describe(searcher, observation, search(searcher, observation, asked))


def choose_line(lines: Sequence[Line], temperature: float, generator: random.Random) -> Line:
    """One of the lines, drawn from a softmax of their values at a temperature in the same units.

    The best line at temperature 0, and where it wins at once. A proven loss is only chosen where there is nothing
    else.
    """
    best = max(lines, key=lambda line: line.value)
    if temperature <= 0 or best.wins_in == 1:
        return best
    fair = [line for line in lines if best.value - line.value <= OUT_OF_REACH * temperature
            and (line.wins_in is None or line.wins_in > 0 or line is best)]
    weights = [math.exp((line.value - best.value) / temperature) for line in fair]
    return generator.choices(fair, weights)[0]


def choose_visited(lines: Sequence[Line], temperature: float, generator: random.Random) -> Line:
    """One of the lines of a tree search, the best first, drawn from a softmax of the logarithms of their visits.

    A mean over few visits is a guess, so that the values of seldom visited moves cannot be compared. Otherwise as
    `choose_line`.
    """
    best = lines[0]
    if temperature <= 0 or best.wins_in == 1:
        return best
    fair = [line for line in lines if line.visits and (line.wins_in is None or line.wins_in > 0)] or [best]
    most = max(line.visits or 1 for line in fair)
    return generator.choices(fair, [((line.visits or 1) / most) ** (1 / temperature) for line in fair])[0]


def find_level(number: int, game: Game, players: int = 2) -> Level:
    """How strong a level of a game is with this number of players."""
    if not 1 <= number <= HIGHEST:
        raise OptionError(f"there is no level {number}; levels go from 1 to {HIGHEST}")
    levels = game.levels if players == 2 else game.levels_for_more
    if levels == DEFAULT_LEVELS and game.search is None and not game.evaluators:
        levels = ROLLOUT_LEVELS
    return levels[number - 1]


def find_net(nets: Sequence[str], position: Position) -> str | None:
    """The first of these networks that was trained for the rules of a position."""
    return next((net for net in nets if open_net(net, position.game).plays_by(position.options)), None)


def _make(values: Mapping[str, Value]) -> LevelAgent:
    seed = values.get("seed")
    return LevelAgent(int(values["level"]), None if seed is None else int(seed), book=bool(values.get("book", True)))


def _is_stochastic(values: Mapping[str, Value], position: Position) -> bool:
    """The highest levels play the best move, which is the same in every game once the book has ended."""
    level = find_level(int(values["level"]), position.game, position.players)
    from_book = bool(values.get("book", True)) and own_book(position.game) is not None
    return "seed" not in values and (level.temperature > 0 or from_book)


def _suits(values: Mapping[str, Value], position: Position) -> None:
    find_default(position)


KIND = AgentKind(
    name="level",
    title=Words("level", "等级"),
    help=Words("an opponent by strength, from 1 to 10, or easy, medium, hard",
               "按强度分级的对手（1 至 10 级，或初级、中级、高级）"),
    make=_make,
    leading=Parameter("level", Words("its strength", "强度"), read_level, TAKES, "5"),
    parameters=(
        Parameter("seed", Words("the same seed plays the same moves", "种子相同则着法相同"),
                  whole_number(0, HIGHEST_SEED), f"a whole number from 0 to {HIGHEST_SEED}"),
        Parameter("book", Words("play from the game's opening book (on)", "使用开局库（默认开）"), switch, "on or off"),
    ),
    suits=_suits, stochastic=_is_stochastic,
)
