"""The solver's search as compiled for each processor: discs and moves against plain rules, and the same search in all.

On a machine without AVX-512 or AVX2 those variants are not asked; `any` always is.
"""

from __future__ import annotations

import random
import sys
from types import ModuleType

import pytest

import boyi
from boyi.core.errors import OptionError
from boyi.games.othello import processors
from boyi.games.othello.evaluator import PatternEvaluator
from boyi.games.othello.position import OthelloPosition
from boyi.games.othello.processors import PROCESSORS, usable_processors
from boyi.games.othello.solution import SolverOptions
from boyi.games.othello.solver import Solver
from tests.games.test_othello_solver import endings
from tests.scale import scaled

FULL = 2**64 - 1
DIRECTIONS = [(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1) if right or down]


def compiled_for(processor: str) -> ModuleType:
    module = processors.compiled_for(processor)
    assert module is not None
    return module


def rays(point: int) -> list[list[int]]:
    """The points in each of the eight directions, nearest first."""
    found = []
    for right, down in DIRECTIONS:
        ray, column, row = [], point % 8 + right, point // 8 + down
        while 0 <= column < 8 and 0 <= row < 8:
            ray.append(8 * row + column)
            column, row = column + right, row + down
        found.append(ray)
    return found


RAYS = [rays(point) for point in range(64)]


def plainly_turned(own: int, other: int, point: int) -> int:
    turned = 0
    for ray in RAYS[point]:
        run = 0
        for place in ray:
            if other >> place & 1:
                run |= 1 << place
            else:
                turned |= run if own >> place & 1 else 0
                break
    return turned


def boards(count: int, seed: int) -> list[tuple[int, int]]:
    """Random boards from nearly empty to full, also such as no game has: long runs, one colour."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        one, another = rng.getrandbits(64), rng.getrandbits(64)
        taken = (one, one | another, one & another, FULL, ~(1 << rng.randrange(64)) & FULL)[rng.randrange(5)]
        own = [rng.getrandbits(64), rng.getrandbits(64) & rng.getrandbits(64) & rng.getrandbits(64),
               0x8100000000000081, 0][rng.choice((0, 0, 1, 1, 1, 2, 3))]
        found.append((own & taken, taken & ~own))
    return found


@pytest.mark.parametrize("processor", usable_processors())
def test_discs_and_moves(processor: str) -> None:
    module = compiled_for(processor)
    for own, other in boards(scaled(4000), 11):
        empty = ~(own | other) & FULL
        moves = 0
        for point in range(64):
            if empty >> point & 1:
                turned = plainly_turned(own, other, point)
                assert module.turned_discs(own, other, point) == turned, (own, other, point)
                moves |= bool(turned) << point
        assert module.playable_points(own, other) == moves, (own, other)


@pytest.mark.parametrize("processor", usable_processors())
def test_patterns_are_worth_the_same_for_every_processor(processor: str) -> None:
    solver, evaluator = Solver(SolverOptions(processor=processor, megabytes=1)), PatternEvaluator()
    generator = random.Random(11)
    for _ in range(20):
        position = boyi.start("othello")
        assert isinstance(position, OthelloPosition)
        while position.outcome() is None:
            assert solver.value(position, 0) == evaluator.value(position)
            position.play(generator.choice(position.moves()))


@pytest.mark.parametrize("processor", usable_processors())
def test_the_last_point(processor: str) -> None:
    module = compiled_for(processor)
    rng = random.Random(12)
    for _ in range(scaled(20000)):
        point = rng.randrange(64)
        own = rng.choice((rng.getrandbits(64), rng.getrandbits(64) & rng.getrandbits(64) & rng.getrandbits(64),
                          rng.getrandbits(64) | rng.getrandbits(64) | rng.getrandbits(64))) & ~(1 << point)
        other = ~own & ~(1 << point) & FULL
        mine, theirs = own.bit_count(), other.bit_count()
        if turned := plainly_turned(own, other, point).bit_count():
            wanted = mine - theirs + 2 * turned + 1
        elif turned := plainly_turned(other, own, point).bit_count():
            wanted = mine - theirs - 2 * turned - 1
        else:
            wanted = mine - theirs + (1 if mine > theirs else -1)
        assert module.last_margin(own, point) == wanted, (own, point)


@pytest.mark.parametrize("processor", usable_processors())
def test_stable_discs_are_never_turned(processor: str) -> None:
    """Play on at random: at the end at least as many discs are still there as were called stable."""
    module, rng = compiled_for(processor), random.Random(13)
    for position in endings(scaled(300), 20, 14):
        text = position.to_text()
        own, other = (sum(1 << i for i in range(64) if text[i] == sign) for sign in "XO")
        stable, kept = module.stable_count(own, other), own
        while moves := position.moves():
            position.play(rng.choice(moves))
            later = position.to_text()
            kept &= sum(1 << i for i in range(64) if later[i] == "X")
        assert kept.bit_count() >= stable


def test_all_search_alike() -> None:
    """The same margin, line and number of nodes, whatever it is compiled for."""
    for position in endings(2, 16, 15) + endings(2, 19, 16):
        found = set()
        for processor in usable_processors():
            solver = Solver(SolverOptions(processor=processor, megabytes=2))
            assert solver.processor == processor
            solution = solver.solve(position)
            assert solution is not None
            found.add((solution.margin, solution.moves, solution.nodes))
        assert len(found) == 1


def test_the_fastest_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    assert usable_processors()[-1] == "any" and set(usable_processors()) <= set(PROCESSORS)
    assert Solver(SolverOptions(megabytes=1)).processor == usable_processors()[0]
    # A package that was built without them falls back.
    for name in ("avx512", "avx2"):
        monkeypatch.setitem(sys.modules, f"boyi.games.othello.endgame_{name}", None)
    assert usable_processors() == ("any",)
    solver = Solver(SolverOptions(megabytes=1))
    assert solver.processor == "any"
    solution = solver.solve(endings(1, 12, 17)[0])
    assert solution is not None
    with pytest.raises(OptionError, match="avx512"):
        Solver(SolverOptions(processor="avx512"))
