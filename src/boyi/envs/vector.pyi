from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.core.encoder import Encoder
from boyi.core.position import Position

class VectorEnv:
    """Games of one kind that are stepped together. See the module for what its arrays hold."""

    def __init__(self, game: str | Position, count: int, *, seed: int | None = None, observations: bool = False,
                 autoreset: bool = True, max_plies: int | None = None, threads: int = 1,
                 into: Mapping[str, NDArray[Any]] | None = None, **options: object) -> None: ...
    @property
    def start(self) -> Position:
        """What every game begins from."""
    @property
    def encoder(self) -> Encoder:
        """What numbers the actions and writes the observations."""
    @property
    def count(self) -> int:
        """How many games there are."""
    @property
    def actions(self) -> int:
        """How many actions there are: the width of a mask."""
    @property
    def max_plies(self) -> int:
        """Decisions after which a game is truncated; 0: never."""
    @property
    def threads(self) -> int:
        """How many share the work."""
    @property
    def autoreset(self) -> bool:
        """Does a game that has ended begin anew?"""
    @property
    def masks(self) -> NDArray[np.bool_]:
        """(count, actions): which are legal."""
    @property
    def to_act(self) -> NDArray[np.int32]:
        """(count,): whose turn it is; `boyi.OVER` in a game that has ended and does not begin anew."""
    @property
    def rewards(self) -> NDArray[np.float32]:
        """(count, players): the final scores of games that the last step ended, else zeros."""
    @property
    def terminations(self) -> NDArray[np.bool_]:
        """(count,): which games the last step ended by the rules."""
    @property
    def truncations(self) -> NDArray[np.bool_]:
        """(count,): which games the last step ended by `max_plies`."""
    @property
    def observations(self) -> NDArray[np.float32] | None:
        """(count, encoder.size): what the player to act may know; None unless asked for."""
    def reset(self, seed: int | None = None) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Begin all games anew, with new streams of random numbers if a seed is given; (to_act, masks)."""
    def step(self, actions: NDArray[Any] | Sequence[int],
             ) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """Make a move in every row, given by its action; (rewards, terminations, truncations).

        If any action is not legal, all are refused and nothing changes.
        """
    def sample(self, into: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """An action per row, each legal one as likely as the others: int64, written `into` an array if one is given.

        0 in rows where nobody acts.
        """
    def position(self, row: int) -> Position:
        """A copy of the position of a row."""
    def __len__(self) -> int: ...
