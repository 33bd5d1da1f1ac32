from collections.abc import Sequence
from typing import Any

from boyi.core.encoder import Encoder
from boyi.core.predictor import Predictor

def use_fused(wanted: bool) -> bool:
    """Whether machines that can fuse multiplication and addition shall; for tests. Does this one, now?"""

class MLPPredictor(Predictor):
    """A network of plain layers: from the features through ramps to logits of moves and an outlook."""

    def __init__(self, encoder: Encoder, layers: Sequence[tuple[Any, Any]], policy: tuple[Any, Any],
                 outlook: tuple[Any, Any], wdl: bool) -> None:
        """Each layer, the policy and the outlook is a pair: weights, `float32` of shape [inputs, outputs], and a bias.

        The outlook is logits of win, draw and loss (`wdl`), or what `tanh` makes values of, for one player or for all.
        """
