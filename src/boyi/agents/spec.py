"""Spec strings: `random`, `random:seed=3`; a name, a colon, parameters.

Some kinds have a setting that stands first and needs no name: `level:5`,
`uci:fairy-stockfish?UCI_Variant=xiangqi,seconds=0.2`.

Which agents there are is data: each module of this folder that exports `KIND`, an
`AgentKind`, adds one, and `KINDS` adds several; the entry-point group `boyi.agents`
adds classes of other packages (`agents.python`). A spec is read and checked in full
before anything is made, so that a tournament of an hour cannot fail at the last
name in its list.

Some kinds start a program or run code (`AgentKind.runs_code`), so it matters who
wrote the text. `read_spec` and `make_agent` refuse them unless they are told
`trusted=True`, which only those say who were given the text by the user of this machine:
arguments of the command line, and of a program that uses Boyi. What came over the network,
in a file or by a protocol is read without it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache

from boyi.agents import spelling
from boyi.agents.agent import Agent, Clock
from boyi.core.errors import OptionError, TextError, UnknownNameError, shorten
from boyi.core.position import Position
from boyi.core.words import Words

Value = bool | int | float | str


@dataclass(frozen=True)
class Parameter:
    """A setting of an agent.

    >>> [parameter.name for parameter in find_kind("random").parameters]
    ['seed']
    """

    name: str
    help: Words
    read: Callable[[str], Value]
    """From its text to its value; a `ValueError` when the text is no value of it."""

    takes: str
    """What a value looks like, to end the sentence "… is not"."""

    example: str = ""
    """A value, for those that must be given."""


def _nothing_to_refuse(values: Mapping[str, Value]) -> None:
    pass


def _plays_anything(values: Mapping[str, Value], position: Position) -> None:
    pass


def _keeps_any_time(values: Mapping[str, Value], clock: Clock) -> None:
    pass


def _always_the_same(values: Mapping[str, Value]) -> str:
    return ""


def _not_stochastic(values: Mapping[str, Value], position: Position) -> bool:
    return False


@dataclass(frozen=True)
class AgentKind:
    """A kind of agent: its name, its settings, and how to make one.

    >>> find_kind("level").leading.name
    'level'
    """

    name: str
    title: Words
    """What it is called at the board."""

    help: Words
    make: Callable[[Mapping[str, Value]], Agent]
    """Makes an agent from the parameters that were given."""

    parameters: tuple[Parameter, ...] = ()
    families: tuple[Parameter, ...] = ()
    """Settings of which there are many: `weights` stands for `weights.rook.0` and its like. Whether there is one of
    that name is for `suits` to say, for only the game knows."""

    leading: Parameter | None = None
    """The setting that must be given, first and without its name: the 5 of `level:5`."""

    validate: Callable[[Mapping[str, Value]], None] = _nothing_to_refuse
    """Refuses, in words, settings that do not go together."""

    suits: Callable[[Mapping[str, Value], Position], None] = _plays_anything
    """Refuses, in words, a position that an agent with these settings cannot play."""

    keeps: Callable[[Mapping[str, Value], Clock], None] = _keeps_any_time
    """Refuses, in words, a clock that an agent with these settings cannot keep."""

    others: Parameter | None = None
    """How settings are read that are not among `parameters`, where any name may be one."""

    runs_code: bool = False
    """Starts a program, imports code or asks at this terminal: only for texts of this machine's own user."""

    fingerprint: Callable[[Mapping[str, Value]], str] = _always_the_same
    """Tells the code of an agent from another of the same name; empty where Boyi's version does."""

    stochastic: Callable[[Mapping[str, Value], Position], bool] = _not_stochastic
    """Do random numbers decide how an agent with these settings plays, others in every game? Then the same game twice
    is two observations, else one (`arena.distinct`)."""


