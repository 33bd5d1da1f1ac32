"""The encoder for a game that brings none: whatever a position shows on its board.

It reads `Position.stones()` and `Position.path()`, which every game has, so that a game in plain
Python can be learned the day it is written. Its limits, which an encoder of the game's own lifts:

- It sees stones and whose turn it is, nothing else: no counters, no phases, no pieces in hand.
- The policy index of a move comes from the first and the last point of its path; moves with the same ends share one.
  Of moves that touch no point (roll, hold, pass) there are `Game.moves_without_points`, told apart by their numbers.
- Where there are more pairs of points than `MOST_INDICES`, several pairs share an index.
- It is written in Python and about a thousand times slower than the encoder of a game in Cython.
"""

from __future__ import annotations

from boyi.core.board import Board
from boyi.core.encoder import PythonEncoder
from boyi.core.errors import TextError
from boyi.core.game import Game, Options
from boyi.core.position import Position

VERSION = 1
MOST_INDICES = 1 << 14


class BoardEncoder(PythonEncoder):
    """A plane per kind of stone, those of the player to act first; and one number per seat: does it act?"""

    def __init__(self, game: Game, options: Options) -> None:
        self._game, self._options = game, options
        self._board: Board = game.board(options)
        players, points = game.position(game, options).players, len(self._board.points)
        of_seat = [[code for code, glyph in self._board.glyphs.items() if glyph.seat == seat]
                   for seat in range(players)]
        nobodys = [code for code in self._board.glyphs if not any(code in codes for codes in of_seat)]
        # Where seats have different pieces, "mine" and "yours" cannot share planes: every glyph keeps its own.
        alike = len({len(codes) for codes in of_seat}) == 1
        self._planes = []
        for seat in range(players):
            order = range(seat, seat + players) if alike else range(players)
            codes = [code for other in order for code in of_seat[other % players]] + nobodys
            self._planes.append({code: plane for plane, code in enumerate(codes)})
        self._without_points = game.moves_without_points
        self._pairs = min(points * points, MOST_INDICES - self._without_points - points)
        super().__init__(version=VERSION, players=players, planes=len(self._planes[0]), points=points, scalars=players,
                         policy_size=self._without_points + points + self._pairs)

    def check(self, position: Position) -> None:
        if position.game is not self._game or position.options != self._options:
            raise TextError(f"this encoder was made for {self._game.name} under {self._options}, not for "
                            f"{position.game.name} under {position.options}")
        super().check(position)

    def look(self, position: Position) -> list[float]:
        features = [0.0] * self.size
        planes, index = self._planes[position.turn], self._board.index
        for stone in position.stones():
            features[planes[stone.glyph] * self.points + index[stone.point]] = 1.0
        features[self.planes * self.points + position.turn] = 1.0
        return features

    def name(self, position: Position, move: int) -> int:
        path = [self._board.index[point] for point in position.path(move)]
        if len(path) < 2:
            return self._without_points + path[0] if path else move % self._without_points
        return self._without_points + self.points + (path[0] * self.points + path[-1]) % self._pairs

    def meaning(self, index: int) -> tuple[str, tuple[int, ...]]:
        if index < self._without_points:
            return f"nowhere, number {index}", ()
        if index < self._without_points + self.points:
            return "at", (index - self._without_points,)
        return "between", divmod(index - self._without_points - self.points, self.points)

    def point_symmetries(self) -> tuple[tuple[int, ...], ...]:
        # Indices that several pairs share have no images.
        return self._board.symmetries if self._pairs == self.points * self.points else ()
