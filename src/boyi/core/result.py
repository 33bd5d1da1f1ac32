"""Results as text: as in chess for two players, the place of each for more."""

from __future__ import annotations

import re
from collections.abc import Sequence

from boyi.core.errors import RecordError, shorten

__all__ = ["MOST_PLAYERS", "check_places", "format_result", "parse_result"]

MOST_PLAYERS = 64
_RESULTS = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}


def format_result(places: Sequence[int] | None) -> str:
    """A result as text: as in chess for two players, the places for more.

    >>> format_result((2, 1)), format_result((1, 1)), format_result((2, 1, 3)), format_result(None)
    ('0-1', '1/2-1/2', '2 1 3', '*')
    """
    if places is None:
        return "*"
    for text, known in _RESULTS.items():
        if tuple(places) == known:
            return text
    return " ".join(map(str, places))


def parse_result(text: str) -> tuple[int, ...] | None:
    """What `format_result` wrote."""
    if text == "*":
        return None
    if text in _RESULTS:
        return _RESULTS[text]
    words = text.split(" ")
    if 2 < len(words) <= MOST_PLAYERS and all(re.fullmatch("[0-9]{1,2}", word) for word in words):
        return check_places(tuple(map(int, words)))
    raise RecordError(f"{shorten(text)} is not a result: 1-0, 0-1, 1/2-1/2, * or, for more than two players, "
                      "the place of each as in 2 1 3")


def check_places(places: Sequence[int]) -> tuple[int, ...]:
    """Places as a tuple; a `RecordError` for what are none."""
    checked = tuple(places)
    if any(isinstance(place, bool) or not isinstance(place, int) for place in checked) or any(
            place != 1 + sum(other < place for other in checked) for place in checked) or not checked:
        raise RecordError(f"{shorten(places)} are not places: 1 for the best, equal ones sharing, as in (1, 3, 1)")
    return checked
