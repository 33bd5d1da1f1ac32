from boyi.core.game import Game, Options
from boyi.core.position import Position

class OthelloPosition(Position):
    """A position of Othello."""

    def __init__(self, game: Game, options: Options) -> None: ...
    def margin(self) -> int:
        """Black's discs minus White's; of a finished game, the empty points go to the winner."""

def point_name(point: int) -> str:
    """From 0 … 63 to a1 … h8."""
