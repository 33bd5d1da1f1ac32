"""Xiangqi's exchanges and repetitions, written for the reader and not for speed."""

from __future__ import annotations

from boyi import Position

WORTH = {"K": 10_000, "A": 200, "B": 200, "N": 400, "R": 900, "C": 450, "P": 100}
CHEAPEST_FIRST = "PABNCRK"

Board = dict[tuple[int, int], str]
Point = tuple[int, int]


def read(here: Position) -> Board:
    """The pieces by file and rank, in FEN's letters."""
    return {(ord(stone.point[0]) - 97, int(stone.point[1])): stone.glyph for stone in here.stones()}


def points(here: Position, move: int) -> tuple[Point, Point]:
    origin, target = here.path(move)
    return (ord(origin[0]) - 97, int(origin[1])), (ord(target[0]) - 97, int(target[1]))


def reaches(board: Board, origin: Point, target: Point) -> bool:
    """Can the piece on `origin` take one on `target`, whatever becomes of its king?"""
    piece = board[origin]
    red = piece.isupper()
    (x, y), (to_x, to_y) = origin, target
    dx, dy = to_x - x, to_y - y
    size = sorted((abs(dx), abs(dy)))
    palace = 3 <= to_x <= 5 and (to_y <= 2 if red else to_y >= 7)
    match piece.upper():
        case "K":
            return size == [0, 1] and palace
        case "A":
            return size == [1, 1] and palace
        case "B":
            return size == [2, 2] and (to_y <= 4) == red and (x + dx // 2, y + dy // 2) not in board
        case "N":
            if size != [1, 2]:
                return False
            leg = (x + dx // 2, y) if abs(dx) == 2 else (x, y + dy // 2)
            return leg not in board
        case "P":
            ahead = 1 if red else -1
            crossed = (y >= 5) == red
            return (dx, dy) == (0, ahead) or (crossed and size == [0, 1] and dy == 0)
        case _:
            if size[0] != 0 or size[1] == 0:
                return False
            step = ((dx > 0) - (dx < 0), (dy > 0) - (dy < 0))
            between = sum((x + i * step[0], y + i * step[1]) in board for i in range(1, size[1]))
            return between == (1 if piece.upper() == "C" else 0)


def worth(piece: str, at: Point) -> int:
    crossed = (at[1] >= 5) == piece.isupper()
    return WORTH[piece.upper()] * (2 if piece.upper() == "P" and crossed else 1)


def captors(board: Board, target: Point, red: bool) -> list[Point]:
    """Who of a side can take on the target, cheapest first."""
    found = [at for at, piece in board.items() if piece.isupper() == red and reaches(board, at, target)]
    return sorted(found, key=lambda at: (CHEAPEST_FIRST.index(board[at].upper()), at[1], at[0]))


def exchange(board: Board, origin: Point, target: Point) -> int:
    """What a move wins if both sides go on taking there, cheapest piece first, while it pays."""
    after = {at: piece for at, piece in board.items() if at != origin} | {target: board[origin]}
    replies = captors(after, target, not board[origin].isupper())
    if replies and after[replies[0]].upper() == "K":
        # A king takes only what is not protected.
        later = {at: piece for at, piece in after.items() if at != replies[0]} | {target: after[replies[0]]}
        if captors(later, target, board[origin].isupper()):
            replies = []
    answer = max(0, exchange(after, replies[0], target)) if replies else 0
    return (worth(board[target], target) if target in board else 0) - answer
