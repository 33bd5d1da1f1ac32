"""What this machine has for a search that has it to itself: a thread for each processor, and a larger table.

Such a search is what a person at the machine waits for (`boyi analyse`). Matches, training and servers run
many searches side by side and leave both at the defaults of the search.

>>> suit_machine({"threads": 1, "null_move": False}, {"threads", "table_mb", "null_move"}, 4, 8_192)
{'threads': 1, 'null_move': False, 'table_mb': 256}
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import Any

MOST_THREADS = 16
"""Beyond these, threads that share a table find little more."""

TABLE_SHARE = 32
"""One part in this many of the memory becomes the table ..."""

LEAST_TABLE_MB, MOST_TABLE_MB = 16, 256
"""... within these bounds: more is full only after minutes."""


def count_processors() -> int:
    """Those that this process may run on."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:             # not on every system
        return os.cpu_count() or 1


def memory_mb() -> int:
    """The memory of this machine; 0 where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    except (AttributeError, OSError, ValueError):
        return 0


def suit_machine(values: Mapping[str, Any], options: Collection[str], processors: int | None = None,
                 megabytes: int | None = None) -> dict[str, Any]:
    """The settings of a search, with threads and table filled in where it has these options and they are not given."""
    share = (memory_mb() if megabytes is None else megabytes) // TABLE_SHARE
    suited = {"threads": min(count_processors() if processors is None else processors, MOST_THREADS),
              "table_mb": max(LEAST_TABLE_MB, min(share, MOST_TABLE_MB))}
    return {**values, **{name: value for name, value in suited.items() if name in options and name not in values}}
