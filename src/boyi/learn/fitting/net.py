"""Fit the network of a game's evaluator `net` to positions of self-play: `boyi learn evaluator GAME`.

1. *Positions.* `learn.fitting.positions`: quiet ones, with the value of a search and the result of the game. Each
   counts once.
2. *Labels.* `learn.fitting.labels`: the value of the search and, if asked, partly the result.
3. *Inputs.* `learn.fitting.samples`: the evaluator is asked how it sees each position, so nothing about a game is
   written down twice; symmetric images of the board are drawn at random, anew in each epoch.
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
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from boyi.core.errors import BoyiError
from boyi.kit.inputs import Inputs
from boyi.kit.nnue import NetEvaluator, pack
from boyi.learn.fitting import sparse
from boyi.learn.fitting.labels import Array, cross_entropy, expected_score, find_scale, loss, mix
from boyi.learn.fitting.samples import Samples, facts, row_table
from boyi.learn.fitting.settings import FOLDS, NetSettings

ONE, LAST_ONE = 255, 64
"""1.0 of a sum and of a weight of the last layer, quantised."""

WARM_UP = 200
"""Steps in which the learning rate rises."""

SCALE_POSITIONS = 500_000
"""From which the scale is found, at most."""

SCALES = np.geomspace(50, 5_000, 120)
SMALLEST = 1e-7
"""How near to 0 and 1 scores are looked at."""


@dataclass(frozen=True)
class Numbers:
    """A network in floating point."""

    first: Array
    start: Array
    last: Array
    offset: Array
    alike: Array | None = None
    """See `Inputs.alike`; then each row of the first layer is the sum of one of `own` and one of `shared`."""

    own: Array | None = None
    shared: Array | None = None

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
    """Of processors, for fitting."""

    epochs: tuple[tuple[float, float], ...]
    """Per epoch, the loss on fitted and on held-out games."""


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
    some = inside[::-(-len(inside) // SCALE_POSITIONS)]
    scale = find_scale(samples.searched[some], samples.results[some], SCALES, SMALLEST)
    labels = make_labels(samples, scale, settings.share)
    bases = (samples.hand / scale if settings.base else np.zeros(len(samples))).astype(np.float32)
    inputs = kind.find_inputs(settings.inputs)
    data = Data(samples, row_table(inputs), bases, labels)
    numbers = initialise(inputs, kind.BUCKETS, settings, generator)
    sparse.check(samples.codes, samples.facts, data.table, bases, labels, numbers.first, numbers.last)
    epochs: list[tuple[float, float]] = []

    def report_loss(fitted: float) -> None:
        epochs.append((fitted, held_out_loss(data, outside, numbers)))
        on_epoch(len(epochs), *epochs[-1])

    final = settings
    if samples.imitated.any() and not settings.base:
        copied = np.flatnonzero(~held_out & samples.imitated)
        descend(data, copied, numbers, settings, generator, report_loss)
        # What was learnt is not to be forgotten at once: with the full rate, two epochs later it is.
        final = replace(settings, rate=settings.rate / 4, rounds=max(1, settings.rounds // 2))
    descend(data, inside, numbers, final, generator, report_loss)
    stretch = sparse.LARGEST_LAST / max(float(np.abs(numbers.last).max()), 1e-6)
    rounded = round_off(numbers, stretch)
    check_sums(inputs, rounded)
    numbers_read = Numbers(rounded.first / ONE, rounded.start / ONE, rounded.last / (stretch * LAST_ONE),
                           rounded.offset / (stretch * ONE * LAST_ONE))
    report = Report(
        positions=len(inside) + len(outside), games=len(np.unique(samples.games)), scale=round(scale, 1),
        loss_by_hand=loss(samples.hand[outside] / scale, labels[outside], SMALLEST),
        loss_fitted=held_out_loss(data, outside, numbers), loss_rounded=held_out_loss(data, outside, numbers_read),
        seconds=round(time.process_time() - began, 1),
        epochs=tuple((round(fitted, 6), round(held, 6)) for fitted, held in epochs))
    file = b"".join(part.tobytes() for part in (
        rounded.first[:-1].astype("<i2"), rounded.start.astype("<i2"), rounded.last.astype("<i2"),
        rounded.offset.astype("<i4")))
    return pack(facts(kind, settings.width, settings.base, report.scale, report.scale / stretch, inputs.name),
                file), report


@dataclass(frozen=True)
class Data:
    """Samples with all that a step reads of them."""

    samples: Samples
    table: Array
    """See `samples.row_table`."""

    bases: Array
    labels: Array


def descend(data: Data, chosen: Array, numbers: Numbers, settings: NetSettings, generator: np.random.Generator,
            on_epoch: Callable[[float], object]) -> None:
    """Fit the numbers, in place, to the chosen samples. `on_epoch` is called with the loss of each.

    With several threads each takes its share of every batch and has gradients of its own, which are added up: the same
    numbers for the same number of threads.
    """
    threads = settings.threads
    gradients = [[np.zeros_like(part) for part in numbers.parts()] for _ in range(threads)]
    fitted, found = list(numbers.parts()), list(gradients[0])
    shared_gradient = None
    if numbers.own is not None and numbers.shared is not None:
        shared_gradient = np.zeros_like(numbers.shared)
        fitted, found = [numbers.own, *fitted[1:], numbers.shared], [*found, shared_gradient]
    means, squares = ([np.zeros_like(part) for part in fitted] for _ in range(2))
    floor = float(cross_entropy(data.labels[chosen], data.labels[chosen], SMALLEST).mean())
    steps_an_epoch = max(1, len(chosen) // settings.batch)
    last_step = settings.rounds * steps_an_epoch

    def add_gradients(part: tuple[Array, Array, list[Array]]) -> float:
        order, drawn, into = part
        return sparse.step(data.samples.codes, data.samples.facts, data.table, data.bases, data.labels, order, drawn,
                           *numbers.parts(), *into)

    with ThreadPoolExecutor(threads) as pool:
        for done in range(settings.rounds):
            order = generator.permutation(chosen).astype(np.int32)
            drawn = generator.integers(0, len(data.table), len(order), dtype=np.uint8)
            total = 0.0
            for number in range(steps_an_epoch):
                some = slice(number * settings.batch, (number + 1) * settings.batch)
                step = done * steps_an_epoch + number + 1
                parts = [(np.ascontiguousarray(order[some][thread::threads]),
                          np.ascontiguousarray(drawn[some][thread::threads]), gradients[thread])
                         for thread in range(threads)]
                total += sum(map(add_gradients, parts) if threads == 1 else pool.map(add_gradients, parts))
                for others in gradients[1:]:
                    for gradient, other in zip(gradients[0], others, strict=True):
                        gradient += other
                        other[:] = 0
                gradients[0][0][-1] = 0             # the row of zeros stays so
                rate = settings.rate * min(1.0, step / WARM_UP) * (0.51 + 0.49 * math.cos(math.pi * step / last_step))
                rate *= math.sqrt(1 - 0.999**step) / (1 - 0.9**step)       # Adam's bias correction
                share_gradients(numbers, gradients[0][0], shared_gradient)
                for part, (weights, gradient, mean, square) in enumerate(zip(fitted, found, means, squares,
                                                                             strict=True)):
                    sparse.adam(weights.reshape(-1), gradient.reshape(-1), mean.reshape(-1), square.reshape(-1), rate,
                                settings.decay if part != 1 and part != 3 else 0.0, len(order[some]),
                                sparse.LARGEST_LAST if part == 2 else math.inf)
                join(numbers)
            on_epoch(total / (steps_an_epoch * min(settings.batch, len(order))) - floor)


def share_gradients(numbers: Numbers, gradient: Array, shared: Array | None) -> None:
    """What a row has in common with others moves by what all of them say."""
    if shared is not None:
        sparse.gather_alike(gradient, numbers.alike, shared)


def join(numbers: Numbers) -> None:
    """Make the rows of the first layer of their parts, if they have any."""
    if numbers.shared is not None:
        sparse.join_alike(numbers.own, numbers.shared, numbers.alike, numbers.first)


def initialise(inputs: Inputs, buckets: int, settings: NetSettings, generator: np.random.Generator) -> Numbers:
    """Initial weights: sums spread over the part where they are not clipped, a last layer that says little."""
    different = max(inputs.alike) + 1 if inputs.alike else inputs.rows
    first = generator.normal(0, 0.1, (different + 1, settings.width)).astype(np.float32)
    first[-1] = 0
    last = generator.normal(0, 0.05, (buckets, 2 * settings.width)).astype(np.float32)
    start, offset = np.full(settings.width, 0.25, np.float32), np.zeros(buckets, np.float32)
    if not inputs.alike:
        return Numbers(first, start, last, offset)
    alike = np.array([*inputs.alike, different], np.int32)
    return Numbers(first[alike], start, last, offset, alike, np.zeros((len(alike), settings.width), np.float32), first)


def round_off(numbers: Numbers, stretch: float) -> Numbers:
    """Quantised: the last layer stretched so that it uses all of its 8 bits, the first within what `check_sums`
    can let pass."""
    return Numbers(np.clip(np.rint(numbers.first * ONE), -600, 600), np.clip(np.rint(numbers.start * ONE), -3000, 3000),
                   np.clip(np.rint(numbers.last * stretch * LAST_ONE), -127, 127),
                   np.rint(numbers.offset * stretch * ONE * LAST_ONE))


def check_sums(inputs: Inputs, rounded: Numbers) -> None:
    """Refuse a network some sum of which could leave 16 bits, whatever stands where."""
    sizes = np.abs(rounded.first)
    for seats in inputs.views:
        for seat in seats:
            largest = np.abs(rounded.start)
            for by_code in seat:
                rows = [row for row in by_code if row is not None]
                if rows:
                    largest = largest + sizes[rows].max(axis=0)
            if largest.max() >= 2**15:
                raise BoyiError(f"a sum of the network could be {largest.max():.0f}, and 16 bits hold {2**15 - 1}; fit "
                                "it with more decay")


def held_out_loss(data: Data, chosen: Array, numbers: Numbers) -> float:
    values = np.empty(len(chosen), np.float32)
    first, start, last, offset = (np.ascontiguousarray(part, np.float32) for part in numbers.parts())
    sparse.values(data.samples.codes, data.samples.facts, data.table, data.bases, chosen.astype(np.int32), first, start,
                  last, offset, values)
    return loss(values, data.labels[chosen], SMALLEST)


# ---------------------------------------------------------------------- the file

def save(data: bytes, report: Report, settings: NetSettings, path: Path, **more: object) -> None:
    """Write the network and beside it its card: how it was made, and how well it guesses."""
    path.write_bytes(data)
    card = {**more, "fitted": asdict(settings), "report": asdict(report), "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest()}
    path.with_suffix(".json").write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
