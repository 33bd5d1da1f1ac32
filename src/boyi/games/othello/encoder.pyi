from boyi.core.encoder import Encoder

class OthelloEncoder(Encoder):
    """Own discs, the opponent's, and the moves."""

    def __init__(self) -> None: ...
    def meaning(self, index: int) -> tuple[str, tuple[int, ...]]: ...
    def point_symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The seven images of the board. (Four of them exchange the discs of the start, which no position minds.)"""
