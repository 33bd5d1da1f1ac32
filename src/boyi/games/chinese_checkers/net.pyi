from collections.abc import Sequence
from typing import ClassVar

from boyi.core.position import Position
from boyi.games.chinese_checkers.evaluator import RaceEvaluator
from boyi.kit.nnue import Net, NetEvaluator

class ChineseCheckersNet(NetEvaluator):
    """The evaluator `net`; for two players."""

    INPUTS: ClassVar[str]
    SEATS: ClassVar[Sequence[Sequence[Sequence[int | None]]]]
    ROWS: ClassVar[int]
    BUCKETS: ClassVar[int]
    IMAGES: ClassVar[Sequence[Sequence[int]]]
    def __init__(self, net: Net | None = None) -> None: ...
    def race(self) -> RaceEvaluator: ...
    def check(self, position: Position) -> None:
        """Refuse, in words, a position that there is nothing to say of: one of more than two players, too."""
