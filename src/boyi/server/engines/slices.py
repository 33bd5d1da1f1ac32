"""How live analyses share a worker: how long each may search when its turn has come, and how much memory it gets.

The more payers there are at a worker, the shorter the slices: a round of all takes about `ROUND_SECONDS`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from boyi.server.budgets import Payer
from boyi.server.engines.queue import Asker

ROUND_SECONDS = 1.0
"""What the slices of one round of all live analyses of a worker take together."""

FIRST_SLICE_SECONDS = 0.04
LONGEST_SLICE_SECONDS = 0.2
SHORTEST_SLICE_SECONDS = 0.015
"""A slice: the first of a position, so that something is known at once; when nobody else analyses; and at least."""

MOST_STREAMS = 128
"""Live analyses of a worker; each keeps some megabytes, and its table."""

TABLES_MB = 512
MOST_TABLE_MB = 64
LEAST_TABLE_MB = 4
"""Memory for the tables of all live analyses of a worker, and what one gets of it."""


@dataclass(eq=False)
class Stream:
    """A live analysis: one client's, of one position after the other."""

    number: int
    desk: int
    """The number of the worker that has its search, from 0."""

    asker: Asker
    payer: Payer
    is_searching: bool = False
    """It wants slices, and so shortens those of others."""


def plan_slice(stream: Stream, streams: Collection[Stream], *, is_new: bool) -> tuple[float, int]:
    """The seconds of the next slice of a stream, and the megabytes of its table if its search begins.

    `is_new`: nothing is known of the position yet.
    """
    beside = [one for one in streams if one.desk == stream.desk]
    shares = {one.asker.payer for one in beside if one.is_searching or one is stream}
    longest = FIRST_SLICE_SECONDS if is_new else LONGEST_SLICE_SECONDS
    seconds = min(max(ROUND_SECONDS / len(shares), SHORTEST_SLICE_SECONDS), longest)
    return seconds, min(max(TABLES_MB // len(beside), LEAST_TABLE_MB), MOST_TABLE_MB)