@dataclass(frozen=True)
class AgentSpec:
    """A spec string, read and checked.

    >>> spec = read_spec("random:seed=3")
    >>> spec.kind.name, dict(spec.values), str(spec)
    ('random', {'seed': 3}, 'random:seed=3')
    """

    kind: AgentKind
    values: Mapping[str, Value]

    def fill(self, **values: Value) -> AgentSpec:
        """With those of `values` that this kind takes and that are not set."""
        takes = {parameter.name for parameter in self.kind.parameters}
        fresh = {name: value for name, value in values.items() if name in takes}
        return replace(self, values={**fresh, **self.values})

    def make(self) -> Agent:
        return self.kind.make(self.values)

    def check(self, position: Position) -> None:
        """Refuse a position that this agent cannot play."""
        self.kind.suits(self.values, position)

    def check_clock(self, clock: Clock) -> None:
        """Refuse a clock that this agent cannot keep."""
        self.kind.keeps(self.values, clock)

    def is_stochastic(self, position: Position) -> bool:
        """See `AgentKind.stochastic`."""
        return self.kind.stochastic(self.values, position)

    def fingerprint(self) -> str:
        """See `AgentKind.fingerprint`."""
        return self.kind.fingerprint(self.values)

    def __str__(self) -> str:
        leading = self.kind.leading.name if self.kind.leading else None
        settings = ",".join(_write(value) if name == leading else f"{name}={_write(value)}"
                            for name, value in self.values.items())
        return f"{self.kind.name}:{settings}" if settings else self.kind.name


