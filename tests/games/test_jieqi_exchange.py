"""What a capture wins among open and covered pieces."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import cast

import boyi
from boyi.games.jieqi.piece_values import PIECE_VALUES
from boyi.games.jieqi.position import JieqiPosition
from tests.games.jieqi_naive import NaiveJieqi, Piece, Point, other, point_of, standing_letter
from tests.scale import scaled

CHEAPEST_FIRST = "PABNCRK"


def positions(games: int, seed: int) -> Iterator[JieqiPosition]:
    """Positions from random games."""
    generator = random.Random(seed)
    for _ in range(games):
        here = cast(JieqiPosition, boyi.start("jieqi"))
        for _ in range(generator.randrange(10, 200)):
            moves = here.moves()
            if not moves:
                break
            here.play(generator.choice(moves))
            if here.turn >= 0 and generator.random() < 0.2:
                yield here


class Exchange:
    """By the naive rules: both sides go on taking, cheapest piece first, while it pays."""

    def __init__(self, here: JieqiPosition) -> None:
        self.naive = NaiveJieqi()
        self.naive.board = {point_of(stone.point): Piece("w" if stone.glyph.isupper() else "b",
                                                         None if stone.glyph in "Xx" else stone.glyph.upper())
                            for stone in here.stones()}
        self.covered_worth = {}
        for player, side in enumerate("wb"):
            pool = here.pool(player)
            total = sum(pool.values())
            self.covered_worth[side] = sum(
                count * PIECE_VALUES[letter] for letter, count in pool.items()) // total if total else 0

    def worth(self, piece: Piece) -> int:
        return self.covered_worth[piece.side] if piece.letter is None else PIECE_VALUES[piece.letter]

    def order(self, point: Point) -> tuple[int, bool, int, bool, int, int]:
        piece = self.naive.board[point]
        letter = piece.letter or standing_letter(piece.side, point) or ""
        # Covered advisors and elephants, which walk as no open piece does, come last of what is worth the same.
        return (self.worth(piece), piece.letter is None, letter in "AB" and piece.letter is None,
                CHEAPEST_FIRST.index(letter) > 6, *self.places(letter, point))

    @staticmethod
    def places(letter: str, point: Point) -> tuple[int, int]:
        return CHEAPEST_FIRST.index(letter), 9 * point[1] + point[0]

    def captors(self, target: Point, side: str) -> list[Point]:
        found = [point for point, piece in self.naive.board.items()
                 if piece.side == side and point != target and target in self.naive.targets(point)]
        return sorted(found, key=self.order)

    def value(self, origin: Point, target: Point) -> int:
        board = self.naive.board
        mover, victim = board[origin], board.get(target)
        self.naive.board = {point: piece for point, piece in board.items() if point != origin} | {target: mover}
        replies = self.captors(target, other(mover.side))
        if replies and self.naive.board[replies[0]].letter == "K":
            # A king takes only what is not protected.
            after = self.naive.board
            self.naive.board = {point: piece for point, piece in after.items() if point != replies[0]} | {
                target: after[replies[0]]}
            protected = self.captors(target, mover.side)
            self.naive.board = after
            if protected:
                replies = []
        answer = max(0, self.value(replies[0], target)) if replies else 0
        self.naive.board = board
        return (0 if victim is None else self.worth(victim)) - answer


def test_exchanges_agree_with_a_naive_count() -> None:
    losing = risky = covered = 0
    for here in positions(scaled(300), 1):
        before, exchange = here.to_text(), Exchange(here)
        for move in here.moves():
            points = here.path(move)
            value = exchange.value(point_of(points[0]), point_of(points[1]))
            takes = here.taken_now(move) > 0
            assert here.exchange_now(move) == (value if takes else 0), (before, points)
            for least in (value - 100, value - 1, value, value + 1, value + 100):
                assert here.exchange_reaches_now(move, least) == (value >= least), (before, points, value, least)
            losing += takes and value < 0
            risky += not takes and value < 0
            covered += takes and exchange.naive.board[point_of(points[0])].letter is None
        assert here.to_text() == before
    assert losing > 50 and risky > 50 and covered > 50
