"""Three players take numbers from either end of a row, in plain Python; the largest sum wins."""

from __future__ import annotations

from boyi.core.board import Board, Change, Glyph, Point, Stone
from boyi.core.errors import TextError, shorten
from boyi.core.game import Game, Options
from boyi.core.outcome import scores_by_place
from boyi.core.python_position import PythonPosition
from boyi.core.words import Words

State = tuple[tuple[int, ...], tuple[int, int, int], int]     # the row, the sums, who acts
LEFT, RIGHT = 0, 1
LONGEST = 9


class PickingPosition(PythonPosition):
    """One number is taken in each turn."""

    def player_count(self) -> int:
        return 3

    def initial(self) -> State:
        return (3, 1, 4, 1, 5, 9, 2), (0, 0, 0), 0

    def to_act(self, state: State) -> int:
        return state[2]

    def legal_moves(self, state: State) -> list[int]:
        return [LEFT, RIGHT] if len(state[0]) > 1 else [LEFT]

    def after(self, state: State, move: int) -> State:
        row, sums, mover = state
        taken = row[0] if move == LEFT else row[-1]
        first, second, third = (total + taken * (player == mover) for player, total in enumerate(sums))
        return row[1:] if move == LEFT else row[:-1], (first, second, third), (mover + 1) % 3

    def final_scores(self, state: State) -> list[float] | None:
        if state[0]:
            return None
        return scores_by_place([1 + sum(other > total for other in state[1]) for total in state[1]])

    def state_to_text(self, state: State) -> str:
        row, sums, mover = state
        return f"{''.join(map(str, row)) or '-'} {','.join(map(str, sums))} {mover}"

    def text_to_state(self, text: str) -> State:
        fields = text.split() if isinstance(text, str) and text.isascii() and len(text) < 60 else []
        sums = fields[1].split(",") if len(fields) == 3 else []
        if (len(sums) != 3 or not all(total.isdigit() for total in sums) or fields[2] not in ("0", "1", "2")
                or not (fields[0] == "-" or fields[0].isdigit()) or len(fields[0]) > LONGEST):
            raise TextError(f"{shorten(text)} is not a row, three sums and who acts, as 31415 0,0,0 0")
        state = (tuple(map(int, fields[0].strip("-"))), (int(sums[0]), int(sums[1]), int(sums[2])), int(fields[2]))
        if self.state_to_text(state) != " ".join(fields):
            raise TextError(f"{shorten(text)} is written oddly; {self.state_to_text(state)} is meant")
        return state

    def format_move(self, move: int) -> str:
        return ("left", "right")[move]

    def path(self, move: int) -> tuple[str, ...]:
        return (f"r{0 if move == LEFT else len(self.state[0]) - 1}",)

    def stones(self) -> list[Stone]:
        return [Stone(f"r{place}", "n") for place in range(len(self.state[0]))]

    def changes(self, move: int) -> list[Change]:
        return [Change("captured", self.path(move)[0], "n")]


def _board(options: Options) -> Board:
    names = (Words("Ann", "甲"), Words("Bob", "乙"), Words("Cid", "丙"))
    return Board(points=tuple(Point(f"r{place}", place, 0) for place in range(LONGEST)), lines=(),
                 glyphs={"n": Glyph("n", None, Words("number", "数"))}, seat_names=names,
                 seat_colours=("red", "green", "blue"), rotations=(0, 0, 0))


GAME = Game(name="picking", title=Words("Picking", "取数"), position=PickingPosition, board=_board, module=__name__)
