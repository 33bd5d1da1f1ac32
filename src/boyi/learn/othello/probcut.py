"""Measure what shallow searches tell about deep ones, for ProbCut.

    boyi learn probcut FILE

1. *Positions.* Of tournament games (WTHOR), some for each number of discs, chosen by a seed.
2. *Values.* Of each position the values of searches of all depths up to `deepest`, with the pattern evaluation, and
   near the end its margin, solved. (With 24 empty points the base says it.)
3. *Fit.* Per number of discs and pair of depths a straight line by least squares through the positions up to `window`
   discs away, and the standard deviation from it.
4. *Extrapolation.* For deeper searches than were measured, and for margins of positions that take too long to solve,
   the logarithm of the deviation is a linear function, fitted to what was measured. The slope is 1, the offset 0.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boyi.games.othello.position import OthelloPosition
from boyi.games.othello.probcut import (
    DEEPEST,
    DEEPEST_FOR_END,
    SHALLOW,
    SOLVED_FROM,
    SOLVED_TO,
    TO_THE_END,
    Fit,
    ProbCut,
    shallow_for_end,
)
from boyi.games.othello.solver import Solver
from boyi.learn.othello.patterns import SOLVED_EMPTIES, Games, make_position, read_games
from boyi.learn.othello.settings import ProbCutSettings

Array = npt.NDArray[Any]

FIRST_DISCS = 6
LAST_DISCS = 60
"""Discs of the positions that are measured: before there are hardly two, after it the end is near enough to see."""

FEWEST = 10
"""Positions that a fit takes at least."""

FLATTEST = 0.5
"""A slope below is noise: the line would tell nothing."""


def learn(folder: Path, settings: ProbCutSettings, on_stage: Callable[[int], object] = lambda discs: None) -> ProbCut:
    """Read, search and fit."""
    began = time.process_time()
    games = read_games(folder)
    random = np.random.default_rng(settings.seed)
    solver = Solver()
    values: dict[int, Array] = {}      # per number of discs: a row per position, a column per depth from 0
    margins: dict[int, tuple[Array, Array]] = {}   # such rows, and the margins
    for discs in range(FIRST_DISCS, LAST_DISCS + 1):
        on_stage(discs)
        chosen = _chosen(games, discs, settings.positions, random)
        deepest = min(settings.deepest, 63 - discs)
        values[discs] = np.array([[solver.value(position, depth) for depth in range(deepest + 1)]
                                  for position, _ in chosen], np.float64)
        empties = 64 - discs
        if SOLVED_FROM <= empties <= settings.solved or empties == SOLVED_EMPTIES:
            solved = chosen[:settings.solutions] if empties <= settings.solved else chosen
            rows = [[solver.value(position, depth) for depth in range(min(DEEPEST_FOR_END, empties - 1) + 1)]
                    for position, _ in solved]
            truth = [_margin(solver, position) if empties <= settings.solved else theory for position, theory in solved]
            margins[discs] = np.array(rows, np.float64), 100 * np.array(truth, np.float64)
    fits = [*fit_searches(values, settings), *fit_ends(margins)]
    return ProbCut(tuple(fits), {"settings": asdict(settings), "games": int(games.side.shape[1]),
                                 "command": f"boyi learn probcut probcut.json {settings.arguments()}".rstrip(),
                                 "seconds": round(time.process_time() - began, 1)})


def _chosen(games: Games, discs: int, count: int, random: np.random.Generator) -> list[tuple[OthelloPosition, float]]:
    """Different positions with `discs` discs, each with the game's margin from 24 empty points on."""
    stage = discs - 4
    there = np.flatnonzero(games.side[stage] != 0)
    found: dict[str, tuple[OthelloPosition, float]] = {}
    for index in random.permutation(there)[:4 * count]:
        own, other = int(games.own[stage][index]), int(games.other[stage][index])
        position = make_position(own, other)
        found.setdefault(position.to_text(), (position, float(games.side[stage][index] * games.theory[index])))
        if len(found) == count:
            break
    return list(found.values())


