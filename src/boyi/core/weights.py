"""The numbers of an evaluator as data: a frozen dataclass of whole numbers and tuples of them.

An evaluator that can be tuned keeps its numbers in such a record, as `evaluator.weights`, and takes another one
when it is made. For fitting and tuning they are a flat list; `core.weights_json` writes them to files.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Weights:
    ...     rook: tuple[int, int] = (9, 10)
    ...     tempo: int = 1
    >>> flatten(Weights())
    [9, 10, 1]
    >>> restore(Weights(), [8, 9, 2])
    Weights(rook=(8, 9), tempo=2)

Each number has a name, that of its field with its places in it:

    >>> by_name(Weights())
    {'rook.0': 9, 'rook.1': 10, 'tempo': 1}
    >>> change(Weights(), {"rook.1": 12})
    Weights(rook=(9, 12), tempo=1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from boyi.core.errors import BoyiError, OptionError, UnknownNameError, shorten
from boyi.core.evaluator import Evaluator

Weights = TypeVar("Weights")

LARGEST = 10_000
"""No weight is beyond it, or sums would leave their bounds."""


def by_name(weights: Any) -> dict[str, float]:
    """All numbers of a record by their names, in the order of its fields."""
    def walk(name: str, value: Any) -> Iterator[tuple[str, float]]:
        if isinstance(value, tuple):
            for place, part in enumerate(value):
                yield from walk(f"{name}.{place}", part)
        else:
            yield name, value
    return {name: number for field in fields(weights)
            for name, number in walk(field.name, getattr(weights, field.name))}


def change(weights: Weights, numbers: Mapping[str, float]) -> Weights:
    """A record like `weights` with some numbers replaced, by name."""
    known = by_name(weights)
    for name, number in numbers.items():
        if name not in known:
            raise _unknown(weights, name)
        whole = isinstance(known[name], int)
        if not -LARGEST <= number <= LARGEST or (whole and number != int(number)):
            raise OptionError(f"the weight {name} needs a {'whole ' * whole}number from {-LARGEST} to {LARGEST}, "
                              f"not {number:g}")
        known[name] = int(number) if whole else float(number)
    return restore(weights, list(known.values()))


def _unknown(weights: Any, name: str) -> BoyiError:
    """A record has hundreds of numbers and a few dozen fields: those are named."""
    known = list(by_name(weights))
    fitting = [other for other in known if other.startswith(f"{name}.")]
    if fitting:
        return OptionError(f"the weight {name} has {len(fitting)} numbers; say which, from {fitting[0]} to "
                           f"{fitting[-1]}")
    field = name.partition(".")[0]
    inside = [other for other in known if other == field or other.startswith(f"{field}.")]
    if inside:
        return OptionError(f"no number of the weight {field} is called {shorten(name)}; "
                           f"there are {inside[0]} to {inside[-1]}" if len(inside) > 1 else
                           f"the weight {field} is one number, and {shorten(name)} is none of it")
    return UnknownNameError.among("weight", name, [field.name for field in fields(weights)])


def flatten(weights: Any) -> list[float]:
    """All numbers of a record, in the order of its fields."""
    return list(by_name(weights).values())


def restore(weights: Weights, numbers: Sequence[float]) -> Weights:
    """A record like `weights` with other numbers: the inverse of `flatten`."""
    left = iter(numbers)

    def build(value: Any) -> Any:
        return (tuple(build(part) for part in value) if isinstance(value, tuple) else
                float(next(left)) if isinstance(value, float) else next(left))
    return replace(weights, **{field.name: build(getattr(weights, field.name)) for field in fields(weights)})  # type: ignore[type-var, arg-type]


def tunable(evaluator: Evaluator) -> tuple[Any, Callable[[Any], Evaluator]]:
    """The weights of an evaluator, and how to make one with others."""
    weights = evaluator.weights
    if weights is None:
        raise OptionError(f"the evaluator {type(evaluator).__name__} has no weights that could be others")
    return weights, type(evaluator)
