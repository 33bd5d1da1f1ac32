from boyi.core.batch import Batch
from boyi.core.encoder import Encoder
from boyi.core.position import Position

class Predictor:
    """All moves alike, every position level. The parent of all other predictors."""

    def __init__(self, encoder: Encoder) -> None: ...
    @property
    def encoder(self) -> Encoder: ...
    def check(self, position: Position) -> None:
        """Refuse, in words, a position that cannot be predicted: searches ask before they begin."""
    def fill(self, batch: Batch) -> None:
        """Fill in the logits and values of all that is in the batch."""

class PythonPredictor(Predictor):
    """A predictor in plain Python: override `answer`. What it answers is checked."""

    def answer(self, batch: Batch) -> None:
        """Fill in `batch.logits` and `batch.values` of the rows 0 … batch.count - 1."""
