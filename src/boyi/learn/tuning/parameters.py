"""What can be tuned about an agent: every number of its search and of its evaluator, by name.

    own_weight=3:1..6        from 3, never below 1 or above 6
    weights.rook.0:900..1100 from what it is
    targets                  in a range around what it is

A name is that of the spec string (`multiplayer:targets=4`, `alphabeta:weights.rook.0=994`); the
`weights.` before a number of the evaluator may be left out where no option of the search has that name.

    >>> import boyi
    >>> from boyi.agents import read_spec
    >>> spec, start = read_spec("multiplayer:preset=ancestor,nodes=100"), boyi.start("chinese_checkers")
    >>> found = read_parameters("own_weight=3:1..6,targets", spec, start)
    >>> [(one.name, one.start, one.low, one.high) for one in found]
    [('weights.own_weight', 3.0, 1.0, 6.0), ('targets', 3, 1, 5)]
    >>> put(spec, found, (3.25, 2))
    'multiplayer:preset=ancestor,nodes=100,weights.own_weight=3.25,targets=2'
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, get_type_hints

from boyi.agents.searching import FAMILY, all_algorithms, find_evaluator
from boyi.agents.spec import AgentSpec, Value, read_spec
from boyi.core.errors import BoyiError, OptionError, UnknownNameError, shorten
from boyi.core.position import Position
from boyi.core.weights import LARGEST, by_name, change

__all__ = ["Parameter", "find_parameters", "put", "read_parameters"]

MEANS = ("table_mb", "megabytes", "threads", "seed", "batch")
"""Options that say what a search may use, not how it plays."""

SIGNIFICANT = 4
"""The number of digits of its range to which a number that is no whole one is played."""

MOST_SHOWN = 12
FEWEST_STEPS = 20
"""The number of steps in a range, if it is not said how wide a step is."""

Values = tuple[float, ...]


@dataclass(frozen=True)
class Parameter:
    """A number to be tuned."""

    name: str
    """As in the spec string."""

    start: float
    low: float
    high: float
    whole: bool
    """Only whole numbers are played."""

    step: float = 0.0
    """How far, at the end, from the middle the two sides of a trial are (fishtest's c_end); 0: from the range."""

    @property
    def reach(self) -> float:
        """`step`, or its default. Whole numbers must differ by one, or nothing is tried."""
        usual = (self.high - self.low) / FEWEST_STEPS
        return self.step or (max(0.5, usual) if self.whole else usual)

    def clip(self, value: float) -> float:
        return min(max(value, self.low), self.high)

    def round(self, value: float, fraction: float = 0.5) -> float:
        """As it is played. Whole numbers are rounded stochastically: up with the probability of their fractional part.
        `fraction` is drawn from 0 to 1, the same for both sides of a trial."""
        if self.whole:
            return int(self.clip(math.floor(value + fraction)))
        return round(self.clip(value), self.digits)

    @property
    def digits(self) -> int:
        """After the point."""
        return max(0, SIGNIFICANT - 1 - math.floor(math.log10(self.high - self.low)))


def put(spec: AgentSpec, parameters: Sequence[Parameter], values: Sequence[float]) -> str:
    """The agent with these values."""
    given: dict[str, Value] = {one.name: int(value) if one.whole else float(value)
                               for one, value in zip(parameters, values, strict=True)}
    return str(replace(spec, values={**spec.values, **given}))


# ---------------------------------------------------------------------- what there is

@dataclass(frozen=True)
class _Number:
    """What an agent has."""

    name: str
    value: float
    whole: bool
    accepts: Callable[[float], bool]
    """Whether it may have another value; asking costs a little, and xiangqi has hundreds."""


def find_parameters(spec: AgentSpec, start: Position) -> list[Parameter]:
    """All that can be tuned about an agent, as it is, with ranges to begin with."""
    return [_around(number) for number in _find_numbers(spec, start)]


def _find_numbers(spec: AgentSpec, start: Position) -> list[_Number]:
    algorithms = all_algorithms()
    if spec.kind.name not in algorithms:
        raise OptionError(f"{spec.kind.name} has no numbers to tune; agents that search have: "
                          f"{', '.join(algorithms)}")
    algorithm = algorithms[spec.kind.name]
    found: list[_Number] = []
    if algorithm.options is not None:
        options, hints = algorithm.read_options(spec.values), get_type_hints(algorithm.options)
        for field in fields(algorithm.options):
            if hints[field.name] in (int, float) and field.name not in MEANS:
                whole = hints[field.name] is int
                found.append(_Number(field.name, getattr(options, field.name), whole, partial(
                    _is_option, spec, field.name, whole)))
    evaluator = find_evaluator(start.game, spec.values)
    weights = None if evaluator is None else evaluator.weights
    if weights is not None:
        found += [_Number(FAMILY + name, number, isinstance(number, int), partial(_is_weight, weights, name))
                  for name, number in by_name(weights).items()]
    return found


def _around(number: _Number) -> Parameter:
    """A range around a number: half of it to both sides, and not less than a little; only what the agent accepts."""
    name, value, whole = number.name, number.value, number.whole
    is_weight = name.startswith(FAMILY)
    reach = max(abs(value) / 2, (10 if is_weight else 2) if whole else 0.5)
    ends = []
    for end in (value - reach, value + reach):
        if not is_weight and value >= 0:
            end = max(end, 0)
        if whole:
            end = round(end)
        while end != value and not number.accepts(end):
            middle = (end + value) / 2
            if whole:
                end = math.ceil(middle) if end < value else math.floor(middle)   # always nearer
            else:
                end = middle if abs(middle - value) > reach / 100 else value
        ends.append(end)
    return Parameter(name, value, ends[0], ends[1], whole)


def _is_option(spec: AgentSpec, name: str, whole: bool, value: float) -> bool:
    try:
        spec.kind.validate({**spec.values, name: int(value) if whole else float(value)})
    except BoyiError:
        return False
    return True


def _is_weight(weights: Any, name: str, value: float) -> bool:
    if abs(value) <= LARGEST and not hasattr(weights, "__post_init__"):
        return True
    try:
        change(weights, {name: value})
    except BoyiError:
        return False
    return True


# ---------------------------------------------------------------------- what is asked for

def read_parameters(text: str, spec: AgentSpec, start: Position) -> tuple[Parameter, ...]:
    """Understand `NAME=START:LOW..HIGH:STEP, …`; all but the name may be left out."""
    known = {one.name: one for one in _find_numbers(spec, start)}
    chosen: list[Parameter] = []
    for word in text.split(","):
        head, *rest = word.strip().split(":")
        name, equals, value = head.partition("=")
        number = known.get(name) or known.get(FAMILY + name)
        if number is None:
            raise _unknown(name, spec, list(known))
        found = _around(number)
        if any(one.name == found.name for one in chosen):
            raise OptionError(f"{name} is named twice among the parameters to tune")
        if len(rest) > 2:
            raise OptionError(f"{shorten(word)} is not of the form NAME=START:LOW..HIGH:STEP")
        if equals:
            found = replace(found, start=_number(word, value))
        if rest:
            low, dots, high = rest[0].partition("..")
            if not dots:
                raise OptionError(f"{shorten(rest[0])} in {shorten(word)} is not of the form LOW..HIGH")
            found = replace(found, low=_number(word, low), high=_number(word, high))
        if len(rest) == 2:
            found = replace(found, step=_number(word, rest[1]))
        chosen.append(_check(found, spec, start))
    return tuple(chosen)


def _check(one: Parameter, spec: AgentSpec, start: Position) -> Parameter:
    """Refuse what could fail in the middle of a run: both ends of the range must be playable."""
    if not one.low < one.high:
        raise OptionError(f"the range of {one.name} is from {one.low:g} to {one.high:g}, which leaves nothing to tune; "
                          f"say {one.name}=START:LOW..HIGH")
    if not one.low <= one.start <= one.high:
        raise OptionError(f"{one.name} starts at {one.start:g}, outside its range from {one.low:g} to {one.high:g}")
    if one.step < 0 or one.step > (one.high - one.low) / 2:
        raise OptionError(f"the step of {one.name} must be above 0 and at most half its range, not {one.step:g}")
    if one.whole:
        for number in (one.start, one.low, one.high):
            if number != int(number):
                raise OptionError(f"{one.name} takes whole numbers only, not {number:g}")
        one = replace(one, start=int(one.start), low=int(one.low), high=int(one.high))
    else:
        one = replace(one, start=float(one.start), low=float(one.low), high=float(one.high))
    for end in (one.low, one.high):
        read_spec(put(spec, (one,), (end,))).check(start)
    return one


def _number(word: str, text: str) -> float:
    try:
        if not text.isascii() or len(text) > 20 or not set(text) <= set("-.0123456789"):
            raise ValueError("no number")
        return float(text) if "." in text else int(text)
    except ValueError:
        raise OptionError(f"{shorten(text)} in {shorten(word)} is not a number") from None


def _unknown(name: str, spec: AgentSpec, known: Sequence[str]) -> BoyiError:
    inside = [other for other in known if other.startswith((f"{name}.", f"{FAMILY}{name}."))]
    if inside:
        return OptionError(f"{name} has {len(inside)} numbers; say which, from {inside[0]} to {inside[-1]}")
    if any(parameter.name == name for parameter in spec.kind.parameters):
        return OptionError(f"{name} of {spec.kind.name} is no number that could make it play better")
    names = list(_shortened(known))
    close = difflib.get_close_matches(name, [*known, *(other.removeprefix(FAMILY) for other in known)], n=1)
    if len(names) <= MOST_SHOWN:
        return UnknownNameError.among(f"parameter of {spec.kind.name}", name, names)
    return UnknownNameError(f"no parameter of {spec.kind.name} is called {shorten(name)}"
                            f"{f'; did you mean {close[0]!r}?' if close else '.'} "
                            f"There are {len(known)}; `boyi tune GAME --list` tells them.")


def _shortened(known: Sequence[str]) -> Iterator[str]:
    return (name.removeprefix(FAMILY) if name.removeprefix(FAMILY) not in known else name for name in known)
