"""What open pieces count in an exchange, in hundredths of about a pawn: nominal values, fixed facts of the game.

They order and prune moves in every search. A covered piece counts the mean of what it may be.
"""

PIECE_VALUES = {"K": 3000, "R": 900, "C": 460, "N": 420, "B": 210, "A": 200, "P": 110}
"""By letter. Advisors and elephants roam the board here."""
