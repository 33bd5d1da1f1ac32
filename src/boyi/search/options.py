"""What the options of all searches have in common: a record that refuses aloud what makes no sense.

Each search has a module of its own, `<search>_options`: a frozen record in which every idea is a field by its name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Literal, Protocol, get_args, get_origin, get_type_hints, runtime_checkable

from boyi.core.errors import OptionError, shorten

NO_LIMIT = math.inf
"""As the end of a range: any larger value is allowed."""

TABLE_MB = (0, 1 << 16)
"""The range of `table_mb`, the same for all searches that have a transposition table."""


@runtime_checkable
class Seeded(Protocol):
    """Options of a search that takes random numbers from a `seed`."""

    def is_stochastic(self, *, net: bool, chance: bool) -> bool:
        """Does another seed play other games? `net`: a network values leaves; `chance`: the game has chance."""
        ...


def check(options: object, ranges: Mapping[str, tuple[float, float]]) -> None:
    """Refuse values of the wrong type and numbers out of their range, both ends included."""
    for name, hint in _types(type(options)).items():
        value = getattr(options, name)
        if get_origin(hint) is Literal:
            if value not in get_args(hint):
                raise OptionError(f"search option {name}: {shorten(value)} is not one of {', '.join(get_args(hint))}")
        elif hint is bool:
            if not isinstance(value, bool):
                raise OptionError(f"search option {name}: {shorten(value)} is not true or false")
        elif isinstance(value, bool) or not isinstance(value, Integral if hint is int else Real):
            wanted = "a whole number" if hint is int else "a number"
            raise OptionError(f"search option {name}: {shorten(value)} is not {wanted}")
    for name, (lowest, highest) in ranges.items():
        _check_range(name, getattr(options, name), lowest, highest)


_known_types: dict[type, dict[str, object]] = {}
"""By record of options: to read them takes longer than all else here."""


def _types(options: type) -> dict[str, object]:
    """The types of the fields of a record of options."""
    if options not in _known_types:
        _known_types[options] = get_type_hints(options)
    return _known_types[options]


def _check_range(name: str, value: float, lowest: float, highest: float) -> None:
    if math.isfinite(value) and lowest <= value <= highest:
        return
    if highest == NO_LIMIT:
        raise OptionError(f"search option {name}: {value} is less than {lowest:g}")
    raise OptionError(f"search option {name}: {value} is not from {lowest:g} to {highest:g}")
