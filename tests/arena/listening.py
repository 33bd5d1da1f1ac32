"""Tasks that say when they begin and wait for an answer, so that tests can kill somebody at a moment they choose."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Client, Listener
from types import TracebackType
from typing import Any

from boyi.arena.bout import Bout, Slot
from boyi.arena.tournament import Tournament

KEY = b"only against mistakes"


def tell(address: Any, *news: object) -> None:
    """Say something to the test, and wait until it says to go on."""
    with Client(address, authkey=KEY) as connection:
        connection.send(news)
        connection.recv()


class Ear:
    """Listens to tasks. `heard` is called with what each says, in a thread. False leaves it waiting for ever, None
    until another one is answered otherwise."""

    def __init__(self, heard: Callable[..., bool | None]) -> None:
        self._heard = heard
        self._listener = Listener(("127.0.0.1", 0), authkey=KEY)
        self.address = self._listener.address
        self._waiting: list[Any] = []
        self._held: list[Any] = []
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self) -> Ear:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        with Client(self.address, authkey=KEY) as connection:
            connection.send(None)
        self._thread.join()
        self._listener.close()
        for connection in (*self._waiting, *self._held):
            connection.close()

    def _listen(self) -> None:
        while True:
            try:
                connection = self._listener.accept()
                news = connection.recv()
                if news is None:
                    connection.close()
                    return
                answer = self._heard(*news)
                if answer is False:
                    self._waiting.append(connection)
                else:
                    self._held.append(connection)
                while answer is not None and self._held:
                    with self._held.pop() as ready:
                        ready.send("go on")
            except (OSError, EOFError):
                pass   # whoever it was has been killed by now


@dataclass(frozen=True)
class Told:
    """Work that tells when a task begins and when it has ended but the result is not on its way yet."""

    work: Callable[[Any], Any]
    address: Any

    def __call__(self, task: object) -> Any:
        tell(self.address, "began", os.getpid(), task)
        result = self.work(task)
        tell(self.address, "ended", os.getpid(), task)
        return result


@dataclass(frozen=True)
class ToldTournament(Tournament):
    """A tournament on a cluster that tells on which of its nodes a game begins."""

    address: Any = None

    def play(self, slot: Slot) -> Bout:
        context = import_module("ray").get_runtime_context()
        tell(self.address, context.get_node_id(), slot)
        return super().play(slot)
