from collections.abc import Sequence
from typing import Any

from boyi.core.encoder import Encoder
from boyi.core.predictor import Predictor

def use_fused(wanted: bool) -> bool:
    """Whether machines that can fuse multiplication and addition shall; for tests. Does this one, now?"""

class MLPPredictor(Predictor):
    """A network of plain layers: from the features to logits of moves and values."""

    def __init__(self, encoder: Encoder, layers: Sequence[tuple[Any, Any]], policy: tuple[Any, Any],
                 value: tuple[Any, Any], wdl: bool) -> None:
        """Each layer, the policy head and the value head is a pair: weights, `float32` of shape [inputs, outputs], and
        a bias.

        The value head gives logits of win, draw and loss (`wdl`), or what `tanh` makes values of, for one player or for
        all.
        """
