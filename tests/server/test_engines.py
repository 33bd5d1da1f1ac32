"""Engines on a cluster: a Ray in this process that can be made to fail. A real one is asked under `make soak`."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import threading
from concurrent.futures import Future
from typing import Any

import msgspec
import pytest

from boyi.core.position import Position
from boyi.games import find_game, listed_games
from boyi.server.config import Config
from boyi.server.engines import cluster as clusters
from boyi.server.engines.cluster import Cluster
from boyi.server.engines.pool import Engines
from boyi.server.engines.questions import ask_analysis, ask_move
from boyi.server.engines.worker import Answering
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


def test_an_actor_is_told_to_stop(ray: FakeRay) -> None:
    async def run() -> None:
        engines = Engines(1, 60.0, cluster=Cluster("auto"))
        assert not (await engines.choose(question(find_game("othello").start()), "ada")).fallback
        analysis = asyncio.create_task(engines.analyse(middle_game(), 1, 400_000, "ada"))
        await asyncio.sleep(0.05)
        assert not (await engines.choose(question(find_game("othello").start()), "bob")).fallback
        assert (await analysis).lines   # from its beginning
        assert (ray.started, ray.stopped, ray.killed, engines.given_way) == (1, 1, 0, 1)
        await engines.close()
    asyncio.run(run())


def middle_game() -> Position:
    """Where a search does not end soon, and no book knows a move."""
    position = find_game("xiangqi").start()
    generator = random.Random(5)
    for _ in range(20):
        position.play(generator.choice(position.moves()))
    return position


def test_a_question_that_is_stopped_is_answered_with_what_was_found() -> None:
    """Whenever the stop comes: before the question, at its beginning or in the middle."""
    answering = Answering()
    position = middle_game()
    asked = msgspec.structs.replace(ask_analysis(position, 3, 10**12), number=1)
    for number, delay in enumerate((0.0, 0.001, 0.02, 0.2), 1):
        thread = threading.Timer(delay, answering.stop, [number])
        thread.start()
        reply = answering.answer(msgspec.structs.replace(asked, number=number))
        thread.join()
        assert reply.stopped and reply.number == number
        assert reply.analysis is None or reply.analysis.lines
    assert reply.analysis is not None and len(reply.analysis.lines) == 3
    answering.stop(10)
    assert answering.answer(msgspec.structs.replace(asked, number=10)).error
    move = ask_move(position, "level:10", None, 0.0)
    assert not answering.answer(msgspec.structs.replace(move, number=11)).stopped


@pytest.mark.parametrize("name", [game.name for game in listed_games()])
def test_every_game_can_be_stopped(name: str) -> None:
    """Thinking at a level, and analysing: what the server asks."""
    position = find_game(name).start()
    for number, asked in enumerate((ask_analysis(position, 2, 10**12), ask_move(position, "level:10", None, 0.0)), 1):
        answering = Answering()
        thread = threading.Timer(0.05, answering.stop, [number])
        thread.start()
        reply = answering.answer(msgspec.structs.replace(asked, number=number))
        thread.join()
        assert not reply.error and (reply.move or reply.analysis), reply


def test_a_real_worker_is_stopped_and_goes_on() -> None:
    """It is the same process afterwards: to start one takes longer than most moves."""
    async def run() -> None:
        engines = Engines(1, 60.0)
        analysis = asyncio.create_task(engines.analyse(middle_game(), 1, 10**9, "ada"))
        await asyncio.sleep(0)   # it is asked
        assert not (await engines.choose(question(find_game("othello").start()), "ada")).fallback
        assert engines.given_way == 1
        analysis.cancel()
        assert not (await engines.choose(question(find_game("othello").start()), "ada")).fallback
        assert engines.replaced == 0 and engines.withdrawn["analysis"] == 1
        await engines.close()
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
    analysis = asyncio.create_task(engines.analyse(find_game("liuzhou").start(), 1, 10**9, "ada"))
    await asyncio.sleep(1)
    chosen = await engines.choose(EngineRequest(0, 1, 1, 2, position.observe(0), None, 0), "ada")
    assert not chosen.fallback and engines.given_way == 1 and engines.replaced == 0
    analysis.cancel()
    await engines.close()
    print("answered", engines.answered["game"])

asyncio.run(main())
"""


@pytest.mark.slow
def test_a_real_cluster_answers() -> None:
    pytest.importorskip("ray", reason="ray not found; pip install 'boyi[cluster]'")
    done = subprocess.run([sys.executable, "-c", REAL], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert "answered 4" in done.stdout, done.stderr


@pytest.mark.parametrize(("remaining_ms", "pause"), [(None, 0.7), (60_000, 0.7), (6_000, 0.1), (0, 0.0)])
def test_people_see_a_move_before_the_next(remaining_ms: int | None, pause: float) -> None:
    request = EngineRequest(0, 1, 1, 1, find_game("othello").start(), remaining_ms, 0)
    assert shortest_time(request, Config().engine_pause) == pytest.approx(pause)
