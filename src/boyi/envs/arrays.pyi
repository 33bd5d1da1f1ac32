from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from boyi.core.encoder import Encoder
from boyi.core.position import Position

def encoder_of(position: Position) -> Encoder:
    """The encoder for positions of this game under these options: made once, however often it is asked for."""

def encode(positions: Iterable[Position]) -> NDArray[np.float32]:
    """The features of positions in which a player acts, as that player may know them: float32, (n, encoder.size).

    All positions are of one game under the same options.
    """

def legal_mask(positions: Iterable[Position]) -> NDArray[np.bool_]:
    """Which actions are legal in positions in which a player acts: bool, (n, encoder.policy_size)."""

def legal_actions(position: Position) -> dict[int, int]:
    """The legal actions of a position in which a player acts, each with its move, in the order of `moves()`."""
