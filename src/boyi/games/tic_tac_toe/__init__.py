"""Tic-tac-toe 井字棋: a whole game in plain Python, and the example for the next one.

A state is nine characters, `X`, `O` or `-`, from a1 to c3; X begins. `boyi new` copies this file.
"""

from __future__ import annotations

from functools import cache

from boyi.core.board import Board, Change, Glyph, Label, Point, Stone
from boyi.core.errors import TextError, shorten
from boyi.core.game import Game
from boyi.core.python_position import PythonPosition
from boyi.core.setup import Setup, write_rows
from boyi.core.words import Words

NAMES = [f"{column}{row}" for row in "123" for column in "abc"]
ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winners(state: str) -> set[str]:
    """Who has three in a row."""
    return {state[a] for a, b, c in ROWS if state[a] == state[b] == state[c] != "-"}


class TicTacToe(PythonPosition):
    """The rules: each function looks at a state and changes nothing."""

    def initial(self) -> str:
        return "---------"

    def to_act(self, state: str) -> int:
        return (9 - state.count("-")) % 2

    def legal_moves(self, state: str) -> list[int]:
        return [point for point in range(9) if state[point] == "-"]

    def after(self, state: str, move: int) -> str:
        return state[:move] + "XO"[self.to_act(state)] + state[move + 1:]

    def final_scores(self, state: str) -> tuple[float, float] | None:
        if winner := winners(state):
            return (1.0, -1.0) if winner == {"X"} else (-1.0, 1.0)
        return None if "-" in state else (0.0, 0.0)

    def reason(self) -> tuple[str, Words]:
        if winners(self.state):
            return "three_in_a_row", Words("three in a row", "三子连线")
        return "board_full", Words("the board is full", "棋盘已满")

    def state_to_text(self, state: str) -> str:
        return "/".join(state[start:start + 3] for start in (0, 3, 6))

    def text_to_state(self, text: object) -> str:
        state = text.replace("/", "") if isinstance(text, str) else ""
        if len(state) != 9 or set(state) - set("XO-") or text != self.state_to_text(state):
            raise TextError(f"{shorten(text)} is not a position: three rows of X, O and -, such as X-O/-X-/---")
        if state.count("X") - state.count("O") not in (0, 1):
            raise TextError(f"{text}: X begins, so there are as many X as O, or one more")
        if (winner := winners(state)) and winner != {"OX"[self.to_act(state)]}:
            raise TextError(f"{text}: the game ends with three in a row, so only the last to move can have them")
        return state

    def format_move(self, move: int) -> str:
        return NAMES[move]

    def parse_move(self, text: str) -> int:
        if text not in NAMES:
            raise TextError(f"{shorten(text)} is not a move: a point from a1 to c3")
        return super().parse_move(text)

    def path(self, move: int) -> tuple[str, ...]:
        return (NAMES[move],)

    def stones(self) -> list[Stone]:
        return [Stone(name, mark) for name, mark in zip(NAMES, self.state, strict=True) if mark != "-"]

    def changes(self, move: int) -> list[Change]:
        return [Change("placed", NAMES[move], "XO"[self.to_act(self.state)])]


@cache
def board() -> Board:
    images = ["210543876", "678345012", "036147258", "876543210", "258147036", "630741852", "852741630"]
    return Board(
        points=tuple(Point(name, point % 3, point // 3) for point, name in enumerate(NAMES)),
        lines=tuple(line for i in (0.5, 1.5) for line in (((i, -0.5), (i, 2.5)), ((-0.5, i), (2.5, i)))),
        glyphs={"X": Glyph("X", 0, Words("cross", "叉"), letter="X", character="X"),
                "O": Glyph("O", 1, Words("nought", "圈"), letter="O", character="O")},
        seat_names=(Words("Crosses", "叉方"), Words("Noughts", "圈方")), seat_colours=("#a33b20", "#1f4e6b"),
        labels=tuple(Label("abc"[i], i, -0.85) for i in range(3)) + tuple(Label("123"[i], -0.85, i) for i in range(3)),
        cells=True, rotations=(0, 0), symmetries=tuple(tuple(map(int, image)) for image in images))


GAME = Game(
    name="tic_tac_toe", title=Words("Tic-tac-toe", "井字棋"), position=TicTacToe, board=lambda options: board(),
    module=__name__, setup=Setup(lambda position, stones, fields: write_rows(position.board, stones, empty="-")),
    search="alphabeta", order=60, listed=False, template="template_test.txt",   # not in a copy
)
