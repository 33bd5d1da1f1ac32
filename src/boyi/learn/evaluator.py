"""Fit the network of a game's evaluator `net` to positions of self-play: `boyi learn evaluator GAME`.

1. *Positions.* `boyi.learn.positions`: quiet ones, with what a search said and how the game ended. Each counts once.
2. *Labels.* The odds of winning for the player to act: what the search said and, if asked, partly the result. The
   value that means odds of e to 1, the *scale*, is the one by which the searches' values tell the results best.
3. *Inputs.* The evaluator is asked how it sees each position (`NetEvaluator.codes`), so nothing about a game is written
   down twice; images of the board (`IMAGES`) are drawn by lot, anew in each round.
4. *Fit.* `boyi.learn.sparse`: Adam, the rate rising for a moment and then falling like a cosine. With `imitated`
   positions it is done twice: first a network that stands alone learns to say what the hand-written evaluation says, in
   positions a few random moves further on, which cost nothing to label; then, from there, what the searches said. Where
   there are few positions, this is what lets a network do without the hand-written evaluation and its time.
5. *Rounding.* To the whole numbers of `boyi.kit.nnue`.

One game in `HELD_OUT` is held out; the losses reported are on those. The same positions and settings give the same
file.
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
import numpy.typing as npt

from boyi.core.errors import BoyiError, OptionError
from boyi.core.game import Game
from boyi.core.position import CHANCE, OVER
from boyi.kit.nnue import Net, NetEvaluator, pack
from boyi.learn import sparse
from boyi.learn.positions import Opinion

Array = npt.NDArray[Any]

HELD_OUT = 20
"""Of so many games, one is not fitted to but measured with."""

ONE, LAST_ONE = 255, 64
"""1.0 of a sum and of a weight of the last layer, in whole numbers."""

WARM_UP = 200
"""Steps in which the rate of learning rises."""

FEWEST = 1_000
"""Positions; with fewer nothing is learnt that would be true of others."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How to fit."""

    width: int = 64
    """Sums per seat."""

    base: bool = True
    """Does the network correct the hand-written evaluation, or stand alone?"""

    rounds: int = 20
    """How often each position is looked at."""

    rate: float = 0.003
    decay: float = 0.01
    """How strongly weights are drawn to nought."""

    batch: int = 4096
    share: float = 0.0
    """How much of a label is the result of the game; the rest is what the search said. A result is a coin that fell
    once; a tenth of it in the labels was nearly half of the loss in xiangqi, and all of that noise."""

    imitated: int = 0
    """Per position, so many more that teach what the hand-written evaluation says."""

    fold: int = 0
    """Which game of `HELD_OUT` is held out: those whose numbers leave this remainder."""

    seed: int = 1

    def __post_init__(self) -> None:
        for name, lowest in (("width", 16), ("rounds", 1), ("batch", 1), ("decay", 0), ("imitated", 0), ("fold", 0),
                             ("seed", 0)):
            if getattr(self, name) < lowest:
                raise OptionError(f"{name} is {getattr(self, name)} and must be at least {lowest}")
        if self.width > 256 or self.width % 16:
            raise OptionError(f"width is {self.width} and must be a multiple of 16, at most 256")
        if self.fold >= HELD_OUT:
            raise OptionError(f"fold is {self.fold} and must be less than {HELD_OUT}")
        if not 0 <= self.share <= 1:
            raise OptionError(f"share is {self.share} and must be from 0 to 1")
        if not 0 < self.rate <= 1:
            raise OptionError(f"rate is {self.rate} and must be more than 0 and at most 1")


@dataclass(frozen=True)
class Samples:
    """Positions as arrays."""

    games: Array
    rows: Array
    """(n, 2, most): rows of the first layer for the seat to act and for the other one, nought at the end."""

    buckets: Array
    hand: Array
    """What the hand-written evaluation says, in its units."""

    searched: Array
    results: Array
    imitated: Array
    """Which positions only teach what the hand-written evaluation says: nobody searched them."""


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
    """The evaluator of a game that asks a network."""
    for make in game.evaluators.values():
        if isinstance(make, type) and issubclass(make, NetEvaluator):
            return make
    raise BoyiError(f"{game.name} has no evaluator that asks a network")


def blank(kind: type[NetEvaluator], *, width: int = 16, base: bool = True) -> NetEvaluator:
    """An evaluator whose network knows nothing: to be asked how it sees positions, or what its base says."""
    numbers = bytes(2 * (kind.ROWS * width + width + kind.BUCKETS * (2 * width + 2)))
    return kind(Net(facts(kind, width, base, 100.0, 100.0), numbers))


def facts(kind: type[NetEvaluator], width: int, base: bool, scale: float, unit: float) -> dict[str, Any]:
    """The header of a network's file."""
    return {"inputs": kind.INPUTS, "width": width, "rows": kind.ROWS, "buckets": kind.BUCKETS, "scale": scale,
            "unit": unit, "base": base}


