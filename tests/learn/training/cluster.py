"""A run on a Ray cluster of two nodes on this machine, of which one is killed while it plays. Prints what happened.

Not a test itself: `test_cluster.py` runs it in a process of its own.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
from collections import Counter
from importlib import import_module
from pathlib import Path

import boyi
from boyi.arena.pool import Pool
from boyi.learn.training import run as runs
from boyi.learn.training.run import Run
from boyi.learn.training.settings import Length
from boyi.learn.training.shard import Shard
from tests.arena.cluster import patiently
from tests.arena.listening import Ear
from tests.learn.training.listening import ToldPlayer
from tests.learn.training.test_run import TINY, numbers

Task = tuple[int, int]


def main() -> None:
    start = boyi.start("tic_tac_toe")
    with tempfile.TemporaryDirectory() as folder:
        # 1. What should come out.
        alone = Run(Path(folder) / "alone", start, TINY, Length(iterations=2))
        with Pool() as pool:
            list(alone.work(pool))

        # 2. The same on two nodes, of which one is killed in its first chunk.
        cluster = patiently(lambda: import_module("ray.cluster_utils").Cluster(
            initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}))
        victim = patiently(lambda: cluster.add_node(num_cpus=1))
        begun: Counter[Task] = Counter()
        killed: list[Task] = []

        def heard(node: str, task: Task) -> bool | None:
            begun[task] += 1
            if node == victim.node_id:
                killed.append(task)
                threading.Thread(target=cluster.remove_node, args=(victim, False)).start()
                return False
            return True if killed else None   # else the other node might do everything before this one has begun

        together = Run(Path(folder) / "together", start, TINY, Length(iterations=2))
        with Ear(heard) as ear, Pool(cluster=cluster.address) as pool:
            vars(runs)["Player"] = lambda *facts: ToldPlayer(*facts, ear.address)  # type: ignore[call-arg]
            list(together.work(pool))
        games = Counter(number for path in (together.folder.path / "shards").iterdir()
                        for number in Shard.read(path).numbers.tolist())
        json.dump({
            "killed": killed[:1], "begun_twice": [task for task, times in begun.items() if times == 2],
            "most_often": max(games.values()), "numbers": numbers(together), "expected": numbers(alone)}, sys.stdout)
        cluster.shutdown()


if __name__ == "__main__":
    main()
