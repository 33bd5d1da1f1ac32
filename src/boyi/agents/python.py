"""Agents from outside, in Python: `python:module:Class,option=value`, and those that packages install.

Such an agent plays in a process of its own (`agents.guest`), as an engine does. So one that raises, ends its process or
takes longer than it may has lost a game and nothing else is disturbed, and none of its code is ever imported here. A
process is kept for the next agent of the same source; each game has a new object.

A package offers its agents by the entry-point group `boyi.agents`, name and class:

    [project.entry-points."boyi.agents"]
    greedy = "my_package.agents:Greedy"

Then `greedy:depth=3` is `python:my_package.agents:Greedy,depth=3`. A name that Boyi has itself stays Boyi's.
"""

from __future__ import annotations

import atexit
import base64
import contextlib
import json
import os
import pickle
import re
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast, get_args

from boyi.agents.agent import AgentError, Clock, Fault, read_answer
from boyi.agents.external.channel import Channel
from boyi.agents.random import HIGHEST_SEED
from boyi.agents.spec import AgentKind, Parameter, Value, whole_number
from boyi.core.errors import OptionError, shorten
from boyi.core.position import Position
from boyi.core.words import Words

__all__ = ["GROUP", "KIND", "MOVE_SECONDS", "PythonAgent", "Source", "check", "end_idle", "installed_kinds"]

GROUP = "boyi.agents"
READY_SECONDS = 60.0
"""How long importing, making and getting ready may take; the largest networks take some ten seconds."""

MOVE_SECONDS = 60.0
"""How long a move may take where nobody says so: an agent that has looped for a minute is taken to loop for ever."""

SLACK_SECONDS = 0.1
"""Beyond its limit, for the way there and back: the referee measures, and this only ends what does not answer."""

CLOSE_SECONDS = 1.0
MOST_IDLE = 4
"""Processes that are kept for the next game."""

LONGEST_NUMBER = 20
_TARGET = re.compile(r"\w+(\.\w+)*:\w+(\.\w+)*")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE]-?[0-9]{1,2})?")
_SWITCHES = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}


@dataclass(frozen=True)
class Source:
    """Where an agent comes from."""

    name: str
    """What errors call it."""

    target: str = ""
    """`module:Class`."""

    content: bytes = b""
    """Without a target: an object, or what makes one, pickled."""


