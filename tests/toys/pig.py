"""Pig with two dice for two or three, in plain Python: the very first turn is chance, two rolls come in a row, a roll
may end the game, and moves and rolls have the same names.
"""

from __future__ import annotations

from typing import NamedTuple

from boyi.core.board import Board, Change, Glyph, Point, Stone
from boyi.core.errors import TextError, shorten
from boyi.core.game import Game, Option, Options
from boyi.core.position import CHANCE
from boyi.core.python_position import PythonPosition
from boyi.core.token import Token
from boyi.core.words import Words

GOAL = 20
HOLD, ROLL = 1, 2
DRAW_LOTS = -1
"""The mover while it is not yet decided who begins."""

SEATS = (Words("Ann", "甲"), Words("Bob", "乙"), Words("Cid", "丙"))


class Pig(NamedTuple):
    """What everyone has banked, who is to act, what their turn has brought, and the dice still to be rolled."""

    banked: tuple[int, ...]
    mover: int
    gained: int
    rolls: int


class PigPosition(PythonPosition):
    """Hold to bank what the turn has brought, or roll twice: a 1 loses it all, and the turn."""

    def player_count(self) -> int:
        return int(self.options["players"])

    def initial(self) -> Pig:
        return Pig((0,) * self.players, DRAW_LOTS, 0, 0)

    def to_act(self, state: Pig) -> int:
        return CHANCE if state.mover == DRAW_LOTS or state.rolls else state.mover

    def legal_moves(self, state: Pig) -> list[int]:
        if state.mover == DRAW_LOTS:
            return list(range(1, self.players + 1))
        return [1, 2, 3, 4, 5, 6] if state.rolls else [HOLD, ROLL]

    def after(self, state: Pig, move: int) -> Pig:
        if state.mover == DRAW_LOTS:
            return state._replace(mover=move - 1)
        if not state.rolls and move == ROLL:
            return state._replace(rolls=2)
        following = (state.mover + 1) % self.players
        if not state.rolls:
            banked = tuple(points + state.gained * (seat == state.mover) for seat, points in enumerate(state.banked))
            return Pig(banked, following, 0, 0)
        if move == 1:
            return Pig(state.banked, following, 0, 0)
        return state._replace(gained=min(state.gained + move, GOAL), rolls=state.rolls - 1)

    def final_scores(self, state: Pig) -> list[float] | None:
        if state.mover == DRAW_LOTS or state.banked[state.mover] + state.gained < GOAL:
            return None
        return [1.0 if seat == state.mover else -1.0 for seat in range(self.players)]

    def state_to_text(self, state: Pig) -> str:
        return f"{','.join(map(str, state.banked))} {state.mover} {state.gained} {state.rolls}"

    def text_to_state(self, text: str) -> Pig:
        fields = text.split(" ") if isinstance(text, str) and text.isascii() else []
        numbers = [number for field in fields for number in field.split(",")]
        if len(fields) != 4 or not all(number.removeprefix("-").isdigit() and len(number) < 4 for number in numbers):
            raise TextError(f"{shorten(text)} is not a game of pig: points, mover, gain and rolls, as 3,0 1 4 2")
        *banked, mover, gained, rolls = map(int, numbers)
        pig = Pig(tuple(banked), mover, gained, rolls)
        if (len(banked) != self.players or not all(0 <= points < GOAL for points in banked)
                or mover not in range(DRAW_LOTS, self.players) or gained not in range(GOAL + 1)
                or rolls not in range(3) or self.state_to_text(pig) != text):
            raise TextError(f"{shorten(text)} is not a game of pig of {self.players} up to {GOAL} points")
        return pig

    def format_move(self, move: int) -> str:
        return str(move)

    def path(self, move: int) -> tuple[str, ...]:
        return () if self.turn == CHANCE else (("hold", "roll")[move - HOLD],)

    def stones(self) -> list[Stone]:
        return []

    def changes(self, move: int) -> list[Change]:
        return []

    def status(self) -> Words | None:
        gained = self.state.gained
        return Words(f"{gained} to bank or to lose", f"本轮 {gained} 分") if gained else None

    def tokens(self) -> list[Token]:
        return [Token(Words("Points", "分数"), str(points), seat) for seat, points in enumerate(self.state.banked)]


def _board(options: Options) -> Board:
    seats = SEATS[:int(options["players"])]
    return Board(points=(Point("hold", 0, 0), Point("roll", 1, 0)), lines=(),
                 glyphs={"o": Glyph("o", None, Words("stone", "子"))}, seat_names=seats,
                 seat_colours=("#b3261e", "#1d4f91", "#2e7d32")[:len(seats)], rotations=(0,) * len(seats), cells=True)


GAME = Game(name="pig", title=Words("Pig", "掷骰"), position=PigPosition, board=_board, module=__name__,
            options=(Option("players", 2, Words("how many play", "人数"), lowest=2, highest=3),))
