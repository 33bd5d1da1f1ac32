"""Who plays in a match: a spec string, or what a program brings along in Python.

    Match(("level:5", Greedy), ...)          a class, or a function: called for every game
    Match(("level:5", Greedy(depth=2)), ...) an object: every game is played by a copy of it

One that takes a `seed` is given one when it is made, another for every game. In tables, records and journals it has
its own `name`, else that of its class.

Here, in this process, it plays as it is. To another process, of a pool or on another machine, it travels as bytes,
and there it plays in a process of its own, like `python:module:Class` (`agents.python`).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from boyi.agents import factory
from boyi.agents.agent import Agent, AgentError
from boyi.agents.python import PythonAgent, Source, check
from boyi.agents.random import HIGHEST_SEED
from boyi.agents.spec import AgentKind, AgentSpec, Parameter, Value, read_spec, whole_number
from boyi.core.errors import OptionError, shorten
from boyi.core.position import Position
from boyi.core.words import Words

__all__ = ["Brought", "Contestant", "Contested", "Entry", "enter", "read_contestant"]

LONGEST_NAME = 60


class Brought:
    """An agent that a program brings along: an object, or what makes one; here, or as bytes from another process."""

    def __init__(self, name: str, entry: object, content: bytes | None = None) -> None:
        self.name = name
        self._entry = entry
        self._content = content
        """The entry as bytes, which then is not here."""

    def __reduce__(self) -> tuple[type[Brought], tuple[str, None, bytes]]:
        return Brought, (self.name, None, self._pack() if self._content is None else self._content)

    def __str__(self) -> str:
        return self.name

    def _pack(self) -> bytes:
        """As bytes, which another process can read that has the same packages."""
        import cloudpickle

        try:
            content: bytes = cloudpickle.dumps(self._entry)   # also what was written in a notebook or at a prompt
            return content
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise OptionError(f"the agent {self.name} cannot play in another process, for it cannot be pickled "
                              f"({shorten(str(error), 200)}); name it as 'python:module:Class', or play with one job"
                              ) from error

    def read(self) -> AgentSpec:
        """As if it had been named by a spec string."""
        return AgentSpec(AgentKind(
            name=self.name, title=Words(self.name, self.name), help=Words("an object", "对象"), make=self._make,
            parameters=(Parameter("seed", Words("a seed", "种子"), whole_number(0, HIGHEST_SEED), "a number"),),
            suits=self._check, fingerprint=self._fingerprint, runs_code=True,
            stochastic=lambda values, position: factory.takes_seed(self._entry)), {})

    def _make(self, values: Mapping[str, Value]) -> Agent:
        seed = values.get("seed")
        number = None if seed is None else int(seed)
        if self._content is not None:
            return PythonAgent(Source(self.name, content=self._content), {}, number)
        try:
            return factory.make(self._copy(), self.name, {}, number)
        except AgentError as error:
            return _Failed(error)

    def _copy(self) -> Any:
        if not factory.is_agent(self._entry):
            return self._entry
        try:
            return copy.deepcopy(self._entry)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise OptionError(f"the agent {self.name} cannot be copied for every game ({shorten(str(error), 200)}); "
                              f"bring its class, or a function that makes one") from error

    def _check(self, values: Mapping[str, Value], position: Position) -> None:
        if self._content is not None:
            check(Source(self.name, content=self._content), {})
            return
        agent = self._make({"seed": 0})
        if isinstance(agent, _Failed):
            raise OptionError(f"{self.name}: {agent.error}") from agent.error

    def _fingerprint(self, values: Mapping[str, Value]) -> str:
        return factory.digest(self._entry)


class _Failed:
    """In the seat of an agent that could not be made for this game."""

    def __init__(self, error: AgentError) -> None:
        self.error = error

    def choose(self, observation: Position, clock: object) -> int:
        raise self.error


Contestant = str | Agent | Callable[..., Agent] | Brought
"""What a match may be given."""

Entry = str | Brought
"""What it then has."""


class Contested:
    """What has contestants: a match, a tournament."""

    contestants: Sequence[Contestant]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The contestants as they are kept: spec strings, or what a program brought along."""
        return cast(tuple[Entry, ...], self.contestants)

    @property
    def names(self) -> tuple[str, ...]:
        """What tables, records and journals call the contestants."""
        return tuple(map(str, self.entries))

    @property
    def identities(self) -> tuple[str, ...]:
        """What tells agents apart, by contestant: equal where two contestants are the same agent. Of objects that a
        program brought along nobody can know that, so each is itself."""
        return tuple(str(read_spec(entry, trusted=True)) if isinstance(entry, str) else f"object {number}"
                     for number, entry in enumerate(self.entries))


def enter(contestant: Contestant) -> Entry:
    """A contestant as a match keeps it."""
    if isinstance(contestant, (str, Brought)):
        return contestant
    if not factory.is_agent(contestant) and not callable(contestant):
        raise OptionError(f"a contestant is a spec such as 'level:5', an object with choose(observation, clock), or a "
                          f"class or function that makes one; {shorten(contestant)} is none of them")
    return Brought(_name(contestant), contestant)


def read_contestant(entry: Entry) -> AgentSpec:
    """The agent of a contestant. A match is made by the user of this machine, and so are the texts that it is given."""
    return read_spec(entry, trusted=True) if isinstance(entry, str) else entry.read()


def _name(entry: object) -> str:
    """The name of an object or of what makes one, in one line."""
    own: object = getattr(entry, "name", None)
    if not isinstance(own, str) or not own.strip():
        own = str(getattr(type(entry) if factory.is_agent(entry) else entry, "__name__", type(entry).__name__))
    return "".join(letter if letter.isprintable() else "?" for letter in own.strip())[:LONGEST_NAME]
