"""Train the weights of Othello's patterns on tournament games.

    boyi learn patterns

What a position is worth is the sum of one weight per pattern instance (see
`boyi.games.othello.patterns`), and the weights of each stage are a linear least-squares fit:

1. *Samples.* All positions of all games in the WTHOR base, seen by the player to act. A stage (a
   number of discs) is fitted to the positions up to two plies away from it, too.
2. *Labels.* The base gives each game's theoretical score with 24 empty points, which is what
   positions up to there are worth, give or take earlier mistakes. Later positions are solved, with
   `solved` empty points and every `SOLVED_EVERY` after that, for people go on making mistakes: with 16 empty points
   the base's score is 8 discs off on average, and so is the score reached. Between, labels go in straight lines.
3. *Fit.* `learn.fitting.linear`, starting from the weights of the stage beside it, from 24 empty points
   outwards in both directions. What is seen seldom stays what it was there.
4. *Packing.* Weights are rounded to eighths of a disc in one signed byte, all stages compressed together.

Every twentieth game is held out for validation; the errors reported are on those.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boyi.core.errors import BoyiError
from boyi.games.othello import GAME
from boyi.games.othello.formats import FORMATS
from boyi.games.othello.patterns import PACKED, STAGE_COUNT, WEIGHT_UNIT, shared_indices
from boyi.games.othello.position import OthelloPosition
from boyi.games.othello.solution import SolverOptions
from boyi.games.othello.solver import Solver
from boyi.learn.fitting.linear import fit, predict
from boyi.learn.othello.games import replay
from boyi.learn.othello.settings import PatternSettings

Array = npt.NDArray[Any]

INSTANCES = 46
SOLVED_EMPTIES = 24
FIRST_STAGE = 60 - SOLVED_EMPTIES
HEADER_BYTES = 16
HELD_OUT = 20
"""Every n-th game is held out for validation."""

SOLVED_EVERY = 2
"""Empty points between two positions of a game that are solved."""

CHUNK = 500
"""Games that one thread solves at a time."""

SOLVER_MB = 4
"""Of each thread's table."""


@dataclass(frozen=True)
class Report:
    """What was trained, and its errors on games it has not seen."""

    games: int
    settings: PatternSettings
    errors: tuple[float, ...]
    """Per stage, the mean absolute error in discs on held-out games."""

    seconds: float
    """Of one processor."""

    sha256: str
    """Of the weights before compression."""


@dataclass(frozen=True)
class Games:
    """All positions of many games: arrays of 61 stages × games."""

    own: Array
    other: Array
    side: Array
    theory: Array
    """Black's margin with best play from 24 empty points on."""

    reached: Array
    """Black's margin as the game ended."""

    solved: Mapping[int, Array] = field(default_factory=dict)
    """Black's margin with best play from fewer empty points on, by their number; as reached if the game had ended."""

    def margin(self, empties: int) -> Array:
        """Black's margin in each game's position with `empties` empty points, or the nearest guess at it."""
        known = {SOLVED_EMPTIES: self.theory, **self.solved, 0: self.reached}
        before = min((one for one in known if one >= empties), default=SOLVED_EMPTIES)
        after = max(one for one in known if one <= empties)
        if empties >= SOLVED_EMPTIES or before == after:
            return known[before]
        share = (empties - after) / (before - after)
        return share * known[before] + (1 - share) * known[after]


def data_folder() -> Path:
    """Where the WTHOR base is: in `othello/wthor` of the folder that BOYI_DATA names."""
    return Path(os.environ.get("BOYI_DATA", Path.cwd().parent / "shared" / "data")) / "othello" / "wthor"


def read_games(folder: Path, first_year: int = 0) -> Games:
    """All games of the `.wtb` files of a folder whose theoretical score is from 24 empty points."""
    kept = []
    for path in sorted(folder.glob("*.wtb")) + sorted(folder.glob("*.WTB")):
        data = path.read_bytes()
        pieces = FORMATS["wthor"].split(data)
        if int.from_bytes(data[10:12], "little") >= first_year and data[14] == SOLVED_EMPTIES:
            kept += [piece[HEADER_BYTES:] for piece in pieces]
    if not kept:
        raise BoyiError(f"no WTHOR games (*.wtb) solved from {SOLVED_EMPTIES} empty points in {folder}; "
                        "set BOYI_DATA or name a folder")
    table = np.frombuffer(b"".join(kept), np.uint8).reshape(len(kept), -1)
    shape = (STAGE_COUNT, len(kept))
    games = Games(np.zeros(shape, np.uint64), np.zeros(shape, np.uint64), np.zeros(shape, np.int8),
                  2.0 * table[:, 7] - 64, 2.0 * table[:, 6] - 64)
    replay(np.ascontiguousarray(table[:, 8:]), games.own, games.other, games.side)
    return games


def make_position(own: int, other: int) -> OthelloPosition:
    """The position of two sets of discs, with the owner of the first to act."""
    text = "".join("X" if own >> point & 1 else "O" if other >> point & 1 else "-" for point in range(64))
    position = GAME.parse(f"{text} X")
    assert isinstance(position, OthelloPosition)
    return position


