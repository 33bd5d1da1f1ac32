"""Networks that play: models in files, asked about many positions at once.

`card` says for which game, rules and encoder a model was trained; `predictor` asks it, `mlp` computes those that are
plain layers (`layers`), and ONNX Runtime the others; `shipped` finds those that come with Boyi. Training is elsewhere
(`boyi.learn.training`): to play needs no PyTorch.
"""

from boyi.nets.card import Card
from boyi.nets.mlp import MLPPredictor
from boyi.nets.predictor import NetPredictor, PlainPredictor, open_net
from boyi.nets.shipped import find_model, shipped_models

__all__ = ["Card", "MLPPredictor", "NetPredictor", "PlainPredictor", "find_model", "open_net", "shipped_models"]
