"""A conversation in lines: with a person at a terminal, or with a file piped in."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import sys
import time
from collections.abc import Sequence
from typing import TextIO

from boyi.core.errors import BoyiError

ECHO_LENGTH = 200
LINE_BYTES = 4096
"""More than a terminal gives as one line."""


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
    def is_typed(self) -> bool:
        """Does a person type? Else lines come from a pipe or a file, all at once."""
        return sys.stdin.isatty()

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

    def play(self, pictures: Sequence[str], seconds: float) -> None:
        """Show pictures one over the other, each for so long; where that cannot be, only the last one."""
        highest = max(picture.count("\n") + 1 for picture in pictures)
        if not self._output.isatty() or os.environ.get("TERM") == "dumb" \
                or highest >= shutil.get_terminal_size().lines:
            pictures = pictures[-1:]
        for number, picture in enumerate(pictures, 1):
            self.write(picture)
            if number < len(pictures):
                time.sleep(seconds)
                self._output.write(f"\x1b[{picture.count(chr(10)) + 1}A\x1b[J")   # up again, and clear from there

    def listen(self, seconds: float) -> str | None:
        """A line that a person types within this time, without a prompt; None if there is none."""
        if os.name != "posix":   # there only Ctrl-C is heard
            time.sleep(seconds)
            return None
        if not select.select([sys.stdin], [], [], seconds)[0]:
            return None
        data = os.read(sys.stdin.fileno(), LINE_BYTES)   # a terminal gives one line at a time
        if not data:
            raise EOFError
        return data.decode(sys.stdin.encoding or "utf-8", "replace").rstrip("\r\n")

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
