"""Engines on a cluster: a Ray in this process that can be made to fail. A real one is asked under `make soak`."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from concurrent.futures import Future
from typing import Any

import pytest

from boyi.core.position import Position
from boyi.games import find_game
from boyi.server.config import Config
from boyi.server.engines import cluster as clusters
from boyi.server.engines.cluster import Cluster
from boyi.server.engines.pool import Engines
from boyi.server.lookahead import shortest_time
from boyi.server.rooms import EngineRequest
from tests.places import ROOT


class FakeRay:
    """As much of Ray as a server uses; every actor is a thread, and `fate` decides what becomes of a question."""

    class exceptions:  # noqa: N801  (as Ray calls it)
        class RayError(Exception):
            pass

    def __init__(self) -> None:
        self.fate = "answer"
        self.started = self.stopped = self.killed = 0
        self.left = False

    def remote(self, **_: Any) -> Any:
        def decorate(kind: type) -> Any:
            ray = self

            class Method:
                def __init__(self, actor: Any, name: str) -> None:
                    self.actor = actor
                    self.name = name

                def remote(self, *arguments: Any) -> Any:
                    future: Future[Any] = Future()

                    def work() -> None:
                        if self.name == "stop":
                            ray.stopped += 1
                            future.set_result(self.actor.stop(*arguments))
                        elif ray.fate == "answer":
                            future.set_result(self.actor.answer(*arguments))
                        elif ray.fate == "die":
                            future.set_exception(ray.exceptions.RayError("The actor died."))
                        elif ray.fate == "other version":
                            future.set_result(self.actor.answer("0.0", *arguments[1:]))

                    threading.Thread(target=work).start()
                    return type("Reference", (), {"future": lambda _: future})()

            class Handle:
                @staticmethod
                def remote() -> Any:
                    ray.started += 1
                    actor = kind()
                    return type("Actor", (), {name: Method(actor, name) for name in ("answer", "stop")})()

            return Handle
        return decorate

    def kill(self, actor: Any) -> None:
        self.killed += 1

    def shutdown(self) -> None:
        self.left = True


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    fake = FakeRay()
    monkeypatch.setattr(clusters, "join", lambda address: fake)
    return fake


def question(position: Position) -> EngineRequest:
    return EngineRequest(position.turn, 1, 1, 1, position, None, 0)


@pytest.mark.parametrize("fate", ["hang", "die", "other version"])
def test_an_actor_that_fails_is_replaced(ray: FakeRay, fate: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        position = find_game("othello").start()
        engines = Engines(1, 10.0, cluster=Cluster("auto"))
        assert not (await engines.choose(question(position), "ada")).fallback
        assert (ray.started, ray.killed) == (1, 0)
        ray.fate = fate
        engines.seconds = 0.01 if fate == "hang" else 60.0
        chosen = await engines.choose(question(position), "ada")
        assert chosen.fallback and position.is_legal(chosen.move)
        assert (engines.replaced, ray.killed) == (1, 1)
        ray.fate, engines.seconds = "answer", 60.0
        assert not (await engines.choose(question(position), "ada")).fallback
        assert ray.started == 2
        await engines.close()
        assert ray.killed == 2 and ray.left
    asyncio.run(run())


REAL = """
import asyncio
from boyi.games import find_game
from boyi.server.engines.cluster import Cluster
from boyi.server.engines.pool import Engines
from boyi.server.rooms import EngineRequest

async def main():
    engines = Engines(1, 60.0, cluster=Cluster("local"))
    position = find_game("jieqi").start()
    for _ in range(3):
        chosen = await engines.choose(EngineRequest(0, 1, 1, 2, position.observe(0), None, 0), "ada")
        assert not chosen.fallback, chosen
    await engines.close()
    print("answered", engines.answered["game"])

asyncio.run(main())
"""


@pytest.mark.slow
def test_a_real_cluster_answers() -> None:
    pytest.importorskip("ray", reason="ray not found; pip install 'boyi[cluster]'")
    done = subprocess.run([sys.executable, "-c", REAL], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert "answered 3" in done.stdout, done.stderr


@pytest.mark.parametrize(("remaining_ms", "pause"), [(None, 0.7), (60_000, 0.7), (6_000, 0.1), (0, 0.0)])
def test_people_see_a_move_before_the_next(remaining_ms: int | None, pause: float) -> None:
    request = EngineRequest(0, 1, 1, 1, find_game("othello").start(), remaining_ms, 0)
    assert shortest_time(request, Config().engine_pause) == pytest.approx(pause)
