"""Networks that play: models in files, asked about many positions at once.

`card` says for which game, rules and encoder a model was trained; `predictor` asks it; `shipped` finds those that come
with Boyi. Training is elsewhere
(`boyi.learn`): whoever only plays needs ONNX Runtime and no PyTorch.
"""

from boyi.nets.card import Card
from boyi.nets.predictor import NetPredictor, open_net
from boyi.nets.shipped import find_model, shipped_models

__all__ = ["Card", "NetPredictor", "find_model", "open_net", "shipped_models"]
