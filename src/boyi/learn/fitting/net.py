"""Fit the network of a game's evaluator `net` to positions of self-play: `boyi learn evaluator GAME`.

1. *Positions.* `learn.fitting.positions`: quiet ones, with the value of a search and the result of the game. Each
   counts once.
2. *Labels.* `learn.fitting.labels`: the value of the search and, if asked, partly the result.
3. *Inputs.* The evaluator is asked how it sees each position (`NetEvaluator.codes`), so nothing about a game is written
   down twice; symmetric images of the board (`IMAGES`) are drawn at random, anew in each epoch.
4. *Fit.* `learn.fitting.sparse`: Adam with a warm-up and cosine annealing. With `imitated` positions it is done twice:
   first a network that stands alone learns to say what the hand-written evaluation says, in positions a few random
   moves further on, which cost nothing to label; then, from there, the values of the searches. Where there are few
   positions, this is what lets a network do without the hand-written evaluation and its time.
5. *Quantisation.* To the whole numbers of `boyi.kit.nnue`.

Every `FOLDS`-th game is held out for validation; the losses reported are on those. The same positions and settings give
the same file.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from boyi.core.errors import BoyiError
from boyi.core.game import Game
from boyi.core.position import CHANCE, OVER
from boyi.kit.board_net import board_net
from boyi.kit.nnue import Net, NetEvaluator, pack
from boyi.learn.fitting import sparse
from boyi.learn.fitting.labels import Array, cross_entropy, expected_score, find_scale, loss, mix
from boyi.learn.fitting.positions import LabelledPosition
from boyi.learn.fitting.settings import FOLDS, NetSettings

ONE, LAST_ONE = 255, 64
"""1.0 of a sum and of a weight of the last layer, quantised."""

WARM_UP = 200
"""Steps in which the learning rate rises."""

FEWEST = 1_000
"""Positions; with fewer nothing is learnt that would be true of others."""

SCALES = np.geomspace(50, 5_000, 120)
SMALLEST = 1e-7
"""How near to 0 and 1 scores are looked at."""


@dataclass(frozen=True)
class Samples:
    """Positions as arrays."""

    games: Array
    rows: Array
    """(n, 2, most): rows of the first layer for the seat to act and for the other one, that of zeros at the end."""

    buckets: Array
    hand: Array
    """What the hand-written evaluation says, in its units."""

    searched: Array
    results: Array
    imitated: Array
    """Which positions only teach what the hand-written evaluation says: they were not searched."""


@dataclass(frozen=True)
class Numbers:
    """A network in floating point."""

    first: Array
    start: Array
    last: Array
    offset: Array

    def parts(self) -> tuple[Array, Array, Array, Array]:
        return self.first, self.start, self.last, self.offset


@dataclass(frozen=True)
class Report:
    """What the fit did; losses are cross-entropies on held-out games beyond what no fit could avoid."""

    positions: int
    games: int
    scale: float
    loss_by_hand: float
    loss_fitted: float
    loss_rounded: float
    seconds: float
    """Of one processor, for fitting."""


# ---------------------------------------------------------------------- inputs

def find_class(game: Game) -> type[NetEvaluator]:
    """The evaluator of a game that asks a network: one of its own, or one that sees the stones on the board."""
    for make in game.evaluators.values():
        if isinstance(make, type) and issubclass(make, NetEvaluator):
            return make
    return board_net(game)


def blank(kind: type[NetEvaluator], *, width: int = 16, base: bool = True) -> NetEvaluator:
    """An evaluator whose network knows nothing: to be asked how it sees positions, or what its base says."""
    numbers = bytes(2 * (kind.ROWS * width + width + kind.BUCKETS * (2 * width + 2)))
    return kind(Net(facts(kind, width, base, 100.0, 100.0), numbers))


def facts(kind: type[NetEvaluator], width: int, base: bool, scale: float, unit: float) -> dict[str, Any]:
    """The header of a network's file."""
    return {"inputs": kind.INPUTS, "width": width, "rows": kind.ROWS, "buckets": kind.BUCKETS, "scale": scale,
            "unit": unit, "base": base}


