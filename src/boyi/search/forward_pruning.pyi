from boyi.core.evaluator import Evaluator
from boyi.search.deepening import Deepening
from boyi.search.multiplayer_options import MultiplayerOptions

class PruningSearch(Deepening):
    """A search for any number of players that looks at some moves only."""

    def __init__(self, evaluator: Evaluator, options: MultiplayerOptions) -> None: ...
