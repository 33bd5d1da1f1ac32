from collections.abc import Sequence
from typing import ClassVar

from boyi.kit.nnue import Net, NetEvaluator

class XiangqiNet(NetEvaluator):
    """The evaluator `net`."""

    INPUTS: ClassVar[str]
    SEATS: ClassVar[Sequence[Sequence[Sequence[int | None]]]]
    ROWS: ClassVar[int]
    BUCKETS: ClassVar[int]
    IMAGES: ClassVar[Sequence[Sequence[int]]]
    def __init__(self, net: Net | None = None) -> None: ...
