"""Everything Boyi refuses, in words.

    BoyiError
    ├── TextError (ValueError)         a position, move or option text that cannot be read
    │   ├── OptionError                an unknown option, or a value it does not take
    │   └── RecordError                a game record that cannot be read or replayed
    ├── IllegalMoveError (ValueError)  a well-formed move that the rules forbid here
    ├── UnknownNameError (ValueError)  no game, notation, format ... of that name
    ├── BrokenGameError (RuntimeError) a game from outside that cannot be loaded, or whose record contradicts itself
    └── MissingPartError (RuntimeError) an optional part is not installed
    BrokenRulesError (RuntimeError)    the rules of a game in plain Python broke the contract

    BoyiWarning (UserWarning)          something that is left out, while everything else works

A message says what was wrong and what would have been right; the thing that
refused is unchanged afterwards.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from boyi.core.words import Words

if TYPE_CHECKING:
    from boyi.core.position import Position


class BoyiError(Exception):
    """The parent of all errors that are a user's mistake and not a bug of ours.

    >>> import boyi
    >>> try:
    ...     boyi.start("othello").play("a1")
    ... except BoyiError as error:
    ...     print(error)
    'a1' is not a legal move here; legal are ...
    """

    def __init__(self, message: object = "", *more: object) -> None:
        super().__init__(str(message), *more)
        self.said = message if isinstance(message, Words) else None
        """The message in both languages, where that is known."""


class BoyiWarning(UserWarning):
    """Something was left out, and everything else works: a game from outside that is broken."""


class TextError(BoyiError, ValueError):
    """A text that cannot be read.

    >>> import boyi
    >>> boyi.parse("tic_tac_toe", "no board")
    Traceback (most recent call last):
    boyi.core.errors.TextError: ...
    """


class OptionError(TextError):
    """An option that the game does not have, or a value that the option does not take.

    >>> import boyi
    >>> boyi.start("chinese_checkers", players=7)
    Traceback (most recent call last):
    boyi.core.errors.OptionError: ...
    """


class RecordError(TextError):
    """A record that cannot be read, or that does not replay.

    >>> import boyi
    >>> try:
    ...     boyi.read_records("e6f4e3a1")
    ... except RecordError as error:
    ...     print(error.move_number)
    4
    """

    def __init__(self, message: object, *, move_number: int | None = None, move_text: str = "",
                 position: Position | None = None) -> None:
        super().__init__(message)
        self.move_number = move_number
        """Which move of the record is wrong, counted from 1; None when it is not about a move."""

        self.move_text = move_text
        """What is written there."""

        self.position = position
        """Where the moves before it led."""


class IllegalMoveError(BoyiError, ValueError):
    """A move that the rules forbid in this position.

    >>> import boyi
    >>> boyi.start("xiangqi").play("a0a9")
    Traceback (most recent call last):
    boyi.core.errors.IllegalMoveError: 'a0a9' is not a legal move here; legal are ...
    """


class UnknownNameError(BoyiError, ValueError):
    """A name that nothing has.

    >>> import boyi
    >>> boyi.start("otello")
    Traceback (most recent call last):
    boyi.core.errors.UnknownNameError: no game is called 'otello'; did you mean 'othello'? ...
    """

    @classmethod
    def among(cls, kind: str, name: str, known: Iterable[str]) -> UnknownNameError:
        """Say that no `kind` is called `name`, and which names there are."""
        names = list(known)
        close = difflib.get_close_matches(name, names, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        return cls(f"no {kind} is called {shorten(name)}{hint} There are: {', '.join(names) or 'none'}.")


class BrokenGameError(BoyiError, RuntimeError):
    """A game from outside that cannot be loaded, or whose record contradicts itself.

    >>> issubclass(BrokenGameError, BoyiError)
    True
    """


class MissingPartError(BoyiError, RuntimeError):
    """An optional part that is not installed; the message names the command that installs it.

    >>> raise MissingPartError.extra("boyi.train", "learn")
    Traceback (most recent call last):
    boyi.core.errors.MissingPartError: boyi.train needs an optional part. Install it with: pip install 'boyi[learn]'
    """

    @classmethod
    def extra(cls, what: str, extra: str) -> MissingPartError:
        return cls(f"{what} needs an optional part. Install it with: pip install 'boyi[{extra}]'")


class BrokenRulesError(RuntimeError):
    """The rules of a game broke the contract: a mistake of its author, and of nobody who plays it.

    It is no `BoyiError`, because it says more than a player may know: the state, and a line of the source.

    >>> issubclass(BrokenRulesError, BoyiError)
    False
    """


def explain(error: OSError | ValueError) -> str:
    """What the system says about a file that cannot be read or written, in few words."""
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def shorten(text: object, limit: int = 60) -> str:
    """`repr` of what was typed, cut so that hostile input cannot fill the screen.

    >>> shorten("a" * 100, 10)
    "'aaaaaaaaa…"
    """
    shown = repr(text)
    return shown if len(shown) <= limit else shown[:limit] + "…"
