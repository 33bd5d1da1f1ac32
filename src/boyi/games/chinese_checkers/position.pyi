from boyi.core.game import Game, Options
from boyi.core.position import Position

class ChineseCheckersPosition(Position):
    """A position of Chinese checkers.

    Invariant: at least one player is neither finished nor gone, and `acting` is such a player.
    """

    def __init__(self, game: Game, options: Options) -> None: ...
    @property
    def seats(self) -> str:
        """The home corner of each player, as letters: `AD`, `ACE`, …"""
    @property
    def turn_number(self) -> int:
        """Which turn of each player this is, counted from 1."""
    @property
    def finished(self) -> tuple[int, ...]:
        """The players who have reached their goal, first to last."""
    @property
    def left(self) -> tuple[int, ...]:
        """The players who resigned or left, in that order."""
    def distances(self) -> tuple[int, ...]:
        """Per player: the steps of all pieces to the apex of the goal corner, added up."""
    def may_resign(self, player: int) -> bool: ...
    def forfeit(self, player: int) -> int:
        """`RESIGN | player`: the player is skipped, the pieces stay, and the place is behind all who stayed."""
