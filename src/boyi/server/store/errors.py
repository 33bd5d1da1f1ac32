"""What can go wrong with a database.

    BoyiError
    └── StorageError         it could not be written or read
        ├── FencedError      another server owns the room now
        ├── HeldError        another server owns the room, and is alive
        ├── TakenError       the account name is taken
        └── UnstorableError  a text that no database of ours can keep
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.exc import DontWrapMixin

from boyi.core.errors import BoyiError


class StorageError(BoyiError):
    """It could not be written or read: the disk is full, the database is gone."""


class FencedError(StorageError):
    """Another server owns the room now."""


class HeldError(StorageError):
    """Another server owns the room, and is alive."""

    def __init__(self, owner: str) -> None:
        super().__init__("another server owns the room")
        self.owner = owner


class TakenError(StorageError):
    """There is an account of that name."""


class UnstorableError(StorageError, DontWrapMixin):
    """A text that cannot be kept: too long for its column, with a NUL, or with half of a character.

    What is wrong is the text and not the database; nothing was written.
    """


def reason(error: BaseException) -> str:
    """What the database said, in one line."""
    return str(getattr(error, "orig", None) or error).splitlines()[0]


def storage_error(error: Exception) -> StorageError:
    """Any error of a database, as one of ours."""
    if isinstance(error, StorageError):
        return error
    if isinstance(error, sa.exc.IntegrityError):
        return FencedError("another server has written this already")
    return StorageError(f"it could not be saved: {reason(error)}")
