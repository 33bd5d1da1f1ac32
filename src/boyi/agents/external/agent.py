"""An engine in a seat, and the spec strings of engines."""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from boyi.agents.agent import AgentError, Clock
from boyi.agents.analysis import AnalysedLine, Analysis, describe_line
from boyi.agents.external.channel import Channel, find_program
from boyi.agents.external.gtp import GtpEngine
from boyi.agents.external.nboard import NboardEngine
from boyi.agents.external.task import DEFAULT_SECONDS, NO_CLOCK, Engine, Task, make_task
from boyi.agents.external.uci import Score, UcciEngine, UciEngine, Variation
from boyi.agents.external.xboard import XboardEngine
from boyi.agents.searching import DEFAULT_SCALE, find_evaluator, odds
from boyi.agents.spec import DEPTH, NODES, SECONDS, AgentKind, Parameter, Value, positive_number
from boyi.agents.timing import plan
from boyi.core.dialect import Dialect
from boyi.core.errors import BoyiError, OptionError, shorten
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.core.searcher import Limits, Line
from boyi.core.words import Words
from boyi.games import all_games

GRACE_SECONDS = 5.0
"""How long to wait for an engine beyond its time."""

DEFAULT_DEPTH = 8
MATE_VALUE = 30_000.0
"""The value of a mate that an engine announces, in hundredths of a pawn: beyond all that are counted."""


@dataclass(frozen=True)
class EngineProtocol:
    """A protocol that outside engines speak. Which games it is for they say themselves: `Game.protocols`."""

    name: str
    title: Words
    engine: type[Engine]
    limits: tuple[Parameter, ...]
    example: str
    whole_seconds: bool = False
    default: Mapping[str, Value] = field(default_factory=lambda: {"seconds": DEFAULT_SECONDS})
    """The limits of an engine that was given none; where there are none here, as its own settings say."""


PROTOCOLS = (
    EngineProtocol("uci", Words("UCI engine", "UCI 引擎"), UciEngine, (SECONDS, NODES, DEPTH),
                   "fairy-stockfish?Threads=2"),
    EngineProtocol("ucci", Words("UCCI engine", "UCCI 引擎"), UcciEngine, (SECONDS, NODES, DEPTH), "eleeye"),
    EngineProtocol("xboard", Words("XBoard engine", "XBoard 引擎"), XboardEngine, (SECONDS, DEPTH),
                   "sjaakii", whole_seconds=True),
    EngineProtocol("gtp", Words("GTP engine", "GTP 引擎"), GtpEngine, (SECONDS,), "gtp-rhino -l 3",
                   whole_seconds=True, default={}),
    EngineProtocol("nboard", Words("NBoard engine", "NBoard 引擎"), NboardEngine, (DEPTH,), "edax -nboard",
                   default={"depth": DEFAULT_DEPTH}),
)


class ExternalAgent:
    """An engine in a seat. Its process starts with the first question and ends with `close`."""

    def __init__(self, protocol: EngineProtocol, command: str, limits: Limits | None,
                 grace: float = GRACE_SECONDS) -> None:
        self._protocol = protocol
        self._words, self._options = split_command(command)
        self._limits = limits
        self._grace = grace
        self._channel: Channel | None = None
        self._engine: Engine | None = None
        self._dialect: Dialect | None = None
        self._scale = DEFAULT_SCALE

    @property
    def expectation(self) -> float | None:
        """See `agents.agent.expectation_of`; engines that tell count in hundredths of a pawn."""
        score: Score | None = getattr(self._engine, "score", None)
        return None if score is None else self._expect(score)

    def _expect(self, score: Score) -> float:
        return (1.0 if score.value > 0 else 0.0) if score.is_mate else odds(score.value, self._scale)

    def prepare(self, observation: Position) -> None:
        """Start the process."""
        self._ready(observation)

    def _ready(self, observation: Position) -> Engine:
        dialect = find_dialect(self._protocol, observation.game)
        if self._engine is None or self._channel is None or self._dialect is not dialect:
            self.close()
            try:
                self._channel = Channel(self._words[0], [find_program(self._words[0]), *self._words[1:]])
                self._engine = self._protocol.engine(self._channel, dialect, self._options)
            except BaseException:
                self.close()
                raise
            self._dialect, self._scale = dialect, _scale(observation.game)
        return self._engine

    def choose(self, observation: Position, clock: Clock) -> int:
        engine = self._ready(observation)
        try:
            text = engine.think(self._ask(observation, clock), self._grace)
        except BaseException:
            self.close()   # whatever it was, what the engine thinks next would be about something else
            raise
        try:
            return observation.parse_move(text)
        except BoyiError as error:
            self.close()
            raise AgentError(f"{self._words[0]} plays {shorten(text)}, which is no legal move: {error}",
                             "illegal_move") from error

    def analyse(self, observation: Position, limits: Limits | None, lines: int) -> Analysis:
        """See `agents.agent.ask_for_analysis`; only the chess-like protocols tell of lines."""
        if not issubclass(self._protocol.engine, UciEngine):
            raise OptionError(f"{self._protocol.name} engines can be asked for a move but not for an analysis; "
                              f"those that speak uci or ucci can")
        engine = self._ready(observation)
        assert isinstance(engine, UciEngine)
        task = self._ask(observation, NO_CLOCK) if limits is None else make_task(observation, limits)
        began = time.monotonic()
        try:
            found = engine.analyse(task, lines, self._grace)
        except BaseException:
            self.close()
            raise
        if not found:
            raise AgentError(f"{self._words[0]} tells nothing about its move", "refusal")
        return Analysis(tuple(self._describe(observation, one) for one in found), found[0].depth,
                        max(one.nodes for one in found), time.monotonic() - began)

    def _describe(self, observation: Position, variation: Variation) -> AnalysedLine:
        walk, moves = observation.copy(), list[int]()
        for text in variation.moves:
            try:
                moves.append(walk.parse_move(text))
            except BoyiError:      # what else it says of this line is of no use
                break
            walk.play(moves[-1])
        if not moves:
            raise AgentError(f"{self._words[0]} names {shorten(variation.moves[0])}, which is no legal move",
                             "illegal_move")
        value, wins_in = float(variation.score.value), None
        if variation.score.is_mate:      # counted in moves of the winner
            wins_in = 2 * variation.score.value - 1 if value > 0 else 2 * variation.score.value
            value = math.copysign(MATE_VALUE, value)
        return describe_line(observation, Line(tuple(moves), value, wins_in), self._expect(variation.score))

    def _ask(self, observation: Position, clock: Clock) -> Task:
        """The question under a clock: an engine with a limit of seconds keeps to that, others are shown the clocks."""
        protocol, own = self._protocol, self._limits
        if NODES not in protocol.limits:
            clock = replace(clock, nodes=None)
        if clock == NO_CLOCK and own is None:
            # One without a default has a level of its own; `depth` is a limit that no such protocol sends.
            return make_task(observation, Limits(**(protocol.default or {"depth": 1000})))  # type: ignore[arg-type]
        limits = plan(own, clock)
        if protocol.whole_seconds and clock.move_seconds is not None:
            # Nothing is held back of so coarse a measure; what it takes longer is for the margin.
            least = math.floor(clock.move_seconds)
            limits = replace(limits, seconds=least if own is None or own.seconds is None else min(least, own.seconds))
        shares_out = clock.seconds is not None and (own is None or own.seconds is None)
        return replace(make_task(observation, limits), clock=clock if shares_out else NO_CLOCK)

    def stop(self) -> None:
        """See `agents.agent.stop_agent`: not every protocol has a word for it, so the process is ended."""
        self.close()

    def close(self) -> None:
        """End the process; the next question starts another."""
        if self._channel is not None:
            self._channel.close()
        self._channel = self._engine = None


