"""Agents that search: `alphabeta:depth=6`, `mcts:seconds=1`, `alphabeta:nodes=20000,evaluator=classic,null_move=off`.

There is one kind per algorithm in `boyi.search`, found by looking: a module of the
folder with a class that has `search` and `stop` adds a kind of the module's name.
Its parameters are

    seconds, nodes, depth    how long to search; without any as long as the clock says (`agents.timing`), or a second
    evaluator                what values positions, by its name in the game; `board` for a network that was fitted to
                             what stands on its board (`kit.board_net`), in every game
    weights                  a file with other numbers for it, as `boyi learn weights` writes it, or `boyi learn
                             evaluator` for an evaluator that is a network; where a game has no evaluator it is `board`
    weights.NAME             one of its numbers, by its name: `weights.tempo.0=20` (see `core.weights`)
    preset                   options that go together, by their name in the algorithm's `PRESETS`, with the
                             evaluator of that name where the game has one
    book                     an opening book to play from: `own` comes with the game, or a file
    timing                   how a clock for the game is shared out, `adaptive` or `plain` (`agents.timing`)
    ponder                   think in the opponent's time, too, about the expected reply (`agents.pondering`)
    endings                  ask the game's solver before the search near the end, in games that have one
                             (`Game.finisher`); if not said, as the game suggests (`Game.finishes`)
    net                      for algorithms that ask networks: a model file, or the name of one that comes with Boyi
                             (`mcts:net=liuzhou,simulations=800`)
    any_limits               the network may play under limits of moves that it was not trained with
    simulations              the same as `nodes`, by the name it has there
    ...                      every field of the algorithm's options, `<Class>Options`

so that a switch added to an algorithm can be named in every match at once.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from time import monotonic
from types import ModuleType, NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from boyi.agents import spelling
from boyi.agents.agent import Clock
from boyi.agents.book import Book, find_book
from boyi.agents.interruption import search
from boyi.agents.patience import watch
from boyi.agents.pondering import Pondering
from boyi.agents.spec import LIMITS, NODES, AgentKind, Parameter, Value, positive_number, switch, whole_number
from boyi.agents.timing import LEAST_SECONDS, TIMINGS, Timing, plan, plan_move
from boyi.core.errors import BoyiWarning, OptionError, TextError, UnknownNameError, shorten
from boyi.core.evaluator import Evaluator
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.core.searcher import Finisher, Limits, Line, Result, Searcher, check_searcher
from boyi.core.weights import change, tunable
from boyi.core.weights_json import read_weights
from boyi.core.words import Words
from boyi.kit.board_net import NAME as BOARD
from boyi.kit.board_net import open_board_net
from boyi.kit.nnue import Net, NetEvaluator
from boyi.nets.predictor import Model, open_net
from boyi.search.options import Seeded

if TYPE_CHECKING:
    from boyi.agents.analysis import Analysis

DEFAULT_SCALE = 400.0
"""Without an evaluator: the value that gives about 73 % odds (see `Evaluator.scale`)."""

LARGEST = 10**9
FAMILY = "weights."
"""Before the name of a number of the evaluator."""

NET_OPTIONS: Mapping[str, Value] = {"selection": "puct", "batch": 8}
"""Defaults of a search by a network: follow its priors, evaluate a few leaves at once."""

TITLES = {
    "alphabeta": Words("alpha-beta", "α-β 搜索"),
    "expectimax": Words("expectimax", "期望极大搜索"),
    "mcts": Words("Monte Carlo tree search", "蒙特卡洛树搜索"),
    "multiplayer": Words("multi-player search", "多人搜索"),
    "race_mcts": Words("Monte Carlo tree search for races", "竞速蒙特卡洛树搜索"),
}


@dataclass(frozen=True)
class Algorithm:
    """A searcher class and the record of its options."""

    name: str
    searcher: Callable[..., Searcher]
    """Takes an evaluator and options, each or None."""

    options: type | None
    """A frozen dataclass; None for an algorithm without options."""

    presets: Mapping[str, Any] = field(default_factory=dict)
    """Records of options by name."""

    asks_nets: bool = False
    """Can a network value its leaves?"""

    ends_by_depth: bool = True
    """Is a depth limit enough to end it?"""

    for_two: bool = False
    """Does it search for two players only, by values of the player to act?"""

    def make(self, game: Game, values: Mapping[str, Value], evaluator: Evaluator | None = None) -> Searcher:
        """A searcher for a game, with the evaluator or network and the options that `values` name.

        An `evaluator` that is given takes the place of the one that would be read and made.
        """
        if "net" in values:
            return self.searcher(None, self.read_options(values), _open_net(values, game))
        return self.searcher(evaluator or find_evaluator(game, values, for_two=self.for_two), self.read_options(values))

    def option_names(self) -> frozenset[str]:
        return frozenset() if self.options is None else frozenset(part.name for part in fields(self.options))

    def read_options(self, values: Mapping[str, Value]) -> Any:
        """The record of options; what is not given stays as in the preset, or else at its default."""
        if self.options is None:
            return None
        known = self.option_names()
        given = {name: value for name, value in {**(NET_OPTIONS if "net" in values else {}), **values}.items()
                 if name in known}
        preset = values.get("preset")
        return self.options(**given) if preset is None else replace(self.presets[str(preset)], **given)

    def is_stochastic(self, game: Game, values: Mapping[str, Value]) -> bool:
        """See `AgentKind.stochastic`."""
        options = self.read_options(values)
        return "seed" not in values and isinstance(options, Seeded) and options.is_stochastic(
            net="net" in values, chance=game.has_chance)

    def parameters(self) -> Iterator[Parameter]:
        """The options as parameters of an agent."""
        if self.presets:
            yield Parameter("preset", Words("options that go together", "成套的搜索选项"), _one_of(tuple(self.presets)),
                            f"one of {', '.join(self.presets)}")
        if self.options is None:
            return
        hints = get_type_hints(self.options)
        for part in fields(self.options):
            default = "" if part.default is MISSING else f" ({part.default})"
            yield Parameter(part.name, Words(f"an option of the search{default}", f"搜索选项{default}"),
                            *_reader(hints[part.name]))


def _open_net(values: Mapping[str, Value], game: Game) -> Model:
    """The network that the settings of an agent name."""
    return open_net(str(values["net"]), game, any_limits=bool(values.get("any_limits", False)))


def find_evaluator(game: Game, values: Mapping[str, Value], *, for_two: bool = False) -> Evaluator | None:
    """The evaluator that was named, or else the preset's, or the one that plays; None without any.

    Where none is named, numbers are those of the first, and a search for two players asks the strongest.
    """
    name, preset = values.get("evaluator"), spelling.find("evaluator", str(values.get("preset")), game.evaluators)
    if "weights" in values and (name == BOARD or not game.evaluators) and str(name) not in game.evaluators:
        if name not in (None, BOARD):
            raise UnknownNameError.among(f"evaluator of {game.name}", str(name), (BOARD,))
        return open_board_net(game, Path(str(values["weights"])))
    if name is not None:
        name = spelling.find("evaluator", str(name), game.evaluators)
    elif preset in game.evaluators:
        name = preset
    elif for_two and game.strongest is not None and not any(key.partition(".")[0] == "weights" for key in values):
        name = game.strongest
    elif not for_two and game.strongest_for_more is not None and not any(
            key.partition(".")[0] == "weights" for key in values):
        name = game.strongest_for_more
    else:
        name = next(iter(game.evaluators), None)
    numbers = {key.removeprefix(FAMILY): value for key, value in values.items() if key.startswith(FAMILY)}
    if name is None:
        if numbers:
            raise OptionError(f"{game.name} has no evaluator whose numbers could be set")
        return None
    if str(name) not in game.evaluators:
        raise UnknownNameError.among(f"evaluator of {game.name}", str(name), game.evaluators)
    make_named = game.evaluators[str(name)]
    if "weights" in values and isinstance(make_named, type) and issubclass(make_named, NetEvaluator):
        return make_named(Net.read(read_binary_file(str(values["weights"]))))
    evaluator = make_named()
    if "weights" in values:
        weights, make = tunable(evaluator)
        evaluator = make(read_weights(weights, read_text_file(str(values["weights"]))))
    if numbers:
        weights, make = tunable(evaluator)
        evaluator = make(change(weights, {key: float(value) for key, value in numbers.items()}))
    return evaluator


def read_text_file(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        what = "it is no text; a network goes with evaluator=net" if isinstance(error, UnicodeDecodeError) else error
        raise OptionError(f"the weights in {shorten(path)} cannot be read: {what}") from error


def read_binary_file(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise OptionError(f"the network in {shorten(path)} cannot be read: {error}") from error


def _reader(hint: object) -> tuple[Callable[[str], Value], str]:
    """How to read a value of a type, and what one looks like."""
    if get_origin(hint) in (Union, UnionType):   # an option that may be left open
        (hint,) = (part for part in get_args(hint) if part is not NoneType)
    if hint is bool:
        return switch, "on or off"
    if get_origin(hint) is Literal:
        choices: tuple[str, ...] = get_args(hint)
        return _one_of(choices), f"one of {', '.join(choices)}"
    if hint is float:
        return _any_number, "a number"
    if hint is int:
        return whole_number(-LARGEST, LARGEST), f"a whole number from {-LARGEST} to {LARGEST}"
    return _some_text, "a text"


def _one_of(choices: tuple[str, ...]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in choices:
            raise ValueError("no such choice")
        return text
    return read


def _any_number(text: str) -> float:
    if text.startswith("-"):
        return -_any_number(text.removeprefix("-")) if not text.startswith("--") else float("no number")
    return 0.0 if text.strip("0.") == "" and text.strip(".") else positive_number(float(LARGEST))(text)


def _some_text(text: str) -> str:
    if not text:
        raise ValueError("empty")
    return text


# ---------------------------------------------------------------------- finding them

@cache
def all_algorithms() -> dict[str, Algorithm]:
    """Every algorithm of `boyi.search`, by name."""
    folder = importlib.import_module("boyi.search")
    found = {}
    for module_info in pkgutil.iter_modules(folder.__path__):
        algorithm = find_algorithm(importlib.import_module(f"boyi.search.{module_info.name}"))
        if algorithm is not None:
            found[algorithm.name] = algorithm
    return found


def find_algorithm(module: ModuleType) -> Algorithm | None:
    """The algorithm that a module holds: a class of its own with `search` and `stop`, and that class's options."""
    for name, part in vars(module).items():
        if (isinstance(part, type) and part.__module__ == module.__name__ and not name.startswith("_")
                and callable(getattr(part, "search", None)) and callable(getattr(part, "stop", None))):
            options = getattr(module, f"{name}Options", None)
            if options is not None and not (isinstance(options, type) and is_dataclass(options)):
                raise TypeError(f"{module.__name__}.{name}Options is not a dataclass")
            places = [module] + ([] if options is None else [sys.modules[options.__module__]])
            presets = {name: preset for place in places for name, preset in getattr(place, "PRESETS", {}).items()
                       if options is not None and isinstance(preset, options)}
            return Algorithm(module.__name__.rpartition(".")[2], part, options, presets, hasattr(part, "predictor"),
                             getattr(part, "ENDS_BY_DEPTH", True), getattr(part, "FOR_TWO", False))
    return None


