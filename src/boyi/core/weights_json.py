"""The weights of an evaluator as JSON.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Weights:
    ...     rook: tuple[int, int] = (9, 10)
    ...     tempo: int = 1
    >>> read_weights(Weights(), '{"tempo": 3}')
    Weights(rook=(9, 10), tempo=3)
"""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any, TypeVar

from boyi.core.errors import OptionError, UnknownNameError, shorten
from boyi.core.weights import LARGEST

__all__ = ["read_weights", "write_weights"]

Weights = TypeVar("Weights")


def write_weights(weights: Any) -> str:
    """As JSON, a field a line."""
    lines = [f"  {json.dumps(field.name)}: {json.dumps(getattr(weights, field.name))}" for field in fields(weights)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_weights(weights: Weights, text: str) -> Weights:
    """A record like `weights` with the fields that the JSON text gives; each must have the shape it has there."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise OptionError(f"weights are JSON, a name and its numbers each; this is not: {shorten(text)}") from error
    if not isinstance(given, dict):
        raise OptionError(f"weights are a JSON object, a name and its numbers each, not {shorten(text)}")
    known = {field.name: getattr(weights, field.name) for field in fields(weights)}  # type: ignore[arg-type]
    for name in given:
        if name not in known:
            raise UnknownNameError.among("weight", name, known)
    return replace(weights, **{name: _shape(name, value, known[name]) for name, value in given.items()})  # type: ignore[type-var]


def _shape(name: str, value: object, like: object) -> Any:
    """The JSON value as tuples of whole numbers, if it is shaped like what it replaces."""
    if isinstance(like, tuple):
        if not isinstance(value, list) or len(value) != len(like):
            raise OptionError(f"the weight {name} needs a list of {len(like)}, not {shorten(json.dumps(value))}")
        return tuple(_shape(name, part, other) for part, other in zip(value, like, strict=True))
    whole = not isinstance(like, float)
    if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)) \
            or not -LARGEST <= value <= LARGEST:
        raise OptionError(f"the weight {name} needs a {'whole ' * whole}number from {-LARGEST} to {LARGEST}, "
                          f"not {shorten(json.dumps(value))}")
    return value if whole else float(value)
