from boyi.core.evaluator import Evaluator
from boyi.search.forward_pruning import PruningSearch
from boyi.search.multiplayer_options import MultiplayerOptions

class LeafSearch(PruningSearch):
    """A search in which every line counts."""

    def __init__(self, evaluator: Evaluator, options: MultiplayerOptions) -> None: ...
