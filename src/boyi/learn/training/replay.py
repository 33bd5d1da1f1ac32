"""The replay buffer: a window of the latest samples of self-play, to learn from.

It is filled from shards (`learn.training.shard`), and refuses those of another game, other rules or another encoder,
and a second shard of games that it has: no sample counts twice.

Every n-th game is *held out* for validation: nothing is learned from it.

The window grows with all that was played, but more slowly: early games were bad ones and are forgotten, late ones
have more to tell than can be said in a short time (Wu 2019).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.core.encoder import Encoder
from boyi.core.errors import OptionError, RecordError
from boyi.learn.training.shard import Packed, Shard
from boyi.nets.card import Card, check_card

GROWTH_POWER = 0.75
GROWTH_SHARE = 0.4
"""How the window grows beyond its first size; KataGo's numbers."""

LEFT_SCALE = 5.0
"""The auxiliary target `remaining` is the logarithm of the decisions left, over this: about 1 for a long game."""


@dataclass(frozen=True, eq=False)
class Minibatch:
    """Some samples, unpacked: n rows."""

    features: NDArray[np.float32]
    policy: NDArray[np.float32]
    """(n, policy_size): the targets."""

    legal: NDArray[np.bool_]
    """(n, policy_size): which moves are."""

    weights: NDArray[np.float32]
    """(n,): how much the policy counts."""

    scores: NDArray[np.float32]
    """(n, players), from 0 to 1."""

    values: NDArray[np.float32]
    """(n,): the values of the searches."""

    reply: NDArray[np.float32]
    """(n, policy_size): the policy of the next decision."""

    reply_weights: NDArray[np.float32]
    """(n,): nothing where there is none."""

    remaining: NDArray[np.float32]
    """(n,): see `LEFT_SCALE`."""

    def __len__(self) -> int:
        return len(self.features)


def window_size(total: int, first: int, most: int) -> int:
    """The size of the window after this number of samples in all.

    >>> [window_size(total, 1000, 100_000) for total in (500, 1000, 10_000, 100_000, 10_000_000)]
    [1000, 1000, 3465, 17332, 100000]
    """
    if total <= first:
        return first
    grown = first * (1 + GROWTH_SHARE * ((total / first) ** GROWTH_POWER - 1) / GROWTH_POWER)
    return min(most, int(grown))


