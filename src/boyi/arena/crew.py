"""The contract of a crew, which does the tasks of a pool; `Here` is the simplest one.

    crew         `Here`: one task after the other, in this process
    processes    `Processes`: several processes on this machine
    cluster      `Cluster`: all machines of a Ray cluster
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["Crew", "End", "Here"]


@dataclass(frozen=True)
class End:
    """How a task ended: with a result, with an error of its own, or with the death of its worker."""

    number: int
    result: Any = None
    error: BaseException | None = None
    death: str | None = None


class Crew(Protocol):
    """Workers, wherever they are."""

    @property
    def size(self) -> int:
        """How many tasks are done at the same time."""

    @property
    def room(self) -> int:
        """How many tasks it takes now."""

    def assign(self, work: Callable[[Any], Any]) -> None:
        """What tasks of the next run are for."""

    def begin(self, number: int, task: object) -> None:
        """Do a task; its number comes back with its end."""

    def wait(self) -> list[End]:
        """Wait until a task has ended. Every task that was begun ends once, but for those called off."""

    def call_off(self) -> None:
        """Forget the tasks that have not ended."""

    def close(self) -> None:
        """Leave nothing behind."""


class Here:
    """This process alone: a task is done when its end is waited for."""

    size = 1

    def __init__(self) -> None:
        self._work: Callable[[Any], Any] | None = None
        self._next: tuple[int, object] | None = None

    @property
    def room(self) -> int:
        return 0 if self._next is not None else 1

    def assign(self, work: Callable[[Any], Any]) -> None:
        self._work = work

    def begin(self, number: int, task: object) -> None:
        self._next = number, task

    def wait(self) -> list[End]:
        assert self._work is not None and self._next is not None
        number, task = self._next
        self._next = None
        return [End(number, self._work(task))]

    def call_off(self) -> None:
        self._work = self._next = None

    def close(self) -> None:
        pass
