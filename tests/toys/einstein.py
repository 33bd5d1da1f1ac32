"""EinStein würfelt nicht! by Ingo Althöfer, in plain Python: a die before every move, and nothing said about chance.

Each has six numbered stones in a corner of five by five. Whoever is to act moves the stone that the die shows, or a
neighbour in number if it is gone, one step towards the other corner, over whatever stands there. Who reaches that
corner wins, and who takes all stones of the other.
"""

from __future__ import annotations

from typing import NamedTuple

from boyi.core.board import Board, Change, Glyph, Label, Point, Stone
from boyi.core.errors import TextError, shorten
from boyi.core.game import Game
from boyi.core.position import CHANCE
from boyi.core.python_position import PythonPosition
from boyi.core.token import Token
from boyi.core.words import Words

SIDE = 5
NAMES = tuple(f"{file}{rank}" for rank in "54321" for file in "abcde")
SEATS = (Words("Red", "红方"), Words("Blue", "蓝方"))
STONES = ("123456", "uvwxyz")
START = "163--25---4---y---wv--xuz"
STEPS = ((1, 0), (0, 1), (1, 1))
"""Of red, to the right and down; blue goes the other way."""


class State(NamedTuple):
    """What stands where, who is to act, and the die."""

    cells: str
    mover: int
    die: int        # 0 before it is rolled


class EinsteinPosition(PythonPosition):
    """The state of the game is a `State`; a move is 25 times where from and where to, a roll is its number."""

    def initial(self) -> State:
        return State(START, 0, 0)

    def to_act(self, state: State) -> int:
        return state.mover if state.die else CHANCE

    def legal_moves(self, state: State) -> list[int]:
        if not state.die:
            return [1, 2, 3, 4, 5, 6]
        left = [number for number, stone in enumerate(STONES[state.mover], 1) if stone in state.cells]
        lower, higher = [one for one in left if one <= state.die], [one for one in left if one >= state.die]
        moves = []
        for number in sorted({*lower[-1:], *higher[:1]} if state.die not in left else {state.die}):
            start = state.cells.index(STONES[state.mover][number - 1])
            for across, down in STEPS:
                x, y = (start % SIDE + across * (1, -1)[state.mover], start // SIDE + down * (1, -1)[state.mover])
                if 0 <= x < SIDE and 0 <= y < SIDE:
                    moves.append(25 * start + SIDE * y + x)
        return moves

    def after(self, state: State, move: int) -> State:
        if not state.die:
            return state._replace(die=move)
        cells, (start, end) = list(state.cells), divmod(move, 25)
        cells[start], cells[end] = "-", cells[start]
        return State("".join(cells), 1 - state.mover, 0)

    def final_scores(self, state: State) -> tuple[int, int] | None:
        red, blue = ([stone for stone in state.cells if stone in stones] for stones in STONES)
        if state.cells[24] in STONES[0] or not blue:
            return 1, -1
        return (-1, 1) if state.cells[0] in STONES[1] or not red else None

    def state_to_text(self, state: State) -> str:
        return f"{state.cells} {'rb'[state.mover]}{state.die}"

    def text_to_state(self, text: str) -> State:
        words = text.split(" ") if isinstance(text, str) else []
        if (len(words) != 2 or len(words[0]) != 25 or set(words[0]) - set("-123456uvwxyz")
                or any(words[0].count(stone) > 1 for stone in "123456uvwxyz")
                or len(words[1]) != 2 or words[1][0] not in "rb" or words[1][1] not in "0123456"):
            raise TextError(f"{shorten(text)} is not a position: 25 cells, then r or b and the die, as {START} r0")
        return State(words[0], "rb".index(words[1][0]), int(words[1][1]))

    def format_move(self, move: int) -> str:
        return NAMES[move // 25] + NAMES[move % 25] if self.state.die else str(move)

    def path(self, move: int) -> tuple[str, ...]:
        return (NAMES[move // 25], NAMES[move % 25]) if self.state.die else ()

    def stones(self) -> list[Stone]:
        return [Stone(NAMES[i], cell) for i, cell in enumerate(self.state.cells) if cell != "-"]

    def changes(self, move: int) -> list[Change]:
        if not self.state.die:
            return []
        start, end = divmod(move, 25)
        taken = self.state.cells[end]
        return [*([Change("captured", NAMES[end], taken)] if taken != "-" else []),
                Change("moved", NAMES[start], self.state.cells[start], to=NAMES[end])]

    def tokens(self) -> list[Token]:
        die = [Token(Words("Die", "骰子"), str(self.state.die), self.state.mover, "die")] if self.state.die else []
        left = [sum(stone in self.state.cells for stone in stones) for stones in STONES]
        return die + [Token(Words("Stones", "棋子"), str(count), seat) for seat, count in enumerate(left)]

    def chance_words(self, move: int) -> Words:
        seat = SEATS[self.state.mover]
        return Words(f"{seat.en} rolls {move}", f"{seat.zh}掷出 {move}")


BOARD = Board(
    points=tuple(Point(name, i % SIDE, i // SIDE) for i, name in enumerate(NAMES)), lines=(),
    glyphs={stone: Glyph(stone, seat, Words(f"{SEATS[seat].en.lower()} {number}", f"{SEATS[seat].zh}{number}"),
                         letter=str(number), character=str(number))
            for seat in range(2) for number, stone in enumerate(STONES[seat], 1)},
    seat_names=SEATS, seat_colours=("#b3261e", "#1d4f91"), cells=True,
    labels=tuple(Label(str(SIDE - i), -0.8, i) for i in range(SIDE))
    + tuple(Label("abcde"[i], i, SIDE - 0.2) for i in range(SIDE)))

GAME = Game(name="einstein", title=Words("EinStein würfelt nicht!", "爱因斯坦棋"), position=EinsteinPosition,
            board=lambda options: BOARD, module=__name__)
