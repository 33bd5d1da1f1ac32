"""Othello's solver against plain minimax, itself with parts switched off, and the FFO suite."""

from __future__ import annotations

import csv
import json
import random
import threading
from itertools import product
from typing import Any

import pytest

import boyi
from boyi.core.errors import OptionError, TextError
from boyi.core.position import OVER, Position
from boyi.core.searcher import Limits
from boyi.games import find_game
from boyi.games.othello.evaluator import PatternEvaluator
from boyi.games.othello.position import OthelloPosition
from boyi.games.othello.solution import Solution, SolverOptions
from boyi.games.othello.solver import Solver
from tests.data import FACTS
from tests.scale import SLOW, scaled

GAME = find_game("othello")
VECTORS = FACTS / "othello" / "solved.json"


def othello(text: str) -> OthelloPosition:
    position = GAME.parse(text)
    assert isinstance(position, OthelloPosition)
    return position


def endings(count: int, empties: int, seed: int) -> list[OthelloPosition]:
    """Unfinished positions of random games with so many empty points."""
    rng = random.Random(seed)
    found: list[OthelloPosition] = []
    while len(found) < count:
        position = boyi.start("othello")
        while position.turn != OVER and position.to_text().count("-") > empties:
            position.play(rng.choice(position.moves()))
        if position.turn != OVER:
            found.append(othello(position.to_text()))
    return found


def minimax(position: Position) -> int:
    """The margin for the player to act, by trying everything."""
    if position.turn == OVER:
        raise AssertionError("asked of an unfinished game only")
    assert isinstance(position, OthelloPosition)
    player, best = position.turn, -65
    for move in position.moves():
        position.play(move)
        if position.turn == OVER:
            value = position.margin() * (1 if player == 0 else -1)
        else:
            value = minimax(position) * (1 if position.turn == player else -1)
        position.undo()
        best = max(best, value)
    return best


def solved(solver: Solver, position: OthelloPosition) -> Solution:
    """Solve, and play the line: it must be legal and lead to the margin."""
    before = position.to_text()
    solution = solver.solve(position)
    assert solution is not None and position.to_text() == before
    end = othello(before)
    player = end.turn
    for move in solution.moves:
        end.play(move)
    assert end.turn == OVER
    assert end.margin() * (1 if player == 0 else -1) == solution.margin
    return solution


@pytest.mark.parametrize("empties", range(1, 8))
def test_minimax_agrees(empties: int) -> None:
    solver = Solver()
    for position in endings(scaled(2000 if empties < 6 else 300), empties, empties):
        assert solved(solver, position).margin == minimax(position)


@pytest.mark.parametrize("prepare", [False, True])
def test_preparation_changes_no_answer(prepare: bool) -> None:
    solver, plain = Solver(SolverOptions(prepare=prepare, megabytes=1)), Solver(SolverOptions(patterns=False))
    for position in endings(scaled(20), 18, 79) + endings(scaled(10), 19, 80):
        assert solved(solver, position).margin == solved(plain, position).margin


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_change_no_answer(threads: int) -> None:
    """With a small table they write over each other all the time."""
    solver, alone = Solver(SolverOptions(threads=threads, megabytes=1)), Solver()
    for position in endings(scaled(30), 16, 85) + endings(scaled(10), 19, 86):
        assert solved(solver, position).margin == solved(alone, position).margin


def test_threads_share_the_work() -> None:
    """Each alone would visit the nodes of one, and so twice as many together."""
    position = endings(1, 20, 87)[0]
    nodes = [solved(Solver(SolverOptions(threads=threads)), position).nodes for threads in (1, 2)]
    assert nodes[1] < 1.6 * nodes[0]


def test_threads_end_by_a_limit() -> None:
    solver, position = Solver(SolverOptions(threads=3)), endings(1, 24, 88)[0]
    assert solver.solve(position, Limits(nodes=30_000)) is None
    assert solver.solve(position, Limits(seconds=0.01)) is None
    answers: list[Solution | None] = []
    start = othello(boyi.start("othello").to_text())
    asking = threading.Thread(target=lambda: answers.append(solver.solve(start)))
    asking.start()
    while not answers:
        solver.stop()
    asking.join()
    assert answers == [None]


@pytest.mark.parametrize("options", [SolverOptions(outcome=True), SolverOptions(outcome=True, patterns=False),
                                     SolverOptions(outcome=True, prepare=False, megabytes=1)])
def test_outcome(options: SolverOptions) -> None:
    """Who wins, as the margin tells; the line is legal."""
    solver, exact = Solver(options), Solver()
    for position in endings(scaled(300), 12, 81) + endings(2, 18, 82):
        solution, margin = solver.solve(position), solved(exact, position).margin
        assert solution is not None
        assert (solution.margin > 0) - (solution.margin < 0) == (margin > 0) - (margin < 0)
        end = othello(position.to_text())
        for move in solution.moves:
            end.play(move)


