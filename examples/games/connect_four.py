"""Connect Four 四子棋: stones fall into seven columns; four of a colour in a row win.

A state is its own text: six rows from top to bottom, `R`, `Y` or `-` for each column from a to g, a `/` between
rows. Red begins. A move is the number of a column and is written as its letter.
"""

from __future__ import annotations

import re
from functools import cache

from boyi.core.board import Board, Change, Glyph, Label, Point, Stone
from boyi.core.errors import TextError, shorten
from boyi.core.game import Game
from boyi.core.python_position import PythonPosition
from boyi.core.setup import Setup, write_rows
from boyi.core.words import Words

COLUMNS, ROWS = "abcdefg", "654321"
STEP = len(COLUMNS) + 1
"""From a point to the one below it in the text: a row and its `/`."""

DIRECTIONS = "|".join(rf"(?:.{{{step - 1}}}\1){{3}}" for step in (1, STEP - 1, STEP, STEP + 1))
FOUR = re.compile(rf"([RY])(?={DIRECTIONS})")
"""A stone that three more follow, side by side, on either diagonal or below; no row goes on behind its `/`."""


def winner(state: str) -> str:
    """The colour that has four in a row, or nothing."""
    four = FOUR.search(state)
    return four[1] if four else ""


def landing(state: str, column: int) -> int:
    """Where in the text a stone comes to rest."""
    return state[column::STEP].rindex("-") * STEP + column


def name(place: int) -> str:
    """The point at a place in the text."""
    return COLUMNS[place % STEP] + ROWS[place // STEP]


class ConnectFour(PythonPosition):
    """The rules: each function looks at a state and changes nothing."""

    def initial(self) -> str:
        return "/".join(["-" * len(COLUMNS)] * len(ROWS))

    def to_act(self, state: str) -> int:
        return state.count("R") - state.count("Y")

    def legal_moves(self, state: str) -> list[int]:
        return [column for column in range(len(COLUMNS)) if state[column] == "-"]

    def after(self, state: str, move: int) -> str:
        place = landing(state, move)
        return state[:place] + "RY"[self.to_act(state)] + state[place + 1:]

    def final_scores(self, state: str) -> tuple[float, float] | None:
        if colour := winner(state):
            return (1.0, -1.0) if colour == "R" else (-1.0, 1.0)
        return None if "-" in state else (0.0, 0.0)

    def reason(self) -> tuple[str, Words]:
        if winner(self.state):
            return "four_in_a_row", Words("four in a row", "四子连线")
        return "board_full", Words("the board is full", "棋盘已满")

    def state_to_text(self, state: str) -> str:
        return state

    def text_to_state(self, text: object) -> str:
        rows = text.split("/") if isinstance(text, str) else []
        if [len(row) for row in rows] != [len(COLUMNS)] * len(ROWS) or set("".join(rows)) - set("RY-"):
            raise TextError(f"{shorten(text)} is not a position: six rows of seven, R, Y or -, the top row first, "
                            f"as {self.initial()}")
        state = "/".join(rows)
        if self.to_act(state) not in (0, 1):
            raise TextError(f"{state}: Red begins, so there are as many R as Y, or one more")
        if any("-" in state[column::STEP].lstrip("-") for column in range(len(COLUMNS))):
            raise TextError(f"{state}: a stone hangs in the air; below a stone there are stones")
        if winner(state) and set(FOUR.findall(state)) != {"YR"[self.to_act(state)]}:
            raise TextError(f"{state}: the game ends with four in a row, so only the last to move can have them")
        return state

    def format_move(self, move: int) -> str:
        return COLUMNS[move]

    def path(self, move: int) -> tuple[str, ...]:
        return (name(landing(self.state, move)),)

    def stones(self) -> list[Stone]:
        return [Stone(name(place), colour) for place, colour in enumerate(self.state) if colour in "RY"]

    def changes(self, move: int) -> list[Change]:
        return [Change("placed", self.path(move)[0], "RY"[self.to_act(self.state)])]


@cache
def board() -> Board:
    # y grows downwards: the top row, 6, has y = 0 and the bottom row, 1, has y = 5.
    points = [Point(column + row, x, y) for y, row in enumerate(ROWS) for x, column in enumerate(COLUMNS)]
    mirror = [y * len(COLUMNS) + len(COLUMNS) - 1 - x for y in range(len(ROWS)) for x in range(len(COLUMNS))]
    right, bottom = len(COLUMNS) - 0.5, len(ROWS) - 0.5
    return Board(
        points=tuple(points),
        lines=(*(((i - 0.5, -0.5), (i - 0.5, bottom)) for i in range(len(COLUMNS) + 1)),
               *(((-0.5, i - 0.5), (right, i - 0.5)) for i in range(len(ROWS) + 1))),
        glyphs={"R": Glyph("R", 0, Words("red stone", "红子")), "Y": Glyph("Y", 1, Words("yellow stone", "黄子"))},
        seat_names=(Words("Red", "红方"), Words("Yellow", "黄方")), seat_colours=("#c0392b", "#e6b422"),
        labels=tuple(Label(column, x, bottom + 0.35) for x, column in enumerate(COLUMNS)),
        cells=True, rotations=(0, 0), symmetries=(tuple(mirror),))


GAME = Game(
    name="connect_four", title=Words("Connect Four", "四子棋"), position=ConnectFour, board=lambda options: board(),
    module=__name__, setup=Setup(lambda position, stones, fields: write_rows(position.board, stones, empty="-")))
