"""What pieces count in an exchange, in hundredths of a pawn at home: nominal values, fixed facts of the game.

They order and prune moves in every search; across the river a pawn counts twice. What a position is worth is for
evaluators, which have numbers of their own (`weights`).
"""

PIECE_VALUES = {"K": 10_000, "A": 200, "B": 200, "N": 400, "R": 900, "C": 450, "P": 100}
"""By letter. No exchange gives a king away."""
