"""Fit the numbers of a hand-written evaluator to games that it plays against itself.

    boyi learn weights xiangqi

For every evaluator that keeps its numbers in a frozen dataclass (`evaluator.weights`) and adds them up:

1. *Games.* The game's search with the evaluator plays itself, so many nodes a move, from openings of random moves.
2. *Samples.* The quiet positions on the way: nobody is in check, the best move takes nothing, nothing is proven.
3. *Labels.* The odds of winning, for the player to act: partly what the search said, partly how the game ended.
4. *Features.* The evaluator itself is asked, once with each number raised a little: what the value gains is
   how often the number counts. So nothing about the evaluator is written down twice.
5. *Fit.* Newton's method on the cross-entropy, as in logistic regression (Texel tuning, Österlund 2014). Each number is
   held to what it was, as if some samples said so: what is seen seldom stays.

One game in ten is held out; the losses reported are on those.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from boyi.arena.pool import Pool
from boyi.core.errors import OptionError, UnknownNameError
from boyi.core.evaluator import Evaluator
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.core.weights import flatten, restore, tunable
from boyi.core.written import play_written
from boyi.games import find_game
from boyi.learn import selfplay

Array = npt.NDArray[Any]

STEP = 64
"""By so much a number is raised to see how often it counts: much more than what rounding hides."""

HELD_OUT = 10
"""Of so many games, one is not fitted to but measured with."""

HIGHEST = 280
"""An evaluation beyond it says that the game is won or lost, not what the position looks like."""

NEWTON_STEPS = 8


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How to play, and how to fit."""

    games: int = 2_000
    nodes: int = 2_000
    """Of each search."""

    random_plies: int = 6
    """Every game begins with so many random moves."""

    share: float = 0.5
    """How much of a label is the result of the game; the rest is what the search said."""

    damping: float = 1_000.0
    """How strongly a number is held to what it was: as if so many samples said so."""

    seed: int = 1

    def __post_init__(self) -> None:
        for name, lowest in (("games", 20), ("nodes", 1), ("random_plies", 0), ("damping", 0)):
            if not getattr(self, name) >= lowest:
                raise OptionError(f"{name} is {getattr(self, name)} and must be at least {lowest}")
        if not 0 <= self.share <= 1:
            raise OptionError(f"share is {self.share} and must be from 0 to 1")


@dataclass(frozen=True)
class Sample:
    """A quiet position of a game."""

    game: int
    text: str
    value: float
    """What the search said, for the player to act."""

    result: float
    """How the game ended for that player: 1, 0 or -1."""


@dataclass(frozen=True)
class Report:
    """What the fit did."""

    samples: int
    scale: float
    """The value that turned out to mean odds of 73 %."""

    loss_before: float
    """Cross-entropy on held-out games, beyond what no fit could avoid."""

    loss_after: float
    changed: int
    """So many numbers are no longer what they were."""


# ---------------------------------------------------------------------- games

def gather(game: Game, evaluator: str, settings: Settings, jobs: int = 1,
           progress: Callable[[int], object] = lambda done: None) -> list[Sample]:
    """The samples of all games, in the order of their numbers, played by so many processes."""
    play = partial(play_itself, game.name, evaluator, settings)
    samples = []
    with Pool(jobs) as pool:
        for number, some in enumerate(pool.run(play, range(settings.games), in_order=True)):
            samples += some
            progress(number + 1)
    return samples


def play_itself(name: str, evaluator: str, settings: Settings, number: int) -> list[Sample]:
    """The samples of one game; the same for the same settings and number."""
    how = selfplay.Settings(nodes=settings.nodes, random_plies=settings.random_plies, loose_plies=0,
                            seed=settings.seed, evaluator=evaluator)
    record = selfplay.play(find_game(name).start(), number, how)
    assert record.result is not None           # also a game that was broken off has one: a draw
    position = record.begin()
    samples = []
    for step, entry in enumerate(record.entries, 1):
        text, player, ply = position.to_text(), position.turn, position.ply
        play_written(position, entry.text, step)
        if entry.evaluation is None or abs(entry.evaluation) >= HIGHEST:
            continue
        moves = [position.undo() for _ in range(position.ply - ply)]
        if is_quiet(position, moves[-1]):
            result = record.result[1 - player] - record.result[player]
            samples.append(Sample(number, text, 100 * entry.evaluation, float(result)))
        for move in reversed(moves):
            position.play(move)
    return samples


