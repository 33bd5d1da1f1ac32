"""The trainer of Othello's patterns: its parts against slow ones, and a small training from end to end."""

from __future__ import annotations

import json
import lzma
import random
import struct
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import pytest

import boyi
from boyi.core.errors import BoyiError, OptionError
from boyi.core.position import OVER, Position
from boyi.games import find_game
from boyi.games.othello.patterns import PACKED, STAGE_COUNT, WEIGHTS_FILE
from boyi.games.othello.position import OthelloPosition
from boyi.games.othello.solver import Solver

np = pytest.importorskip("numpy")

from boyi.learn.fitting import linear  # noqa: E402
from boyi.learn.othello import games as othello_games  # noqa: E402
from boyi.learn.othello import patterns  # noqa: E402
from boyi.learn.othello.settings import PatternSettings  # noqa: E402

GAME = find_game("othello")


def random_games(count: int, seed: int) -> tuple[list[list[Position]], bytes]:
    """The positions of random games, and the games as a WTHOR file."""
    rng = random.Random(seed)
    games, file = [], struct.pack("<4BIHHBBBx", 20, 26, 1, 1, count, 0, 2026, 8, 0, 24)
    for _ in range(count):
        position, seen, played = boyi.start("othello"), [], b""
        while position.turn != OVER:
            move = rng.choice(position.moves())
            if move != 64:
                seen.append(position.copy())
                played += bytes([10 * (move // 8 + 1) + move % 8 + 1])
            position.play(move)
        black = 32 + position.margin() // 2      # type: ignore[attr-defined]
        games.append(seen)
        file += struct.pack("<HHHBB60s", 0, 1, 2, black, black, played)
    return games, file


def test_replay() -> None:
    games, file = random_games(30, 1)
    moves = np.frombuffer(file[16:], np.uint8).reshape(30, 68)[:, 8:].copy()
    own, other, side = (np.zeros((61, 30), kind) for kind in (np.uint64, np.uint64, np.int8))
    assert othello_games.replay(moves, own, other, side) == 0
    for number, seen in enumerate(games):
        assert (side[:, number] != 0).sum() == len(seen)
        for position in seen:
            text = position.to_text()
            stage = 60 - text.count("-")
            mine = sum(1 << i for i in range(64) if text[i] == "XO"[position.turn])
            assert int(own[stage, number]) == mine and side[stage, number] == 1 - 2 * position.turn
    moves[3, 20] = 99
    assert othello_games.replay(moves, own, other, side) == 1 and side[21, 3] == 0


def test_fit_is_least_squares() -> None:
    """Against the normal equations, solved outright."""
    rng = np.random.default_rng(2)
    indices = rng.integers(0, 40, (500, 6)).astype(np.uint32)
    labels = rng.normal(size=500).astype(np.float32)
    start = rng.normal(size=40).astype(np.float32)
    matrix = np.zeros((500, 40))
    for row, chosen in zip(matrix, indices, strict=True):
        np.add.at(row, chosen, 1)
    wanted = start + np.linalg.solve(matrix.T @ matrix + 3 * np.eye(40), matrix.T @ (labels - matrix @ start))
    weights = start.copy()
    linear.fit(indices, labels, weights, np.empty((4, 40), np.float32), 60, 3.0)
    assert np.allclose(weights, wanted, atol=1e-3)
    predictions = np.empty(500, np.float32)
    linear.predict(indices, weights, predictions)
    assert np.allclose(predictions, matrix @ weights, atol=1e-3)


def test_indices_beyond_the_weights_are_refused() -> None:
    with pytest.raises(ValueError, match="names weight 7 of 5"):
        linear.fit(np.full((1, 1), 7, np.uint32), np.zeros(1, np.float32), np.zeros(5, np.float32),
                   np.empty((4, 5), np.float32), 1, 1.0)


def test_late_positions_are_solved_for_their_labels(tmp_path: Path) -> None:
    """Black's margin with best play where there is a position, else the game's; straight lines between."""
    played, file = random_games(30, 4)
    (tmp_path / "games.wtb").write_bytes(file)
    games = patterns.read_games(tmp_path)
    games.side[55:, 3] = 0                       # as if it had ended with six empty points
    played[3] = played[3][:55]
    games = patterns.solve(games, 8, threads=2)
    assert sorted(games.solved) == [2, 4, 6, 8]
    for number, seen in enumerate(played):
        by_empties = {position.to_text().count("-"): position for position in seen}
        for empties in games.solved:
            position = by_empties.get(empties)
            if position is None:
                assert number == 3 and empties < 6
                assert games.solved[empties][number] == games.reached[number]
            else:
                assert isinstance(position, OthelloPosition)
                solution = Solver().solve(position)
                assert solution is not None
                assert games.solved[empties][number] == (1 - 2 * position.turn) * solution.margin
    assert (games.margin(30) == games.theory).all() and (games.margin(24) == games.theory).all()
    assert (games.margin(16) == (games.theory + games.solved[8]) / 2).all()
    assert (games.margin(7) == (games.solved[8] + games.solved[6]) / 2).all()
    assert (games.margin(1) == (games.solved[2] + games.reached) / 2).all()
    stage = 60 - 8
    _, labels = patterns.samples(games, stage, np.ones(30, bool))
    there = np.flatnonzero(games.side[stage])
    assert (labels == games.side[stage][there] * games.solved[8][there]).all()


@pytest.mark.slow   # every day tests/cli/test_learn.py trains by the command
def test_training(tmp_path: Path) -> None:
    (tmp_path / "games.wtb").write_bytes(random_games(60, 3)[1])
    stages: list[int] = []
    weights, report = patterns.learn(tmp_path, PatternSettings(rounds=2, window=0),
                                     lambda stage, error: stages.append(stage))
    assert weights.shape == (STAGE_COUNT, PACKED) and report.games == 60 and sorted(stages) == list(range(60))
    patterns.save(weights, report, tmp_path / "weights.xz")
    assert len(lzma.decompress((tmp_path / "weights.xz").read_bytes())) == STAGE_COUNT * PACKED
    assert json.loads((tmp_path / "weights.json").read_text())["sha256"] == report.sha256


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(BoyiError, match="no WTHOR games"):
        patterns.read_games(tmp_path)
    with pytest.raises(OptionError, match="rounds"):
        PatternSettings(rounds=0)
    with pytest.raises(OptionError, match="from 0 to 23"):
        PatternSettings(solved=24)


def test_the_record_is_of_the_weights_that_come_with_the_package() -> None:
    data = lzma.decompress((files(GAME.module) / WEIGHTS_FILE).read_bytes())
    record = json.loads((files(GAME.module) / "patterns.json").read_text(encoding="utf-8"))
    assert sha256(data).hexdigest() == record["sha256"]
    assert record["errors"][35] < 7
