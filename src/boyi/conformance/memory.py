"""What a position costs in memory."""

from __future__ import annotations

import ctypes
import math
import platform
import tracemalloc

from boyi.conformance.case import Case
from boyi.conformance.expect import ensure
from boyi.conformance.property import asked_of_rules
from boyi.core.position import Position
from boyi.core.python_position import PythonPosition
from boyi.search.perft import perft

__all__ = ["a_million_nodes_allocate_nothing", "a_position_is_small"]

MOST_BYTES = 8192
COPIES = 50
MANY_NODES = 1_000_000
DEEPEST = 30
"""In plies: a game with a smaller tree by then is counted several times."""

PYTHON_BYTES, HEAP_BYTES = 512, 65_536
"""What others may allocate meanwhile; a single byte per node would be a million."""


@asked_of_rules()
def a_position_is_small(case: Case) -> None:
    """A position takes less than 8 KiB besides its history, with all that it allocates."""
    position = case.start()
    history = position.__sizeof__() - type(position).__basicsize__
    ensure(type(position).__basicsize__ < MOST_BYTES, f"the object alone takes {type(position).__basicsize__} bytes")
    copies: list[Position | None] = [None] * COPIES
    position.copy()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for i in range(COPIES):
            copies[i] = position.copy()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    size = (after - before) / COPIES - history
    ensure(size < MOST_BYTES, f"a copy takes {size:.0f} bytes besides its history")


def _in_python(case: Case) -> str:
    return "the game is in plain Python" if isinstance(case.start(), PythonPosition) else ""


@asked_of_rules(skips=_in_python)
def a_million_nodes_allocate_nothing(case: Case) -> None:
    """A million nodes allocate nothing: neither Python's allocators, at any moment, nor malloc, in the end."""
    position = case.start()
    depth, leaves = 1, perft(position, 1)
    while leaves < MANY_NODES and depth < DEEPEST:     # also lets the history grow to what it needs
        deeper = perft(position, depth + 1)
        if deeper <= leaves:
            break
        depth, leaves = depth + 1, deeper
    at_once, grown = [], []
    for _ in range(3):      # another thread may allocate meanwhile, but hardly every time
        tracemalloc.start()
        try:
            _bytes_in_use()
            heap = _bytes_in_use()
            tracemalloc.reset_peak()
            before, _ = tracemalloc.get_traced_memory()
            for _ in range(math.ceil(MANY_NODES / leaves)):
                perft(position, depth)
            _, peak = tracemalloc.get_traced_memory()
            at_once.append(peak - before)
            grown.append((_bytes_in_use() or 0) - (heap or 0))
        finally:
            tracemalloc.stop()
    ensure(min(at_once) < PYTHON_BYTES, f"{at_once} bytes of Python's at a time")
    ensure(min(grown) < HEAP_BYTES, f"{grown} bytes left behind")


class _Mallinfo(ctypes.Structure):
    """What glibc tells of its heap."""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


def _bytes_in_use() -> int | None:
    """All memory that malloc has given out, where the C library can tell."""
    if platform.libc_ver()[0] != "glibc":
        return None
    mallinfo2 = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if mallinfo2 is None:
        return None
    mallinfo2.restype = _Mallinfo
    info = mallinfo2()
    return int(info.uordblks + info.hblkhd)