def gather(game: Game, labelled: Iterable[LabelledPosition], imitated: int = 0,
           on_progress: Callable[[int], object] = lambda done: None) -> Samples:
    """Positions as arrays; one that comes again is left out. For each, `imitated` more, near it."""
    evaluator = blank(find_class(game))
    assert evaluator.base is not None
    position = game.start()
    seen = set()
    kept: list[tuple[int, int, int, int, int, int, bool]] = []
    codes = []
    for one in labelled:
        position.set_text(one.text)
        if position.turn < 0 or position.fingerprint in seen:
            continue
        seen.add(position.fingerprint)
        kept.append((one.game, position.turn, evaluator.bucket_of(position), evaluator.base.value(position),
                     one.value, one.result, False))
        codes.append(evaluator.codes(position))
        generator = random.Random(one.text)
        for _ in range(imitated):
            position.play(generator.choice(position.moves()))
            while position.turn == CHANCE:
                position.play(generator.choice(position.moves()))
            if position.turn == OVER or position.outcome() is not None:
                break
            kept.append((one.game, position.turn, evaluator.bucket_of(position), evaluator.base.value(position),
                         0, 0, True))
            codes.append(evaluator.codes(position))
        if len(seen) % 1_000 == 0:
            on_progress(len(seen))
    if len(seen) < FEWEST:
        raise BoyiError(f"{len(seen)} positions are too few to learn from; at least {FEWEST} are needed")
    table = np.array(kept, np.int32)
    rows = _rows(evaluator, np.frombuffer(b"".join(codes), np.uint8).reshape(len(codes), -1), table[:, 1])
    return Samples(games=table[:, 0], rows=rows, buckets=table[:, 2].astype(np.uint8),
                   hand=table[:, 3].astype(np.float32), searched=table[:, 4].astype(np.float32),
                   results=table[:, 5].astype(np.float32), imitated=table[:, 6] != 0)


def _rows(kind: type[NetEvaluator] | NetEvaluator, codes: Array, sides: Array) -> Array:
    """The rows that codes name, those that say nothing last and as few of them as can be."""
    count, places = codes.shape
    table = np.full((2, places, 256), kind.ROWS, np.uint16)
    for seat in range(2):
        for place, by_code in enumerate(kind.SEATS[seat]):
            for code, row in enumerate(by_code):
                if row is not None:
                    table[seat, place, code] = row
    most = int((table[0][np.arange(places), codes] != kind.ROWS).sum(axis=1).max())
    rows = np.empty((count, 2, most), np.uint16)
    for first in range(0, count, 10_000):            # in pieces: the whole would need gigabytes
        some = slice(first, first + 10_000)
        seats = [table[seat][np.arange(places), codes[some]] for seat in range(2)]
        order = np.argsort(seats[0] == kind.ROWS, axis=1, kind="stable")[:, :most]
        seats = [np.take_along_axis(of_seat, order, 1) for of_seat in seats]
        second = sides[some, None] == 1
        rows[some, 0] = np.where(second, seats[1], seats[0])
        rows[some, 1] = np.where(second, seats[0], seats[1])
    return rows


def image_rows(kind: type[NetEvaluator]) -> Array:
    """Per image of the board, itself first, the row that each row becomes."""
    places = range(len(kind.SEATS[0]))
    images = np.tile(np.arange(kind.ROWS + 1, dtype=np.uint16), (1 + len(kind.IMAGES), 1))
    for number, image in enumerate(kind.IMAGES, 1):
        for seat in kind.SEATS:
            for place in places:
                for row, other in zip(seat[place], seat[image[place]], strict=True):
                    if row is not None and other is not None:
                        images[number, row] = other
    return images


# ---------------------------------------------------------------------- labels

