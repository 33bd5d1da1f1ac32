"""EinStein würfelt nicht! 爱因斯坦棋: six numbered stones each, and a die says which of them moves.

The rules are those of their author, Ingo Althöfer (2004). The stones 1 to 6 of each player stand in opposite corners of
five by five squares, arranged freely. In each turn a die is cast, and the stone of that number moves one square
towards the opposite corner: sideways, ahead or diagonally. If it is gone, the stones of the next higher and of the next
lower number that are left may move. Whatever stands on its target is taken, one's own stones too. The first to reach
the opposite corner, or to take all stones of the other, wins.

A state is the squares from a1 to e5 (`1` to `6` are the first player's, `A` to `F` the second's), who acts and the die.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from boyi.core.board import Board, Change, Glyph, Label, Point, Stone
from boyi.core.errors import TextError, shorten
from boyi.core.game import Game, Option
from boyi.core.position import CHANCE
from boyi.core.python_position import PythonPosition
from boyi.core.token import Token
from boyi.core.words import Words

SIZE = 5
NAMES = [f"{column}{row}" for row in "12345" for column in "abcde"]
STONES = ("123456", "ABCDEF")
HOMES = ((0, 1, 2, 5, 6, 10), (24, 23, 22, 19, 18, 14))
GOALS = (24, 0)
SETTING, ROLLING = "+", "?"
"""What the die shows while the stones are set up, and before it is cast."""


class State(NamedTuple):
    """What decides the future."""

    cells: str
    player: int
    die: str


class Einstein(PythonPosition):
    """A move is 25 times the stone's number plus the square it comes to; a roll of the die is its number."""

    def initial(self) -> State:
        return State("." * SIZE**2, 0, SETTING)

    def to_act(self, state: State) -> int:
        drawn = state.die == ROLLING or (state.die == SETTING and self.options["setup"] == "drawn")
        return CHANCE if drawn else state.player

    def legal_moves(self, state: State) -> list[int]:
        if state.die == ROLLING:
            return [1, 2, 3, 4, 5, 6]
        own = STONES[state.player]
        if state.die == SETTING:
            number = 1 + sum(stone in state.cells for stone in own)
            return [25 * number + square for square in HOMES[state.player] if state.cells[square] == "."]
        left = [number for number in range(1, 7) if own[number - 1] in state.cells]
        die, step = int(state.die), 1 - 2 * state.player
        movable = {die} if die in left else {*[n for n in left if n < die][-1:], *[n for n in left if n > die][:1]}
        moves = []
        for number in sorted(movable):
            row, column = divmod(state.cells.index(own[number - 1]), SIZE)
            moves += [25 * number + SIZE * (row + up) + column + right
                      for up, right in ((0, step), (step, 0), (step, step))
                      if row + up in range(SIZE) and column + right in range(SIZE)]
        return moves

    def after(self, state: State, move: int) -> State:
        if state.die == ROLLING:
            return state._replace(die=str(move))
        stone, target = STONES[state.player][move // 25 - 1], move % 25
        cells = state.cells.replace(stone, ".")
        cells = cells[:target] + stone + cells[target + 1:]
        if state.die == SETTING and cells.count(".") > SIZE**2 - 12:
            # The first player sets up all six, then the second, who sees them.
            return State(cells, int(cells.count(".") <= SIZE**2 - 6), SETTING)
        return State(cells, 1 - state.player, ROLLING)

    def final_scores(self, state: State) -> tuple[float, float] | None:
        if state.die == SETTING:
            return None
        for player, goal in enumerate(GOALS):
            if state.cells[goal] in STONES[player] or not set(STONES[1 - player]) & set(state.cells):
                return (1.0, -1.0) if player == 0 else (-1.0, 1.0)
        return None

    def reason(self) -> tuple[str, Words]:
        if any(self.state.cells[goal] in STONES[player] for player, goal in enumerate(GOALS)):
            return "corner_reached", Words("a stone has reached the opposite corner", "棋子到达对角")
        return "all_taken", Words("all stones of one player are taken", "一方棋子全部被吃")

    def status(self) -> Words | None:
        return Words("set up a stone", "摆放棋子") if self.state.die == SETTING else None

    def tokens(self) -> list[Token]:
        cast = self.state.die not in (SETTING, ROLLING)
        return [Token(Words("Die", "骰子"), self.state.die, self.state.player, "die")] if cast else []

    def chance_words(self, move: int) -> Words:
        if self.state.die == SETTING:
            return super().chance_words(move)
        name = self.board.seat_names[self.state.player]
        return Words(f"{name.en} rolls {move}", f"{name.zh}掷出{move}点")

    def state_to_text(self, state: State) -> str:
        rows = [state.cells[start:start + SIZE] for start in range(0, SIZE**2, SIZE)]
        return f"{'/'.join(rows)} {state.player + 1} {state.die}"

    def text_to_state(self, text: object) -> State:
        fields = text.split(" ") if isinstance(text, str) else []
        if len(fields) != 3 or fields[1] not in ("1", "2") or fields[2] not in tuple("123456+?"):
            raise TextError(f"{shorten(text)} is not a position: squares, who acts (1 or 2) and the die (1 to 6, ? "
                            f"before it is cast, + while setting up), as {self.state_to_text(self.initial())}")
        state = State(fields[0].replace("/", ""), int(fields[1]) - 1, fields[2])
        stones = state.cells.replace(".", "")
        if len(state.cells) != SIZE**2 or set(stones) - set("123456ABCDEF") or text != self.state_to_text(state):
            raise TextError(f"{shorten(text)}: the squares are five rows of five from a1 to e5, 1 to 6, A to F or .")
        if len(set(stones)) != len(stones):
            raise TextError(f"{text}: a stone stands on two squares")
        if state.die == SETTING:
            order = "".join(STONES)[:len(stones)]
            homes = all(state.cells.index(stone) in HOMES[stone in STONES[1]] for stone in order if stone in stones)
            if sorted(stones) != sorted(order) or len(stones) == 12 or not homes or state.player != len(stones) // 6:
                raise TextError(f"{text}: stones are set up in their order, 1 to 6 and A to F, each in its own corner")
        elif not stones or (state.cells[GOALS[0]] in STONES[0] and state.cells[GOALS[1]] in STONES[1]):
            raise TextError(f"{text}: only one player can have won")
        elif state.die != ROLLING and self.final_scores(state):
            raise TextError(f"{text}: the game is over, so the die is not cast: ? and not {state.die}")
        return state

    def format_move(self, move: int) -> str:
        if move < 25:
            return f"={move}"
        return f"{move // 25}{'@' if self.state.die == SETTING else ''}{NAMES[move % 25]}"

    def path(self, move: int) -> tuple[str, ...]:
        if move < 25:
            return ()
        target = NAMES[move % 25]
        if self.state.die == SETTING:
            return (target,)
        return NAMES[self.state.cells.index(STONES[self.state.player][move // 25 - 1])], target

    def stones(self) -> list[Stone]:
        return [Stone(NAMES[square], stone) for square, stone in enumerate(self.state.cells) if stone != "."]

    def changes(self, move: int) -> list[Change]:
        path, state = self.path(move), self.state
        if not path:
            return []
        stone, there = STONES[state.player][move // 25 - 1], state.cells[move % 25]
        if len(path) == 1:
            return [Change("placed", path[0], stone)]
        taken = [Change("captured", path[1], there)] if there != "." else []
        return [*taken, Change("moved", path[0], stone, to=path[1])]


@cache
def board() -> Board:
    # Row 1 is at the bottom, where the first player sits; y grows downwards.
    edge = SIZE - 0.5
    glyphs = [Glyph(code, seat, Words(f"{'white' if seat == 0 else 'black'} {number}", f"{'白黑'[seat]}{number}"),
                    letter=str(number), character=str(number))
              for seat, codes in enumerate(STONES) for number, code in enumerate(codes, 1)]
    return Board(
        points=tuple(Point(name, i % SIZE, SIZE - 1 - i // SIZE) for i, name in enumerate(NAMES)),
        lines=tuple(line for i in range(SIZE + 1) for line in (
            ((i - 0.5, -0.5), (i - 0.5, edge)), ((-0.5, i - 0.5), (edge, i - 0.5)))),
        glyphs={glyph.code: glyph for glyph in glyphs},
        seat_names=(Words("White", "白方"), Words("Black", "黑方")), seat_colours=("#f4ecd8", "#2b2b2b"),
        labels=(*(Label("abcde"[i], i, edge + 0.35) for i in range(SIZE)),
                *(Label("54321"[i], -0.85, i) for i in range(SIZE))),
        cells=True, rotations=(0, 180),
        symmetries=(tuple(SIZE * (i % SIZE) + i // SIZE for i in range(SIZE**2)),))   # across the way from a1 to e5


GAME = Game(
    name="einstein", title=Words("EinStein würfelt nicht!", "爱因斯坦棋"), position=Einstein,
    board=lambda options: board(), module=__name__,
    options=(Option("setup", "drawn", Words("how the stones are set up: by chance, or by their players",
                                            "布子方式：随机，或由双方自行摆放"), choices=("drawn", "chosen")),))
