"""A worker, the question that it is at, and whose question that is."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Protocol

from boyi.server.budgets import Payer
from boyi.server.engines.questions import Asked, Reply
from boyi.server.engines.queue import STUDYING, Waiting

__all__ = ["Desk", "Job", "Worker"]


class Worker(Protocol):
    """What answers questions, one at a time."""

    @property
    def is_new(self) -> bool:
        """Has it not answered anything yet? Starting takes a while."""

    async def start(self) -> None:
        """Be ready to answer, which else the first question waits for."""

    async def answer(self, question: Asked) -> Reply:
        """What it says; an error if it fails, and then it must be ended."""

    def stop(self, number: int) -> None:
        """Have the question of that number answered soon, with what was found so far."""

    def leave(self, stream: int) -> None:
        """Give up the search of a live analysis."""

    async def end(self) -> None:
        """End it, whatever it does; asked again, it begins anew."""


@dataclass(eq=False)
class Job:
    """A question on its way."""

    question: Asked
    asked: float
    """When, on the clock of the event loop."""

    deadline: float
    """When nobody waits for it any more."""

    reply: asyncio.Future[Reply]
    given_way: int = 0
    """How often it was begun and put back."""

    desk: Desk | None = None
    """The worker that has its search; None for any."""

    payer: Payer | None = None
    """Who pays for a slice of a live analysis, from `LIVE`; others are paid from `ENGINES`."""


@dataclass(eq=False)
class Desk:
    """A worker, and what it is at."""

    worker: Worker
    waiting: Waiting[Job] | None = None
    """Whose question; None when it is idle."""

    stop: asyncio.Event | None = None
    """Set when that is to be answered with what was found."""

    gives_way: bool = False
    """It was stopped for a question that comes first."""

    task: asyncio.Task[None] | None = None

    def can_answer(self, job: Job) -> bool:
        """May it be asked this? The search of a live analysis is in one worker."""
        return job.desk is None or job.desk is self

    @property
    def is_studying(self) -> bool:
        """Is it at something that no game waits for?"""
        return self.waiting is not None and self.waiting.asker.kind in STUDYING
