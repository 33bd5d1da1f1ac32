"""Searches of an experiment: the searcher that a spec string names, one position at a time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from boyi.agents.interruption import search
from boyi.agents.searching import all_algorithms
from boyi.agents.spec import read_spec
from boyi.core.position import Position
from boyi.core.searcher import Limits, Result, Searcher

PLAIN_ALPHABETA = "alphabeta:preset=sound"
"""Only sound switches: the value at a depth is that of minimax, with or without a table."""


@dataclass(frozen=True)
class Searched:
    """The result of a search, and what it cost."""

    result: Result
    cpu_seconds: float
    """Of the thread that searched, so that other load on the machine matters little."""

    @property
    def nodes(self) -> int:
        return self.result.nodes

    @property
    def depth(self) -> int:
        return self.result.depth

    @property
    def move(self) -> int:
        return self.result.move

    @property
    def value(self) -> float:
        return self.result.value

    def count(self, name: str) -> int:
        """A counter of the algorithm."""
        return self.result.statistics[name]


class _Timed:
    """A searcher that measures the CPU time of its thread: the search alone, without its setup."""

    def __init__(self, searcher: Searcher) -> None:
        self.searcher = searcher
        self.cpu_seconds = 0.0

    def search(self, position: Position, limits: Limits) -> Result:
        began = time.thread_time()
        result = self.searcher.search(position, limits)
        self.cpu_seconds = time.thread_time() - began
        return result

    def stop(self) -> None:
        self.searcher.stop()


def search_once(position: Position, spec: str, *, seconds: float | None = None, nodes: int | None = None,
                depth: int | None = None, rounds: int = 1) -> Searched:
    """Search with a fresh searcher; of several rounds, which all find the same, the fastest."""
    values = read_spec(spec).values
    name = spec.partition(":")[0]
    best: Searched | None = None
    for _ in range(rounds):
        searcher = _Timed(all_algorithms()[name].make(position.game, values))
        result = search(searcher, position, Limits(seconds=seconds, nodes=nodes, depth=depth))
        if best is None or searcher.cpu_seconds < best.cpu_seconds:
            best = Searched(result, searcher.cpu_seconds)
    assert best is not None
    return best


@dataclass(frozen=True)
class Mean:
    """What searches of several positions came to, on average."""

    nodes: float
    depth: float
    cpu_seconds: float


def mean_search(positions: Sequence[tuple[int, Position]], spec: str, *, nodes: int | None = None,
                depth: int | None = None) -> Mean:
    """Search every position with a fresh searcher; a position comes with its number of plies."""
    found = [search_once(position, spec, nodes=nodes, depth=depth) for _, position in positions]
    count = len(found)
    return Mean(sum(one.nodes for one in found) / count, sum(one.depth for one in found) / count,
                sum(one.cpu_seconds for one in found) / count)
