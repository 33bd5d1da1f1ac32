"""Opponents by strength: `level:1` and up, or `level:easy`, `level:medium`, `level:hard`, for every game.

What the levels of a game are is the game's own: its ladder (`kit.ladder`). There are three kinds of them.

- *Low levels* overlook moves, as people do (`search.attentive`), and choose among what they notice: one move is drawn
  from a softmax of their values. They look a few turns ahead, vary, and find what wins at once.
- *Middle levels* are the game's own search cut short. It values the best few moves (MultiPV), and one is drawn in the
  same way, or by visits where the search is a tree search.
- *The highest* is all there is: the strongest evaluator, the book, all threads, and the time that the clock allows, or
  else `seconds`.

All but the highest count nodes, and the same seed plays the same moves; only in a game in plain Python that is too
slow for its nodes a limit in time comes first (`agents.timing.limit_python`).

`strength:` is a level by its parts, as in `strength:attention=0.3,depth=2,temperature=1`: what `boyi levels fit` plays
with.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace

from boyi.agents.agent import Clock
from boyi.agents.analysis import Analysis, describe
from boyi.agents.book import own_book
from boyi.agents.interruption import search
from boyi.agents.machine import count_processors
from boyi.agents.random import HIGHEST_SEED
from boyi.agents.searching import SearchingAgent, all_algorithms, expect, find_default, find_scale
from boyi.agents.spec import DEPTH, NODES, SECONDS, AgentKind, Parameter, Value, positive_number, switch, whole_number
from boyi.agents.timing import DEFAULT_SECONDS, limit_python, plan
from boyi.core.errors import OptionError
from boyi.core.game import Game
from boyi.core.level import Level
from boyi.core.position import Position
from boyi.core.searcher import Limits, Line, Searcher
from boyi.core.words import Words
from boyi.kit.ladder import TAKES, find_ladder, read_number
from boyi.search.attentive_options import LARGEST_SEED

OUT_OF_REACH = 4.0
"""A move this many temperatures below the best one is never played."""

MOST_THREADS = 256


class LevelAgent:
    """Plays at a level: searches a little, then chooses among the best moves by value.

    Where the game comes with an opening book, its moves come first.
    """

    def __init__(self, find: Callable[[Game, int], Level], seed: int | None = None, *, book: bool = True,
                 seconds: float | None = None, threads: int | None = None) -> None:
        """`find` is the level in a game with N players; `seconds` and `threads` are for full strength only."""
        self._find = find
        self._from_book = book
        self._generator = random.Random(seed)
        self._attention_seed = self._generator.randrange(LARGEST_SEED)
        self._seconds = seconds
        self._threads = count_processors() if threads is None else threads
        self._searcher: Searcher | None = None
        self._full: SearchingAgent | None = None
        """Plays full strength."""

        self._game: Game | None = None
        self._players = 0
        self._expectation: float | None = None

    @property
    def expectation(self) -> float | None:
        """Of the move it chose; see `agents.agent.expectation_of`."""
        return self._expectation

    def prepare(self, observation: Position) -> None:
        """Make the searcher."""
        self._ready(observation)

    def _ready(self, observation: Position) -> tuple[Level, Searcher, Limits]:
        """The level here, its searcher, and how much it searches."""
        game = observation.game
        level = self._find(game, observation.players)
        if self._searcher is None or self._game is not game or self._players != observation.players:
            searcher = self._searcher = self._make(level, observation)
            self._full = SearchingAgent(lambda game: searcher, None, threads=self._threads, timing=
                                        "adaptive" if _deepens(observation) else "plain") if level.full else None
            self._game, self._players = game, observation.players
        if level.full:
            return level, self._searcher, Limits(seconds=self._seconds or DEFAULT_SECONDS)
        return level, self._searcher, limit_python(
            Limits(nodes=level.nodes, depth=level.depth or None, lines=level.lines), observation)

    def _make(self, level: Level, observation: Position) -> Searcher:
        values: dict[str, Value] = {} if level.evaluator is None else {"evaluator": level.evaluator}
        if level.attention < 1:
            values |= {"attention": level.attention, "seed": self._attention_seed}
            return all_algorithms()["attentive"].make(observation.game, values)
        algorithm = find_default(observation) if level.search is None else all_algorithms()[level.search]
        if level.full and algorithm.ends_by_depth and self._threads > 1:
            values |= {"threads": self._threads}        # multiplayer has none, and takes no notice
        return algorithm.make(observation.game, values)

    def stop(self) -> None:
        """See `agents.agent.stop_agent`."""
        if self._full is not None:
            self._full.stop()
        if self._searcher is not None:         # an analysis asks it without the agent of full strength
            self._searcher.stop()

    def choose(self, observation: Position, clock: Clock) -> int:
        self._expectation = None
        level, searcher, limits = self._ready(observation)
        book = own_book(observation.game) if self._from_book and level.attention >= 1 else None
        known = None if book is None else book.choose(observation, self._generator)
        if known is not None:
            return known
        if self._full is not None:
            return self._choose_in_full(self._full, observation, clock)
        result = search(searcher, observation, plan(limits, clock))
        if result.lines[0].visits is None:
            chosen = choose_line(result.lines, level.temperature * find_scale(searcher), self._generator)
        else:
            chosen = choose_visited(result.lines, level.temperature, self._generator)
        self._expectation = expect(searcher, chosen)
        return chosen.moves[0]

    def _choose_in_full(self, agent: SearchingAgent, observation: Position, clock: Clock) -> int:
        """By the clock, if there is one, else for as long as was asked for."""
        if clock.seconds is None and clock.move_seconds is None and clock.nodes is None:
            clock = replace(clock, move_seconds=self._seconds or DEFAULT_SECONDS)
        elif self._seconds is not None:
            clock = replace(clock, move_seconds=min(self._seconds, clock.move_seconds or self._seconds))
        move = agent.choose(observation, clock)
        self._expectation = agent.expectation
        return move

    def analyse(self, observation: Position, limits: Limits | None, lines: int) -> Analysis:
        """See `agents.agent.ask_for_analysis`: what the level sees, before it chooses."""
        _, searcher, own = self._ready(observation)
        asked = replace(limits or own, lines=lines)
        return describe(searcher, observation, search(searcher, observation, asked))


def _deepens(position: Position) -> bool:
    return find_default(position).ends_by_depth


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


def find_level(number: int | str, game: Game, players: int = 2) -> Level:
    """How strong a level of a game is with this number of players."""
    return find_ladder(game, players).find(number)


# ---------------------------------------------------------------------- the kinds

def _find_of(values: Mapping[str, Value]) -> Callable[[Game, int], Level]:
    level = values["level"]
    number = level if isinstance(level, str) else int(level)
    return lambda game, players: find_level(number, game, players)


def _find_by_parts(values: Mapping[str, Value]) -> Callable[[Game, int], Level]:
    level = Level(**{"nodes": 0, **{name: value for name, value in values.items() if name in PARTS}})  # type: ignore[arg-type]
    return lambda game, players: level


def _make_with(find: Callable[[Mapping[str, Value]], Callable[[Game, int], Level]],
               ) -> Callable[[Mapping[str, Value]], LevelAgent]:
    def make(values: Mapping[str, Value]) -> LevelAgent:
        seed, seconds, threads = values.get("seed"), values.get("seconds"), values.get("threads")
        return LevelAgent(find(values), None if seed is None else int(seed), book=bool(values.get("book", True)),
                          seconds=None if seconds is None else float(seconds),
                          threads=None if threads is None else int(threads))
    return make


def _stochastic_with(find: Callable[[Mapping[str, Value]], Callable[[Game, int], Level]],
                     ) -> Callable[[Mapping[str, Value], Position], bool]:
    def is_stochastic(values: Mapping[str, Value], position: Position) -> bool:
        """The highest levels play the best move, which is the same in every game once the book has ended."""
        level = find(values)(position.game, position.players)
        from_book = bool(values.get("book", True)) and own_book(position.game) is not None
        return "seed" not in values and (level.temperature > 0 or level.attention < 1 or from_book)
    return is_stochastic


def _suits_with(find: Callable[[Mapping[str, Value]], Callable[[Game, int], Level]],
                ) -> Callable[[Mapping[str, Value], Position], None]:
    def suits(values: Mapping[str, Value], position: Position) -> None:
        level = find(values)(position.game, position.players)
        if level.evaluator is not None and level.evaluator not in position.game.evaluators:
            raise OptionError(f"{position.game.name} has no evaluator {level.evaluator}")
        find_default(position)
    return suits


def _read_level(text: str) -> int | str:
    level = read_number(text)
    if level is None:
        raise ValueError("no level")
    return level


def _part(text: str) -> float:
    """A number from 0 up."""
    return 0.0 if text in ("0", "0.0") else positive_number(1_000)(text)


PARTS = [one.name for one in fields(Level) if one.name not in ("rating", "score", "games")]

COMMON = (
    Parameter("seed", Words("the same seed plays the same moves", "种子相同则着法相同"),
              whole_number(0, HIGHEST_SEED), f"a whole number from 0 to {HIGHEST_SEED}"),
    Parameter("book", Words("play from the game's opening book (on)", "使用开局库（默认开）"), switch, "on or off"),
    Parameter("seconds", Words("time for a move of the highest level without a clock (1)",
                               "最高级在无计时对局中每步用时（默认 1 秒）"), SECONDS.read, SECONDS.takes),
    Parameter("threads", Words("threads of the highest level (all)", "最高级使用的线程数（默认全部）"),
              whole_number(1, MOST_THREADS), f"a whole number from 1 to {MOST_THREADS}"),
)

LEVEL = AgentKind(
    name="level",
    title=Words("level", "等级"),
    help=Words("an opponent by strength, from 1 up, or easy, medium, hard",
               "按强度分级的对手（从 1 级起，或初级、中级、高级）"),
    make=_make_with(_find_of),
    leading=Parameter("level", Words("its strength", "强度"), _read_level, TAKES, "5"),
    parameters=COMMON, suits=_suits_with(_find_of), stochastic=_stochastic_with(_find_of),
)

STRENGTH = AgentKind(
    name="strength",
    title=Words("strength", "强度"),
    help=Words("a level by its parts", "自定强度的对手"),
    make=_make_with(_find_by_parts),
    parameters=(
        *COMMON, replace(NODES, read=whole_number(0, 10**15), takes="a whole number, 0 for full strength"), DEPTH,
        Parameter("lines", Words("moves to choose among (1)", "备选着法数"), whole_number(1, 1_000),
                  "a whole number from 1 to 1000"),
        Parameter("temperature", Words("how freely it chooses (0)", "随机性"), _part, "a number from 0"),
        Parameter("attention", Words("how likely a plain move is noticed (1)", "注意力"), positive_number(1),
                  "a number above 0 and up to 1"),
        Parameter("evaluator", Words("what values positions", "局面评估器"), str, "the name of an evaluator"),
    ),
    suits=_suits_with(_find_by_parts), stochastic=_stochastic_with(_find_by_parts),
)

KINDS = (LEVEL, STRENGTH)
