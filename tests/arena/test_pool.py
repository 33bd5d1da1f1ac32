"""Pools: the same results by whoever, each once, whoever dies; and nothing left behind."""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import pickle
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import boyi
from boyi.arena import Match, cluster
from boyi.arena import pool as module
from boyi.arena.match import play_match
from boyi.arena.pool import ATTEMPTS, Pool
from boyi.arena.processes import INTERRUPT_SECONDS
from boyi.core.errors import BoyiError, MissingPartError, OptionError
from tests.arena.cluster import TOO_BUSY
from tests.arena.listening import Ear, Told, tell
from tests.cli import invoke
from tests.scale import some_of

posix = pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")


@pytest.fixture(autouse=True)
def _nobody_is_left() -> Iterator[None]:
    """No test leaves a process behind."""
    yield
    assert multiprocessing.active_children() == []


# ---------------------------------------------------------------------- results

@pytest.mark.parametrize("jobs", [None, 1, 2])
def test_all_results_once(jobs: int | None) -> None:
    with Pool(jobs) as pool:
        assert list(pool.run(abs, range(-20, 0), in_order=True)) == list(range(20, 0, -1))
        assert sorted(pool.run(str, range(20))) == sorted(map(str, range(20)))   # the same pool, other work
        assert list(pool.run(abs, [])) == []


@pytest.mark.parametrize("in_order", some_of([False, True], 2))
def test_results_as_they_end_or_in_order(in_order: bool) -> None:
    """The first task does not end before the fifth has begun."""
    begun: list[int] = []
    fifth = threading.Event()

    def heard(what: str, process: int, task: int) -> bool:
        if what == "began":
            begun.append(task)
        if task == 4:
            fifth.set()
        return True

    with Ear(heard) as ear, Pool(2) as pool:
        wait = Ear(lambda: fifth.wait(60))
        with wait:
            results = pool.run(partial(linger, ear.address, wait.address), range(100), in_order=in_order)
            got = [next(results) for _ in range(5)]
            results.close()
    assert got == [0, 1, 2, 3, 4] if in_order else got[0] != 0
    assert len(begun) <= 5 + module.AHEAD * 2


def linger(news: Any, wait: Any, task: int) -> int:
    tell(news, "began", os.getpid(), task)
    if task == 0:
        tell(wait)
    return task