def make_labels(samples: Samples, scale: float, share: float) -> Array:
    searched = mix(samples.results, samples.searched, scale, share)
    return np.where(samples.imitated, expected_score(samples.hand / scale), searched).astype(np.float32)


# ---------------------------------------------------------------------- the fit

def fit(kind: type[NetEvaluator], samples: Samples, settings: NetSettings,
        on_epoch: Callable[[int, float, float], object] = lambda done, fitted, held_out: None) -> tuple[bytes, Report]:
    """The file of a network fitted to the samples. `on_epoch` is called with its number and both losses."""
    began = time.process_time()
    generator = np.random.default_rng(settings.seed)
    held_out = samples.games % FOLDS == settings.fold
    inside, outside = np.flatnonzero(~held_out & ~samples.imitated), np.flatnonzero(held_out & ~samples.imitated)
    if not len(inside) or not len(outside):
        raise BoyiError("the positions are of too few games: some must be held out, some must not")
    scale = find_scale(samples.searched[inside], samples.results[inside], SCALES, SMALLEST)
    labels = make_labels(samples, scale, settings.share)
    bases = (samples.hand / scale if settings.base else np.zeros_like(samples.hand)).astype(np.float32)
    images = image_rows(kind)
    numbers = initialise(kind, settings, generator)
    sparse.check(samples.rows, images, bases, labels, samples.buckets, numbers.first, numbers.last)
    epochs = 0

    def report_loss(fitted: float) -> None:
        nonlocal epochs
        epochs += 1
        on_epoch(epochs, fitted, _held_out_loss(samples, images, bases, labels, outside, numbers))

    final = settings
    if samples.imitated.any() and not settings.base:
        copied = np.flatnonzero(~held_out & samples.imitated)
        descend(samples, copied, images, bases, labels, numbers, settings, generator, report_loss)
        # What was learnt is not to be forgotten at once: with the full rate, two epochs later it is.
        final = replace(settings, rate=settings.rate / 4, rounds=max(1, settings.rounds // 2))
    descend(samples, inside, images, bases, labels, numbers, final, generator, report_loss)
    stretch = sparse.LARGEST_LAST / max(float(np.abs(numbers.last).max()), 1e-6)
    rounded = round_off(numbers, stretch)
    check_sums(kind, rounded)
    numbers_read = Numbers(rounded.first / ONE, rounded.start / ONE, rounded.last / (stretch * LAST_ONE),
                           rounded.offset / (stretch * ONE * LAST_ONE))
    report = Report(
        positions=len(inside) + len(outside), games=len(np.unique(samples.games)), scale=round(scale, 1),
        loss_by_hand=loss(samples.hand[outside] / scale, labels[outside], SMALLEST),
        loss_fitted=_held_out_loss(samples, images, bases, labels, outside, numbers),
        loss_rounded=_held_out_loss(samples, images, bases, labels, outside, numbers_read),
        seconds=round(time.process_time() - began, 1))
    data = b"".join(part.tobytes() for part in (
        rounded.first[:-1].astype("<i2"), rounded.start.astype("<i2"), rounded.last.astype("<i2"),
        rounded.offset.astype("<i4")))
    return pack(facts(kind, settings.width, settings.base, report.scale, report.scale / stretch), data), report


def descend(samples: Samples, chosen: Array, images: Array, bases: Array, labels: Array, numbers: Numbers,
            settings: NetSettings, generator: np.random.Generator, on_epoch: Callable[[float], object]) -> None:
    """Fit the numbers, in place, to the chosen samples. `on_epoch` is called with the loss of each."""
    gradients, means, squares = ([np.zeros_like(part) for part in numbers.parts()] for _ in range(3))
    floor = float(cross_entropy(labels[chosen], labels[chosen], SMALLEST).mean())
    steps_an_epoch = max(1, len(chosen) // settings.batch)
    last_step = settings.rounds * steps_an_epoch
    for done in range(settings.rounds):
        order = generator.permutation(chosen).astype(np.int32)
        drawn = generator.integers(0, len(images), len(order), dtype=np.uint8)
        total = 0.0
        for number in range(steps_an_epoch):
            some = slice(number * settings.batch, (number + 1) * settings.batch)
            step = done * steps_an_epoch + number + 1
            total += sparse.step(samples.rows, images, bases, labels, samples.buckets, order[some], drawn[some],
                                 *numbers.parts(), *gradients)
            gradients[0][-1] = 0             # the row of zeros stays so
            rate = settings.rate * min(1.0, step / WARM_UP) * (0.51 + 0.49 * math.cos(math.pi * step / last_step))
            rate *= math.sqrt(1 - 0.999**step) / (1 - 0.9**step)       # Adam's bias correction
            for part, (weights, gradient, mean, square) in enumerate(zip(numbers.parts(), gradients, means, squares,
                                                                         strict=True)):
                sparse.adam(weights.reshape(-1), gradient.reshape(-1), mean.reshape(-1), square.reshape(-1), rate,
                            settings.decay if part in (0, 2) else 0.0, len(order[some]),
                            sparse.LARGEST_LAST if part == 2 else math.inf)
        on_epoch(total / (steps_an_epoch * min(settings.batch, len(order))) - floor)


def initialise(kind: type[NetEvaluator], settings: NetSettings, generator: np.random.Generator) -> Numbers:
    """Initial weights: sums spread over the part where they are not clipped, a last layer that says little."""
    first = generator.normal(0, 0.1, (kind.ROWS + 1, settings.width)).astype(np.float32)
    first[-1] = 0
    last = generator.normal(0, 0.05, (kind.BUCKETS, 2 * settings.width)).astype(np.float32)
    return Numbers(first, np.full(settings.width, 0.25, np.float32), last, np.zeros(kind.BUCKETS, np.float32))


def round_off(numbers: Numbers, stretch: float) -> Numbers:
    """Quantised: the last layer stretched so that it uses all of its 8 bits, the first within what `check_sums`
    can let pass."""
    return Numbers(np.clip(np.rint(numbers.first * ONE), -600, 600), np.clip(np.rint(numbers.start * ONE), -3000, 3000),
                   np.clip(np.rint(numbers.last * stretch * LAST_ONE), -127, 127),
                   np.rint(numbers.offset * stretch * ONE * LAST_ONE))


def check_sums(kind: type[NetEvaluator], rounded: Numbers) -> None:
    """Refuse a network some sum of which could leave 16 bits, whatever stands where."""
    sizes = np.abs(rounded.first)
    for seat in kind.SEATS:
        largest = np.abs(rounded.start)
        for by_code in seat:
            rows = [row for row in by_code if row is not None]
            if rows:
                largest = largest + sizes[rows].max(axis=0)
        if largest.max() >= 2**15:
            raise BoyiError(f"a sum of the network could be {largest.max():.0f}, and 16 bits hold {2**15 - 1}; fit it "
                            "with more decay")


def _held_out_loss(samples: Samples, images: Array, bases: Array, labels: Array, chosen: Array,
                   numbers: Numbers) -> float:
    values = np.empty(len(chosen), np.float32)
    first, start, last, offset = (np.ascontiguousarray(part, np.float32) for part in numbers.parts())
    sparse.values(samples.rows[chosen], images, bases[chosen], samples.buckets[chosen], first, start, last, offset,
                  values)
    return loss(values, labels[chosen], SMALLEST)


# ---------------------------------------------------------------------- the file

def save(data: bytes, report: Report, settings: NetSettings, path: Path, **more: object) -> None:
    """Write the network and beside it its card: how it was made, and how well it guesses."""
    path.write_bytes(data)
    card = {**more, "fitted": asdict(settings), "report": asdict(report), "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest()}
    path.with_suffix(".json").write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
