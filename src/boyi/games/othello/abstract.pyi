from boyi.core.evaluator import Evaluator
from boyi.core.position import Position
from boyi.games.othello.states import Statistics

STATE_COUNT: int

def abstract_state(position: Position) -> int:
    """The number of a position's abstract state, the same for all its images."""

def merged_state(state: int) -> int:
    """The least number among the images of a state."""

class AbstractEvaluator(Evaluator):
    """What positions of the same abstract state were worth on average, alone or added to another evaluation."""

    def __init__(self, base: Evaluator | None = None, *, weight: int = 100,
                 statistics: Statistics | None = None) -> None: ...
    @property
    def base(self) -> Evaluator | None: ...
    @property
    def weight(self) -> int: ...
