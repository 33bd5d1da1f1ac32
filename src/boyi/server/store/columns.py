"""Kinds of columns: what may be written into them is the same on every database.

SQLite keeps any text, and PostgreSQL refuses some with an error of its own. Here both refuse the same ones, and before
anything is written: an `UnstorableError` says what is wrong.
"""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa

from boyi.server.store.errors import UnstorableError

LONGEST_SHOWN = 20
"""Characters of a text that are shown in an error."""


def check_text(text: str, most: int | None = None) -> str:
    """The text, if every database can keep it in a column of that length in characters.

    >>> check_text("Ada", 40)
    'Ada'
    >>> check_text("A\\0", 40)
    Traceback (most recent call last):
    boyi.server.store.errors.UnstorableError: 'A\\x00' holds a NUL character, which cannot be kept
    """
    if "\0" in text:
        raise UnstorableError(f"{text[:LONGEST_SHOWN]!a} holds a NUL character, which cannot be kept")
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise UnstorableError(f"{text[:LONGEST_SHOWN]!a} holds half of a character (a lone surrogate), "
                              "which cannot be kept")
    if most is not None and len(text) > most:
        raise UnstorableError(f"{text[:LONGEST_SHOWN]!a}… has {len(text)} characters, and at most {most} are kept")
    return text


class Text(sa.TypeDecorator[str]):
    """A text of a limited number of characters."""

    impl = sa.String
    cache_ok = True

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(most)

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        return None if value is None else check_text(value, self.most)

    def fit(self, text: str) -> str:
        """A text of an earlier version, which checked less, as it can be kept: without what is too much."""
        return text.replace("\0", "")[:self.most]


class LongText(sa.TypeDecorator[str]):
    """A text of any length."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        return None if value is None else check_text(value)


def read_json(text: str) -> Any:
    """What is in a JSON column; None if it is no JSON, so that one bad row does not hide the others."""
    try:
        return json.loads(text)
    except ValueError:
        return None
