"""Tables: by rich on a terminal, plain aligned text into a pipe or a file."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table


def display_width(text: str) -> int:
    """How many columns a terminal gives a text; a Chinese character takes two.

    >>> display_width("Othello 黑白棋")
    14
    """
    return sum(0 if unicodedata.combining(character) else
               2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def print_table(headers: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = ()) -> None:
    """A table; the columns in `numbers` are set flush right."""
    if sys.stdout.isatty():
        _print_rich(headers, rows, numbers)
        return
    for line in align([headers, *rows], numbers=numbers):
        print(line)


def align(rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = ()) -> list[str]:
    """Rows as lines, their columns below one another, two blanks apart.

    >>> align([["棋", "1"], ["abc", "22"]], numbers=[1])
    ['棋    1', 'abc  22']
    """
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = []
        for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
            blanks = " " * (width - display_width(cell))
            cells.append(blanks + cell if column in numbers else cell + blanks)
        lines.append("  ".join(cells).rstrip())
    return lines


def _print_rich(headers: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> None:
    # Only a terminal pays for loading rich. Its console honours NO_COLOR.
    from rich.console import Console

    Console().print(rich_table(headers, rows, numbers))


def rich_table(headers: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> Table:
    """A table for a terminal."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column, header in enumerate(headers):
        table.add_column(Text(header), justify="right" if column in numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    return table