def test_certainty() -> None:
    """With less certainty it looks at less, and errs little."""
    positions = endings(5, 16, 83)
    exact, likely = (Solver(SolverOptions(certainty=certainty)) for certainty in (1.0, 0.95))
    nodes = {exact: 0, likely: 0}
    errors = []
    for position in positions:
        margins = []
        for solver in (exact, likely):
            solution = solver.solve(position)
            assert solution is not None
            nodes[solver] += solution.nodes
            margins.append(solution.margin)
        errors.append(abs(margins[0] - margins[1]))
    assert nodes[likely] < 0.9 * nodes[exact]
    assert sum(errors) / len(errors) < 2


def test_what_is_not_proven_is_not_believed() -> None:
    """A table filled by a selective search proves nothing: it leaves no trace in the answer."""
    solver = Solver(SolverOptions(megabytes=1))
    for position in endings(2, 18, 84):
        likely = solver.solve(position, certainty=0.6)
        won = solver.solve(position, outcome=True)
        first, again = solved(solver, position), solved(solver, position)
        fresh = solved(Solver(SolverOptions(megabytes=1)), position)
        assert likely is not None and won is not None and likely.nodes < fresh.nodes
        assert (won.margin > 0) - (won.margin < 0) == (first.margin > 0) - (first.margin < 0)
        unprepared = solved(Solver(SolverOptions(prepare=False)), position)
        assert first.margin == again.margin == fresh.margin == unprepared.margin


def test_value() -> None:
    """A search of fixed depth, against plain minimax with the evaluator."""
    evaluator, solver = PatternEvaluator(), Solver()

    def plain(position: Position, depth: int) -> int:
        if depth == 0:
            return evaluator.value(position) * (1 if position.turn == 0 else -1)
        values = []
        for move in position.moves():
            passed = position.format_move(move) == "pass"
            position.play(move)
            values.append(plain(position, depth - (not passed)))
            position.undo()
        return max(values) if position.turn == 0 else min(values)

    for position in endings(scaled(100), 30, 85) + endings(scaled(100), 15, 86):
        for depth in range(4):
            assert solver.value(position, depth) == plain(position, depth) * (1 if position.turn == 0 else -1)
    with pytest.raises(OptionError, match="patterns"):
        Solver(SolverOptions(patterns=False)).value(endings(1, 9, 1)[0], 1)
    with pytest.raises(OptionError, match="plies"):
        solver.value(endings(1, 9, 1)[0], 61)


@pytest.mark.parametrize("switches", list(product([False, True], repeat=5)))
def test_no_switch_changes_the_answer(switches: tuple[bool, ...]) -> None:
    names = ("parity", "stability", "table", "transpositions", "patterns")
    chosen: dict[str, Any] = dict(zip(names, switches, strict=True))
    options = SolverOptions(megabytes=1, **chosen)
    solver, plain = Solver(options), Solver()
    for position in endings(scaled(100), 10, 77) + endings(2, 13, 78):
        assert solved(solver, position).margin == solved(plain, position).margin


def test_vectors() -> None:
    """Positions of random games, solved by a plain alpha-beta of the rules alone (`tools/othello_vectors.py`)."""
    solver = Solver()
    for text, margin in json.loads(VECTORS.read_text()).items():
        assert solved(solver, othello(text)).margin == margin, text


def test_ffo() -> None:
    with (FACTS / "othello" / "ffo.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if SLOW or int(row["empties"]) <= 18]
    solver = Solver()
    for row in rows:
        position = othello(f"{row['board']} {row['side']}")
        solution = solved(solver, position)
        assert solution.margin == int(row["best_score"]), row["name"]
        assert position.format_move(solution.moves[0]) in row["best_moves"].split(), row["name"]


def test_same_nodes_every_time() -> None:
    position = endings(1, 14, 5)[0]
    first, second = Solver().solve(position), Solver().solve(position)
    assert first is not None and second is not None
    assert (first.nodes, first.moves, first.margin) == (second.nodes, second.moves, second.margin)


def test_limits_and_stop() -> None:
    position = endings(1, 26, 6)[0]
    solver = Solver()
    assert solver.solve(position, Limits(nodes=50_000)) is None
    assert solver.solve(position, Limits(seconds=0.01)) is None
    for options in (SolverOptions(outcome=True), SolverOptions(certainty=0.95)):
        assert Solver(options).solve(endings(1, 40, 7)[0], Limits(nodes=20_000)) is None
    timer = threading.Timer(0.05, solver.stop)
    timer.start()
    assert solver.solve(position) is None
    timer.join()


def test_refusals() -> None:
    with pytest.raises(OptionError, match="MB"):
        SolverOptions(megabytes=0)
    with pytest.raises(OptionError, match="1 to 256 threads, not 0"):
        SolverOptions(threads=0)
    with pytest.raises(OptionError, match="table, which is switched off"):
        SolverOptions(threads=2, table=False)
    with pytest.raises(OptionError, match="certainty of 2"):
        SolverOptions(certainty=2)
    with pytest.raises(OptionError, match="needs patterns"):
        SolverOptions(certainty=0.9, patterns=False)
    with pytest.raises(OptionError, match="processor 'abacus'"):
        Solver(SolverOptions(processor="abacus"))
    with pytest.raises(OptionError, match="seconds or nodes"):
        Solver().solve(endings(1, 5, 1)[0], Limits(depth=3))
    over = othello("X" * 63 + "O X")
    with pytest.raises(TextError, match="over"):
        Solver().solve(over)
