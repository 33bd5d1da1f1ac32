"""Three in a row on nine points, in plain Python: placing, symmetry."""

from __future__ import annotations

from boyi.core.board import Board, Change, Glyph, Point, Stone
from boyi.core.errors import TextError, shorten
from boyi.core.game import Game
from boyi.core.python_position import PythonPosition
from boyi.core.words import Words

NAMES = tuple(f"{file}{rank}" for rank in "321" for file in "abc")
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
QUARTER_TURN = (2, 5, 8, 1, 4, 7, 0, 3, 6)
MIRROR = (2, 1, 0, 5, 4, 3, 8, 7, 6)


def _symmetries() -> tuple[tuple[int, ...], ...]:
    images = [tuple(range(9))]
    for _ in range(3):
        images.append(tuple(images[-1][QUARTER_TURN[i]] for i in range(9)))
    images += [tuple(image[MIRROR[i]] for i in range(9)) for image in images]
    return tuple(images[1:])


BOARD = Board(
    points=tuple(Point(name, i % 3, i // 3) for i, name in enumerate(NAMES)),
    lines=(),
    glyphs={"x": Glyph("x", 0, Words("cross", "叉")), "o": Glyph("o", 1, Words("nought", "圈"))},
    seat_names=(Words("Crosses", "叉方"), Words("Noughts", "圈方")),
    seat_colours=("#000", "#fff"),
    symmetries=_symmetries(),
)


class LinePosition(PythonPosition):
    """The state is the nine points as text."""

    def initial(self) -> str:
        return "." * 9

    def to_act(self, state: str) -> int:
        return (9 - state.count(".")) % 2

    def legal_moves(self, state: str) -> list[int]:
        return [i for i in range(9) if state[i] == "."]

    def after(self, state: str, move: int) -> str:
        return state[:move] + "xo"[self.to_act(state)] + state[move + 1:]

    def final_scores(self, state: str) -> tuple[float, float] | None:
        for a, b, c in LINES:
            if state[a] == state[b] == state[c] != ".":
                return (1, -1) if state[a] == "x" else (-1, 1)
        return None if "." in state else (0, 0)

    def state_to_text(self, state: str) -> str:
        return state

    def text_to_state(self, text: str) -> str:
        if not isinstance(text, str) or len(text) != 9 or set(text) - set("xo."):
            raise TextError(f"{shorten(text)} is not a position: nine of x, o and .")
        if text.count("x") - text.count("o") not in (0, 1):
            raise TextError(f"{text} has {text.count('x')} crosses and {text.count('o')} noughts; they take turns")
        return text

    def format_move(self, move: int) -> str:
        return NAMES[move]

    def path(self, move: int) -> tuple[str, ...]:
        return (NAMES[move],)

    def stones(self) -> list[Stone]:
        return [Stone(NAMES[i], cell) for i, cell in enumerate(self.state) if cell != "."]

    def changes(self, move: int) -> list[Change]:
        return [Change("placed", NAMES[move], "xo"[self.turn])]


GAME = Game(name="line", title=Words("Line", "连线"), position=LinePosition, board=lambda options: BOARD,
            module=__name__)
