"""A tournament on a Ray cluster of two nodes on this machine, of which one is killed in a game. Prints what happened.

Not a test itself: `test_pool.py` runs it in a process of its own.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))
# A token of our own, before Ray looks for one: nobody else has business here.
os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32), "RAY_USAGE_STATS_ENABLED": "0"}

import ray
from ray.cluster_utils import Cluster

import boyi
from boyi.arena.pool import Pool
from boyi.arena.tournament import Bout, Slot, Tournament, play_tournament, rate_tournament, table
from tests.arena.listening import Ear, tell
from tests.cli import invoke

AGENTS = ("alphabeta:nodes=300", "random", "random:seed=1")
COMMAND = ("tournament", "othello", *AGENTS, "--rounds", "1", "--seed", "2", "--json", "--journal")


@dataclass(frozen=True)
class Told(Tournament):
    """A tournament that tells on which node a game begins."""

    address: Any = None

    def play(self, slot: Slot) -> Bout:
        tell(self.address, ray.get_runtime_context().get_node_id(), slot)
        return super().play(slot)


def settings() -> dict[str, Any]:
    """Of a node. Where ports are given it does not wait for its helpers to choose some, and is less easily too late."""
    with contextlib.ExitStack() as stack:
        free = [stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1] for _ in range(4)]
    names = ("metrics_agent_port", "metrics_export_port", "dashboard_agent_listen_port", "runtime_env_agent_port")
    return {"num_cpus": 1, "include_dashboard": False, **dict(zip(names, free, strict=True))}


def patiently(start: Callable[[], Any]) -> Any:
    """Start something of Ray, which gives up after half a minute, and that is not long on a busy machine."""
    for _ in range(3):
        try:
            return start()
        except Exception as error:   # Ray raises just this
            if "timed out during startup" not in str(error):
                raise
    raise SystemExit("Ray does not start on this machine")


def main() -> None:
    # 1. What should come out.
    plain = Tournament(AGENTS, boyi.start("othello"), rounds=2, seed=2)
    expected = {bout.slot: bout for bout in play_tournament(plain, {})}

    # 2. The same on two nodes, of which one is killed in its first game.
    cluster = patiently(lambda: Cluster(initialize_head=True, head_node_args=settings()))
    victim = patiently(lambda: cluster.add_node(**settings()))
    begun: Counter[Slot] = Counter()
    killed: list[Slot] = []

    def heard(node: str, slot: Slot) -> bool:
        begun[slot] += 1
        if node == victim.node_id:
            killed.append(slot)
            threading.Thread(target=cluster.remove_node, args=(victim, False)).start()
            return False
        return True

    with Ear(heard) as ear, Pool(cluster=cluster.address) as pool:
        told = Told(AGENTS, plain.start, rounds=2, seed=2, address=ear.address)
        ended = list(play_tournament(told, {}, pool=pool))
        # 3. The command, by whoever is left.
        with tempfile.TemporaryDirectory() as folder:
            clustered, alone = (invoke(*COMMAND, str(Path(folder) / f"{number}.jsonl"), *options) for number, options in
                                enumerate((("--cluster", cluster.address), ())))
    json.dump({
        "killed": repr(killed[0]), "begun_twice": [repr(slot) for slot, times in begun.items() if times == 2],
        "games": sorted(bout.to_line() for bout in ended),
        "expected_games": sorted(bout.to_line() for bout in expected.values()),
        "table": [asdict(row) for row in table(plain, ended, rate_tournament(plain, ended))],
        "expected_table": [asdict(row) for row in table(plain, expected.values(), rate_tournament(
            plain, expected.values()))],
        "command": clustered.json, "expected_command": alone.json}, sys.stdout)
    cluster.shutdown()


if __name__ == "__main__":
    main()