class _Guest:
    """A process that has an agent of one source."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.ready = True
        """It has answered all that it was asked; one that has not, or has ended, is of no more use."""

        self._channel = Channel(source.name, [sys.executable, "-m", "boyi.agents.guest"])

    def ask(self, seconds: float, **question: object) -> dict[str, Any]:
        """Its answer. What the agent did instead is an `AgentError`, what can be no agent an `OptionError`."""
        self.ready = False
        self._channel.send(json.dumps(question))
        line = self._channel.receive(time.monotonic() + seconds, str(question["do"]))
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise AgentError(f"{self.source.name} wrote {shorten(line)} where Boyi's answer belongs", "crash")
        self.ready = True
        if "refused" in answer:
            raise OptionError(f"{self.source.name}: {answer['refused']}")
        if "fault" in answer:
            fault = answer["fault"] if answer["fault"] in get_args(Fault) else "crash"
            raise AgentError(f"{self.source.name}: {answer.get('message')}", cast(Fault, fault),
                             str(answer.get("traceback", "")))
        return answer

    def end(self) -> None:
        self.ready = False
        self._channel.close()


_idle: list[_Guest] = []
_lock = threading.Lock()


def _take(source: Source) -> _Guest:
    """A process for an agent: one that has had it before, or a new one."""
    with _lock:
        for guest in _idle:
            if guest.source == source:
                _idle.remove(guest)
                return guest
    return _Guest(source)


def _give_back(guest: _Guest) -> None:
    """Keep a process for the next game, and the kept ones few."""
    with _lock:
        _idle.append(guest)
        oldest = _idle.pop(0) if len(_idle) > MOST_IDLE else None
    if oldest is not None:
        oldest.end()


@atexit.register
def end_idle() -> None:
    """End the processes that are kept for the next game."""
    with _lock:
        ended, _idle[:] = _idle[:], []
    for guest in ended:
        guest.end()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)   # they are the parent's


class PythonAgent:
    """An agent from outside, in a process of its own.

    It is made at once, and an `OptionError` says what can be no agent. What its code raises, then or later, is a
    fault in the game: an `AgentError` when it is asked.
    """

    def __init__(self, source: Source, options: Mapping[str, Value], seed: int | None = None) -> None:
        self._name = source.name
        self._limit: float | None = None
        self.failed: AgentError | None = None
        """What its code raised when it was made."""

        self.digest = ""
        """See `agents.factory.digest`."""

        self.expectation: float | None = None
        """See `agents.agent.expectation_of`."""

        # A worker of a cluster is in another folder than the user, whose folders it has on its path.
        recipe = {"name": source.name, "target": source.target, "content": _encode(source.content),
                  "options": dict(options), "seed": seed,
                  "path": [str(Path(folder).absolute()) for folder in sys.path]}
        self._guest = _take(source)
        try:
            answer = self._ask(READY_SECONDS, do="make", **recipe)
            if "stale" in answer:
                self._guest.end()
                self._guest = _Guest(source)
                answer = self._ask(READY_SECONDS, do="make", **recipe)
            self.digest = str(answer.get("digest", ""))
        except AgentError as error:
            self.failed = error
        except BaseException:
            self.close()
            raise

    def end_after(self, seconds: float | None) -> None:
        """See `agents.agent.limit_agent`."""
        self._limit = seconds

    def prepare(self, observation: Position) -> None:
        """Have it get ready."""
        if self.failed is not None:
            raise self.failed
        self._ask(READY_SECONDS, do="prepare", position=_encode(pickle.dumps(observation)))

    def choose(self, observation: Position, clock: Clock) -> int:
        self.expectation = None
        if self.failed is not None:
            raise self.failed
        seconds = MOVE_SECONDS if self._limit is None else self._limit
        answer = self._ask(seconds, do="choose", position=_encode(pickle.dumps(observation)), clock=asdict(clock))
        move = read_answer(answer.get("move"))
        if not observation.is_legal(move):
            raise AgentError(f"{self._name}: it answered {move}, which is none of observation.moves()", "illegal_move")
        self.expectation = answer.get("expectation")
        return move

    def _ask(self, seconds: float, **question: object) -> dict[str, Any]:
        guest = self._guest
        try:
            return guest.ask(seconds + SLACK_SECONDS, **question)
        except AgentError as error:
            if error.fault == "timeout" and not guest.ready:
                doing = "for a move" if question["do"] == "choose" else "to get ready"
                raise AgentError(f"{self._name} took longer than {seconds:g} s {doing} and was ended",
                                 "timeout") from None
            raise

    def close(self) -> None:
        """Let the agent go; its process is kept if it is in order."""
        guest = self._guest
        if guest.ready:
            with contextlib.suppress(AgentError):   # the game is over, and the process then, too
                guest.ask(CLOSE_SECONDS, do="close")
                _give_back(guest)
                return
        guest.end()


def _encode(content: bytes) -> str:
    return base64.b64encode(content).decode()


def check(source: Source, options: Mapping[str, Value]) -> str:
    """Make an agent and let it go: an `OptionError` if that fails, else the digest of its code."""
    agent = PythonAgent(source, options, seed=0)
    agent.close()
    if agent.failed is not None:
        raise OptionError(str(agent.failed))
    return agent.digest


# ------------------------------------------------------------------ as a kind of agent

def _read_target(text: str) -> str:
    if _TARGET.fullmatch(text) is None:
        raise ValueError("no module and class")
    return text


def _read_option(text: str) -> Value:
    """A number, on or off, or else a text.

    >>> [_read_option(text) for text in ("3", "-0.5", "1e3", "off", "inf", "fast")]
    [3, -0.5, 1000.0, False, 'inf', 'fast']
    """
    if _NUMBER.fullmatch(text) is not None and len(text) <= LONGEST_NUMBER:
        return float(text) if set(text) & set(".eE") else int(text)
    return _SWITCHES.get(text.lower(), text)


def make_kind(name: str, about: Words, leading: Parameter | None = None, target: str = "") -> AgentKind:
    """A kind of agent that is a class: the one of its leading setting, or always the same."""
    def find(values: Mapping[str, Value]) -> tuple[Source, dict[str, Value]]:
        options = dict(values)
        chosen = target if leading is None else str(options.pop(leading.name))
        return Source(f"{name}:{chosen}" if leading is not None else name, chosen), options

    def validate(values: Mapping[str, Value]) -> None:
        source, _ = find(values)
        if _TARGET.fullmatch(source.target) is None:
            raise OptionError(f"the agent {name} was installed as {shorten(source.target)}, which is not module:Class")

    def make(values: Mapping[str, Value]) -> PythonAgent:
        source, options = find(values)
        seed = options.pop("seed", None)   # a class that takes none was refused one when it was checked
        return PythonAgent(source, options, None if seed is None else int(seed))

    def suits(values: Mapping[str, Value], position: Position) -> None:
        check(*find(values))

    return AgentKind(
        name=name, title=Words(name, name), help=about, make=make, validate=validate, leading=leading,
        parameters=(Parameter("seed", Words("the same seed plays the same moves", "种子相同则着法相同"),
                              whole_number(0, HIGHEST_SEED), f"a whole number from 0 to {HIGHEST_SEED}"),),
        others=Parameter("", Words("an argument of the class", "类的参数"), _read_option, "a value"),
        suits=suits,
        fingerprint=lambda values: check(*find(values)), runs_code=True)


KIND = make_kind(
    "python", Words("a class of yours, in Python", "自己用 Python 写的棋手"),
    Parameter("class", Words("its module and its name", "模块名与类名"), _read_target,
              "a class by its module and its name", "my_agents:Greedy"))


@cache
def installed_kinds() -> dict[str, AgentKind]:
    """The agents of other packages, by name; none is imported."""
    from importlib.metadata import entry_points

    return {entry.name: make_kind(entry.name, Words(f"{entry.value}, of another package", f"{entry.value}（第三方包）"),
                                  target=entry.value.replace(" ", ""))
            for entry in entry_points(group=GROUP)}