def solve(games: Games, most: int, threads: int = 1,
          on_solved: Callable[[int, int], object] = lambda empties, games: None) -> Games:
    """The games, with their positions of `most` empty points and every SOLVED_EVERY after that solved."""
    count = games.side.shape[1]

    def solve_some(empties: int, first: int) -> Array:
        stage, solver = 60 - empties, Solver(SolverOptions(megabytes=SOLVER_MB))
        margins = games.reached[first:first + CHUNK].copy()
        for number in np.flatnonzero(games.side[stage][first:first + CHUNK]) + first:
            solution = solver.solve(make_position(int(games.own[stage][number]), int(games.other[stage][number])))
            assert solution is not None        # there is no limit
            margins[number - first] = games.side[stage][number] * solution.margin
        on_solved(empties, min(first + CHUNK, count))
        return margins

    solved = {}
    with ThreadPoolExecutor(threads) as pool:
        for empties in range(most, 0, -SOLVED_EVERY):
            parts = pool.map(solve_some, [empties] * -(-count // CHUNK), range(0, count, CHUNK))
            solved[empties] = np.concatenate(list(parts))
    return replace(games, solved=solved)


def samples(games: Games, stage: int, chosen: Array) -> tuple[Array, Array]:
    """The indices and labels of a stage's positions in the chosen games."""
    there = np.flatnonzero(chosen & (games.side[stage] != 0))
    indices = np.empty((len(there), INSTANCES), np.uint32)
    shared_indices(games.own[stage][there], games.other[stage][there], indices)
    return indices, (games.side[stage][there] * games.margin(60 - stage)[there]).astype(np.float32)


def train(games: Games, settings: PatternSettings,
          on_stage: Callable[[int, float], object] = lambda stage, error: None) -> tuple[Array, tuple[float, ...]]:
    """The packed weights of all stages, in discs, and the errors on held-out games."""
    count = games.side.shape[1]
    held_out = np.arange(count) % HELD_OUT == 0
    weights = np.zeros((STAGE_COUNT, PACKED), np.float32)
    scratch = np.empty((4, PACKED), np.float32)
    errors = [0.0] * STAGE_COUNT
    last = STAGE_COUNT - 2             # with 64 discs there is nothing to guess
    ways: Sequence[tuple[int, range]] = ((0, range(FIRST_STAGE, last + 1)), (1, range(FIRST_STAGE - 1, -1, -1)))
    for backwards, stages in ways:
        near: dict[int, tuple[Array, Array]] = {}
        for stage in stages:
            window = range(max(0, stage - settings.window), min(last, stage + settings.window) + 1)
            near = {one: near[one] if one in near else samples(games, one, ~held_out) for one in window}
            if stage != FIRST_STAGE:
                weights[stage] = weights[stage + 1 if backwards else stage - 1]
            fit(np.concatenate([near[one][0] for one in window]), np.concatenate([near[one][1] for one in window]),
                weights[stage], scratch, settings.rounds * (4 if stage == FIRST_STAGE else 1), settings.damping)
            errors[stage] = mean_error(games, stage, held_out, weights[stage])
            on_stage(stage, errors[stage])
    weights[last + 1] = weights[last]
    errors[last + 1] = errors[last]
    return weights, tuple(errors)


def mean_error(games: Games, stage: int, chosen: Array, weights: Array) -> float:
    """The mean absolute error in discs."""
    indices, labels = samples(games, stage, chosen)
    predictions = np.empty(len(labels), np.float32)
    predict(indices, weights, predictions)
    return float(np.abs(predictions - labels).mean()) if len(labels) else 0.0


def pack(weights: Array) -> bytes:
    """Round to signed bytes; what `patterns.set_weights` takes."""
    return np.clip(np.rint(weights / WEIGHT_UNIT), -127, 127).astype(np.int8).tobytes()


def save(weights: Array, report: Report, path: Path) -> None:
    """Write the weights, compressed, and beside them the record of how they were made."""
    path.write_bytes(lzma.compress(pack(weights), preset=9 | lzma.PRESET_EXTREME))
    record = asdict(replace(report, errors=tuple(round(error, 2) for error in report.errors)))
    path.with_suffix(".json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def learn(folder: Path, settings: PatternSettings,
          on_stage: Callable[[int, float], object] = lambda stage, error: None, *, threads: int = 1,
          on_solved: Callable[[int, int], object] = lambda empties, games: None) -> tuple[Array, Report]:
    """Read, solve, train and report."""
    began = time.process_time()
    games = solve(read_games(folder, settings.first_year), settings.solved, threads, on_solved)
    weights, errors = train(games, settings, on_stage)
    return weights, Report(games=games.side.shape[1], settings=settings, errors=errors,
                           seconds=round(time.process_time() - began, 1),
                           sha256=hashlib.sha256(pack(weights)).hexdigest())
