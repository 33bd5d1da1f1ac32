"""What self-play leaves behind: the decisions of a game as arrays, ready to be stored and learned from.

A *sample* is one decision: what the network saw, the policy that the search arrived at, and how the game ended.
Legal moves differ in number, so they lie one after the other in `names` and `policy`, and `starts` says where those
of each sample begin.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.core.encoder import Encoder
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
    """(m,): the policy that the search arrived at; sums to one for each sample."""

    weights: NDArray[np.float32]
    """(n,): how much the policy counts; zero after a fast search, made only to get on with the game."""

    scores: NDArray[np.float32]
    """(n, players): how the game ended, between 0 and 1: for the player who acted, then for the others in order of
    play."""

    values: NDArray[np.float32]
    """(n,): the value of the search: the expected score of the player who acted."""

    def __len__(self) -> int:
        return len(self.features)

    def seen_as(self, image: Symmetry) -> Samples:
        """The same decisions on an image of the board that is as good as itself (`Encoder.symmetries`): as if the game
        had been played there."""
        features = np.empty_like(self.features)
        features[:, np.asarray(image.features)] = self.features
        return replace(self, features=features, names=np.asarray(image.policy, np.int32)[self.names])


def join_samples(games: Sequence[Samples], encoder: Encoder) -> Samples:
    """The samples of several games, one after the other."""
    def together(parts: Iterable[NDArray[Any]], kind: type, *shape: int) -> NDArray[Any]:
        return np.concatenate([np.zeros((0, *shape), kind), *parts]).astype(kind)

    counts = together((np.diff(game.starts) for game in games), np.int64)
    return Samples(
        together((game.features for game in games), np.float32, encoder.size),
        np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]),
        together((game.names for game in games), np.int32), together((game.policy for game in games), np.float32),
        together((game.weights for game in games), np.float32),
        together((game.scores for game in games), np.float32, encoder.players),
        together((game.values for game in games), np.float32))
