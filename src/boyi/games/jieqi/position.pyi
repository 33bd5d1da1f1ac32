"""The rules of jieqi 揭棋: xiangqi with covered pieces, as one viewer knows the game."""

from typing import Literal, Self

from boyi.core.board import Covered, Glyph
from boyi.core.game import Game, Options
from boyi.games.xiangqi.position import XiangqiPosition

class JieqiPosition(XiangqiPosition):
    """What one viewer knows of a game of jieqi. Player 0 is Red, who moves first."""

    def __init__(self, game: Game, options: Options) -> None: ...
    @property
    def decisions(self) -> int:
        """Players' moves since `start_text`; all viewers count them alike."""
    @property
    def viewer(self) -> Literal["w", "b", "-", "s"]:
        """Whose knowledge this is: `w`, `b`, `-` (the referee) or `s` (a spectator)."""
    @property
    def mover(self) -> int:
        """The player whose turn it is; at a CHANCE turn the one whose move chance completes."""
    @property
    def awaited(self) -> str:
        """What chance is to tell, next first: `X` a red and `x` a black piece; empty at a player's turn."""
    def pool(self, player: int) -> dict[str, int]:
        """How many pieces of each type the covered ones of a player may be, as far as the viewer knows."""
    def pools(self) -> tuple[Covered, ...]:
        """What covered pieces may be, as far as the viewer knows: per side, the types in the order R A C P N B."""
    def observe(self, player: int | None) -> Self:
        """What `player` (None: a spectator) may know of this game; see the module's text."""
    def letter(self, piece: int) -> str:
        """The letter of a piece in position texts."""
    def glyph(self, piece: int, square: int) -> Glyph:
        """The look of a piece that stands on a square (which tells whether it is covered, in jieqi)."""
