from boyi.core.encoder import Encoder
from boyi.core.position import Position

class Batch:
    """Encoded positions and, once a predictor was asked, its logits and values."""

    def __init__(self, encoder: Encoder, capacity: int) -> None: ...
    @property
    def encoder(self) -> Encoder: ...
    @property
    def capacity(self) -> int: ...
    @property
    def count(self) -> int:
        """Positions in it."""
    def append(self, position: Position) -> int:
        """Add a position with all its moves; the number of its row."""
    def empty(self) -> None:
        """Take everything out."""
    @property
    def features(self) -> memoryview[float]:
        """All rows of features, also those not in use: row r begins at r * encoder.size."""
    @property
    def starts(self) -> memoryview[int]:
        """Where the moves of each row begin in `indices` and `logits`; with row r + 1 those of row r end."""
    @property
    def indices(self) -> memoryview[int]:
        """The policy indices of the moves asked about."""
    @property
    def logits(self) -> memoryview[float]:
        """The answer: a logit per move asked about."""
    @property
    def values(self) -> memoryview[float]:
        """The answer: per row what the position is worth to the player who acts, then to the others in order of play;
        from -1 to 1."""