def _scale(game: Game) -> float:
    """What a game's own evaluator would have to say for about 73 % odds; it counts in hundredths of a pawn, too."""
    evaluator = find_evaluator(game, {})
    return DEFAULT_SCALE if evaluator is None else evaluator.scale


def split_command(text: str) -> tuple[list[str], dict[str, str]]:
    """The words of a command and the engine's own options behind its `?`.

    >>> split_command("fairy-stockfish --quiet?UCI_Variant=xiangqi&Threads=2")
    (['fairy-stockfish', '--quiet'], {'UCI_Variant': 'xiangqi', 'Threads': '2'})
    """
    command, question, settings = text.partition("?")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise OptionError(f"{shorten(command)} is not a command: {error}") from error
    if not words:
        raise OptionError(f"{shorten(text)} names no program")
    options: dict[str, str] = {}
    for setting in settings.split("&") if question else ():
        name, equals, value = setting.partition("=")
        if not equals or not name:
            raise OptionError(f"{shorten(setting)} behind the ? of {shorten(text)} is not of the form NAME=VALUE")
        if name in options:
            raise OptionError(f"the engine option {shorten(name)} is given twice")
        options[name] = value
    return words, options


def find_dialect(protocol: EngineProtocol, game: Game) -> Dialect:
    """How engines of a protocol write a game."""
    if protocol.name not in game.protocols:
        known = [name for name, other in all_games().items() if protocol.name in other.protocols]
        raise OptionError(f"{protocol.name} engines play {', '.join(known)} here, not {game.name}")
    return game.protocols[protocol.name]


def make_kind(protocol: EngineProtocol) -> AgentKind:
    """The kind of agent that speaks a protocol."""
    def validate(values: Mapping[str, Value]) -> None:
        split_command(str(values["command"]))
        if protocol.whole_seconds and float(values.get("seconds", 1)) % 1:
            raise OptionError(f"{protocol.name} counts whole seconds, and {values['seconds']} is none")

    def suits(values: Mapping[str, Value], position: Position) -> None:
        find_dialect(protocol, position.game)
        find_program(split_command(str(values["command"]))[0][0])

    def keeps(values: Mapping[str, Value], clock: Clock) -> None:
        if protocol.whole_seconds and clock.move_seconds is not None and clock.move_seconds < 1:
            raise OptionError(f"{protocol.name} counts whole seconds, and {clock.move_seconds:g} a move is less than "
                              f"one")

    def make(values: Mapping[str, Value]) -> ExternalAgent:
        given = {name: values[name] for name in ("seconds", "nodes", "depth") if name in values}
        limits = Limits(**given) if given else None  # type: ignore[arg-type]
        return ExternalAgent(protocol, str(values["command"]), limits, float(values.get("patience", GRACE_SECONDS)))

    return AgentKind(
        name=protocol.name, title=protocol.title, make=make, validate=validate, suits=suits, keeps=keeps,
        runs_code=True,
        help=Words(f"a program that speaks {protocol.name.upper()}", f"使用 {protocol.name.upper()} 协议的外部引擎"),
        leading=Parameter("command", Words("the program and its arguments", "程序及其参数"), _command,
                          "a command that starts a program", protocol.example),
        parameters=(*protocol.limits, Parameter(
            "patience", Words("seconds to wait beyond its time", "超时后的等待秒数"), positive_number(86_400),
            "a number of seconds above 0 and up to 86400")))


def _command(text: str) -> str:
    if not text.isprintable():
        raise ValueError("control characters")
    return text


KINDS = tuple(make_kind(protocol) for protocol in PROTOCOLS)
