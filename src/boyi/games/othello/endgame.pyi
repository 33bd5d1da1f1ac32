ENTRY: object
"""What the solver calls, in a capsule."""

def turned_discs(own: int, other: int, point: int) -> int:
    """The discs that a disc of `own` on `point` turns, as a bitboard."""

def playable_points(own: int, other: int) -> int:
    """The points where `own` may put a disc, as a bitboard."""

def last_margin(own: int, point: int) -> int:
    """The margin with one empty point left, `point`, and all discs but `own` the opponent's."""

def stable_count(own: int, other: int) -> int:
    """How many discs of `own` can never be turned, at least."""
