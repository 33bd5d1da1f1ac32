"""A crew of all machines that have joined a Ray cluster."""

from __future__ import annotations

import contextlib
import functools
import importlib
import logging
import os
import pickle
import socket
import time
import uuid
import warnings
from collections.abc import Callable
from typing import Any

from boyi.arena.crew import End
from boyi.arena.parcel import attempt, read_work
from boyi.core.errors import BoyiError, MissingPartError, shorten

__all__ = ["Cluster", "do_for_cluster", "join"]

TASKS_PER_PROCESSOR = 2
"""Tasks that are handed out ahead, so that no processor waits for us."""

COUNT_SECONDS = 1.0
"""Interval at which the processors of a cluster are counted; machines come and go."""

IDLE_SECONDS = 20.0
"""A cluster where nothing ended for this long is asked whether it has any processors left."""

CONNECT_SECONDS = 10.0
HELP = ("A cluster is begun by `ray start --head`, and every machine of it, this one too, joins it by "
        "`ray start --address=HOST:6379`; see docs/arena.md.")


class Cluster:
    """Tasks of Ray. What Ray says of a worker or a machine that died is a death like any other here."""

    def __init__(self, address: str, jobs: int | None) -> None:
        self._address = address
        self._jobs = jobs
        self._ray = _import_ray()
        self._joined = not self._ray.is_initialized()   # else somebody else joined, and will leave
        if self._joined:
            _join(self._ray, address)
        self._processors = 0
        self._counted = -COUNT_SECONDS
        self._running: dict[Any, int] = {}
        self._holder: list[Any] = []
        self._key = ""
        # Ray must not begin a task again by itself: the pool does, and counts.
        self._play = self._ray.remote(num_cpus=1, max_retries=0)(_make_player())
        if self.size < 1:
            self.close()
            raise BoyiError(f"the cluster at {shorten(address)} has no processors to play on; "
                            f"let a machine join it with: ray start --address={address}")

    @property
    def size(self) -> int:
        now = time.monotonic()
        if now - self._counted >= COUNT_SECONDS:
            self._counted = now
            self._processors = int(self._ray.cluster_resources().get("CPU", 0))
        return self._processors if self._jobs is None else min(self._jobs, self._processors)

    @property
    def room(self) -> int:
        # Whoever names a number of jobs wants no more than these; else one more each is on its way.
        depth = TASKS_PER_PROCESSOR if self._jobs is None else 1
        return max(1, depth * self.size) - len(self._running)

    def assign(self, work: Callable[[Any], Any]) -> None:
        self._key = uuid.uuid4().hex
        self._holder = [self._ray.put(pickle.dumps(work))]   # in a list, it is fetched only by who needs it

    def begin(self, number: int, task: object) -> None:
        self._running[self._play.remote(_version(), self._key, self._holder, pickle.dumps(task))] = number

    def wait(self) -> list[End]:
        while True:
            references, _ = self._ray.wait(list(self._running), num_returns=1, timeout=IDLE_SECONDS)
            if references:
                return [self._end(reference) for reference in references]
            self._counted = -COUNT_SECONDS
            if self.size < 1:
                raise BoyiError(f"all machines with processors have left the cluster at {shorten(self._address)}")

    def _end(self, reference: Any) -> End:
        number = self._running.pop(reference)
        errors = self._ray.exceptions
        try:
            answer = self._ray.get(reference)
        except errors.RayTaskError as error:
            return End(number, error=error.cause if isinstance(error.cause, Exception) else error)
        except errors.RayError as error:
            return End(number, death=str(error).partition("\n")[0])
        if isinstance(answer, str):
            return End(number, error=BoyiError(answer))
        return End(number, *pickle.loads(answer))

    def call_off(self) -> None:
        for reference in self._running:
            self._ray.cancel(reference)
        self._running.clear()
        self._holder = []

    def close(self) -> None:
        self._running.clear()
        if self._joined:
            self._ray.shutdown()


def _import_ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise MissingPartError.extra("a cluster", "cluster") from error


def join(address: str) -> Any:
    """Ray, when this process has joined the cluster at an address; whoever called this leaves it by `shutdown`."""
    ray = _import_ray()
    if not ray.is_initialized():
        _join(ray, address)
    return ray


def _join(ray: Any, address: str) -> None:
    """Become a driver of the cluster."""
    # Ray tells of machines that die on standard output, among the results. It has a switch for that, if not in public;
    # where that is missing, it talks.
    with contextlib.suppress(ImportError):
        vars(importlib.import_module("ray._private.worker"))["_worker_logs_enabled"] = False
    host, colon, port = address.rpartition(":")
    if colon and "/" not in host and port.isdecimal():
        try:   # Ray itself would try for minutes
            socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
        except (OSError, OverflowError) as error:
            raise BoyiError(f"nobody answers at {shorten(address)} ({error}). {HELP}") from error
    try:
        with warnings.catch_warnings(action="ignore"):   # hints for users of Ray, who ours are not
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
    except (ray.exceptions.RayError, OSError, RuntimeError, ValueError) as error:
        # Where Ray quotes a stack the last line says what went wrong.
        why = (str(error).strip() or type(error).__name__).splitlines()[-1].removesuffix(".")
        token = "" if os.environ.get("RAY_AUTH_MODE") == "token" else (
            " If the cluster has a token, set RAY_AUTH_MODE=token here, too.")
        raise BoyiError(f"cannot join the cluster at {shorten(address)}: {why}. {HELP}{token}") from error


@functools.cache
def _version() -> str:
    from importlib.metadata import version

    return version("boyi")


def _make_player() -> Callable[[str, str, list[Any], bytes], bytes | str]:
    """What a worker of Ray runs.

    A function inside a function travels as code, and so it can say what is wrong also
    where Boyi is missing. It must not use anything of this module but what it imports.
    """
    def play(version: str, key: str, holder: list[Any], task: bytes) -> bytes | str:
        import socket
        try:
            from boyi.arena.cluster import do_for_cluster
        except ImportError as error:
            return (f"the machine {socket.gethostname()} of the cluster has no Boyi {version}, which this one has "
                    f"({error}); install the same version there, for the Python that ran `ray start`")
        return do_for_cluster(version, key, holder, task)
    return play


_assigned: tuple[str, Callable[[Any], Any]] | None = None
"""In a worker of Ray: the key of a run, and its work."""


def do_for_cluster(version: str, key: str, holder: list[Any], task: bytes) -> bytes | str:
    """In a worker of Ray: do a task; a text says why this is no place for it."""
    global _assigned
    if version != _version():
        return (f"the machine {socket.gethostname()} of the cluster has Boyi {_version()}, and this one has {version}; "
                f"install the same version on all")
    if _assigned is None or _assigned[0] != key:
        _assigned = key, read_work(_import_ray().get(holder[0]))
    return attempt(_assigned[1], task)
