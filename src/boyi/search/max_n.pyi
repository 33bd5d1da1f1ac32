from boyi.core.evaluator import Evaluator
from boyi.search.forward_pruning import PruningSearch
from boyi.search.multiplayer_options import MultiplayerOptions

class MaxN(PruningSearch):
    """A search in which all players play for themselves."""

    def __init__(self, evaluator: Evaluator, options: MultiplayerOptions) -> None: ...
