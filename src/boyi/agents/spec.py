"""Spec strings: `random`, `random:seed=3`; a name, a colon, parameters.

Which agents there are is data: each module of this folder that exports `KIND`, an
`AgentKind`, adds one. A spec is read and checked in full before anything is made,
so that a tournament of an hour cannot fail at the last name in its list.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from boyi.agents.agent import Agent
from boyi.core.errors import OptionError, TextError, UnknownNameError, shorten
from boyi.core.words import Words

Value = bool | int | float | str


@dataclass(frozen=True)
class Parameter:
    """A setting of an agent."""

    name: str
    help: Words
    read: Callable[[str], Value]
    """From its text to its value; a `ValueError` when the text is no value of it."""

    takes: str
    """What a value looks like, to end the sentence "… is not"."""


@dataclass(frozen=True)
class AgentKind:
    """A kind of agent: its name, its settings, and how to make one."""

    name: str
    title: Words
    """What it is called at the board."""

    help: Words
    make: Callable[[Mapping[str, Value]], Agent]
    """Makes an agent from the parameters that were given."""

    parameters: tuple[Parameter, ...] = ()


@dataclass(frozen=True)
class AgentSpec:
    """A spec string, read and checked."""

    kind: AgentKind
    values: Mapping[str, Value]

    def fill(self, **values: Value) -> AgentSpec:
        """With those of `values` that this kind takes and that nobody has set."""
        takes = {parameter.name for parameter in self.kind.parameters}
        fresh = {name: value for name, value in values.items() if name in takes}
        return replace(self, values={**fresh, **self.values})

    def make(self) -> Agent:
        return self.kind.make(self.values)

    def __str__(self) -> str:
        settings = ",".join(f"{name}={value}" for name, value in self.values.items())
        return f"{self.kind.name}:{settings}" if settings else self.kind.name


@cache
def all_kinds() -> dict[str, AgentKind]:
    """Every kind of agent there is, by name."""
    folder = importlib.import_module("boyi.agents")
    modules = [importlib.import_module(f"boyi.agents.{found.name}") for found in pkgutil.iter_modules(folder.__path__)]
    kinds: list[AgentKind] = [module.KIND for module in modules if hasattr(module, "KIND")]
    return {kind.name: kind for kind in kinds}


def find_kind(name: str) -> AgentKind:
    """The kind of agent of that name."""
    kinds = all_kinds()
    if name not in kinds:
        raise UnknownNameError.among("agent", name, kinds)
    return kinds[name]


def read_spec(text: str) -> AgentSpec:
    """Understand a spec string.

    >>> str(read_spec("random:seed=3"))
    'random:seed=3'
    >>> read_spec("random:speed=3")
    Traceback (most recent call last):
    boyi.core.errors.OptionError: no parameter of random is called 'speed'; did you mean 'seed'? There are: seed.
    """
    name, colon, settings = text.strip().partition(":")
    kind = find_kind(name)
    known = {parameter.name: parameter for parameter in kind.parameters}
    values: dict[str, Value] = {}
    for setting in settings.split(",") if colon else ():
        key, equals, value = setting.partition("=")
        if not equals or not key:
            raise OptionError(f"{shorten(setting)} in the agent {shorten(text)} is not of the form NAME=VALUE")
        if key not in known:
            raise OptionError(str(UnknownNameError.among(f"parameter of {name}", key, known))
                              if known else f"the agent {name} has no parameters, not even {shorten(key)}")
        if key in values:
            raise OptionError(f"the parameter {key} is given twice in the agent {shorten(text)}")
        try:
            values[key] = known[key].read(value)
        except ValueError as error:
            raise OptionError(f"parameter {key} of {name}: {shorten(value)} is not {known[key].takes}") from error
    return AgentSpec(kind, values)


def make_agent(text: str) -> Agent:
    """The agent that a spec string names."""
    return read_spec(text).make()


def split_specs(text: str) -> Sequence[str]:
    """Several specs in one text, separated by commas; a bare `NAME=VALUE` belongs to the spec before it.

    >>> split_specs("human,mcts:simulations=800,net=small,random")
    ['human', 'mcts:simulations=800,net=small', 'random']
    """
    specs: list[str] = []
    for part in text.split(","):
        if specs and "=" in part and ":" not in part:
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
