"""Lists from the database: one bad row never hides the others."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import msgspec

log = logging.getLogger("boyi.store")

T = TypeVar("T")


def read_rows(rows: Iterable[Any], read: Callable[[Any], T], what: str) -> list[T]:
    """What is in each row; a row that cannot be read, or could not be told to anyone, is left out and logged."""
    kept = []
    for row in rows:
        try:
            found = read(row)
            msgspec.json.encode(found)   # half of a character cannot be said over the network
        except ValueError as error:
            log.warning("%s was left out of a list: %s", what, type(error).__name__)
        else:
            kept.append(found)
    return kept
