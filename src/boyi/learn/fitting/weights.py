"""Fit the weights of a hand-written evaluator to games that it plays against itself.

    boyi learn weights xiangqi

For every evaluator that keeps its weights in a frozen dataclass (`evaluator.weights`) and is linear in them:

1. *Games.* The game's search with the evaluator plays itself, with a limit of nodes, from openings of random moves.
2. *Samples.* The quiet positions on the way: nobody is in check, the best move takes nothing, nothing is proven.
3. *Labels.* `learn.fitting.labels`: partly the value of the search, partly how the game ended.
4. *Features.* The gradient of the evaluator by each weight, found by raising it a little. So nothing about the
   evaluator is written down twice.
5. *Fit.* Newton's method on the cross-entropy, as in logistic regression (Texel tuning, Österlund 2014). Each weight is
   held to what it was, as if some samples said so: what is seen seldom stays.

Every tenth game is held out for validation; the losses reported are on those.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from boyi.agents.searching import find_evaluator
from boyi.arena.pool import Pool
from boyi.core.errors import OptionError
from boyi.core.evaluator import Evaluator
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.core.weights import flatten, restore, tunable
from boyi.core.written import play_written
from boyi.games import find_game
from boyi.learn import selfplay
from boyi.learn.fitting.labels import Array, expected_score, find_scale, loss, mix
from boyi.learn.fitting.settings import WeightSettings

STEP = 64
"""By how much a weight is raised for the gradient: much more than what rounding hides."""

HELD_OUT = 10
"""Every n-th game is held out for validation."""

HIGHEST = 280
"""In the units of records: an evaluation beyond it says that the game is decided, not what a position looks like."""

NEWTON_STEPS = 8
SCALES = np.geomspace(20, 5_000, 200)
SMALLEST = 1e-9
"""How near to 0 and 1 scores are looked at."""


@dataclass(frozen=True)
class Sample:
    """A quiet position of a game."""

    game: int
    text: str
    value: float
    """Of the search, for the player to act."""

    result: float
    """Of the game for that player: 1, 0 or -1."""


@dataclass(frozen=True)
class Report:
    """What the fit did."""

    samples: int
    scale: float
    """The value that means a score of 73 %."""

    loss_before: float
    """Cross-entropy on held-out games, beyond what no fit could avoid."""

    loss_after: float
    changed: int
    """The number of weights that are no longer what they were."""


# ---------------------------------------------------------------------- games

def gather(game: Game, evaluator: str, settings: WeightSettings, jobs: int = 1,
           on_progress: Callable[[int], object] = lambda done: None) -> list[Sample]:
    """The samples of all games, in the order of their numbers, played by `jobs` processes."""
    play = partial(play_itself, game.name, evaluator, settings)
    samples = []
    with Pool(jobs) as pool:
        for number, some in enumerate(pool.run(play, range(settings.games), in_order=True)):
            samples += some
            on_progress(number + 1)
    return samples


def play_itself(name: str, evaluator: str, settings: WeightSettings, number: int) -> list[Sample]:
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


def is_quiet(position: Position, move: int) -> bool:
    """Is the value of the position nothing that the next move takes away?"""
    return not position.checked and all(change.kind != "captured" for change in position.changes(move))


# ---------------------------------------------------------------------- features

def features(game: Game, make: Callable[[Any], Evaluator], weights: Any, texts: Sequence[str],
             on_progress: Callable[[int], object] = lambda done: None) -> tuple[Array, Array]:
    """The gradient by each weight in each position, and the values with the weights as they are."""
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
            on_progress(row)
    table /= STEP
    return table, values


# ---------------------------------------------------------------------- the fit

def fit(table: Array, values: Array, labels: Array, scale: float, damping: float) -> Array:
    """By how much to change each weight."""
    step = np.zeros(table.shape[1])
    for _ in range(NEWTON_STEPS):
        guess = expected_score((values + table @ step.astype(np.float32)) / scale)
        slope = table.T @ ((labels - guess) / scale).astype(np.float32) - damping / scale**2 * step
        weight = (guess * (1 - guess) / scale**2).astype(np.float32)
        bend = (table * weight[:, None]).T @ table + damping / scale**2 * np.eye(table.shape[1])
        step += np.linalg.solve(bend.astype(np.float64), slope.astype(np.float64))
    return step


def improve(game: Game, evaluator: str, samples: Sequence[Sample], settings: WeightSettings,
            on_progress: Callable[[int], object] = lambda done: None) -> tuple[Any, Report]:
    """Better weights for an evaluator, from the samples of many games."""
    found = find_evaluator(game, {"evaluator": evaluator})
    assert found is not None                   # it was named
    weights, make = tunable(found)
    table, values = features(game, make, weights, [sample.text for sample in samples], on_progress)
    searched = np.array([sample.value for sample in samples])
    results = np.array([sample.result for sample in samples])
    held_out = np.array([sample.game for sample in samples]) % HELD_OUT == 0
    if held_out.all() or not held_out.any():
        raise OptionError(f"{len(samples)} samples are too few: some must come from games held out, some from others")
    scale = find_scale(searched, results, SCALES, SMALLEST)
    labels = mix(results, searched, scale, settings.share)
    step = fit(table[~held_out], values[~held_out], labels[~held_out], scale, settings.damping)
    after = values + table @ step
    numbers = flatten(weights)
    better = [math.floor(number + change + 0.5) for number, change in zip(numbers, step, strict=True)]
    return restore(weights, better), Report(
        samples=len(samples), scale=scale,
        loss_before=loss(values[held_out] / scale, labels[held_out], SMALLEST),
        loss_after=loss(after[held_out] / scale, labels[held_out], SMALLEST),
        changed=sum(one != other for one, other in zip(numbers, better, strict=True)))