def _write(value: Value) -> str:
    """A value as `read_spec` reads it back: without an exponent, however small it is."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return format(Decimal(repr(value)), "f") if isinstance(value, float) else str(value)


@cache
def all_kinds() -> dict[str, AgentKind]:
    """Every kind of agent there is, by name.

    >>> {"random", "level", "alphabeta", "mcts", "uci"} <= set(all_kinds())
    True
    """
    folder = importlib.import_module("boyi.agents")
    modules = [importlib.import_module(f"boyi.agents.{found.name}") for found in pkgutil.iter_modules(folder.__path__)]
    kinds: list[AgentKind] = [module.KIND for module in modules if hasattr(module, "KIND")]
    kinds += [kind for module in modules if hasattr(module, "KINDS") for kind in module.KINDS]
    return {kind.name: kind for kind in sorted(kinds, key=lambda kind: kind.name)}


def find_kind(name: str) -> AgentKind:
    """The kind of agent of that name: one of ours, or else one of another package.

    >>> find_kind("alphabeta").runs_code
    False
    """
    kinds = all_kinds()
    if name not in kinds:
        kinds = installed_kinds() | kinds
    if name not in kinds:
        raise UnknownNameError.among("agent", name, kinds)
    return kinds[name]


def installed_kinds() -> dict[str, AgentKind]:
    """The kinds that other packages add, by name; to list them imports none of them."""
    from boyi.agents.python import installed_kinds

    return installed_kinds()


def read_spec(text: str, *, trusted: bool = False) -> AgentSpec:
    """Understand a spec string; one that starts a program or runs code only if the text is `trusted`.

    >>> str(read_spec("random:seed=3"))
    'random:seed=3'
    >>> read_spec("random:speed=3")
    Traceback (most recent call last):
    boyi.core.errors.OptionError: no parameter of random is called 'speed'; did you mean 'seed'? There are: seed.
    """
    name, colon, rest = text.strip().partition(":")
    kind = find_kind(name)
    if kind.runs_code and not trusted:
        harmless = [name for name, other in all_kinds().items() if not other.runs_code]
        raise OptionError(f"{shorten(text)} would run code on this machine, which only its user may ask for; here may "
                          f"stand: {', '.join(harmless)}")
    known = {parameter.name: parameter for parameter in kind.parameters}
    families = {parameter.name: parameter for parameter in kind.families}
    values: dict[str, Value] = {}
    settings = rest.split(",") if colon else []
    if kind.leading is not None:
        if not settings or not settings[0].strip():
            raise OptionError(f"the agent {name} needs {kind.leading.takes}, as in {name}:{kind.leading.example}")
        first = settings.pop(0).strip()
        try:
            values[kind.leading.name] = kind.leading.read(first)
        except ValueError as error:
            raise OptionError(f"{name}:{shorten(first)[1:-1]}: {shorten(first)} is not {kind.leading.takes}") from error
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key:
            raise OptionError(f"{shorten(setting)} in the agent {shorten(text)} is not of the form NAME=VALUE")
        family, dot, member = key.partition(".")
        parameter = families.get(family) if dot and member else known.get(key, kind.others)
        if parameter is None:
            raise OptionError(str(UnknownNameError.among(f"parameter of {name}", key, known))
                              if known else f"the agent {name} has no parameters, not even {shorten(key)}")
        if key in values:
            raise OptionError(f"the parameter {key} is given twice in the agent {shorten(text)}")
        try:
            values[key] = _read_value(parameter, value)
        except ValueError as error:
            raise OptionError(f"parameter {shorten(key)[1:-1]} of {name}: {shorten(value)} is not "
                              f"{parameter.takes}") from error
    kind.validate(values)
    return AgentSpec(kind, values)


def _read_value(parameter: Parameter, text: str) -> Value:
    """The value of a text, which may be an old spelling of one."""
    spelled = spelling.VALUES.get(parameter.name, {}).get(text)
    if spelled is not None:
        try:
            return parameter.read(spelled)
        except ValueError:
            pass     # an algorithm to which the old word still means something
    return parameter.read(text)


def make_agent(text: str, *, trusted: bool = False) -> Agent:
    """The agent that a spec string names; one that starts a program or runs code only if the text is `trusted`.

    >>> import boyi
    >>> agent, position = make_agent("random:seed=3"), boyi.start("othello")
    >>> position.is_legal(agent.choose(position, Clock()))
    True
    >>> make_agent("uci:fairy-stockfish")
    Traceback (most recent call last):
    boyi.core.errors.OptionError: ...
    """
    return read_spec(text, trusted=trusted).make()


def split_specs(text: str) -> Sequence[str]:
    """Several specs in one text, separated by commas; a bare `NAME=VALUE` belongs to the spec before it.

    >>> split_specs("human,mcts:simulations=800,net=small,random")
    ['human', 'mcts:simulations=800,net=small', 'random']
    """
    specs: list[str] = []
    for part in text.split(","):
        if specs and "=" in part and ":" not in part.partition("=")[0]:
            specs[-1] += "," + part
        elif part.strip():
            specs.append(part.strip())
        else:
            raise TextError(f"{shorten(text)} names an agent too few: there is nothing between two commas")
    return specs


def whole_number(lowest: int, highest: int) -> Callable[[str], int]:
    """A reader for parameters that are whole numbers."""
    def read(text: str) -> int:
        if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) <= 20):
            raise ValueError("no whole number")
        number = int(text)
        if not lowest <= number <= highest:
            raise ValueError("out of range")
        return number
    return read


def positive_number(highest: float) -> Callable[[str], float]:
    """A reader for parameters that are numbers above 0."""
    def read(text: str) -> float:
        if not (text.isascii() and text.replace(".", "", 1).isdigit() and len(text) <= 20):
            raise ValueError("no number")
        number = float(text)
        if not 0 < number <= highest:
            raise ValueError("out of range")
        return number
    return read


def switch(text: str) -> bool:
    """A reader for parameters that are on or off."""
    truth = {"on": True, "true": True, "yes": True, "1": True, "off": False, "false": False, "no": False, "0": False}
    if text.lower() not in truth:
        raise ValueError("neither on nor off")
    return truth[text.lower()]


SECONDS = Parameter("seconds", Words("time for a move", "每步用时（秒）"), positive_number(86_400),
                    "a number of seconds above 0 and up to 86400")
NODES = Parameter("nodes", Words("positions to look at for a move", "每步搜索的节点数"), whole_number(1, 10**15),
                  f"a whole number from 1 to {10**15}")
DEPTH = Parameter("depth", Words("plies to look ahead", "搜索深度"), whole_number(1, 1000),
                  "a whole number from 1 to 1000")
LIMITS = (SECONDS, NODES, DEPTH)
"""How much an agent may think about a move; every kind that searches takes them."""
