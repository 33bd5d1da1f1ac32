"""Many games of the strongest search of each game on two threads and a clock: nothing fails, nobody loses on time, no
memory grows.

Under soak 300 games of each, as many moves as the clock allows; every day a few short ones.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import boyi
from boyi.arena.timecontrol import parse_time
from tests.scale import SOAK, scaled

AGENTS = {"xiangqi": "alphabeta:threads=2", "jieqi": "expectimax", "othello": "alphabeta:threads=2",
          "liuzhou": "alphabeta:threads=2", "chinese_checkers": "alphabeta:threads=2"}
"""Expectimax searches on one."""

SETTLED = 50
"""Games after which all memory that will be needed has been taken."""


def resident() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * int(re.findall(r"VmRSS:\s+(\d+)", status)[0])


@pytest.mark.slow
@pytest.mark.parametrize("game", AGENTS)
def test_games_on_two_threads_do_no_harm(game: str) -> None:
    match = boyi.Match((AGENTS[game], AGENTS[game]), boyi.start(game), games=scaled(300, 100), random_plies=6, seed=18,
                       time=parse_time("0.5+0.01"), longest=400)
    before = 0
    for played in boyi.play_match(match):
        assert not played.failures, played.failures
        if played.number == SETTLED:
            before = resident()
    if SOAK:
        assert resident() < 1.05 * before
