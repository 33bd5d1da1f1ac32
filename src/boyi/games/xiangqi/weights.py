"""What the hand-written evaluator of xiangqi counts, and how much.

Everything it believes is a number here, so that a match between two `Weights` can tell which is right.
They were begun by hand and then fitted, as `boyi learn weights` does it, to 1,334 games of self-play (182,557
positions). Against the numbers that they grew from they won 80, drew 27 and lost 53 games, 8,000 nodes a move.
"""

from __future__ import annotations

from dataclasses import dataclass

Pair = tuple[int, int]
"""In the middlegame, with all rooks, horses and cannons on the board, and in the ending, with none; between, mixed."""

Squares = tuple[tuple[int, int, int, int, int], ...]
"""By square, as the player sees the board: ten ranks from the far side home, files a to e; f to i mirror them."""


def _flat(value: int) -> Squares:
    return ((value,) * 5,) * 10


@dataclass(frozen=True, kw_only=True)
class Weights:
    """The numbers behind `HandEvaluator`, in hundredths of a pawn, for the side that has what they describe."""

    # ---- pieces, wherever they stand
    advisor: Pair = (186, 109)
    elephant: Pair = (203, 131)
    horse: Pair = (420, 424)
    rook: Pair = (994, 983)
    cannon: Pair = (426, 382)
    pawn: Pair = (105, 101)

    # ---- and where they stand: the middlegame, then the ending
    king_middle: Squares = (
        *_flat(0)[:7],
        (0, 0, 0, -66, -73),
        (0, 0, 0, -50, -32),
        (0, 0, 0, -2, 43))
    king_ending: Squares = (
        *_flat(0)[:7],
        (0, 0, 0, -9, -1),
        (0, 0, 0, 14, 1),
        (0, 0, 0, 3, -6))
    advisor_middle: Squares = (
        *_flat(0)[:7],
        (0, 0, 0, -53, 0),
        (0, 0, 0, 0, 36),
        (0, 0, 0, 8, 0))
    advisor_ending: Squares = (
        *_flat(0)[:7],
        (0, 0, 0, -25, 0),
        (0, 0, 0, 0, -25),
        (0, 0, 0, -11, 0))
    elephant_middle: Squares = (
        *_flat(0)[:5],
        (0, 0, -29, 0, 0),
        (0, 0, 0, 0, 0),
        (-29, 0, 0, 0, 48),
        (0, 0, 0, 0, 0),
        (0, 0, 17, 0, 0))
    elephant_ending: Squares = (
        *_flat(0)[:7],
        (-13, 0, 0, 0, -20),
        (0, 0, 0, 0, 0),
        (0, 0, -21, 0, 0))
    horse_middle: Squares = (
        (-20, -9, -9, -2, -25),
        (-10, 8, 40, 26, 1),
        (4, 14, 32, 51, 24),
        (2, 40, 26, 42, 29),
        (9, 34, 33, 48, 48),
        (0, 24, 28, 31, 34),
        (-3, 2, 22, 15, 18),
        (1, 1, 11, 3, -21),
        (-24, -15, -17, -9, -41),
        (-31, -55, -15, -26, -30))
    horse_ending: Squares = (
        (-20, -4, 1, 11, 1),
        (-11, 7, 9, 25, 12),
        (5, 19, 33, 54, 33),
        (-8, 21, 29, 38, 49),
        (10, 29, 46, 40, 35),
        (1, 20, 37, 24, 27),
        (-4, 3, 15, 16, 11),
        (-8, 7, 11, 0, 1),
        (-24, -11, -32, -4, -15),
        (-31, -18, -16, -20, -20))
    rook_middle: Squares = (
        (19, 23, 31, 27, 33),
        (18, 44, 28, 51, 59),
        (17, -3, 26, 34, 34),
        (21, 41, 67, 61, 37),
        (19, 18, 40, 30, 55),
        (15, 18, 23, 42, 60),
        (2, 19, 14, 23, 30),
        (2, 18, -3, 22, 8),
        (-40, -13, -8, -26, 3),
        (-11, 42, -13, 11, 0))
    rook_ending: Squares = (
        (9, 14, 23, 15, 28),
        (10, 19, 27, 14, 39),
        (16, 5, 18, 23, 26),
        (17, 19, 28, 37, 45),
        (11, 20, 32, 23, 39),
        (6, 12, 19, 30, 26),
        (1, 10, 12, 19, 20),
        (0, 8, 4, 12, 12),
        (3, 2, 2, 2, 7),
        (-8, -10, -6, 4, 0))
    cannon_middle: Squares = (
        (39, 43, -13, -24, -20),
        (10, -20, -3, -18, -10),
        (9, 24, -3, -15, -10),
        (-6, -4, 12, 6, -26),
        (4, -16, -10, -6, 64),
        (-15, -8, 14, -4, 49),
        (-1, -8, 7, -5, 12),
        (4, 33, 28, 27, 84),
        (-2, -4, 10, 10, 4),
        (-1, 2, 6, 10, 4))
    cannon_ending: Squares = (
        (-9, 21, -4, -15, -13),
        (-2, -6, -1, -6, -6),
        (3, 1, -7, -7, 2),
        (6, -1, -3, 4, 16),
        (5, 7, 5, 5, 11),
        (1, 7, 6, -1, 11),
        (5, 5, 4, 7, 9),
        (6, 4, 5, 15, 20),
        (6, -1, 10, 18, 18),
        (4, 6, 6, 19, 24))
    pawn_middle: Squares = (
        (-40, -30, -20, 1, 9),
        (10, 40, 77, 126, 144),
        (20, 59, 91, 132, 133),
        (28, 68, 96, 97, 96),
        (33, 53, 71, 71, 82),
        (-6, 0, 30, 0, 4),
        (-15, 0, -32, 0, 28),
        *_flat(0)[:3])
    pawn_ending: Squares = (
        (-57, -47, -53, -14, -23),
        (31, 59, 89, 120, 144),
        (59, 85, 110, 172, 150),
        (69, 109, 122, 115, 93),
        (83, 95, 100, 109, 121),
        (39, 0, 8, 0, 32),
        (17, 0, 8, 0, 2),
        *_flat(0)[:3])

    # ---- freedom: by how many points a piece can go to
    rook_freedom: Pair = (11, 5)
    cannon_freedom: Pair = (7, -5)
    horse_freedom: tuple[int, ...] = (-46, -9, -9, -24, 22, 10, 12, 48, 24)
    """Of a horse that can go to 0, 1, ... 8 points: a horse whose legs are blocked is hardly a horse."""

    # ---- the enemy king
    rook_nears: Pair = (1, -3)
    """For each point of the enemy palace, or right before it, that a rook can go to; the next two alike."""
    horse_nears: Pair = (45, -22)
    cannon_nears: Pair = (-13, 8)
    siege: tuple[int, ...] = (5, -22, -3, 53, 63, 86, 110, 130)
    """By how many pieces, crossed pawns included, touch the enemy palace: together they are more than their sum."""

    bare_cannon: Pair = (113, 7)
    """A cannon that looks at the enemy king with nothing between 空头炮: no piece may step in between."""
    screened_cannon: Pair = (35, 23)
    """A cannon behind two screens: when one of them leaves, it is check."""
    pinning_rook: Pair = (64, 10)
    """A rook with one piece between it and the enemy king."""
    bottom_cannon: Pair = (11, -13)
    """A cannon on the enemy king's own back rank 沉底炮."""
    rook_without_advisor: Pair = (63, -9)
    """For each rook and each advisor the enemy has lost."""
    cannon_without_elephant: Pair = (-19, -7)
    """For each cannon and each elephant the enemy has lost."""
    horse_without_advisor: Pair = (44, 21)
    cannon_against_advisors: Pair = (22, -6)
    """For each cannon when the enemy has both advisors: they are its screens."""

    # ---- structure
    pawn_pair: Pair = (17, 17)
    """Two pawns side by side across the river."""
    linked_elephants: Pair = (56, -11)
    """They protect each other, and no eye is blocked."""
    linked_advisors: Pair = (52, 19)
    both_rooks: Pair = (34, 16)
    tempo: Pair = (18, -2)
    """For the player to act."""
