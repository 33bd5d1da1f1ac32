"""The rules of Liuzhou qi. Everything is an atomic action; a player may act several times in a row."""

from typing import Literal, TypeAlias

from boyi.core.game import Game, Options
from boyi.core.position import Position

Phase: TypeAlias = Literal["place", "mark", "clear", "move", "capture", "forced", "counter"]

class LiuzhouPosition(Position):
    """A position of Liuzhou qi."""

    def __init__(self, game: Game, options: Options) -> None: ...
    @property
    def phase(self) -> Phase:
        """The phase: place, mark, clear, move, capture, forced or counter."""

    @property
    def pending(self) -> int:
        """How many marks or captures the side to act still has to make."""

    @property
    def actions(self) -> int:
        """How many actions have been made since the game began."""

    @property
    def quiet_actions(self) -> int:
        """How many actions in a row, since placement ended, left the number of stones as it was."""
