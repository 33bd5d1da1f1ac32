"""What self-play leaves behind: the decisions of a game as arrays, ready to be stored and learned from.

A *sample* is one decision: what the network saw, what the search thought of each legal move, and how the game ended.
Legal moves differ in number, so they lie one after the other in `names` and `policy`, and `starts` says where those
of each sample begin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from boyi.core.symmetry import Symmetry


@dataclass(frozen=True, eq=False)
class Samples:
    """n decisions with m legal moves in all."""

    features: NDArray[np.float32]
    """(n, size): as the encoder wrote them, for the player to act."""

    starts: NDArray[np.int64]
    """(n + 1,): the legal moves of sample i are `names[starts[i]:starts[i + 1]]`."""

    names: NDArray[np.int32]
    """(m,): the legal moves, as the encoder names them."""

    policy: NDArray[np.float32]
    """(m,): how the search divided its trust among them; sums to one for each sample."""

    weights: NDArray[np.float32]
    """(n,): how much the policy counts; nothing after a search that was only made to get on with the game."""

    scores: NDArray[np.float32]
    """(n, players): how the game ended, between 0 and 1: for the player who acted, then for the others in order of
    play."""

    values: NDArray[np.float32]
    """(n,): what the search thought that the player who acted would score."""

    def __len__(self) -> int:
        return len(self.features)

    def seen_as(self, image: Symmetry) -> Samples:
        """The same decisions on an image of the board that is as good as itself (`Encoder.symmetries`): as if the game
        had been played there."""
        features = np.empty_like(self.features)
        features[:, np.asarray(image.features)] = self.features
        return replace(self, features=features, names=np.asarray(image.policy, np.int32)[self.names])
