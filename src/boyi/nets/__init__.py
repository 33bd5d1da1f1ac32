"""Networks that play: models in files, asked about many positions at once.

`card` says for which game, rules and encoder a model was trained; `predictor` asks it, `mlp` works out those that are
plain layers (`layers`), and ONNX Runtime the others. Training is elsewhere (`boyi.learn`): whoever only plays needs no
PyTorch.
"""

from boyi.nets.card import Card
from boyi.nets.mlp import MLPPredictor
from boyi.nets.predictor import NetPredictor, PlainPredictor, open_net

__all__ = ["Card", "MLPPredictor", "NetPredictor", "PlainPredictor", "open_net"]
