"""A worker that is an actor of a Ray cluster: engines on other machines.

A `ClusterWorker` does what a worker process does (`process.ProcessWorker`): it is given a question and answers, it can
be stopped, or it is given up and started again. It gets the same questions, so there is no secret on those machines
either.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from importlib.metadata import version
from typing import Any

import msgspec

from boyi.arena.cluster import join
from boyi.server.engines.questions import Asked, Reply
from boyi.server.engines.worker import Answering


class Cluster:
    """A Ray cluster that this server has joined."""

    def __init__(self, address: str) -> None:
        self._ray = join(address)
        # Ray must not repeat anything by itself: nobody would wait for a second answer. A second thread of the actor
        # hears that the first is to stop.
        self._kind = self._ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0, max_concurrency=2)(_make_actor())

    def start(self) -> Any:
        """A new actor, wherever there is room for it."""
        return self._kind.remote()

    async def ask(self, actor: Any, question: bytes) -> bytes:
        try:
            answer: bytes | str = await asyncio.wrap_future(actor.answer.remote(version("boyi"), question).future())
        except self._ray.exceptions.RayError as error:
            raise OSError(f"the actor has failed: {type(error).__name__}") from error
        if isinstance(answer, str):
            raise OSError(answer)
        return answer

    def stop(self, actor: Any, number: int) -> None:
        """Nobody waits for the actor to say that it has heard it: one that has not is killed."""
        actor.stop.remote(number)

    def leave_stream(self, actor: Any, stream: int) -> None:
        actor.leave.remote(stream)

    def end(self, actor: Any) -> None:
        with contextlib.suppress(self._ray.exceptions.RayError):
            self._ray.kill(actor)

    def leave(self) -> None:
        self._ray.shutdown()


class ClusterWorker:
    """An actor that answers questions, started when it is needed, and again after it had to be ended."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._actor: Any = None
        self._has_answered = False

    @property
    def is_new(self) -> bool:
        return not self._has_answered

    async def start(self) -> None:
        if self._actor is None:
            self._actor = self._cluster.start()

    async def answer(self, question: Asked) -> Reply:
        await self.start()
        reply = msgspec.json.decode(await self._cluster.ask(self._actor, msgspec.json.encode(question)), type=Reply)
        self._has_answered = True
        return reply

    def stop(self, number: int) -> None:
        if self._actor is not None:
            self._cluster.stop(self._actor, number)

    def leave(self, stream: int) -> None:
        if self._actor is not None:
            self._cluster.leave_stream(self._actor, stream)

    async def end(self) -> None:
        actor, self._actor = self._actor, None
        self._has_answered = False
        if actor is not None:
            self._cluster.end(actor)


def _make_actor() -> type:
    """What runs on the other machine.

    A class inside a function travels as code, and so it can say what is wrong also where Boyi is missing.
    """
    class Engine:
        """An engine on some machine of the cluster."""

        def __init__(self) -> None:
            self.answering: Any = None
            self.missing = ""
            try:
                from boyi.server.engines.worker import Answering
                self.answering = Answering()
            except ImportError as error:
                self.missing = str(error)

        def answer(self, version: str, question: bytes) -> bytes | str:
            import socket
            if self.answering is None:
                return f"the machine {socket.gethostname()} of the cluster has no Boyi {version} ({self.missing})"
            from boyi.server.engines.cluster import answer_for_cluster
            return answer_for_cluster(version, question, self.answering)

        def stop(self, number: int) -> None:
            if self.answering is not None:
                self.answering.stop(number)

        def leave(self, stream: int) -> None:
            if self.answering is not None:
                self.answering.leave(stream)
    return Engine


def answer_for_cluster(wanted: str, question: bytes, answering: Answering) -> bytes | str:
    """On the other machine: the answer to a question; a text says why this is no place for it."""
    if wanted != version("boyi"):
        return f"{socket.gethostname()} of the cluster has Boyi {version('boyi')}, and the server has {wanted}"
    return msgspec.json.encode(answering.answer(msgspec.json.decode(question, type=Asked)))