def test_few_are_begun_ahead() -> None:
    asked = itertools.count()
    with Pool(2) as pool:
        results = pool.run(abs, (next(asked) for _ in range(1000)), in_order=True)
        for _ in range(10):
            next(results)
        results.close()
    assert next(asked) <= 10 + module.AHEAD * 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_tasks_may_depend_on_results_of_some_before(jobs: int) -> None:
    """As in tuning: every third task is made from the result of the one three before."""
    results: dict[int, int] = {}

    def tasks() -> Iterator[tuple[int, int]]:
        for number in range(20):
            assert set(range(number - 2)) <= results.keys()   # those are there, whatever the order
            yield number, results[number - 3] if number >= 3 else 0

    with Pool(jobs) as pool:
        for number, value in pool.run(increase, tasks(), ahead=3):
            results[number] = value
        with pytest.raises(ValueError, match="no task ever begins"):
            next(pool.run(increase, [], ahead=0))
    assert [results[number] for number in range(20)] == [number // 3 + 1 for number in range(20)]


def increase(task: tuple[int, int]) -> tuple[int, int]:
    return task[0], task[1] + 1


def test_one_run_at_a_time() -> None:
    with Pool() as pool:
        results = pool.run(abs, range(3))
        assert next(results) == 0
        with pytest.raises(RuntimeError, match="one run at a time"):
            next(pool.run(abs, range(3)))
        results.close()
        assert list(pool.run(abs, range(3))) == [0, 1, 2]


# ---------------------------------------------------------------------- errors of the work

def refuse(task: int) -> int:
    if task == 3:
        raise OptionError("three is too many")
    return task


class StubbornError(Exception):
    """An error that pickle writes and cannot read."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(one)


def stumble(task: int) -> int:
    raise StubbornError("over a stone", "or two")


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_of_the_work_are_raised_here(jobs: int) -> None:
    with Pool(jobs) as pool:
        results = pool.run(refuse, range(10), in_order=True)
        with pytest.raises(OptionError, match="three is too many") as caught:
            list(results)
        if jobs > 1:
            assert "in refuse" in "".join(caught.value.__notes__)   # where it happened
        assert sorted(pool.run(refuse, range(3))) == [0, 1, 2]      # and the pool goes on


def test_errors_that_cannot_travel_send_their_words() -> None:
    with Pool(2) as pool, pytest.raises(RuntimeError, match="over a stone"):
        list(pool.run(stumble, [1]))


class Unreadable:
    """Work that pickle writes and cannot read."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return pickle.loads, (b"nonsense",)

    def __call__(self, task: int) -> int:
        return task


def test_work_that_cannot_be_read_is_an_error() -> None:
    with Pool(2) as pool, pytest.raises(pickle.UnpicklingError):
        list(pool.run(Unreadable(), range(3)))


# ---------------------------------------------------------------------- deaths

@posix
@pytest.mark.parametrize("moment", some_of(["ended", "began"], 2))
def test_a_worker_killed_in_a_game_costs_nothing_but_time(moment: str) -> None:
    """Killed at the beginning of a game, or at its very end, with the result still unsent."""
    match = Match(("alphabeta:nodes=100", "random"), boyi.start("othello"), games=6, seed=3)
    alone = [game.record.to_text() for game in play_match(match)]
    begun: Counter[int] = Counter()
    killed: list[int] = []

    def heard(what: str, process: int, task: int) -> bool:
        begun[task] += what == "began"
        if task == 2 and what == moment and not killed:
            os.kill(process, signal.SIGKILL)
            killed.append(process)
            return False
        return True

    with Ear(heard) as ear, Pool(2) as pool:
        games = list(pool.run(Told(match.play, ear.address), range(match.games), in_order=True))
    assert [game.record.to_text() for game in games] == alone
    assert killed
    assert begun == {number: 2 if number == 2 else 1 for number in range(6)}   # the other worker's games went on


@posix
def test_a_task_that_always_kills_is_named() -> None:
    begun: Counter[int] = Counter()

    def heard(what: str, process: int, task: int) -> bool:
        begun[task] += what == "began"
        return True

    with Ear(heard) as ear, Pool(2) as pool, pytest.raises(BoyiError) as caught:
        list(pool.run(Told(die_at_three, ear.address), range(10), in_order=True, name=lambda task: f"game {task}"))
    assert f"game 3 was begun {ATTEMPTS} times" in str(caught.value)
    assert begun[3] == ATTEMPTS
    assert "signal 9 (SIGKILL)" in str(caught.value)


def die_at_three(task: int) -> int:
    if task == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def test_a_process_that_leaves_is_named() -> None:
    with Pool(2) as pool, pytest.raises(BoyiError, match="exit code 7"):
        list(pool.run(os._exit, [7]))


# ---------------------------------------------------------------------- interruption

@posix
def test_whoever_is_called_off_in_a_game_puts_its_engines_away() -> None:
    """A closed run interrupts its games, and these end the programs that they have started."""
    engines: dict[int, int] = {}
    started = threading.Event()

    def heard(process: int, engine: int) -> bool:
        engines[process] = engine
        if len(engines) == 2:
            started.set()
        return True

    with Ear(heard) as ear, Pool(2) as pool:
        results = pool.run(partial(keep_engine, ear.address), [-1, 0, 0])
        assert next(results) == -1
        assert started.wait(60)
        results.close()
        assert multiprocessing.active_children() == []
        for engine in engines.values():
            with pytest.raises(ProcessLookupError):
                os.kill(engine, 0)
        assert list(pool.run(abs, [-1, -2], in_order=True)) == [1, 2]


def keep_engine(address: Any, task: int) -> int:
    """What a game with an outside engine is like, with one that does not mind the end of its input."""
    if task < 0:
        return task
    engine = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"], start_new_session=True)
    try:
        tell(address, os.getpid(), engine.pid)
        engine.wait()
    finally:
        time.sleep(4 * INTERRUPT_SECONDS)   # interrupted once: what ends engines is not interrupted again
        engine.kill()
        engine.wait()
    return task


@posix
def test_an_interruption_is_for_the_owner() -> None:
    """Ctrl-C goes to all processes of a terminal; those that play wait for what their owner says."""
    def heard(what: str, process: int, task: int) -> bool:
        os.kill(process, signal.SIGINT)
        return True

    with Ear(heard) as ear, Pool(2) as pool:
        assert list(pool.run(Told(abs, ear.address), range(4), in_order=True)) == [0, 1, 2, 3]


@posix
def test_processes_leave_when_their_owner_is_killed() -> None:
    """No leftovers after `kill -9`: the end of their pipes tells them."""
    workers: list[int] = []
    begun = threading.Event()

    def heard(what: str, process: int, task: int) -> bool:
        workers.append(process)
        if len(workers) == 2:
            begun.set()
        return False

    with Ear(heard) as ear:
        owner = subprocess.Popen([sys.executable, "-c", OWNER.format(address=ear.address)], stdout=subprocess.PIPE)
        assert begun.wait(60)
        owner.kill()
        assert owner.stdout is not None
        with owner, owner.stdout:
            assert owner.stdout.read() == b""   # workers have the other end as well; the last one closes it


OWNER = """
from boyi.arena.pool import Pool
from tests.arena.listening import Told
if __name__ == "__main__":
    with Pool(2) as pool:
        list(pool.run(Told(abs, {address!r}), range(2)))
"""


# ---------------------------------------------------------------------- a cluster that is none

class FakeRay:
    """As much of Ray as we use, in one process; `fate` says how a task ends."""

    exceptions = SimpleNamespace(RayError=type("RayError", (Exception,), {}))
    exceptions.RayTaskError = type("RayTaskError", (exceptions.RayError,), {})

    def __init__(self, processors: int = 2) -> None:
        self.processors = processors
        self.addresses: list[str] = []
        self.fate: Callable[[int], Exception | None] = lambda count: None
        self.count = 0
        self.silent = False

    def is_initialized(self) -> bool:
        return bool(self.addresses)

    def init(self, address: str, **settings: object) -> None:
        if address == "nowhere":
            raise ConnectionError("Could not find any running Ray instance.")
        self.addresses.append(address)

    def shutdown(self) -> None:
        self.addresses.pop()

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": self.processors} if self.processors else {}

    def put(self, value: object) -> object:
        return SimpleNamespace(value=value)

    def get(self, reference: Any) -> object:
        self.count += 1
        if (error := self.fate(self.count) if hasattr(reference, "task") else None) is not None:
            raise error
        return reference.value

    def remote(self, **settings: object) -> Callable[[Callable[..., object]], object]:
        return lambda function: SimpleNamespace(
            remote=lambda *arguments: Reference(function(*arguments)))

    def wait(self, references: list[object], num_returns: int, timeout: float) -> tuple[list[object], list[object]]:
        return ([], references) if self.silent else (references[-1:], references[:-1])

    def cancel(self, reference: object) -> None:
        pass


class Reference:
    """Where the result of a task will be."""

    task = True

    def __init__(self, value: object) -> None:
        self.value = value


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    fake = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", fake)
    return fake


def test_a_cluster_gives_the_same_results(ray: FakeRay) -> None:
    with Pool(cluster="auto") as pool:
        assert ray.addresses == ["auto"]
        assert list(pool.run(abs, range(-9, 0), in_order=True)) == list(range(9, 0, -1))
        assert sorted(pool.run(str, range(9))) == sorted(map(str, range(9)))
        with pytest.raises(OptionError, match="three is too many"):
            list(pool.run(refuse, range(9)))
        with Pool(cluster="auto") as other:   # whoever finds it joined leaves it joined
            assert list(other.run(abs, [-1])) == [1]
        assert ray.addresses == ["auto"]
    assert ray.addresses == []


def test_deaths_in_a_cluster(ray: FakeRay) -> None:
    ray.fate = lambda count: FakeRay.exceptions.RayError("The node died.\nMore of that") if count % 3 == 0 else None
    with Pool(cluster="auto") as pool:
        assert list(pool.run(abs, range(-9, 0), in_order=True)) == list(range(9, 0, -1))
        ray.fate = lambda count: FakeRay.exceptions.RayError("The node died.\nMore of that")
        with pytest.raises(BoyiError, match=rf"begun {ATTEMPTS} times, .*: The node died\.\. Is there"):
            list(pool.run(abs, range(9)))


def test_clusters_that_cannot_play_say_why(ray: FakeRay, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BoyiError, match="cannot join the cluster at 'nowhere': Could not find") as caught:
        Pool(cluster="nowhere")
    assert "ray start --head" in str(caught.value)
    with pytest.raises(BoyiError, match=r"nobody answers at '127\.0\.0\.1:1'"):
        Pool(cluster="127.0.0.1:1")
    ray.processors = 0
    with pytest.raises(BoyiError, match="no processors"):
        Pool(cluster="auto")
    assert ray.addresses == []
    ray.processors = 1
    with Pool(cluster="auto") as pool:
        ray.silent, ray.processors = True, 0
        with pytest.raises(BoyiError, match="have left the cluster"):
            list(pool.run(abs, range(3)))


def test_a_machine_with_another_version_is_named(ray: FakeRay, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = itertools.chain(["1.0"], itertools.repeat("2.0"))
    monkeypatch.setattr(cluster, "_version", lambda: next(versions))
    with Pool(cluster="auto") as pool, pytest.raises(BoyiError, match=r"has Boyi 2\.0, and this one has 1\.0"):
        list(pool.run(abs, range(3)))
    monkeypatch.setitem(sys.modules, "boyi.arena.cluster", None)
    with Pool(cluster="auto") as pool, pytest.raises(BoyiError, match=r"has no Boyi 2\.0"):
        list(pool.run(abs, range(3)))


def test_without_ray_the_command_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingPartError, match=r"pip install 'boyi\[cluster\]'"):
        Pool(cluster="auto")
    result = invoke("match", "othello", "random", "random", "--cluster", "auto")
    assert result.code == 2
    assert "boyi[cluster]" in result.err


# ---------------------------------------------------------------------- a cluster that is one


@posix
@pytest.mark.slow
@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed, so no cluster was tried: "
                                                     "pip install 'boyi[cluster]'")
def test_a_node_killed_in_a_tournament_costs_nothing_but_time() -> None:
    """In a process of its own: Ray leaves threads and files behind that other tests would trip over."""
    root = Path(__file__).parents[2]
    # A token of our own, before Ray looks for one: nobody else has business there. And workers must find the tests.
    environment = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32), "RAY_USAGE_STATS_ENABLED": "0",
                   "PYTHONPATH": str(root)}
    done = subprocess.run([sys.executable, "-m", "tests.arena.cluster"], cwd=root, env=os.environ | environment,
                          capture_output=True, text=True, timeout=300)
    if done.returncode == TOO_BUSY:
        pytest.skip("Ray did not start in the time that it gives itself, twice; is this machine very busy?")
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    assert facts["killed"] in facts["begun_twice"]
    assert facts["games"] == facts["expected_games"]
    assert facts["table"] == facts["expected_table"]
    assert facts["command"] == facts["expected_command"]
    assert len(facts["guests"]) == 4
    assert all(contestant == 1 and "ended with exit code 5" in message for contestant, message in facts["guests"])
