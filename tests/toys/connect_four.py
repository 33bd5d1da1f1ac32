"""Connect Four in plain Python and without an evaluator: what most plug-ins are."""

from __future__ import annotations

from boyi.core.board import Board, Change, Glyph, Point, Stone
from boyi.core.errors import TextError, shorten
from boyi.core.game import Game
from boyi.core.python_position import PythonPosition
from boyi.core.words import Words

COLUMNS, ROWS = 7, 6
CELLS = COLUMNS * ROWS
NAMES = tuple(f"{'abcdefg'[cell % COLUMNS]}{cell // COLUMNS + 1}" for cell in range(CELLS))
FOURS = tuple(
    tuple((row + step * down) * COLUMNS + column + step * across for step in range(4))
    for row in range(ROWS) for column in range(COLUMNS) for across, down in ((1, 0), (0, 1), (1, 1), (-1, 1))
    if 0 <= column + 3 * across < COLUMNS and row + 3 * down < ROWS)
THROUGH = tuple(tuple(four for four in FOURS if cell in four) for cell in range(CELLS))

State = tuple[str, int]     # the cells from a1 on, and the one filled last, -1 for none


class ConnectFourPosition(PythonPosition):
    """A move is a column."""

    def initial(self) -> State:
        return "." * CELLS, -1

    def to_act(self, state: State) -> int:
        return (CELLS - state[0].count(".")) % 2

    def legal_moves(self, state: State) -> list[int]:
        return [column for column in range(COLUMNS) if state[0][CELLS - COLUMNS + column] == "."]

    def _lands(self, cells: str, column: int) -> int:
        return next(cell for cell in range(column, CELLS, COLUMNS) if cells[cell] == ".")

    def after(self, state: State, move: int) -> State:
        cell = self._lands(state[0], move)
        return state[0][:cell] + "xo"[self.to_act(state)] + state[0][cell + 1:], cell

    def final_scores(self, state: State) -> tuple[float, float] | None:
        cells, last = state
        if last >= 0:
            for a, b, c, d in THROUGH[last]:
                if cells[a] == cells[b] == cells[c] == cells[d]:
                    return (1, -1) if cells[last] == "x" else (-1, 1)
        return None if "." in cells else (0, 0)

    def state_to_text(self, state: State) -> str:
        return f"{state[0]} {'-' if state[1] < 0 else NAMES[state[1]]}"

    def text_to_state(self, text: str) -> State:
        cells, _, last = text.partition(" ") if isinstance(text, str) else ("", "", "")
        counts = cells.count("x") - cells.count("o")
        if (len(cells) != CELLS or set(cells) - set("xo.") or counts not in (0, 1) or last not in (*NAMES, "-")
                or (last == "-") != (cells == "." * CELLS)
                or (last != "-" and cells[NAMES.index(last)] != "ox"[counts])
                or any(cells[cell] == "." != cells[cell + COLUMNS] for cell in range(CELLS - COLUMNS))):
            raise TextError(f"{shorten(text)} is no position: 42 of x, o and . from a1 on, and the point filled last")
        return cells, -1 if last == "-" else NAMES.index(last)

    def format_move(self, move: int) -> str:
        return "abcdefg"[move]

    def path(self, move: int) -> tuple[str, ...]:
        return (NAMES[self._lands(self.state[0], move)],)

    def stones(self) -> list[Stone]:
        return [Stone(name, cell) for name, cell in zip(NAMES, self.state[0], strict=True) if cell != "."]

    def changes(self, move: int) -> list[Change]:
        return [Change("placed", self.path(move)[0], "xo"[self.turn])]


BOARD = Board(
    points=tuple(Point(name, cell % COLUMNS, ROWS - 1 - cell // COLUMNS) for cell, name in enumerate(NAMES)),
    lines=(),
    glyphs={"x": Glyph("x", 0, Words("red disc", "红子")), "o": Glyph("o", 1, Words("yellow disc", "黄子"))},
    seat_names=(Words("Red", "红方"), Words("Yellow", "黄方")),
    seat_colours=("#a33b20", "#d9b52c"),
    cells=True,
    rotations=(0, 0),
    symmetries=(tuple(cell - 2 * (cell % COLUMNS) + COLUMNS - 1 for cell in range(CELLS)),),
)

GAME = Game(name="connect_four", title=Words("Connect Four", "四子棋"), position=ConnectFourPosition,
            board=lambda options: BOARD, module=__name__)