def gather(game: Game, opinions: Iterable[Opinion], imitated: int = 0,
           progress: Callable[[int], object] = lambda done: None) -> Samples:
    """Positions as arrays; one that comes again is left out. For each, so many more to be imitated, near it."""
    evaluator = blank(find_class(game))
    assert evaluator.base is not None
    position = game.start()
    seen = set()
    kept: list[tuple[int, int, int, int, int, int, bool]] = []
    codes = []
    for opinion in opinions:
        position.set_text(opinion.text)
        if position.turn < 0 or position.fingerprint in seen:
            continue
        seen.add(position.fingerprint)
        kept.append((opinion.game, position.turn, evaluator.bucket_of(position), evaluator.base.value(position),
                     opinion.value, opinion.result, False))
        codes.append(evaluator.codes(position))
        generator = random.Random(opinion.text)
        for _ in range(imitated):
            position.play(generator.choice(position.moves()))
            while position.turn == CHANCE:
                position.play(generator.choice(position.moves()))
            if position.turn == OVER or position.outcome() is not None:
                break
            kept.append((opinion.game, position.turn, evaluator.bucket_of(position), evaluator.base.value(position),
                         0, 0, True))
            codes.append(evaluator.codes(position))
        if len(seen) % 1_000 == 0:
            progress(len(seen))
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

def odds(values: Array) -> Array:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -50, 50))))


def loss(values: Array, labels: Array) -> float:
    """Mean cross-entropy, less that of a perfect guess."""
    def entropy(guess: Array) -> Array:
        guess = np.clip(guess, 1e-7, 1 - 1e-7)
        return np.asarray(-(labels * np.log(guess) + (1 - labels) * np.log(1 - guess)))
    return float((entropy(odds(values)) - entropy(labels)).mean())


def find_scale(searched: Array, results: Array) -> float:
    """The value that means odds of e to 1 (73 %): what fits the results of the games best."""
    return min((float(scale) for scale in np.geomspace(50, 5_000, 120)),
               key=lambda scale: loss(searched / scale, (results + 1) / 2))


def make_labels(samples: Samples, scale: float, share: float) -> Array:
    searched = share * (samples.results + 1) / 2 + (1 - share) * odds(samples.searched / scale)
    return np.where(samples.imitated, odds(samples.hand / scale), searched).astype(np.float32)


# ---------------------------------------------------------------------- the fit

