"""What self-play has left so far: shards on disk, and a window of the latest samples to learn from.

A *shard* is a file with the samples of some games, written whole or not at all. Its header says for which game, rule
options and version of the encoder they were made, and which games they are (the seed of the run and their numbers). A
`Replay` refuses shards of anything else, and a second shard of games that it has: no sample counts twice.

Of every so many games one is *held out*. Nothing is learned from it; what the network thinks of it tells whether
learning helps where it was not told the answers.

The window grows with all that was played, but more slowly: early games were bad ones and are forgotten, late ones
have more to tell than can be said in a short time (Wu 2019).

Planes are mostly zeros and ones and are kept as bits, policies with half precision: a sample of Liuzhou qi takes some
200 bytes instead of 1,200.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.core.encoder import Encoder
from boyi.core.errors import BoyiError, OptionError, RecordError, shorten
from boyi.learn.samples import Samples
from boyi.nets.card import Card, differing

KIND = "shard"
FORMAT_VERSION = 1
SUFFIX = ".npz"

GROWTH_POWER = 0.75
GROWTH_SHARE = 0.4
"""How the window grows beyond its first size; KataGo's numbers."""

LEFT_SCALE = 5.0
"""The auxiliary target `remaining` is the logarithm of the decisions left, over this: about 1 for a long game."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that whoever looks finds the old one or the new one, also after a power cut."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise BoyiError(f"cannot write {shorten(str(path))}: {error.strerror or error}") from error


@dataclass(frozen=True, eq=False)
class Shard:
    """The samples of some games."""

    card: Card
    """What they were made for; its notes say how."""

    seed: int
    """Of the run. With a number it tells a game from all others."""

    numbers: NDArray[np.int64]
    """(g,): of the games."""

    lengths: NDArray[np.int64]
    """(g,): how many samples of each there are, one game after the other; none of a game that was broken off."""

    plies: NDArray[np.int64]
    """(g,): how many moves each had."""

    results: NDArray[np.float32]
    """(g, players): how each ended, by seat, from 0 to 1; NaN for a game that was broken off."""

    samples: Samples

    def to_bytes(self) -> bytes:
        samples, plane_size = self.samples, self.card.planes * self.card.points
        planes = samples.features[:, :plane_size]
        bits = bool(((planes == 0) | (planes == 1)).all())
        header = {"boyi": KIND, "version": FORMAT_VERSION, "seed": self.seed, "bits": bits,
                  "card": json.loads(self.card.to_text())}
        file = io.BytesIO()
        np.savez(
            file, header=np.frombuffer(json.dumps(header, ensure_ascii=False, sort_keys=True).encode(), np.uint8),
            numbers=self.numbers, lengths=self.lengths, plies=self.plies, results=self.results,
            planes=np.packbits(planes.astype(np.uint8), axis=1) if bits else planes,
            scalars=samples.features[:, plane_size:], counts=np.diff(samples.starts).astype(np.int32),
            names=samples.names.astype(np.uint16 if self.card.policy_size <= 1 << 16 else np.int32),
            policy=samples.policy.astype(np.float16), weights=samples.weights.astype(np.float16),
            scores=samples.scores, values=samples.values.astype(np.float16))
        return file.getvalue()

    @staticmethod
    def read(path: Path) -> Packed:
        """A shard as it lies in its file."""
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
                parts = dict(file)
            header = json.loads(parts.pop("header").tobytes())
            if header.get("boyi") != KIND or header.get("version") != FORMAT_VERSION:
                raise RecordError(f"{shorten(str(path))} is no shard of version {FORMAT_VERSION}")
            return Packed(Card.parse(json.dumps(header["card"])), header["seed"], header["bits"], **parts)
        except BoyiError:
            raise
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
            raise RecordError(f"{shorten(str(path))} cannot be read as a shard: {error}") from error


@dataclass(frozen=True, eq=False)
class Packed:
    """A shard with its arrays as they are in the file."""

    card: Card
    seed: int
    bits: bool
    numbers: NDArray[np.int64]
    lengths: NDArray[np.int64]
    plies: NDArray[np.int64]
    results: NDArray[np.float32]
    planes: NDArray[Any]
    scalars: NDArray[np.float32]
    counts: NDArray[np.int32]
    names: NDArray[Any]
    policy: NDArray[np.float16]
    weights: NDArray[np.float16]
    scores: NDArray[np.float32]
    values: NDArray[np.float16]

    def __len__(self) -> int:
        return len(self.scores)


@dataclass(frozen=True, eq=False)
class Lesson:
    """Some samples, unpacked: n rows."""

    features: NDArray[np.float32]
    policy: NDArray[np.float32]
    """(n, policy_size): what to say."""

    legal: NDArray[np.bool_]
    """(n, policy_size): where it counts."""

    weights: NDArray[np.float32]
    """(n,): how much the policy counts."""

    scores: NDArray[np.float32]
    """(n, players), from 0 to 1."""

    values: NDArray[np.float32]
    """(n,): what the search expected."""

    reply: NDArray[np.float32]
    """(n, policy_size): the policy of the next decision."""

    reply_weights: NDArray[np.float32]
    """(n,): nothing where there is none."""

    remaining: NDArray[np.float32]
    """(n,): see `LEFT_SCALE`."""

    def __len__(self) -> int:
        return len(self.features)


def check_card(wanted: Card, found: Card, what: str) -> None:
    """Refuse, in words, what was made for another game, other rules or another encoder."""
    if found.game != wanted.game:
        raise RecordError(f"{what} is of {shorten(found.game)} and not of {wanted.game}")
    if found.rules_version != wanted.rules_version or dict(found.options) != dict(wanted.options):
        theirs = {**found.options, "rules_version": found.rules_version}
        ours = {**wanted.options, "rules_version": wanted.rules_version}
        raise RecordError(f"{what} was made under other rules of {wanted.game}: {differing(theirs, ours)}")
    for name in ("encoder_version", "planes", "points", "scalars", "policy_size"):
        if getattr(found, name) != getattr(wanted, name):
            raise RecordError(f"{what} was made with another encoder of {wanted.game}: {name} is "
                              f"{getattr(found, name)} (here {getattr(wanted, name)}); make it anew, or use the Boyi "
                              f"that made it")


def window_size(total: int, first: int, most: int) -> int:
    """How many of all samples so far are learned from.

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
        """For games as the card says; one of `held_out` games is not learned from, none if it is 0."""
        if held_out == 1 or held_out < 0:
            raise OptionError(f"held_out is {held_out}: of so many games one is held out, and the others are needed")
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
        """Leave out the oldest shards that are not needed for so many samples; their names."""
        forgotten = []
        left = len(self)
        while len(self._shards) > 1 and left - len(self._shards[0][1]) >= most:
            name, shard = self._shards.pop(0)
            left -= len(shard)
            forgotten.append(name)
            self._joined = None
        return forgotten

    def to_learn(self) -> NDArray[np.int64]:
        """The samples to learn from, by number."""
        return np.flatnonzero(~self._join()["held"])

    def to_check(self, most: int) -> NDArray[np.int64]:
        """The latest samples held out, no more than `most`."""
        return np.flatnonzero(self._join()["held"])[-most:]

    def lesson(self, chosen: NDArray[np.int64], images: NDArray[np.int64] | None = None) -> Lesson:
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
        return Lesson(features, policy, legal, parts["weights"][chosen].astype(np.float32), parts["scores"][chosen],
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
