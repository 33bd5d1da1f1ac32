"""Networks that play: models in files, asked about many positions at once.

`card` says for which game, rules and encoder a model was trained; `predictor` asks it. Training is elsewhere
(`boyi.learn`): whoever only plays needs ONNX Runtime and no PyTorch.
"""

from boyi.nets.card import Card
from boyi.nets.predictor import NetPredictor, open_net

__all__ = ["Card", "NetPredictor", "open_net"]