def fit(kind: type[NetEvaluator], samples: Samples, settings: Settings,
        progress: Callable[[int, float, float], object] = lambda done, fitted, held_out: None) -> tuple[bytes, Report]:
    """The file of a network fitted to the samples. `progress` hears of every round: its number and both losses."""
    began = time.process_time()
    generator = np.random.default_rng(settings.seed)
    held_out = samples.games % HELD_OUT == settings.fold
    inside, outside = np.flatnonzero(~held_out & ~samples.imitated), np.flatnonzero(held_out & ~samples.imitated)
    if not len(inside) or not len(outside):
        raise BoyiError("the positions are of too few games: some must be held out, some must not")
    scale = find_scale(samples.searched[inside], samples.results[inside])
    labels = make_labels(samples, scale, settings.share)
    bases = (samples.hand / scale if settings.base else np.zeros_like(samples.hand)).astype(np.float32)
    images = image_rows(kind)
    numbers = begin(kind, settings, generator)
    sparse.check(samples.rows, images, bases, labels, samples.buckets, numbers.first, numbers.last)
    told = 0

    def tell(fitted: float) -> None:
        nonlocal told
        told += 1
        progress(told, fitted, _held_out_loss(samples, images, bases, labels, outside, numbers))

    final = settings
    if samples.imitated.any() and not settings.base:
        copied = np.flatnonzero(~held_out & samples.imitated)
        descend(samples, copied, images, bases, labels, numbers, settings, generator, tell)
        # What was learnt is not to be forgotten at once: with the full rate, two rounds later it is.
        final = replace(settings, rate=settings.rate / 4, rounds=max(1, settings.rounds // 2))
    descend(samples, inside, images, bases, labels, numbers, final, generator, tell)
    stretch = sparse.LARGEST_LAST / max(float(np.abs(numbers.last).max()), 1e-6)
    rounded = round_off(numbers, stretch)
    check_sums(kind, rounded)
    numbers_read = Numbers(rounded.first / ONE, rounded.start / ONE, rounded.last / (stretch * LAST_ONE),
                           rounded.offset / (stretch * ONE * LAST_ONE))
    report = Report(
        positions=len(inside) + len(outside), games=len(np.unique(samples.games)), scale=round(scale, 1),
        loss_by_hand=loss(samples.hand[outside] / scale, labels[outside]),
        loss_fitted=_held_out_loss(samples, images, bases, labels, outside, numbers),
        loss_rounded=_held_out_loss(samples, images, bases, labels, outside, numbers_read),
        seconds=round(time.process_time() - began, 1))
    data = b"".join(part.tobytes() for part in (
        rounded.first[:-1].astype("<i2"), rounded.start.astype("<i2"), rounded.last.astype("<i2"),
        rounded.offset.astype("<i4")))
    return pack(facts(kind, settings.width, settings.base, report.scale, report.scale / stretch), data), report


def descend(samples: Samples, chosen: Array, images: Array, bases: Array, labels: Array, numbers: Numbers,
            settings: Settings, generator: np.random.Generator, tell: Callable[[float], object]) -> None:
    """Fit the numbers, in place, to the chosen samples. `tell` hears the loss of every round."""
    slopes, means, squares = ([np.zeros_like(part) for part in numbers.parts()] for _ in range(3))
    floor = _entropy(labels[chosen])
    steps_a_round = max(1, len(chosen) // settings.batch)
    last_step = settings.rounds * steps_a_round
    for done in range(settings.rounds):
        order = generator.permutation(chosen).astype(np.int32)
        drawn = generator.integers(0, len(images), len(order), dtype=np.uint8)
        total = 0.0
        for number in range(steps_a_round):
            some = slice(number * settings.batch, (number + 1) * settings.batch)
            step = done * steps_a_round + number + 1
            total += sparse.step(samples.rows, images, bases, labels, samples.buckets, order[some], drawn[some],
                                 *numbers.parts(), *slopes)
            slopes[0][-1] = 0                # the row of nought stays so
            rate = settings.rate * min(1.0, step / WARM_UP) * (0.51 + 0.49 * math.cos(math.pi * step / last_step))
            rate *= math.sqrt(1 - 0.999**step) / (1 - 0.9**step)       # Adam's correction of its beginnings
            for part, (weights, slope, mean, square) in enumerate(zip(numbers.parts(), slopes, means, squares,
                                                                      strict=True)):
                sparse.adam(weights.reshape(-1), slope.reshape(-1), mean.reshape(-1), square.reshape(-1), rate,
                            settings.decay if part in (0, 2) else 0.0, len(order[some]),
                            sparse.LARGEST_LAST if part == 2 else math.inf)
        tell(total / (steps_a_round * min(settings.batch, len(order))) - floor)


def begin(kind: type[NetEvaluator], settings: Settings, generator: np.random.Generator) -> Numbers:
    """Numbers to start from: sums spread over the part where they are not clipped, a last layer that says little."""
    first = generator.normal(0, 0.1, (kind.ROWS + 1, settings.width)).astype(np.float32)
    first[-1] = 0
    last = generator.normal(0, 0.05, (kind.BUCKETS, 2 * settings.width)).astype(np.float32)
    return Numbers(first, np.full(settings.width, 0.25, np.float32), last, np.zeros(kind.BUCKETS, np.float32))


def round_off(numbers: Numbers, stretch: float) -> Numbers:
    """As whole numbers: the last layer stretched so that it uses all of its 8 bits, the first within what `check_sums`
    can let pass."""
    return Numbers(np.clip(np.rint(numbers.first * ONE), -600, 600), np.clip(np.rint(numbers.start * ONE), -3000, 3000),
                   np.clip(np.rint(numbers.last * stretch * LAST_ONE), -127, 127),
                   np.rint(numbers.offset * stretch * ONE * LAST_ONE))


def check_sums(kind: type[NetEvaluator], rounded: Numbers) -> None:
    """Refuse a network some sum of which could leave 16 bits, whatever stands where."""
    sizes = np.abs(rounded.first)
    largest = np.abs(rounded.start)
    for by_code in kind.SEATS[0]:
        rows = [row for row in by_code if row is not None]
        if rows:
            largest = largest + sizes[rows].max(axis=0)
    if largest.max() >= 2**15:
        raise BoyiError(f"a sum of the network could be {largest.max():.0f}, and 16 bits hold {2**15 - 1}; fit it with "
                        "more decay")


def _entropy(labels: Array) -> float:
    sure = np.clip(labels, 1e-7, 1 - 1e-7)
    return float(-(sure * np.log(sure) + (1 - sure) * np.log(1 - sure)).mean())


def _held_out_loss(samples: Samples, images: Array, bases: Array, labels: Array, chosen: Array,
                   numbers: Numbers) -> float:
    values = np.empty(len(chosen), np.float32)
    first, start, last, offset = (np.ascontiguousarray(part, np.float32) for part in numbers.parts())
    sparse.values(samples.rows[chosen], images, bases[chosen], samples.buckets[chosen], first, start, last, offset,
                  values)
    return loss(values, labels[chosen])


# ---------------------------------------------------------------------- the file

def save(data: bytes, report: Report, settings: Settings, path: Path, **more: object) -> None:
    """Write the network and beside it its card: how it was made, and how well it guesses."""
    path.write_bytes(data)
    card = {**more, "fitted": asdict(settings), "report": asdict(report), "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest()}
    path.with_suffix(".json").write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
