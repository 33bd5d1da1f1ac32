"""A conversation in lines: with a person at a terminal, or with a file piped in."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO

from boyi.core.errors import BoyiError

ECHO_LENGTH = 200


class OutputClosedError(BoyiError):
    """Nobody reads any more what is written. No `OSError`, which could be taken for one of a socket."""


class Terminal:
    """Writes to `output`, reads from standard input."""

    def __init__(self, output: TextIO, *, echo: bool = True) -> None:
        self._output = output
        self._echo = echo
        """Are lines from a pipe repeated, so that a transcript reads as if they had been typed?"""

    @property
    def colour(self) -> bool:
        """Does the reader want colours?"""
        return self._output.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    @property
    def ascii_only(self) -> bool:
        """Can the output carry nothing but ASCII?"""
        try:
            "┼●将".encode(self._output.encoding or "utf-8")
        except (UnicodeEncodeError, LookupError):
            return True
        return False

    def write(self, text: str = "") -> None:
        try:
            print(text, file=self._output, flush=True)
        except BrokenPipeError as error:
            raise OutputClosedError("nobody reads the output any more") from error

    def ask(self, prompt: str) -> str:
        """A line of input; `EOFError` at its end."""
        if sys.stdin.isatty() and self._output is sys.stdout and sys.stdout.isatty():
            with contextlib.suppress(ImportError):   # there is none on Windows
                import readline  # noqa: F401  (gives `input` editing and a history)
            return input(prompt)
        if prompt:
            self._output.write(prompt)
            self._output.flush()
        line = sys.stdin.readline()
        if not line:
            if self._echo:
                self.write()
            raise EOFError
        line = line.rstrip("\r\n")
        if self._echo and not sys.stdin.isatty():
            # A line from a pipe is not echoed by a terminal.
            self.write("".join(c if c.isprintable() else "?" for c in line[:ECHO_LENGTH]))
        return line
