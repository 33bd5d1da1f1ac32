"""The line protocol of a class-room Othello server, as the ancestor's client speaks it.

    client   NICK name          who I am
    server   START 1|-1         your colour: black is 1 and begins, white is -1
    server   BOARD c0 … c63     the board: 1, -1 or 0 for empty, column by column, each from the top
    server   TURN 1|-1          who is to move; players are not asked to pass
    client   PUT x y            column and row from 0
    server   END …              the game is over
    both     CLOSE              good-bye

`SAY text` is chatter and `ERROR text` a refusal; anything else is ignored.
"""

from __future__ import annotations

import contextlib
import re
import socket
import time

from boyi.core.errors import TextError, shorten

DISCS = {"1": "X", "-1": "O", "0": "-"}
NUMBERS = {disc: number for number, disc in DISCS.items()}
COLOURS = {"1": 0, "-1": 1}
"""The players by their numbers; black is our first."""

SIGNS = tuple(COLOURS)
LONGEST_LINE = 1 << 12
"""A longer line is not of this protocol."""


def format_board(text: str) -> str:
    """The board of a position text as numbers."""
    return " ".join(NUMBERS[text[8 * row + column]] for column in range(8) for row in range(8))


def parse_board(numbers: str) -> str:
    """The board of our position texts, row by row, from its 64 numbers."""
    cells = numbers.split()
    if len(cells) != 64 or not set(cells) <= set(DISCS):
        raise TextError(f"a board is 64 numbers, each -1, 0 or 1, not {shorten(numbers)}")
    return "".join(DISCS[cells[8 * column + row]] for row in range(8) for column in range(8))


def parse_colour(text: str) -> int:
    """The player of a number."""
    if text not in COLOURS:
        raise TextError(f"a colour is 1 (black) or -1 (white), not {shorten(text)}")
    return COLOURS[text]


def format_put(point: str) -> str:
    """A move to a point.

    >>> format_put("f5")
    'PUT 5 4'
    """
    return f"PUT {'abcdefgh'.index(point[0])} {int(point[1]) - 1}"


def parse_put(text: str) -> str:
    """The point that the two numbers of a PUT name.

    >>> parse_put("5 4")
    'f5'
    """
    found = re.fullmatch(r"([0-7])\s+([0-7])", text, flags=re.ASCII)
    if not found:
        raise TextError(f"PUT is followed by a column and a row from 0 to 7, not by {shorten(text)}")
    return f"{'abcdefgh'[int(found[1])]}{int(found[2]) + 1}"


class Wire:
    """A connection that carries lines."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._rest = b""
        with contextlib.suppress(OSError):   # whoever is gone already is noticed when spoken to
            # A move is several short lines; Nagle's algorithm would hold back all but the first for 40 ms.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, line: str) -> None:
        """Send a line; an `EOFError` when the connection is gone."""
        try:
            self._socket.settimeout(10.0)
            self._socket.sendall(line.encode(errors="replace") + b"\n")
        except OSError as error:
            raise EOFError("the connection is broken") from error

    def receive(self, seconds: float) -> str:
        """The next line that is not empty; `EOFError` at the end, `TimeoutError` if none comes in time."""
        deadline = time.monotonic() + seconds
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            line, newline, rest = self._rest.partition(b"\n")
            if newline:
                self._rest = rest
                if text := line.decode(errors="replace").strip():
                    return text
                continue
            if len(self._rest) > LONGEST_LINE:
                raise EOFError("a line without end")
            try:
                self._socket.settimeout(left)
                fresh = self._socket.recv(LONGEST_LINE)
            except TimeoutError:
                raise
            except OSError as error:
                raise EOFError("the connection is broken") from error
            if not fresh:
                raise EOFError("the connection was closed")
            self._rest += fresh

    def close(self) -> None:
        self._socket.close()
