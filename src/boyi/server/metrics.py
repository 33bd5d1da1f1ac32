"""What is measured while the server runs, in the text format of Prometheus.

`Measures` holds the distributions that are measured as things happen; what is known anyway (how many rooms, how many
commits) is read when it is asked for (`api.status`). `write` makes the text.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

LAG_SECONDS = 0.25
"""How often the lag of the event loop is measured."""

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the classes that times are counted in."""

Labels = Mapping[str, str]
Values = Sequence[tuple[Labels, float]]


class Histogram:
    """How often a value fell into which class.

    >>> waits = Histogram((1.0, 2.0))
    >>> for seconds in (0.5, 1.0, 1.5, 9.0):
    ...     waits.observe(seconds)
    >>> waits.counts, waits.sum
    ([2, 1, 1], 12.0)
    """

    def __init__(self, bounds: Sequence[float] = SECONDS) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        """Per class; the last is for what is above all bounds."""

        self.sum = 0.0

    def observe(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value


class Measures:
    """The distributions that a server measures."""

    def __init__(self) -> None:
        self.move_seconds = Histogram()
        """From when a move was received to its acknowledgement."""

        self.loop_lag_seconds = Histogram()
        """How late the event loop was."""

    async def watch_loop(self) -> None:
        """Measure the lag of the event loop, for ever."""
        while True:
            asked = time.monotonic()
            await asyncio.sleep(LAG_SECONDS)
            self.loop_lag_seconds.observe(max(0.0, time.monotonic() - asked - LAG_SECONDS))


@dataclass(frozen=True)
class Metric:
    """A name with its values."""

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    help: str
    values: Values | Histogram

    def lines(self) -> list[str]:
        told = [f"# HELP {self.name} {_escape_help(self.help)}", f"# TYPE {self.name} {self.kind}"]
        if not isinstance(self.values, Histogram):
            return [*told, *(f"{self.name}{_labels(labels)} {_number(value)}" for labels, value in self.values)]
        below = 0
        for bound, count in zip((*self.values.bounds, float("inf")), self.values.counts, strict=True):
            below += count
            told.append(f"{self.name}_bucket{_labels({'le': _number(bound)})} {below}")
        return [*told, f"{self.name}_sum {_number(self.values.sum)}", f"{self.name}_count {below}"]


def one(value: float) -> Values:
    """A single value, without labels."""
    return [({}, value)]


def by(label: str, values: Mapping[str, float]) -> Values:
    """A value for each of a label's names, in order."""
    return [({label: name}, value) for name, value in sorted(values.items())]


def write(metrics: Sequence[Metric]) -> str:
    """All metrics, as Prometheus reads them."""
    return "\n".join(line for metric in metrics for line in metric.lines()) + "\n"


def process_metrics() -> list[Metric]:
    """What Prometheus knows of any process, as far as this system tells."""
    metrics = [Metric("process_start_time_seconds", "gauge", "when the process began, in seconds since 1970",
                      one(_STARTED)),
               Metric("process_cpu_seconds_total", "counter", "processor time, in seconds", one(time.process_time()))]
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        metrics.append(Metric("process_resident_memory_bytes", "gauge", "memory in use",
                              one(pages * os.sysconf("SC_PAGE_SIZE"))))
        metrics.append(Metric("process_open_fds", "gauge", "open files and sockets",
                              one(sum(1 for _ in Path("/proc/self/fd").iterdir()))))
    return metrics


_STARTED = time.time()


def _labels(labels: Labels) -> str:
    """Labels as they are written.

    >>> _labels({"path": 'a"b'})
    '{path="a\\\\"b"}'
    """
    if not labels:
        return ""
    written = ",".join(f'{name}="{_escape(value)}"' for name, value in labels.items())
    return f"{{{written}}}"


def _escape(text: str) -> str:
    return text.replace("\\", r"\\").replace("\n", r"\n").replace('"', r"\"")


def _escape_help(text: str) -> str:
    return text.replace("\\", r"\\").replace("\n", r"\n")


def _number(value: float) -> str:
    """A number as Prometheus reads it.

    >>> _number(3.0), _number(0.25), _number(float("inf"))
    ('3', '0.25', '+Inf')
    """
    if value == float("inf"):
        return "+Inf"
    return str(int(value)) if value == int(value) else repr(float(value))
