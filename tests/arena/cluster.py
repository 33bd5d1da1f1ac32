"""A tournament on a Ray cluster of two nodes on this machine, of which one is killed in a game, then agents that
somebody else wrote. Prints what happened.

Not a test itself: `test_pool.py` runs it in a process of its own.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

import boyi
from boyi.arena import Match, play_match
from boyi.arena.bout import Slot
from boyi.arena.pool import Pool
from boyi.arena.table import rate_tournament, table
from boyi.arena.tournament import Tournament, play_tournament
from tests.agents.guests import Odd
from tests.arena.listening import Ear, ToldTournament
from tests.cli import invoke
from tests.places import ROOT

TOO_BUSY = 75
"""The exit code when Ray itself did not start."""

AGENTS = ("alphabeta:nodes=300", "random", "random:seed=1")
COMMAND = ("tournament", "othello", *AGENTS, "--rounds", "1", "--seed", "2", "--json", "--journal")


def patiently(start: Callable[[], Any]) -> Any:
    """Start something of Ray, which gives up after half a minute, and that is not long on a busy machine."""
    for _ in range(2):
        try:
            return start()
        except Exception as error:   # Ray raises just this
            if "timed out during startup" not in str(error):
                raise
    sys.exit(TOO_BUSY)


def main() -> None:
    # 1. What should come out.
    plain = Tournament(AGENTS, boyi.start("othello"), rounds=2, seed=2)
    expected = {bout.slot: bout for bout in play_tournament(plain, {})}

    # 2. The same on two nodes, of which one is killed in its first game.
    cluster = patiently(lambda: import_module("ray.cluster_utils").Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}))
    victim = patiently(lambda: cluster.add_node(num_cpus=1))
    begun: Counter[Slot] = Counter()
    killed: list[Slot] = []

    def heard(node: str, slot: Slot) -> bool | None:
        begun[slot] += 1
        if node == victim.node_id:
            killed.append(slot)
            threading.Thread(target=cluster.remove_node, args=(victim, False)).start()
            return False
        return True if killed else None   # else the other node might do everything before this one has begun

    os.chdir(ROOT / "examples" / "agents")   # workers look for agents where the user is
    with Ear(heard) as ear, Pool(cluster=cluster.address) as pool:
        told = ToldTournament(AGENTS, plain.start, rounds=2, seed=2, address=ear.address)
        ended = list(play_tournament(told, {}, pool=pool))
        # 3. The command, by whoever is left.
        with tempfile.TemporaryDirectory() as folder:
            clustered, alone = (invoke(*COMMAND, str(Path(folder) / f"{number}.jsonl"), *options) for number, options in
                                enumerate((("--cluster", cluster.address), ())))
        # 4. Agents that somebody else wrote: by name, and an object that ends its process.
        match = Match(("python:greedy:Greedy", Odd("dies", after=1)), boyi.start("tic_tac_toe"), games=4,
                      random_plies=0)
        guests = list(play_match(match, pool=pool))
    json.dump({
        "killed": repr(killed[0]), "begun_twice": [repr(slot) for slot, times in begun.items() if times == 2],
        "games": sorted(json.dumps(bout.to_entry()) for bout in ended),
        "expected_games": sorted(json.dumps(bout.to_entry()) for bout in expected.values()),
        "table": [asdict(row) for row in table(plain, ended, rate_tournament(plain, ended))],
        "expected_table": [asdict(row) for row in table(plain, expected.values(), rate_tournament(
            plain, expected.values()))],
        "command": clustered.json, "expected_command": alone.json,
        "guests": [(played.contestants[failure.seat], failure.message) for played in guests
                   for failure in played.failures]}, sys.stdout)
    cluster.shutdown()


if __name__ == "__main__":
    main()
