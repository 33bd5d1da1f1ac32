"""Three players pick fruit from either end of a row, as far in as a die says, in plain Python: chance among three."""

from __future__ import annotations

from typing import NamedTuple

from boyi.core.board import Board, Change, Glyph, Point, Stone
from boyi.core.errors import TextError, shorten
from boyi.core.game import Game
from boyi.core.outcome import scores_by_place
from boyi.core.position import CHANCE
from boyi.core.python_position import PythonPosition
from boyi.core.words import Words

ROW = (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8)
FARTHEST = 3


class Orchard(NamedTuple):
    """What hangs where, and what happens next."""

    row: tuple[int, ...]         # 0 where nothing hangs any more
    sums: tuple[int, ...]
    mover: int
    rolled: int                  # 0 before the die is cast


class OrchardPosition(PythonPosition):
    """The die shows 1, 2 or 3: one of so many fruits from the left or from the right; the largest sum wins."""

    def player_count(self) -> int:
        return 3

    def initial(self) -> Orchard:
        return Orchard(ROW, (0, 0, 0), 0, 0)

    def to_act(self, state: Orchard) -> int:
        return state.mover if state.rolled else CHANCE

    def legal_moves(self, state: Orchard) -> list[int]:
        if not state.rolled:
            return list(range(1, FARTHEST + 1))
        left = [place for place, fruit in enumerate(state.row) if fruit]
        return sorted({*left[:state.rolled], *left[-state.rolled:]})

    def after(self, state: Orchard, move: int) -> Orchard:
        if not state.rolled:
            return state._replace(rolled=move)
        sums = tuple(total + state.row[move] * (player == state.mover) for player, total in enumerate(state.sums))
        row = (*state.row[:move], 0, *state.row[move + 1:])
        return Orchard(row, sums, (state.mover + 1) % 3, 0)

    def final_scores(self, state: Orchard) -> list[float] | None:
        if any(state.row):
            return None
        return scores_by_place([1 + sum(other > total for other in state.sums) for total in state.sums])

    def state_to_text(self, state: Orchard) -> str:
        return f"{''.join(map(str, state.row))} {','.join(map(str, state.sums))} {state.mover} {state.rolled}"

    def text_to_state(self, text: str) -> Orchard:
        fields = text.split() if isinstance(text, str) and text.isascii() and len(text) < 60 else []
        sums = fields[1].split(",") if len(fields) == 4 else []
        if (len(sums) != 3 or not all(total.isdigit() for total in sums) or len(fields[0]) != len(ROW)
                or not all(field.isdigit() for field in (fields[0], *fields[2:]))):
            raise TextError(f"{shorten(text)} is not an orchard: a row, three sums, who acts and the die")
        state = Orchard(tuple(map(int, fields[0])), tuple(map(int, sums)), int(fields[2]), int(fields[3]))
        if (state.mover not in range(3) or state.rolled not in range(FARTHEST + 1)
                or any(fruit not in (0, usual) for fruit, usual in zip(state.row, ROW, strict=True))
                or self.state_to_text(state) != " ".join(fields)):
            raise TextError(f"{shorten(text)} is not an orchard with this row")
        return state

    def format_move(self, move: int) -> str:
        return f"f{move}" if self.state.rolled else f"={move}"

    def path(self, move: int) -> tuple[str, ...]:
        return (f"f{move}",) if self.state.rolled else ()

    def stones(self) -> list[Stone]:
        return [Stone(f"f{place}", str(fruit)) for place, fruit in enumerate(self.state.row) if fruit]

    def changes(self, move: int) -> list[Change]:
        return [Change("captured", f"f{move}", str(self.state.row[move]))] if self.state.rolled else []


BOARD = Board(
    points=tuple(Point(f"f{place}", place, 0) for place in range(len(ROW))),
    lines=(),
    glyphs={str(fruit): Glyph(str(fruit), None, Words(f"fruit of {fruit}", f"{fruit}分果")) for fruit in range(1, 10)},
    seat_names=(Words("Ann", "甲"), Words("Bob", "乙"), Words("Cid", "丙")),
    seat_colours=("red", "green", "blue"),
    rotations=(0, 0, 0),
)

GAME = Game(name="orchard", title=Words("Orchard", "果园"), position=OrchardPosition, board=lambda options: BOARD,
            module=__name__, has_chance=True)