def find_default(position: Position) -> Algorithm:
    """The algorithm for a game when none is named: by who acts in it, and by what is known of its positions.

    Without an evaluator there is nothing to compare but games played to their end, which is what Monte Carlo tree
    search does. It is also for what the others do not know: chance among more than two players, and, among them,
    opponents who cannot sit out a turn (`multiplayer`).
    """
    algorithms, game = all_algorithms(), position.game
    named = game.search_for_more if position.players > 2 and game.search_for_more is not None else game.search
    if named is not None:
        wanted: tuple[str, ...] = (named,)
    elif not game.evaluators:
        wanted = ("mcts",)
    elif position.players == 2:
        wanted = ("expectimax" if game.has_chance else "alphabeta", "mcts")
    elif game.has_chance or (position.players > 2 and not knows_passing(position)):
        wanted = ("mcts",)
    else:
        wanted = ("multiplayer", "mcts")
    for name in wanted:
        if name in algorithms:
            return algorithms[name]
    raise OptionError(f"{position.game.name} needs a search by {' or '.join(wanted)}, and there is none here; "
                      f"there are: {', '.join(algorithms) or 'none'}")


def knows_passing(position: Position) -> bool:
    """Can a search let the player to act sit out?"""
    return position.turn >= 0 and position.copy().play_null()


