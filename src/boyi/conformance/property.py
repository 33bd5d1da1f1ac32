"""What a property is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from boyi.conformance.case import Case

__all__ = ["Property", "asked_of_a_game", "asked_of_rules", "asked_of_walks"]


def _always(case: Case) -> str:
    return ""


@dataclass(frozen=True)
class Property:
    """Something that is true of every game.

    >>> from boyi.conformance import PROPERTIES
    >>> PROPERTIES[0].sentence
    'A game can be begun, and there is a move.'
    """

    name: str
    sentence: str
    """What is true: the first line of the docstring of `check`."""

    check: Callable[..., None]
    """`check(case)`, or `check(case, seed, plies)` of a property that looks at random walks; raises what is wrong."""

    walks: int = 0
    """How many random walks a quick look takes; 0 for a property that is asked once."""

    of_options: bool = True
    """Is it asked of each set of rules? Else of the game as a whole, under its default rules."""

    skips: Callable[[Case], str] = _always
    """Why it cannot be asked of a case; "" if it can."""


def asked_of_walks(walks: int = 20, skips: Callable[[Case], str] = _always) -> Callable[..., Property]:
    """Make a property of a function of a case, a seed and a number of plies."""
    return lambda check: _make(check, walks=walks, skips=skips)


def asked_of_rules(skips: Callable[[Case], str] = _always) -> Callable[..., Property]:
    """Make a property of a function of a case."""
    return lambda check: _make(check, skips=skips)


def asked_of_a_game() -> Callable[..., Property]:
    """Make a property of a function of a case, which is the game under its default rules."""
    return lambda check: _make(check, of_options=False)


def _make(check: Callable[..., None], *, walks: int = 0, of_options: bool = True,
          skips: Callable[[Case], str] = _always) -> Property:
    sentence = (check.__doc__ or "").partition("\n")[0]
    return Property(check.__name__, sentence, check, walks, of_options, skips)
