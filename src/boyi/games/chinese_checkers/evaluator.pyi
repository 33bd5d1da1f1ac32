from boyi.core.race import StrideEvaluator
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from boyi.games.chinese_checkers.weights import AncestorWeights, RaceWeights

class CheckersEvaluator(StrideEvaluator):
    """What evaluators of this game share: each says who has how far to go, and what follows from it."""

class AncestorEvaluator(CheckersEvaluator):
    """Layered goal distance: what all opponents lack, less `own_weight` times what the player lacks.

    Distances are steps, as the report's text and comments say. (Its function `AI_dis` gives less than the steps where a
    hole lies more above than beside: the half of what the columns exceed the rows by is then negative.)
    """

    @property
    def weights(self) -> AncestorWeights: ...
    def __init__(self, weights: AncestorWeights | None = None) -> None: ...
    def distances(self, position: ChineseCheckersPosition) -> list[int]:
        """Per player: the steps of all their pieces to the layer of the goal that is to be filled next."""

class RaceEvaluator(CheckersEvaluator):
    """The way still to go, stragglers counting more, with hops at hand and a goal that fills from its apex."""

    @property
    def weights(self) -> RaceWeights | None: ...
    def __init__(self, weights: RaceWeights | None = None) -> None: ...
    def burdens(self, position: ChineseCheckersPosition) -> list[int]:
        """Per player: what they still have to go, in hundredths of a step."""

class TunedEvaluator(RaceEvaluator):
    """As `RaceEvaluator`, with the weights that `boyi tune` found for each number of players."""

    def __init__(self) -> None: ...