class Replay:
    """Samples in memory, in the order of their games: those to learn from, and those held out."""

    def __init__(self, card: Card, encoder: Encoder, held_out: int = 20) -> None:
        """For games as the card says; every `held_out`-th is held out for validation, none if it is 0."""
        if held_out == 1 or held_out < 0:
            raise OptionError(f"held_out is {held_out}: every n-th game is held out, and the others are needed")
        self.card = card
        self._encoder = encoder
        self._held_out = held_out
        self._shards: list[tuple[str, Packed]] = []
        self._games: dict[int, set[int]] = {}
        self._feature_images, self._policy_images = _images(encoder)
        self._joined: dict[str, NDArray[Any]] | None = None

    @property
    def images(self) -> int:
        """In how many ways a sample can be looked at; 1 is as it is."""
        return len(self._feature_images)

    @property
    def names(self) -> set[str]:
        """Of the files that are in it."""
        return {name for name, _ in self._shards}

    def __len__(self) -> int:
        return sum(len(shard) for _, shard in self._shards)

    def add(self, path: Path) -> int:
        """Take in a shard; the number of its samples."""
        shard = Shard.read(path)
        check_card(self.card, shard.card, f"the shard {path.name}")
        known = self._games.setdefault(shard.seed, set())
        numbers = set(shard.numbers.tolist())
        if len(numbers) < len(shard.numbers) or numbers & known:
            raise RecordError(f"the shard {path.name} holds games that are there already; no sample counts twice")
        known |= numbers
        self._shards.append((path.name, shard))
        self._joined = None
        return len(shard)

    def forget(self, most: int) -> list[str]:
        """Drop the oldest shards that are not needed for this number of samples; their names."""
        forgotten = []
        left = len(self)
        while len(self._shards) > 1 and left - len(self._shards[0][1]) >= most:
            name, shard = self._shards.pop(0)
            left -= len(shard)
            forgotten.append(name)
            self._joined = None
        return forgotten

    def training(self) -> NDArray[np.int64]:
        """The samples to learn from, by number."""
        return np.flatnonzero(~self._join()["held"])

    def validation(self, most: int) -> NDArray[np.int64]:
        """The latest samples held out, no more than `most`."""
        return np.flatnonzero(self._join()["held"])[-most:]

    def minibatch(self, chosen: NDArray[np.int64], images: NDArray[np.int64] | None = None) -> Minibatch:
        """These samples, each in an image of the board if `images` names one per sample."""
        parts = self._join()
        if images is None:
            images = np.zeros(len(chosen), np.int64)
        planes = parts["planes"][chosen]
        plane_size = self._encoder.planes * self._encoder.points
        if planes.dtype == np.uint8:
            planes = np.unpackbits(planes, axis=1, count=plane_size)
        plain = np.concatenate([planes.astype(np.float32), parts["scalars"][chosen]], axis=1)
        features = plain if self.images == 1 else np.take_along_axis(plain, self._feature_images[images], axis=1)
        policy, legal = self._spread(chosen, images, parts)
        # The next decision stands in the next row, where there is one in this game; else the row stands for itself.
        follows = parts["left"][chosen] > 0
        after = chosen + follows
        reply, _ = self._spread(after, images, parts)
        return Minibatch(features, policy, legal, parts["weights"][chosen].astype(np.float32), parts["scores"][chosen],
                         parts["values"][chosen].astype(np.float32), reply,
                         parts["weights"][after].astype(np.float32) * follows,
                         (np.log1p(parts["left"][chosen]) / LEFT_SCALE).astype(np.float32))

    def _spread(self, chosen: NDArray[np.int64], images: NDArray[np.int64],
                parts: Mapping[str, NDArray[Any]]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Policies over all names, and which names there are."""
        starts = parts["starts"]
        counts = starts[chosen + 1] - starts[chosen]
        ends = np.cumsum(counts)
        where = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts[chosen] - (ends - counts), counts)
        rows = np.repeat(np.arange(len(chosen)), counts)
        names = parts["names"][where].astype(np.int64)
        if self.images > 1:
            names = self._policy_images[images[rows], names]
        policy = np.zeros((len(chosen), self._encoder.policy_size), np.float32)
        # Moves may share a name in games without an encoder of their own: then their shares add up.
        np.add.at(policy, (rows, names), parts["policy"][where].astype(np.float32))
        legal = np.zeros(policy.shape, np.bool_)
        legal[rows, names] = True
        return policy, legal

    def _join(self) -> dict[str, NDArray[Any]]:
        """All shards as one."""
        if self._joined is not None:
            return self._joined
        shards = [shard for _, shard in self._shards]
        if not shards:
            raise RecordError("there is nothing to learn from yet: no shard was added")
        parts = {part.name: np.concatenate([getattr(shard, part.name) for shard in shards])
                 for part in fields(Packed) if part.name not in ("card", "seed", "bits", "planes")}
        if all(shard.bits for shard in shards):
            parts["planes"] = np.concatenate([shard.planes for shard in shards])
        else:
            size = self._encoder.planes * self._encoder.points
            parts["planes"] = np.concatenate([
                np.unpackbits(shard.planes, axis=1, count=size).astype(np.float32) if shard.bits else shard.planes
                for shard in shards])
        parts["starts"] = np.concatenate([[0], np.cumsum(parts["counts"], dtype=np.int64)])
        lengths = parts["lengths"]
        ends = np.cumsum(lengths)
        parts["left"] = np.repeat(ends, lengths) - 1 - np.arange(ends[-1] if len(ends) else 0)
        held = parts["numbers"] % self._held_out == 0 if self._held_out else np.zeros(len(lengths), np.bool_)
        parts["held"] = np.repeat(held, lengths)
        self._joined = parts
        return parts


def _images(encoder: Encoder) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Per image of the board, the first of them as it is: where features come from, and what names become."""
    features, policy = [np.arange(encoder.size)], [np.arange(encoder.policy_size)]
    for image in encoder.symmetries():
        features.append(np.argsort(np.asarray(image.features)))   # an image says where they go
        policy.append(np.asarray(image.policy))
    return np.stack(features), np.stack(policy)
