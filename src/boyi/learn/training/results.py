"""What a run has to show, whatever state its files are in: settings and curves by name.

The report of a run and the results page of the server show the same series, with the same error bars. Nothing here
needs PyTorch or NumPy.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from boyi.learn.training.folder import RunFolder
from boyi.learn.training.settings import flatten

NO_SERIES = ("iteration", "time")
"""Numbers of a row that others are drawn over."""


@dataclass(frozen=True)
class Series:
    """A metric over the iterations of a run."""

    name: str
    values: dict[float, float]
    """By iteration."""

    errors: dict[float, float] = field(default_factory=dict)
    """Half the 95 % intervals, where they are known."""


def read_settings(folder: RunFolder) -> dict[str, Any]:
    """What config.json says, by names with dots; nothing if it cannot be read."""
    try:
        facts = json.loads(folder.config.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return flatten(facts) if isinstance(facts, Mapping) else {}


def series(rows: Iterable[Mapping[str, Any]]) -> list[Series]:
    """Every series of numbers in the rows; an iteration that comes twice, after an interruption, counts as it was last.

    >>> series([{"iteration": 1, "elo": 5, "elo_error": 3.0}, {"iteration": 2, "elo": 8}])
    [Series(name='elo', values={1.0: 5.0, 2.0: 8.0}, errors={1.0: 3.0})]
    """
    found: dict[str, dict[float, float]] = {}
    for count, row in enumerate(rows):
        iteration = to_number(row.get("iteration"))
        for name, value in row.items():
            number = to_number(value)
            if name not in NO_SERIES and number is not None:
                found.setdefault(name, {})[float(count) if iteration is None else iteration] = number
    errors = {error_of(name) for name in found}
    return [Series(name, values, found.get(error_of(name), {})) for name, values in found.items()
            if name not in errors]


def error_of(metric: str) -> str:
    """The metric that is half the 95 % interval of another.

    >>> error_of("elo"), error_of("level_score")
    ('elo_error', 'level_error')
    """
    return metric.removesuffix("_score") + "_error"


def to_number(value: object) -> float | None:
    """A number that can be drawn."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return float(value)
