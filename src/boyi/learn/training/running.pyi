import numpy as np
from numpy.typing import NDArray

from boyi.core.batch import Batch
from boyi.core.position import Position
from boyi.core.predictor import Predictor
from boyi.learn.training.settings import SelfPlay

class RunningGame:
    """A game, the trees of its players and what it has to teach so far."""

    @property
    def number(self) -> int: ...
    @property
    def position(self) -> Position: ...
    @property
    def checked(self) -> bool:
        """Is it played on although a player would have resigned?"""
    @property
    def resigned(self) -> int:
        """The first who resigned, or would have; -1: nobody."""
    @property
    def simulations(self) -> int:
        """Made so far."""
    def __init__(self, number: int, start: Position, predictor: Predictor, settings: SelfPlay, seed: int) -> None: ...
    def last_value(self) -> tuple[int, float] | None:
        """Who decided last, and the value of that search, from 0 to 1; None before any decision."""
    def decisions(self) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int32], NDArray[np.float32],
                                 NDArray[np.float32], NDArray[np.float32], NDArray[np.int32]]:
        """All decisions as arrays: features, starts, names, policy, weights and values as in `Samples`, and who
        decided."""

def begin(game: RunningGame) -> bool:
    """Begin a game; is there anything to decide?"""

def play_on(games: list[RunningGame], batch: Batch,
            predictor: Predictor) -> tuple[list[RunningGame], list[RunningGame]]:
    """Play games that have begun until some are over: those that go on, and those that are over."""
