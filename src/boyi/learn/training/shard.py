"""A shard: a file with the samples of some games of self-play.

Its header says for which game, rule options and version of the encoder they were made, and which games they are (the
seed of the run and their numbers).

Planes are mostly zeros and ones and are kept as bits, policies with half precision: a sample of Liuzhou qi takes some
200 bytes instead of 1,200.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.core.errors import BoyiError, RecordError, shorten
from boyi.learn.training.folder import SHARD_SUFFIX, RunFolder
from boyi.learn.training.samples import Samples
from boyi.nets.card import Card

KIND = "shard"
FORMAT_VERSION = 1


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

    def unpack(self) -> Shard:
        """The same with its samples as they were before they were written, to the precision that is kept."""
        planes = self.planes
        if self.bits:
            planes = np.unpackbits(planes, axis=1, count=self.card.planes * self.card.points)
        samples = Samples(
            np.concatenate([planes.astype(np.float32), self.scalars], axis=1),
            np.concatenate([np.zeros(1, np.int64), np.cumsum(self.counts, dtype=np.int64)]),
            self.names.astype(np.int32), self.policy.astype(np.float32), self.weights.astype(np.float32),
            self.scores, self.values.astype(np.float32))
        return Shard(self.card, self.seed, self.numbers, self.lengths, self.plies, self.results, samples)


def read_shards(path: str | Path) -> Iterator[Shard]:
    """See `boyi.learn.read_shards`."""
    path = Path(path)
    files = [path]
    if path.is_dir():
        files = [file for _, file in RunFolder(path).shards()] or sorted(path.glob(f"*{SHARD_SUFFIX}"))
        if not files:
            raise RecordError(f"there is no shard (*{SHARD_SUFFIX}) in {shorten(str(path))}")
    return (Shard.read(file).unpack() for file in files)
