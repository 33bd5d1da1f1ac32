"""Threads and table of a search that has the machine to itself."""

from __future__ import annotations

import os

import pytest

from boyi.agents.machine import LEAST_TABLE_MB, MOST_TABLE_MB, MOST_THREADS, count_processors, memory_mb, suit_machine
from boyi.agents.searching import all_algorithms

BOTH = {"threads", "table_mb"}


def test_the_machine_decides_what_is_not_given() -> None:
    assert suit_machine({}, BOTH, 4, 4_096) == {"threads": 4, "table_mb": 128}
    assert suit_machine({"threads": 2, "table_mb": 1}, BOTH, 4, 4_096) == {"threads": 2, "table_mb": 1}
    assert suit_machine({"depth": 3}, set(), 4, 4_096) == {"depth": 3}


def test_there_are_bounds() -> None:
    assert suit_machine({}, BOTH, 1_000, 10**7) == {"threads": MOST_THREADS, "table_mb": MOST_TABLE_MB}
    assert suit_machine({}, BOTH, 1, 0) == {"threads": 1, "table_mb": LEAST_TABLE_MB}


def test_what_the_machine_says() -> None:
    assert 1 <= count_processors() <= (os.cpu_count() or 1)
    assert memory_mb() >= 0


@pytest.mark.parametrize("name", ["alphabeta", "expectimax"])
def test_searches_take_what_is_filled_in(name: str) -> None:
    algorithm = all_algorithms()[name]
    options = algorithm.read_options(suit_machine({}, algorithm.option_names(), 3, 2_048))
    assert (options.threads, options.table_mb) == (3, 64)