def find_evaluator(game: Game, name: str) -> Evaluator:
    """An evaluator by its name."""
    if name not in game.evaluators:
        raise UnknownNameError.among(f"evaluator of {game.name}", name, game.evaluators)
    return game.evaluators[name]()


def is_quiet(position: Position, move: int) -> bool:
    """Is the value of the position nothing that the next move takes away?"""
    return not position.checked and all(change.kind != "captured" for change in position.changes(move))


# ---------------------------------------------------------------------- features

def features(game: Game, make: Callable[[Any], Evaluator], weights: Any, texts: Sequence[str],
             progress: Callable[[int], object] = lambda done: None) -> tuple[Array, Array]:
    """How often each number counts in each position, and the values with the numbers as they are."""
    numbers = flatten(weights)
    present = make(weights)
    raised = [make(restore(weights, [*numbers[:i], numbers[i] + STEP, *numbers[i + 1:]])) for i in range(len(numbers))]
    table = np.empty((len(texts), len(numbers)), np.float32)
    values = np.empty(len(texts), np.float64)
    for row, text in enumerate(texts):
        position = game.parse(text)
        value = present.value(position)
        values[row] = value
        table[row] = [other.value(position) - value for other in raised]
        if row % 1_000 == 0:
            progress(row)
    table /= STEP
    return table, values


# ---------------------------------------------------------------------- the fit

def odds(values: Array) -> Array:
    return np.asarray(1.0 / (1.0 + np.exp(-values)))


def loss(values: Array, labels: Array) -> float:
    """Mean cross-entropy, less that of a perfect guess."""
    def entropy(guess: Array) -> Array:
        guess = np.clip(guess, 1e-9, 1 - 1e-9)
        return np.asarray(-(labels * np.log(guess) + (1 - labels) * np.log(1 - guess)))
    return float((entropy(odds(values)) - entropy(labels)).mean())


def find_scale(values: Array, results: Array) -> float:
    """The value that means odds of e to 1 (73 %): what fits the results of the games best."""
    scales = [float(scale) for scale in np.geomspace(20, 5_000, 200)]
    return min(scales, key=lambda scale: loss(values / scale, (results + 1) / 2))


def fit(table: Array, values: Array, labels: Array, scale: float, damping: float) -> Array:
    """By how much to change each number."""
    step = np.zeros(table.shape[1])
    for _ in range(NEWTON_STEPS):
        guess = odds((values + table @ step.astype(np.float32)) / scale)
        slope = table.T @ ((labels - guess) / scale).astype(np.float32) - damping / scale**2 * step
        weight = (guess * (1 - guess) / scale**2).astype(np.float32)
        bend = (table * weight[:, None]).T @ table + damping / scale**2 * np.eye(table.shape[1])
        step += np.linalg.solve(bend.astype(np.float64), slope.astype(np.float64))
    return step


def improve(game: Game, evaluator: str, samples: Sequence[Sample], settings: Settings,
            progress: Callable[[int], object] = lambda done: None) -> tuple[Any, Report]:
    """Better numbers for an evaluator, from the samples of many games."""
    weights, make = tunable(find_evaluator(game, evaluator))
    table, values = features(game, make, weights, [sample.text for sample in samples], progress)
    searched = np.array([sample.value for sample in samples])
    results = np.array([sample.result for sample in samples])
    held_out = np.array([sample.game for sample in samples]) % HELD_OUT == 0
    if held_out.all() or not held_out.any():
        raise OptionError(f"{len(samples)} samples are too few: some must come from games held out, some from others")
    scale = find_scale(searched, results)
    labels = settings.share * (results + 1) / 2 + (1 - settings.share) * odds(searched / scale)
    step = fit(table[~held_out], values[~held_out], labels[~held_out], scale, settings.damping)
    after = values + table @ step
    numbers = flatten(weights)
    better = [math.floor(number + change + 0.5) for number, change in zip(numbers, step, strict=True)]
    return restore(weights, better), Report(
        samples=len(samples), scale=scale,
        loss_before=loss(values[held_out] / scale, labels[held_out]),
        loss_after=loss(after[held_out] / scale, labels[held_out]),
        changed=sum(one != other for one, other in zip(numbers, better, strict=True)))
