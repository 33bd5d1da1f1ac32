"""Many games of the strongest search of each game on two threads and a clock: nothing fails, nobody loses on time, no
memory grows.

Under soak 300 games of each by a clock; before a merge a few by nodes, for a busy machine may lose on time.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import boyi
from boyi.arena.timecontrol import parse_time
from tests.scale import SOAK

AGENTS = {"xiangqi": "alphabeta:threads=2", "jieqi": "expectimax:threads=2", "othello": "alphabeta:threads=2",
          "liuzhou": "alphabeta:threads=2", "chinese_checkers": "alphabeta:threads=2"}
SETTLED = 50
"""Games after which all memory that will be needed has been taken."""


def resident() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * int(re.findall(r"VmRSS:\s+(\d+)", status)[0])


@pytest.mark.slow
@pytest.mark.parametrize("game", AGENTS)
def test_games_on_two_threads_do_no_harm(game: str) -> None:
    agent = AGENTS[game] if SOAK else f"{AGENTS[game]},nodes=500"
    match = boyi.Match((agent, agent), boyi.start(game), games=300 if SOAK else 4, random_plies=6, seed=18,
                       time=parse_time("0.2+0.005") if SOAK else None, longest=400)
    before = 0
    for played in boyi.play_match(match):
        assert not played.failures, played.failures
        if played.number == SETTLED:
            before = resident()
    if SOAK:
        assert resident() < 1.05 * before
