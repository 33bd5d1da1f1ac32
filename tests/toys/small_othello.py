"""Othello on four by four points, in plain Python: something to learn in seconds that is not trivial.

Whoever cannot move passes by no move of his own: the turn stays with the other.
"""

from __future__ import annotations

from boyi.core.board import Board, Change, Glyph, Point, Stone
from boyi.core.errors import TextError, shorten
from boyi.core.game import Game
from boyi.core.python_position import PythonPosition
from boyi.core.words import Words

SIZE = 4
NAMES = tuple(f"{file}{rank}" for rank in "1234" for file in "abcd")
QUARTER_TURN = tuple(SIZE * (i % SIZE) + SIZE - 1 - i // SIZE for i in range(SIZE**2))
MIRROR = tuple(SIZE * (i // SIZE) + SIZE - 1 - i % SIZE for i in range(SIZE**2))
RAYS = tuple(tuple(
    ray for across in (-1, 0, 1) for down in (-1, 0, 1) if (across, down) != (0, 0)
    if len(ray := tuple(SIZE * (point // SIZE + step * down) + point % SIZE + step * across for step in range(1, SIZE)
                        if 0 <= point // SIZE + step * down < SIZE and 0 <= point % SIZE + step * across < SIZE)) > 1)
    for point in range(SIZE**2))

State = tuple[str, int]
"""The points as text, and who acts."""


def _symmetries() -> tuple[tuple[int, ...], ...]:
    images = [tuple(range(SIZE**2))]
    for _ in range(3):
        images.append(tuple(images[-1][QUARTER_TURN[i]] for i in range(SIZE**2)))
    images += [tuple(image[MIRROR[i]] for i in range(SIZE**2)) for image in images]
    return tuple(images[1:])


def turned(cells: str, player: int, point: int) -> list[int]:
    """The discs that a disc on a point would turn."""
    own, other = "xo"[player], "ox"[player]
    found: list[int] = []
    if cells[point] != ".":
        return found
    for ray in RAYS[point]:
        for count, place in enumerate(ray):
            if cells[place] != other:
                if cells[place] == own:
                    found += ray[:count]
                break
    return found


def placings(cells: str, player: int) -> list[int]:
    return [point for point in range(SIZE**2) if turned(cells, player, point)]


class SmallOthelloPosition(PythonPosition):
    """The state is the points and who acts."""

    def initial(self) -> State:
        return ".....xo..ox.....", 0

    def to_act(self, state: State) -> int:
        return state[1]

    def legal_moves(self, state: State) -> list[int]:
        return placings(*state)

    def after(self, state: State, move: int) -> State:
        cells, player = list(state[0]), state[1]
        for point in [*turned(state[0], player, move), move]:
            cells[point] = "xo"[player]
        text = "".join(cells)
        return (text, 1 - player) if placings(text, 1 - player) else (text, player)

    def final_scores(self, state: State) -> tuple[float, float] | None:
        if placings(*state):
            return None
        ahead = state[0].count("x") - state[0].count("o")
        return (0, 0) if ahead == 0 else (1, -1) if ahead > 0 else (-1, 1)

    def state_to_text(self, state: State) -> str:
        return f"{state[0]} {'xo'[state[1]]}"

    def text_to_state(self, text: str) -> State:
        fields = text.split(" ") if isinstance(text, str) else []
        if len(fields) != 2 or len(fields[0]) != SIZE**2 or set(fields[0]) - set("xo.") or fields[1] not in ("x", "o"):
            raise TextError(f"{shorten(text)} is not a position: sixteen of x, o and ., and who acts")
        return fields[0], "xo".index(fields[1])

    def format_move(self, move: int) -> str:
        return NAMES[move]

    def path(self, move: int) -> tuple[str, ...]:
        return (NAMES[move],)

    def stones(self) -> list[Stone]:
        return [Stone(NAMES[i], cell) for i, cell in enumerate(self.state[0]) if cell != "."]

    def changes(self, move: int) -> list[Change]:
        cells, player = self.state
        return [Change("placed", NAMES[move], "xo"[player]),
                *(Change("flipped", NAMES[point], "xo"[player]) for point in turned(cells, player, move))]


BOARD = Board(
    points=tuple(Point(name, i % SIZE, i // SIZE) for i, name in enumerate(NAMES)),
    lines=(),
    glyphs={"x": Glyph("x", 0, Words("black disc", "黑子")), "o": Glyph("o", 1, Words("white disc", "白子"))},
    seat_names=(Words("Black", "黑方"), Words("White", "白方")),
    seat_colours=("#000", "#fff"),
    symmetries=_symmetries(),
)

GAME = Game(name="small_othello", title=Words("Small Othello", "小黑白棋"), position=SmallOthelloPosition,
            board=lambda options: BOARD, module=__name__)
