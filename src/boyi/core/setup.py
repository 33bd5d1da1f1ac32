"""Positions set up by hand: what must be said besides the stones, and how it is written.

An editor (the page's analysis board) shows a board, the glyphs that can be put on it, and the `Field`s that a game
names in `Game.setup`. It knows no position text: the game writes one from stones and fields, `Game.parse` judges it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from boyi.core.words import Words

if TYPE_CHECKING:
    from boyi.core.board import Board
    from boyi.core.position import Position

__all__ = ["Field", "Setup", "sides", "write_rows"]


@dataclass(frozen=True)
class Field:
    """Something about a position that its stones do not show: whose turn it is, which phase.

    >>> Field("turn", Words("To move", "轮到"), (("W", Words("White", "白方")), ("B", Words("Black", "黑方")))).name
    'turn'
    """

    name: str
    title: Words
    choices: tuple[tuple[str, Words], ...] = ()
    """What it can be, each with its words; none for a field that is written freely."""


@dataclass(frozen=True)
class Setup:
    """How positions of a game are set up. Each function is given a position for its board and options.

    >>> import boyi
    >>> position = boyi.start("tic_tac_toe")
    >>> position.game.setup.write(position, {"b2": "X"}, {})
    '---/-X-/---'
    """

    write: Callable[[Position, Mapping[str, str], Mapping[str, str]], str]
    """The position text of these stones (a glyph's code per point) under these fields, all of which are given.

    It need not be right: `Game.parse` says what is wrong with it. Counters begin anew.
    """

    fields: Callable[[Position], tuple[Field, ...]] = lambda position: ()
    read: Callable[[Position], Mapping[str, str]] = lambda position: {}
    """How the fields of a position stand."""


def sides(board: Board, letters: str) -> Field:
    """The field of whose turn it is: a letter per seat.

    >>> import boyi
    >>> [letter for letter, name in sides(boyi.start("xiangqi").board, "wb").choices]
    ['w', 'b']
    """
    return Field("turn", Words("To move", "轮到"), tuple(zip(letters, board.seat_names, strict=True)))


def write_rows(board: Board, stones: Mapping[str, str], empty: str = "") -> str:
    """The board from top to bottom and left to right, a `/` between rows, runs of empty points as numbers.

    With `empty`, that character stands for each empty point instead.

    >>> from boyi.games.xiangqi import GAME
    >>> write_rows(GAME.start().board, {"e0": "K", "e9": "k", "a0": "R"})
    '4k4/9/9/9/9/9/9/9/9/R3K4'
    """
    rows = []
    ordered = sorted(board.points, key=lambda point: (round(point.y, 6), point.x))
    for _, points in groupby(ordered, key=lambda point: round(point.y, 6)):
        row, run = "", 0
        for point in points:
            if point.name in stones or empty:
                row += (str(run) if run else "") + stones.get(point.name, empty)
                run = 0
            else:
                run += 1
        rows.append(row + (str(run) if run else ""))
    return "/".join(rows)