def _margin(solver: Solver, position: OthelloPosition) -> int:
    solution = solver.solve(position)
    assert solution is not None        # there is no limit
    return solution.margin


def line(shallow: Array, deep: Array) -> tuple[float, float, float]:
    """The slope, the offset and the standard deviation of the straight line through points, by least squares."""
    slope, offset = np.polyfit(shallow, deep, 1)
    slope = max(float(slope), FLATTEST)
    offset = float(np.mean(deep) - slope * np.mean(shallow))
    return slope, offset, max(1.0, float(np.std(deep - slope * shallow - offset)))


def _fit(discs: int, shallow: int, deep: int, values: Array, deep_values: Array) -> Fit:
    slope, offset, deviation = line(values, deep_values)
    return Fit(discs, shallow, deep, round(slope, 4), round(offset, 2), round(deviation, 2), len(values))


def fit_searches(values: dict[int, Array], settings: ProbCutSettings) -> list[Fit]:
    """What searches tell about deeper searches."""
    fits, seen = [], []
    for discs in values:
        for deep in range(3, settings.deepest + 1):
            for shallow in range(1, deep):
                if (deep - shallow) % 2:
                    continue
                near = [values[one][:, (shallow, deep)] for one in range(discs - settings.window,
                                                                         discs + settings.window + 1)
                        if one in values and values[one].ndim == 2 and values[one].shape[1] > deep]
                points = np.concatenate(near) if near and discs + deep <= 63 else np.empty((0, 2))
                if len(points) < FEWEST:
                    continue
                fit = _fit(discs, shallow, deep, points[:, 0], points[:, 1])
                seen.append(fit)
                if SHALLOW[deep] == shallow:
                    fits.append(fit)
    if not seen:
        return fits
    extrapolate = _log_linear([(fit.shallow, fit.deep, fit.discs, fit.discs**2) for fit in seen],
                              [fit.deviation for fit in seen])
    for discs in values:
        for deep in range(settings.deepest + 1, min(DEEPEST, 63 - discs) + 1):
            shallow = SHALLOW[deep]
            fits.append(Fit(discs, shallow, deep, 1.0, 0.0, round(extrapolate((shallow, deep, discs, discs**2)), 2), 0))
    return sorted(fits, key=lambda fit: (fit.discs, fit.deep))


def fit_ends(margins: dict[int, tuple[Array, Array]]) -> list[Fit]:
    """What searches tell about the margin."""
    measured, seen = {}, []
    for discs in margins:
        near = [margins[one] for one in (discs - 1, discs, discs + 1) if one in margins]
        truth = np.concatenate([one[1] for one in near])
        for shallow in range(1, DEEPEST_FOR_END + 1):
            values = np.concatenate([one[0][:, shallow] for one in near])
            if len(values) < FEWEST:
                continue
            fit = _fit(discs, shallow, TO_THE_END, values, truth)
            seen.append(fit)
            if shallow == shallow_for_end(64 - discs):
                measured[discs] = fit
    if not seen:
        return []
    extrapolate = _log_linear([(fit.shallow, fit.discs) for fit in seen], [fit.deviation for fit in seen])
    fits = []
    for discs in range(64 - SOLVED_TO, 64 - SOLVED_FROM + 1):
        shallow = shallow_for_end(64 - discs)
        fits.append(measured[discs] if discs in measured else
                    Fit(discs, shallow, TO_THE_END, 1.0, 0.0, round(extrapolate((shallow, discs)), 2), 0))
    return fits


def _log_linear(places: Sequence[tuple[int, ...]], deviations: Sequence[float]) -> Callable[[tuple[int, ...]], float]:
    """The logarithm of a deviation as a linear function of its place, by least squares."""
    matrix = np.array([(1, *place) for place in places], np.float64)
    weights = np.linalg.lstsq(matrix, np.log(deviations), rcond=None)[0]
    return lambda place: float(np.exp(np.array((1, *place)) @ weights))
