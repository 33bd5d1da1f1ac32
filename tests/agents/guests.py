"""Agents that somebody else wrote, well or badly: `python:tests.agents.guests:Odd,does=raises,at=choose`."""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any

from boyi.agents.agent import AgentError, Clock
from boyi.core.position import Position


class First:
    """Plays the first move there is."""

    def choose(self, observation: Position, clock: Clock) -> int:
        return observation.moves()[0]


class Dice:
    """Plays any move, by the module's own generator."""

    def choose(self, observation: Position, clock: Clock) -> int:
        return random.choice(observation.moves())


class Settings:
    """Knows what it was given."""

    name = "knows its settings"

    def __init__(self, depth: int = 1, *, speed: float = 1.0, bold: bool = False, book: str = "",
                 seed: int | None = None) -> None:
        self.given = (depth, speed, bold, book)
        self.seed = seed

    def choose(self, observation: Position, clock: Clock) -> int:
        raise ValueError(f"given {self.given!r}, a seed: {self.seed is not None}")


class Empty:
    """Does not choose."""


def nothing() -> None:
    """Makes no agent."""


def needs(depth: int) -> First:
    """Makes one, of something."""
    return First()


def _recurse() -> int:
    return _recurse() + 1


def _loop() -> int:
    while True:
        pass


class _UnspeakableError(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


class _Uncountable:
    def __index__(self) -> int:
        raise OverflowError("too many")

    def __repr__(self) -> str:
        raise ValueError("no words")


def _raise(error: type[BaseException], *words: Any) -> Callable[[], Any]:
    def act() -> Any:
        raise error(*words)
    return act


ACTS: dict[str, Callable[[], Any]] = {
    "raises": _raise(ValueError, "as it was told"), "unspeakable": _raise(_UnspeakableError),
    "stops": _raise(StopIteration), "exits": lambda: sys.exit(3), "interrupts": _raise(KeyboardInterrupt),
    "generator": _raise(GeneratorExit), "base": _raise(BaseException, "all of it"), "memory": _raise(MemoryError),
    "resigns": _raise(AgentError, "enough", "resignation"),
    "group": _raise(BaseExceptionGroup, "many", [SystemExit(1), OSError()]), "recurses": _recurse,
    "dies": lambda: os._exit(5), "aborts": os.abort, "closes": lambda: os.closerange(3, 64),
    "none": lambda: None, "text": lambda: "f5", "huge": lambda: 10**5000, "negative": lambda: -1, "float": lambda: 0.5,
    "nan": lambda: float("nan"), "list": lambda: [1], "uncountable": _Uncountable, "object": object,
    "class": lambda: int, "true": lambda: True, "illegal": lambda: 2**32 - 1,
    "prints": lambda: print('{"move": 1}\n' * 1000, flush=True), "loops": _loop, "sleeps": lambda: time.sleep(1000),
}
"""What an agent may do instead of what it should."""

ENDLESS = ("loops", "sleeps")


class Odd:
    """Plays the first move there is, but for one moment, `at` which it does something else."""

    def __init__(self, does: str, at: str = "choose", after: int = 0) -> None:
        self._does, self._at, self._after = does, at, after
        self._act("init")

    def _act(self, where: str) -> Any:
        if where == self._at:
            self._after -= 1
            if self._after < 0:
                return ACTS[self._does]()
        return None

    @property
    def expectation(self) -> Any:
        return self._act("expectation")

    def prepare(self, observation: Position) -> None:
        self._act("prepare")

    def choose(self, observation: Position, clock: Clock) -> Any:
        before = self._after
        answer = self._act("choose")
        return observation.moves()[0] if self._at != "choose" or before > 0 else answer

    def close(self) -> None:
        self._act("close")
