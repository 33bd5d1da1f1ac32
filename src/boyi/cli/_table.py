"""Tables: by rich on a terminal, plain aligned text into a pipe or a file.

A table that is wider than the terminal, or than `COLUMNS` says, has its texts wrapped; where even that does not fit,
each row is written below the other, a line per column. Nothing is cut off.
"""

from __future__ import annotations

import os
import shutil
import sys
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

GAP = "  "
RICH_GAP = 3
"""Columns between those of a table by rich."""

NARROWEST = 8
"""Columns that a text is not wrapped below; where that is too wide, rows are written one below the other."""


def display_width(text: str) -> int:
    """How many columns a terminal gives a text; a Chinese character takes two.

    >>> display_width("Othello 黑白棋")
    14
    """
    return sum(map(_character_width, text))


def _character_width(character: str) -> int:
    return 0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1


def print_table(headers: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = ()) -> None:
    """A table; the columns in `numbers` are set flush right."""
    width, everything = output_width(), [headers, *rows]
    widths = fit(everything, numbers, width, RICH_GAP if sys.stdout.isatty() else len(GAP))
    if widths is None:
        print("\n\n".join("\n".join(stack(headers, row, width)) for row in rows))
    elif sys.stdout.isatty():
        _print_rich(headers, [[_fill(cell, width) for cell, width in zip(row, widths, strict=True)] for row in rows],
                    numbers)
    else:
        print("\n".join(align(everything, numbers=numbers, widths=widths)))


def output_width() -> int | None:
    """The columns of the terminal, or what `COLUMNS` says; None into a pipe or a file, where lines may be long."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns) > 0:
        return int(columns)
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def fit(rows: Sequence[Sequence[str]], numbers: Sequence[int], width: int | None,
        gap: int = len(GAP)) -> list[int] | None:
    """How wide each column is so that the table is at most `width` wide: the widest texts give way, numbers do not.

    None where that is not possible.

    >>> fit([["name", "value"], ["a long sentence of words", "1234567"]], [1], 20)
    [11, 7]
    """
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    if width is None:
        return widths
    room = width - gap * (len(widths) - 1)
    while sum(widths) > room:
        texts = [column for column in range(len(widths)) if column not in numbers and widths[column] > NARROWEST]
        if not texts:
            return None
        widest = max(texts, key=lambda column: widths[column])
        widths[widest] -= 1
    return widths


def align(rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = (), widths: Sequence[int] = ()) -> list[str]:
    """Rows as lines, their columns below one another, two blanks apart; longer texts than `widths` say are wrapped.

    >>> align([["棋", "1"], ["abc", "22"]], numbers=[1])
    ['棋    1', 'abc  22']
    >>> align([["one two", "1"]], numbers=[1], widths=[3, 1])
    ['one  1', 'two']
    """
    widths = widths or [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [wrap(cell, width) for cell, width in zip(row, widths, strict=True)]
        for number in range(max(map(len, cells))):
            parts = []
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True)):
                text = cell[number] if number < len(cell) else ""
                blanks = " " * (width - display_width(text))
                parts.append(blanks + text if column in numbers else text + blanks)
            lines.append(GAP.join(parts).rstrip())
    return lines


def stack(headers: Sequence[str], row: Sequence[str], width: int | None) -> list[str]:
    """A row as lines, one or more per column that is not empty, each with its header.

    >>> stack(["name", "Elo"], ["alphabeta", "12"], 11)
    ['name  alpha', '      beta', 'Elo   12']
    """
    head = max(map(display_width, headers))
    room = max(1, (width or sys.maxsize) - head - len(GAP))
    return [line for header, cell in zip(headers, row, strict=True) if cell
            for line in align([[header, cell]], widths=[head, min(room, max(1, display_width(cell)))])]


def wrap(text: str, width: int) -> list[str]:
    """A text as lines of at most `width` columns, broken at blanks where there are any; nothing else is left out.

    >>> wrap("depth 6, 象棋 2000 nodes", 8)
    ['depth 6,', '象棋', '2000', 'nodes']
    """
    if display_width(text) <= width:
        return [text]
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if display_width(longer) <= width:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        for character in word:
            if lines[-1] and display_width(lines[-1]) + _character_width(character) > width:
                lines.append("")
            lines[-1] += character
    return lines


def _fill(text: str, width: int) -> str:
    return "\n".join(wrap(text, width))


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
