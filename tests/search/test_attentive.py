"""The attentive search: what it overlooks, and that it overlooks nothing where it should not."""

from __future__ import annotations

import random

import pytest

import boyi
from boyi.core.draws import sample_chance
from boyi.core.errors import OptionError, TextError
from boyi.core.evaluator import Evaluator
from boyi.core.position import CHANCE, Position
from boyi.core.searcher import Limits
from boyi.search.attentive import Attentive
from boyi.search.attentive_options import AttentiveOptions
from tests.toys import find_game_or_toy

ALL = Limits(depth=2, lines=500)


def search(position: Position, attention: float, seed: int = 1, depth: int = 2) -> dict[int, float]:
    """By move, the value of those that are noticed."""
    evaluator = next(iter(position.game.evaluators.values()), None)
    searcher = Attentive(None if evaluator is None else evaluator(), AttentiveOptions(attention=attention, seed=seed))
    return {line.moves[0]: line.value for line in searcher.search(position, Limits(depth=depth, lines=500)).lines}


def choice(position: Position, attention: float, seed: int) -> str:
    """The best of what is noticed."""
    found = search(position, attention, seed)
    return position.format_move(max(found, key=lambda move: found[move]))


def walk(game: str, plies: int, seed: int) -> Position:
    position, generator = find_game_or_toy(game).start(), random.Random(seed)
    for _ in range(plies):
        if position.turn == CHANCE:
            position.play(sample_chance(position, generator))
        elif position.moves():
            position.play(generator.choice(position.moves()))
    while position.turn == CHANCE:
        position.play(sample_chance(position, generator))
    return position


def minimax(position: Position, evaluator: Evaluator, depth: int, root: int) -> float:
    """What an attention of 1 finds, without captures at the horizon."""
    if not position.moves():
        outcome = position.outcome()
        assert outcome is not None
        return 30_000 * (outcome.places.count(1) == 1) * (1 if outcome.places[root] == 1 else -1)
    if depth == 0:
        return evaluator.value(position) * (1 if position.turn == root else -1)
    found = []
    for move in position.moves():
        player = position.turn
        position.play(move)
        found.append(minimax(position, evaluator, depth - (position.turn != player), root))
        position.undo()
    return max(found) if position.turn == root else min(found)


@pytest.mark.parametrize("game", ["othello", "liuzhou"])
def test_with_full_attention_it_is_minimax(game: str) -> None:
    for seed in range(3):
        position = walk(game, 8, seed)
        evaluator = next(iter(position.game.evaluators.values()))()
        root, found = position.turn, search(position, 1.0)
        assert sorted(found) == sorted(position.moves())
        for move in position.moves():
            position.play(move)
            assert found[move] == pytest.approx(minimax(position, evaluator, 2 - (position.turn != root), root))
            position.undo()


@pytest.mark.parametrize("game", ["xiangqi", "jieqi", "othello", "liuzhou", "chinese_checkers", "tic_tac_toe",
                                  "einstein", "orchard"])
def test_it_leaves_the_position_as_it_was_and_repeats_itself(game: str) -> None:
    position = walk(game, 9, 4)
    if position.turn < 0:
        return
    before, text = position.history(), position.to_text()
    assert search(position, 0.2, 7) == search(position, 0.2, 7)
    assert position.history() == before and position.to_text() == text
    assert set(search(position, 0.2, 7)) <= set(position.moves())


def test_less_attention_notices_less_and_never_nothing() -> None:
    position = boyi.start("xiangqi")
    counts = [sum(len(search(position, attention, seed, 1)) for seed in range(10))
              for attention in (0.001, 0.05, 0.4, 1)]
    assert counts[0] >= 20 and counts == sorted(counts) and counts[-1] == 440
    assert len({tuple(search(position, 0.05, seed, 1)) for seed in range(10)}) > 5


def test_captures_near_by_are_noticed_before_quiet_moves_far_away() -> None:
    """The cannon takes a horse across the board; a pawn is moved; and someone takes back."""
    position = boyi.start("xiangqi")
    for move in ("b2b9",):
        position.play(move)
    back, quiet = position.parse_move("a9b9"), position.parse_move("i6i5")
    seen = [search(position, 0.05, seed, 1) for seed in range(60)]
    assert sum(back in one for one in seen) > 35 > 2 * sum(quiet in one for one in seen)


def test_a_win_is_found_and_a_threat_sometimes_overlooked() -> None:
    win = boyi.parse("tic_tac_toe", "XX-/OO-/---")
    assert [choice(win, 0.1, seed) for seed in range(30)].count("c1") >= 28
    threat = boyi.parse("tic_tac_toe", "X-O/-X-/---")            # X threatens c3, it is O's turn
    assert 5 < [choice(threat, 0.3, seed) for seed in range(40)].count("c3") < 40
    assert {choice(threat, 1.0, seed) for seed in range(5)} == {"c3"}


def test_a_repetition_is_worth_a_draw() -> None:
    position = boyi.parse("xiangqi", "4k4/9/9/9/9/9/9/R8/9/3K5 w")
    for move in ("a2a3", "e9e8", "a3a2", "e8e9", "a2a3", "e9e8", "a3a2", "e8e9"):
        if position.outcome() is None:
            position.play(move)
    if position.outcome() is None:
        assert search(position, 1.0)[position.parse_move("a2a3")] <= 0 < max(search(position, 1.0).values())


def test_what_makes_no_sense_is_refused() -> None:
    for wrong in ({"attention": 0}, {"attention": 1.5}, {"playouts": 0}, {"seed": -1}):
        with pytest.raises(OptionError):
            AttentiveOptions(**wrong)
    over = boyi.parse("tic_tac_toe", "XXX/OO-/---")
    with pytest.raises(TextError, match="nothing to search"):
        Attentive().search(over, ALL)
