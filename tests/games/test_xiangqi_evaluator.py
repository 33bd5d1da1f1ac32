"""The hand-written evaluation of xiangqi: the same for both sides and both wings."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator

import pytest

import boyi
from boyi import OptionError
from boyi.core.evaluator import Evaluator
from boyi.core.searcher import HUNDREDTHS
from boyi.games.xiangqi.evaluator import HandEvaluator
from boyi.games.xiangqi.weights import Weights
from tests.scale import scaled


def fens(games: int) -> Iterator[str]:
    generator = random.Random(7)
    for _ in range(games):
        here = boyi.start("xiangqi", quiet_limit=0)
        boyi.playout(here, generator.randrange(1 << 62), generator.randrange(400))
        if here.outcome() is None:
            yield here.to_text()


def mirrored(fen: str) -> str:
    board, *rest = fen.split()
    return " ".join(["/".join(row[::-1] for row in board.split("/")), *rest])


def exchanged(fen: str) -> str:
    board, side, *rest = fen.split()
    return " ".join(["/".join(reversed(board.split("/"))).swapcase(), "bw"["wb".index(side)], *rest])


def value(fen: str) -> int:
    return HandEvaluator().value(boyi.parse("xiangqi", fen))


def test_it_is_the_first() -> None:
    name, make = next(iter(boyi.find_game("xiangqi").evaluators.items()))
    assert name == "hand" and isinstance(make(), Evaluator)


def test_mirror_images_and_exchanged_colours_are_worth_the_same() -> None:
    seen = set()
    for fen in fens(scaled(5000)):
        seen.add(value(fen))
        assert value(fen) == value(mirrored(fen)) == value(exchanged(fen)), fen
    assert len(seen) > 200


def test_the_right_to_move_is_the_only_difference_between_the_seats() -> None:
    weights = dataclasses.replace(Weights(), tempo=(0, 0))
    evaluator = HandEvaluator(weights)
    for fen in fens(scaled(1000)):
        here = boyi.parse("xiangqi", fen)
        if here.checked:
            continue
        board, side, *rest = fen.split()
        there = boyi.parse("xiangqi", " ".join([board, "bw"["wb".index(side)], *rest]))
        if there.outcome() is None:
            assert evaluator.value(here) == -evaluator.value(there), fen


@pytest.mark.parametrize(("better", "worse"), [
    # A rook is more than a cannon; a pawn across the river is more than one at home.
    ("3k5/9/9/9/9/9/9/9/9/R2AKA3 w", "3k5/9/9/9/9/9/9/9/9/C2AKA3 w"),
    ("3ak4/4a4/9/4P4/9/9/9/9/9/R3K4 w", "3ak4/4a4/9/9/9/9/4P4/9/9/R3K4 w"),
    # A horse that can go somewhere, and one whose legs are blocked.
    ("4k4/9/9/9/9/9/2P1P4/3N5/2P6/4K4 w", "4k4/9/9/9/9/9/3P5/2PNP4/9/4K4 w"),
    # A cannon that looks at the king, and one that looks at an advisor.
    ("3akar2/9/9/9/4C4/9/9/9/9/3K2R2 b", "3akar2/9/9/9/3C5/9/9/9/9/3K2R2 b"),
    # All rooks, horses and cannons against a king without advisors, and against one without elephants.
    ("rnb1k1bnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
     "rn1aka1nr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"),
])
def test_judgements(better: str, worse: str) -> None:
    sign = 1 if better.split()[1] == "w" else -1
    assert sign * value(better) > sign * value(worse)


def test_what_cannot_win_counts_for_little() -> None:
    assert 0 < value("3k5/9/9/9/9/9/9/4B4/4A4/3AK1B2 w") < 100
    assert value("2bakab2/9/9/9/9/9/9/9/9/R2K5 w") < value("3ak4/4a4/9/9/9/9/9/9/9/R2K5 w") // 2


def test_weights_count() -> None:
    rich = HandEvaluator(dataclasses.replace(Weights(), rook=(2000, 2000)))
    here = boyi.parse("xiangqi", "3k5/9/9/9/9/9/9/9/9/R2AKA3 w")
    assert rich.value(here) > HandEvaluator().value(here) + 1000
    assert rich.weights.rook == (2000, 2000)
    with pytest.raises(OptionError, match="Weights"):
        HandEvaluator({"rook": 900})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", boyi.find_game("xiangqi").evaluators)
def test_the_unit_is_a_pawn(name: str) -> None:
    """A rook is worth about nine of them, as players count."""
    game = boyi.find_game("xiangqi")
    assert (game.unit.en, game.unit.zh) == ("pawns", "兵")
    evaluator, start = game.evaluators[name](), game.start()
    ahead = game.parse(start.to_text().replace("r", "1", 1))
    assert 7 < (evaluator.value(ahead) - evaluator.value(start)) / HUNDREDTHS < 13
