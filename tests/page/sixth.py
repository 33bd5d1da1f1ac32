"""A game that the page has never heard of: three players at a well; who first drinks from it has won.

Each has one stone on a ring of six. A turn takes it a step along the ring, or into the well from a place between
two homes.
"""

from __future__ import annotations

import math

from boyi.core.board import Board, Change, Glyph, Point, Stone
from boyi.core.errors import TextError, shorten
from boyi.core.game import Game
from boyi.core.python_position import PythonPosition
from boyi.core.words import Words

WELL = 6
NAMES = ("home1", "gap1", "home2", "gap2", "home3", "gap3", "well")
PLACES = (*((-1.8 * math.sin(i * math.pi / 3), 1.8 * math.cos(i * math.pi / 3)) for i in range(6)), (0.0, 0.0))

BOARD = Board(
    points=tuple(Point(name, x, y) for name, (x, y) in zip(NAMES, PLACES, strict=True)),
    lines=(*((PLACES[i], PLACES[(i + 1) % 6]) for i in range(6)), *((PLACES[i], PLACES[WELL]) for i in (1, 3, 5))),
    glyphs={code: Glyph(code, seat, Words(f"{code} jug", f"{code}壶")) for seat, code in enumerate("ABC")},
    seat_names=(Words("Ash", "灰"), Words("Birch", "桦"), Words("Cedar", "柏")),
    seat_colours=("#7a7a7a", "#c8b26a", "#7a3b2e"),
    rotations=(0, 240, 120),
)


class WellPosition(PythonPosition):
    """The state is where the three stones are, and how many turns there were, as text."""

    def player_count(self) -> int:
        return 3

    def initial(self) -> str:
        return "024 0"

    def to_act(self, state: str) -> int:
        return int(state[4:]) % 3

    def legal_moves(self, state: str) -> list[int]:
        here = int(state[self.to_act(state)])
        ways = [(here + 1) % 6, (here + 5) % 6, *([WELL] if here % 2 else [])]
        return [10 * here + to for to in ways if str(to) not in state[:3]]

    def after(self, state: str, move: int) -> str:
        seat = self.to_act(state)
        return f"{state[:seat]}{move % 10}{state[seat + 1:3]} {int(state[4:]) + 1}"

    def final_scores(self, state: str) -> tuple[float, ...] | None:
        if str(WELL) in state[:3]:
            return tuple(float(place == str(WELL)) for place in state[:3])
        return None if self.legal_moves(state) and int(state[4:]) < 60 else (0.0, 0.0, 0.0)

    def state_to_text(self, state: str) -> str:
        return state

    def text_to_state(self, text: str) -> str:
        if not isinstance(text, str) or len(text) not in (5, 6) or not text.isascii() or text[3] != " " \
                or not (text[:3] + text[4:]).isdigit() or len(set(text[:3])) < 3 or max(text[:3]) > str(WELL):
            raise TextError(f"{shorten(text)} is not a position; the start is {self.initial()!r}")
        return text

    def format_move(self, move: int) -> str:
        return f"{NAMES[move // 10]}-{NAMES[move % 10]}"

    def path(self, move: int) -> tuple[str, ...]:
        return (NAMES[move // 10], NAMES[move % 10])

    def stones(self) -> list[Stone]:
        return [Stone(NAMES[int(place)], code) for place, code in zip(self.state[:3], "ABC", strict=True)]

    def changes(self, move: int) -> list[Change]:
        return [Change("moved", NAMES[move // 10], "ABC"[self.turn], NAMES[move % 10])]


GAME = Game(name="sixth", title=Words("The well", "井"), position=WellPosition, board=lambda options: BOARD,
            module=__name__)