# ---------------------------------------------------------------------- the agent

class SearchingAgent:
    """Plays from its book, if it has one, else what a solver proves, if asked to, else the best move a searcher finds.

    Searcher, solver and book are made anew for another game.
    """

    def __init__(self, make: Callable[[Game], Searcher], limits: Limits | None, book: str = "none", *, threads: int = 1,
                 timing: Timing = "plain", ponders: bool = False, endings: bool | None = None) -> None:
        self._make, self._limits, self._book_name = make, limits, book
        self._timing: Timing = timing
        """`adaptive` is for searchers that deepen."""

        self._ponders = ponders
        self._pondering: Pondering | None = None
        self._book: Book | None = None
        self._endings, self._threads = endings, threads
        self._finisher: Finisher | None = None
        self._searcher: Searcher | None = None
        self._game: Game | None = None
        self.result: Result | None = None
        """What the last search answered; None when the last move came from the book."""

    @property
    def expectation(self) -> float | None:
        """See `agents.agent.expectation_of`."""
        if self.result is None or self._searcher is None:
            return None
        return expect(self._searcher, self.result.lines[0])

    def prepare(self, observation: Position) -> None:
        """Make the searcher and find the book."""
        self._ready(observation.game)

    def _ready(self, game: Game) -> Searcher:
        self.close()
        if self._searcher is None or self._game is not game:
            self._game, self._searcher = game, self._make(game)
            self._book = find_book(self._book_name, game)
            endings = game.finishes if self._endings is None else self._endings
            self._finisher = game.finisher(self._threads) if endings and game.finisher is not None else None
        return self._searcher

    def choose(self, observation: Position, clock: Clock) -> int:
        if self._pondering is not None:   # to end that takes time, which is the player's
            began = monotonic()
            self.close()
            if clock.seconds is not None:
                clock = replace(clock, seconds=max(0.0, clock.seconds - (monotonic() - began)))
        searcher = self._ready(observation.game)
        known = None if self._book is None else self._book.best(observation)
        if known is not None:
            self.result = None
            return known
        limits = plan_move(self._limits, clock, observation.ply // observation.players, self._timing)
        if self._finisher is not None:
            began = monotonic()
            self.result = self._finisher.finish(observation, limits)
            if self.result is not None:
                return self.result.move
            if limits.seconds is not None:
                limits = replace(limits, seconds=max(LEAST_SECONDS, limits.seconds - (monotonic() - began)))
        self.result = search(searcher, observation, limits, watch(
            limits, lambda result: expect(searcher, result.lines[0]), searcher.stop, self.expectation))
        if self._ponders:
            self._pondering = Pondering.begin(searcher, observation, self.result.lines[0].moves)
        return self.result.move

    def close(self) -> None:
        """End the thinking in the opponent's time."""
        if self._pondering is not None:
            self._pondering.end()
            self._pondering = None

    def analyse(self, observation: Position, limits: Limits | None, lines: int) -> Analysis:
        """See `agents.agent.ask_for_analysis`; the book is not asked."""
        from boyi.agents.analysis import describe  # which needs `expect` below

        searcher = self._ready(observation.game)
        asked = replace(limits or plan(self._limits, Clock()), lines=lines)
        return describe(searcher, observation, search(searcher, observation, asked))

    def stop(self) -> None:
        """See `agents.agent.stop_agent`."""
        if self._finisher is not None:
            self._finisher.stop()
        if self._searcher is not None:
            self._searcher.stop()


def expect(searcher: Searcher, line: Line) -> float:
    """What the player to act can expect of a line: from 0, a proven loss, to 1, a proven win."""
    if line.wins_in is not None:
        return 1.0 if line.wins_in > 0 else 0.0
    return odds(line.value, find_scale(searcher))


def odds(value: float, scale: float) -> float:
    """The share of points that a value stands for.

    >>> round(odds(400, 400), 2)
    0.73
    """
    return 1 / (1 + math.exp(-max(-50.0, min(value / scale, 50.0))))


def find_scale(searcher: Searcher) -> float:
    """The value that a searcher's evaluator gives to a position with about 73 % odds."""
    return float(getattr(getattr(searcher, "evaluator", None), "scale", DEFAULT_SCALE))


def read_limits(values: Mapping[str, Value]) -> Limits | None:
    """The limits among the settings of an agent; None where there are none."""
    given: dict[str, Any] = {name: values[name] for name in ("seconds", "nodes", "depth") if name in values}
    if "simulations" in values:
        given["nodes"] = values["simulations"]
    return Limits(**given) if given else None


def make_kind(algorithm: Algorithm) -> AgentKind:
    """The kind of agent that plays by an algorithm."""
    def validate(values: Mapping[str, Value]) -> None:
        algorithm.read_options(values)
        if "simulations" in values and "nodes" in values:
            raise OptionError("simulations and nodes are the same thing; name one of them")
        if not algorithm.ends_by_depth and "depth" in values and not {"seconds", "nodes", "simulations"} & set(values):
            raise OptionError(f"{algorithm.name} does not end at a depth; give it nodes or seconds, too")
        if "any_limits" in values and "net" not in values:
            raise OptionError("any_limits says under which rules a network may play, and there is no net")
        for name in ("evaluator", "weights"):
            if "net" in values and name in values:
                raise OptionError(f"a search asks a network or an evaluator: net and {name} do not go together")

    def suits(values: Mapping[str, Value], position: Position) -> None:
        if "net" in values:
            net = _open_net(values, position.game)
            net.check_rules(position)
            if told := net.describe_limits(position):
                warnings.warn(told, BoyiWarning, stacklevel=2)
        searcher = algorithm.make(position.game, values)     # which refuses settings that need an evaluator, too
        try:
            check_searcher(searcher, position)
        except TextError as error:
            raise OptionError(f"{error}; for {position.game.name} here use {find_default(position).name}") from error
        evaluator = getattr(searcher, "evaluator", None)
        if evaluator is not None and position.turn >= 0:
            evaluator.check(position)
        find_book(str(values.get("book", "none")), position.game)

    def make(values: Mapping[str, Value]) -> SearchingAgent:
        # Without depths there is nothing to stop between, and a tree that is not kept gains nothing by pondering.
        timing = str(values.get("timing", TIMINGS[0]))
        return SearchingAgent(lambda game: algorithm.make(game, values), read_limits(values),
                              str(values.get("book", "none")), threads=int(values.get("threads", 1)),
                              timing="adaptive" if timing == "adaptive" and algorithm.ends_by_depth else "plain",
                              ponders=bool(values.get("ponder", False)),
                              endings=None if "endings" not in values else bool(values["endings"]))

    nets = (Parameter("net", Words("a network that values positions and moves", "神经网络模型文件"), _some_text,
                      "a model file, which ends in .onnx, or the name of a shipped model"),
            Parameter("any_limits", Words("play under limits of moves that the network was not trained with (off)",
                                          "允许步数限制与网络训练时不同（默认关）"), switch, "on or off"),
            Parameter("simulations", Words("simulations for a move", "每步模拟次数"), NODES.read,
                      NODES.takes)) if algorithm.asks_nets else ()
    clocks = (
        Parameter("timing", Words("how a clock for the game is shared out (adaptive)", "用时方案（adaptive）"),
                  _one_of(TIMINGS), f"one of {', '.join(TIMINGS)}"),
        Parameter("ponder", Words("think in the opponent's time, too (off)", "在对方用时内也思考（默认关）"),
                  switch, "on or off")) if algorithm.ends_by_depth else ()
    title = TITLES.get(algorithm.name, Words(algorithm.name, algorithm.name))
    return AgentKind(
        name=algorithm.name, title=title, help=Words(f"searches by {title.en}", f"用{title.zh}选择着法"), make=make,
        parameters=(*LIMITS, Parameter("evaluator", Words("what values positions", "局面评估器"),
                                       _some_text, "the name of an evaluator"),
                    Parameter("weights", Words("a file with its numbers", "评估器权重文件"), _some_text,
                              "a file that `boyi learn weights` or, for a net, `boyi learn evaluator` wrote"),
                    Parameter("book", Words("an opening book to play from", "开局库"), _some_text,
                              "own, none or the name of a file"),
                    Parameter("endings", Words("solve the end of the game, where it has a solver (as suits the game)",
                                               "终局求解（默认依游戏而定）"), switch, "on or off"),
                    *clocks, *nets, *algorithm.parameters()),
        families=(Parameter("weights", Words("a number of the evaluator", "评估器的一个数值"), _any_number,
                            "a number"),),
        validate=validate, suits=suits,
        stochastic=lambda values, position: algorithm.is_stochastic(position.game, values))


KINDS = tuple(make_kind(algorithm) for algorithm in all_algorithms().values())
