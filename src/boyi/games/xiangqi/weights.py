"""What the hand-written evaluator of xiangqi counts, and how much.

Everything it believes is a number here, so that a match between two `Weights` can tell which is right.
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
    advisor: Pair = (190, 180)
    elephant: Pair = (190, 190)
    horse: Pair = (390, 440)
    rook: Pair = (880, 930)
    cannon: Pair = (440, 410)
    pawn: Pair = (70, 100)

    # ---- and where they stand: the middlegame, then the ending
    king_middle: Squares = (
        *_flat(0)[:7],
        (0, 0, 0, -60, -70),
        (0, 0, 0, -35, -30),
        (0, 0, 0, 0, 15))
    king_ending: Squares = (
        *_flat(0)[:7],
        (0, 0, 0, -10, 0),
        (0, 0, 0, 0, 5),
        (0, 0, 0, 0, 5))
    advisor_middle: Squares = (
        *_flat(0)[:7],
        (0, 0, 0, -25, 0),
        (0, 0, 0, 0, 15),
        (0, 0, 0, 5, 0))
    advisor_ending: Squares = (
        *_flat(0)[:7],
        (0, 0, 0, 0, 0),
        (0, 0, 0, 0, 10),
        (0, 0, 0, 0, 0))
    elephant_middle: Squares = (
        *_flat(0)[:5],
        (0, 0, -10, 0, 0),
        (0, 0, 0, 0, 0),
        (-20, 0, 0, 0, 20),
        (0, 0, 0, 0, 0),
        (0, 0, 5, 0, 0))
    elephant_ending: Squares = (
        *_flat(0)[:5],
        (0, 0, 0, 0, 0),
        (0, 0, 0, 0, 0),
        (-10, 0, 0, 0, 15),
        (0, 0, 0, 0, 0),
        (0, 0, 0, 0, 0))
    horse_middle: Squares = (
        (-20, -15, -10, -5, -25),
        (-10, 10, 55, 25, 0),
        (0, 15, 30, 40, 20),
        (5, 40, 25, 35, 25),
        (5, 25, 30, 40, 45),
        (0, 10, 25, 30, 35),
        (-5, 5, 15, 10, 15),
        (-15, 0, 15, 5, -25),
        (-20, -10, 0, 0, -50),
        (-30, -20, -15, -20, -30))
    horse_ending: Squares = (
        (-20, -10, 0, 5, 0),
        (-10, 10, 30, 25, 15),
        (0, 20, 30, 40, 30),
        (5, 25, 35, 45, 45),
        (5, 25, 35, 40, 45),
        (0, 15, 25, 30, 30),
        (-5, 5, 10, 15, 15),
        (-10, 0, 5, 5, 0),
        (-20, -10, -5, -5, -20),
        (-30, -20, -15, -15, -20))
    rook_middle: Squares = (
        (20, 20, 15, 30, 30),
        (25, 30, 25, 45, 55),
        (15, 20, 20, 35, 35),
        (20, 30, 25, 40, 40),
        (20, 25, 25, 35, 35),
        (15, 20, 20, 30, 30),
        (5, 15, 10, 25, 25),
        (-5, 10, 0, 20, 15),
        (0, 5, 5, 20, 5),
        (-35, 0, -10, 15, 0))
    rook_ending: Squares = (
        (15, 15, 15, 25, 25),
        (20, 20, 20, 30, 35),
        (15, 15, 15, 25, 30),
        (15, 20, 20, 25, 30),
        (15, 20, 20, 25, 25),
        (10, 15, 15, 20, 20),
        (5, 10, 10, 15, 15),
        (0, 5, 5, 10, 10),
        (-5, 0, 0, 5, 5),
        (-10, -5, -5, 5, 0))
    cannon_middle: Squares = (
        (30, 25, 5, -15, -20),
        (15, 10, 0, -15, -10),
        (10, 10, 0, -10, -10),
        (0, 10, 10, 5, 15),
        (0, 5, 5, 5, 20),
        (0, 0, 10, 5, 20),
        (0, 0, 5, 5, 15),
        (0, 5, 15, 15, 40),
        (0, 0, 5, 10, 10),
        (0, 0, 5, 10, 5))
    cannon_ending: Squares = (
        (5, 0, -5, -10, -10),
        (5, 0, -5, -10, -5),
        (5, 0, -5, -5, 0),
        (5, 0, 0, 0, 5),
        (5, 5, 5, 5, 10),
        (5, 5, 5, 5, 10),
        (5, 5, 5, 10, 10),
        (5, 10, 10, 15, 20),
        (5, 5, 10, 15, 20),
        (5, 5, 10, 20, 25))
    pawn_middle: Squares = (
        (-40, -30, -20, 0, 10),
        (10, 40, 75, 120, 140),
        (20, 60, 90, 120, 125),
        (30, 60, 80, 95, 95),
        (30, 50, 60, 70, 70),
        (0, 0, 20, 0, 20),
        (-5, 0, 5, 0, 20),
        *_flat(0)[:3])
    pawn_ending: Squares = (
        (-60, -50, -40, -10, 0),
        (30, 60, 90, 125, 140),
        (60, 90, 120, 140, 145),
        (70, 90, 115, 125, 130),
        (65, 80, 95, 105, 110),
        (20, 0, 25, 0, 30),
        (10, 0, 15, 0, 20),
        *_flat(0)[:3])

    # ---- freedom: by how many points a piece can go to
    rook_freedom: Pair = (3, 4)
    cannon_freedom: Pair = (1, 3)
    horse_freedom: tuple[int, ...] = (-50, -22, -8, 0, 8, 14, 20, 24, 28)
    """Of a horse that can go to 0, 1, ... 8 points: a horse whose legs are blocked is hardly a horse."""

    # ---- the enemy king
    rook_nears: Pair = (4, 3)
    """For each point of the enemy palace, or right before it, that a rook can go to; the next two alike."""
    horse_nears: Pair = (6, 5)
    cannon_nears: Pair = (3, 2)
    siege: tuple[int, ...] = (0, 0, 12, 30, 56, 84, 110, 130)
    """By how many pieces, crossed pawns included, touch the enemy palace: together they are more than their sum."""

    bare_cannon: Pair = (120, 50)
    """A cannon that looks at the enemy king with nothing between 空头炮: no piece may step in between."""
    screened_cannon: Pair = (22, 8)
    """A cannon behind two screens: when one of them leaves, it is check."""
    pinning_rook: Pair = (20, 15)
    """A rook with one piece between it and the enemy king."""
    bottom_cannon: Pair = (25, 5)
    """A cannon on the enemy king's own back rank 沉底炮."""
    rook_without_advisor: Pair = (22, 12)
    """For each rook and each advisor the enemy has lost."""
    cannon_without_elephant: Pair = (14, 8)
    """For each cannon and each elephant the enemy has lost."""
    horse_without_advisor: Pair = (10, 8)
    cannon_against_advisors: Pair = (10, 0)
    """For each cannon when the enemy has both advisors: they are its screens."""

    # ---- structure
    pawn_pair: Pair = (20, 30)
    """Two pawns side by side across the river."""
    linked_elephants: Pair = (10, 12)
    """They protect each other, and no eye is blocked."""
    linked_advisors: Pair = (6, 6)
    both_rooks: Pair = (0, 10)
    tempo: Pair = (14, 6)
    """For the player to act."""
