"""Expectimax against its definition, and what every searcher must keep."""

from __future__ import annotations

import itertools
import random
import threading
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import cast

import pytest

import boyi
from boyi import CHANCE, OVER, Position, TextError
from boyi.core.evaluator import Evaluator
from boyi.core.searcher import Limits
from boyi.games import find_game
from boyi.games.jieqi.evaluator import It2
from boyi.games.jieqi.position import JieqiPosition
from boyi.games.jieqi.weights import AncestorWeights
from boyi.search.alphabeta_numbers import AlphaBetaNumbers
from boyi.search.expectimax import Expectimax
from boyi.search.expectimax_options import PRESETS, SOUND, ExpectimaxOptions
from tests.scale import scaled
from tests.search.naive_expectimax import valued
from tests.toys import cards

JIEQI = find_game("jieqi")
SWITCHES = tuple(name for name in SOUND if name not in ("table_mb", "same_depth", "threads"))
PLAIN = PRESETS["sound"]
COMBINATIONS = [replace(PLAIN, table_mb=rng.randrange(2), **{name: rng.random() < 0.5 for name in SWITCHES})  # type: ignore[arg-type]
                for rng in (random.Random(1),) for _ in range(255)]
COMBINATIONS.append(replace(PLAIN, table_mb=0, **dict.fromkeys(SWITCHES, False)))  # type: ignore[arg-type]


# ---------------------------------------------------------------------- small positions

def small_jieqi(seed: int) -> JieqiPosition:
    """A position with two kings, few open and fewer covered pieces, as some viewer knows it."""
    rng = random.Random(seed)
    homes = {"w": ["a0", "b0", "c0", "d0", "f0", "b2", "h2", "a3", "e3"],
             "b": ["a9", "b9", "c9", "d9", "b7", "h7", "e6"]}
    while True:
        board = {"e0": "K", rng.choice(["e9", "d9", "f8"]): "k"}
        pools = []
        for side in "wb":
            covered = rng.randrange(0, 3)
            types = rng.sample("RRACPPN", rng.randrange(covered, covered + 2) if covered else 0)
            for home in rng.sample(homes[side], covered):
                board.setdefault(home, "X" if side == "w" else "x")
            for letter in rng.sample("RCNPAB", rng.randrange(0, 3)):
                point = rng.choice("abcdefghi") + str(rng.randrange(10))
                board.setdefault(point, letter if side == "w" else letter.lower())
            pools += [letter if side == "w" else letter.lower() for letter in types]
        rows = []
        for rank in range(9, -1, -1):
            row = "".join(board.get(f"{file}{rank}", "1") for file in "abcdefghi")
            rows.append(row)
        counts = "".join(f"{letter}{pools.count(letter)}" for letter in sorted(set(pools))) or "-"
        text = f"{'/'.join(rows)} {rng.choice('wb')} {counts} 0 1 {rng.choice('wb-s')}"
        try:
            position = cast(JieqiPosition, JIEQI.parse(text))
        except TextError:
            continue
        if position.turn != OVER and len(position.moves()) <= 16:
            return position


def small_cards() -> Iterator[Position]:
    for text in ("1? --", "2? --", "4? --", "?3 s-", "?1 s-", "?? --", "34 s-"):
        yield cards.GAME.parse(text)


@pytest.mark.parametrize("name", ["hand", "it2", "iterative"])
@pytest.mark.parametrize("seed", range(4))
def test_every_combination_of_sound_switches_agrees_with_the_definition(name: str, seed: int) -> None:
    """Value and best move of jieqi endings with few covered pieces, for all combinations in turn."""
    evaluator = JIEQI.evaluators[name]()
    searchers = itertools.cycle([Expectimax(evaluator, options) for options in
                                 random.Random(seed).sample(COMBINATIONS, 64)])
    chances = 0
    for number in range(scaled(2500) // 12 + 1):
        position = small_jieqi(10_000 * seed + number)
        depth = 3 if len(position.moves()) <= 6 else 2
        before = position.to_text(), position.ply
        values = valued(position, evaluator, depth, position.turn)
        best = max(values.values())
        for _ in range(6):
            searcher = next(searchers)
            result = searcher.search(position, Limits(depth=depth))
            assert result.value == best, (position.to_text(), searcher.options)
            if result.depth == depth:
                assert values[result.move] == best
            chances += result.statistics["chance_nodes"]
        assert (position.to_text(), position.ply) == before
    assert chances > 100


def test_sound_switches_are_sound_above_a_quiescence_too() -> None:
    evaluator = JIEQI.evaluators["hand"]()
    searchers = [Expectimax(evaluator, replace(options, quiescence=True)) for options in COMBINATIONS]
    others = itertools.cycle(searchers[:-1])
    for seed in range(scaled(400)):
        position = small_jieqi(50_000 + seed)
        plain = searchers[-1].search(position, Limits(depth=2))
        for _ in range(6):
            searcher = next(others)
            assert searcher.search(position, Limits(depth=2)).value == plain.value, (position.to_text(),
                                                                                     searcher.options)


def test_every_combination_agrees_on_cards() -> None:
    evaluator = Evaluator()
    positions = list(small_cards())
    for options in COMBINATIONS:
        searcher = Expectimax(evaluator, options)
        for position in positions:
            best = max(valued(position, evaluator, 3, position.turn).values())
            result = searcher.search(position, Limits(depth=3))
            assert result.value == best, (position.to_text(), options)


def test_every_line_of_a_multiple_answer_has_its_own_value() -> None:
    evaluator = JIEQI.evaluators["hand"]()
    searcher = Expectimax(evaluator, PLAIN)
    for seed in range(scaled(200)):
        position = small_jieqi(seed)
        values = sorted(valued(position, evaluator, 2, position.turn).values(), reverse=True)
        result = searcher.search(position, Limits(depth=2, lines=100))
        if result.depth == 2:
            assert [line.value for line in result.lines] == values
            assert sorted(line.moves[0] for line in result.lines) == sorted(position.moves())


@pytest.mark.parametrize("weights", [AncestorWeights(), AncestorWeights(king_gain=0)], ids=["king", "no king"])
def test_the_ancestor_names_its_best_five_moves_by_the_definition(weights: AncestorWeights) -> None:
    """`ai.select_moves(&board, 5)`: every result of chance by its odds, on what a spectator knows."""
    evaluator = It2(weights)
    searcher = Expectimax(evaluator, PRESETS["it2"])
    chances = 0
    for seed in range(scaled(300)):
        position = small_jieqi(90_000 + seed)
        view = position.observe(None)
        values = sorted(valued(view, evaluator, 2, view.turn).values(), reverse=True)[:5]
        result = searcher.search(position, Limits(depth=2, lines=5))
        if result.depth == 2:
            assert [line.value for line in result.lines] == values
            chances += result.statistics["chance_nodes"]
    assert chances > 0


# ---------------------------------------------------------------------- what every searcher keeps

def middle_game(seed: int, plies: int = 20) -> JieqiPosition:
    """What the player to act knows after some random moves."""
    rng = random.Random(seed)
    position = cast(JieqiPosition, JIEQI.start())
    while position.decisions < plies or position.turn == CHANCE:
        if position.turn == CHANCE:
            moves, odds = zip(*position.odds(), strict=True)
            position.play(rng.choices(moves, odds)[0])
        else:
            position.play(rng.choice(position.moves()))
    return position.observe(position.turn) if position.turn != OVER else middle_game(seed + 1000, plies)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_nodes_give_the_same_answer(preset: str) -> None:
    evaluator = JIEQI.evaluators["hand" if preset in ("default", "sound") else preset]()
    for seed in range(3):
        position = middle_game(seed)
        before = position.to_text(), position.history()
        one, two = (Expectimax(evaluator, PRESETS[preset]).search(position, Limits(nodes=20_000, lines=3))
                    for _ in range(2))
        assert (one.lines, one.nodes, one.depth, one.statistics) == (two.lines, two.nodes, two.depth, two.statistics)
        assert (position.to_text(), position.history()) == before
        assert 20_000 <= one.nodes < 20_100
        assert all(position.is_legal(line.moves[0]) for line in one.lines)
        assert len({line.moves[0] for line in one.lines}) == len(one.lines)


def test_lines_can_be_played() -> None:
    searcher = Expectimax(JIEQI.evaluators["hand"]())
    for seed in range(10):
        position = middle_game(seed, 60)
        for line in searcher.search(position, Limits(nodes=20_000, lines=3)).lines:
            for move in line.moves:
                position.play(move)
            for _ in line.moves:
                position.undo()


def test_a_won_piece_and_a_mate_are_seen() -> None:
    # Red's rook takes the open black rook; then, with two rooks against a bare king, mates.
    searcher = Expectimax(JIEQI.evaluators["hand"]())
    position = JIEQI.parse("5k3/9/9/9/r3R4/9/9/9/9/3K5 w - 0 1 w")
    assert position.format_move(searcher.search(position, Limits(depth=3)).move) == "e5a5"
    position = JIEQI.parse("4k4/R8/1R7/9/9/9/9/9/9/3K5 w - 0 1 w")
    line = searcher.search(position, Limits(depth=5)).lines[0]
    assert line.wins_in == 1 and line.value == 29_999


def test_a_game_won_is_won() -> None:
    """Rook against a roaming advisor: mate comes, without a repetition on the way."""
    position = JIEQI.parse("4k4/4a4/9/9/9/9/9/7R1/9/3K5 w - 0 1 -")
    searcher = Expectimax(JIEQI.evaluators["hand"]())
    while position.turn != OVER:
        assert position.ply < 60 and position.repetitions == 0
        position.play(searcher.search(position, Limits(nodes=30_000)).move)
    outcome = position.outcome()
    assert outcome is not None and outcome.scores[0] == 1


def test_stop_ends_a_search() -> None:
    searcher = Expectimax(JIEQI.evaluators["hand"]())
    timer = threading.Timer(0.2, searcher.stop)
    timer.start()
    result = searcher.search(JIEQI.start().observe(0), Limits(seconds=600))
    timer.join()
    assert result.seconds < 300 and JIEQI.start().is_legal(result.move)


def test_samples_are_repeatable_and_can_be_all() -> None:
    evaluator = JIEQI.evaluators["hand"]()
    everything = Expectimax(evaluator, PLAIN)
    for seed in range(scaled(300)):
        position = small_jieqi(seed)
        exact = everything.search(position, Limits(depth=2))
        many = Expectimax(evaluator, replace(PLAIN, outcomes="sample", samples=6)).search(position, Limits(depth=2))
        assert many.value == exact.value          # never more than six results: none is left out
        few = [Expectimax(evaluator, replace(PLAIN, outcomes="sample", samples=1)).search(position, Limits(depth=2))
               for _ in range(2)]
        assert few[0].lines == few[1].lines


def test_the_ancestor_ignores_depth_when_given_time() -> None:
    position = JIEQI.parse("4k4/9/9/9/9/9/9/9/P8/3K5 w - 0 1 w")
    searcher = Expectimax(JIEQI.evaluators["it2"](), PRESETS["it2"])
    assert searcher.search(position, Limits(depth=1)).depth == 1
    assert searcher.search(position, Limits(depth=1, seconds=0.2)).depth > 1


def test_iterative_turns_up_what_a_piece_stands_for() -> None:
    """A covered piece on a rook's corner counts as a rook once it moves, whatever the odds: no mean at all."""
    position = JIEQI.parse("4k4/9/9/9/9/9/9/9/9/X2K5 w R1P2 0 1 w")
    evaluator = JIEQI.evaluators["iterative"]()
    result = Expectimax(evaluator, PRESETS["iterative"]).search(position, Limits(depth=1))
    after = JIEQI.parse("4k4/9/9/9/9/9/9/9/R8/3K5 b P2 0 1 w")
    assert result.value >= -evaluator.value(after) >= 900


def test_what_cannot_be_searched_is_refused() -> None:
    searcher = Expectimax()
    with pytest.raises(TextError, match="two players"):
        searcher.search(boyi.start("chinese_checkers", players=3), Limits(depth=1))
    position = JIEQI.start()
    position.play("b2e2")
    with pytest.raises(TextError, match="no player acts"):
        searcher.search(position, Limits(depth=1))


def count_nodes(**changed: object) -> Iterator[int]:
    """Of searches of middle games one after the other, with some options changed."""
    searcher = Expectimax(JIEQI.evaluators["net"](), replace(ExpectimaxOptions(), **changed))  # type: ignore[arg-type]
    for seed in range(31, 47):
        yield searcher.search(middle_game(seed, 30), Limits(depth=7)).nodes


NUMBERS = {field.name for field in fields(AlphaBetaNumbers)}
ELSEWHERE = {"table_mb", "threads", "same_depth", "multi_probcut", "public_knowledge", "time_before_depth", "samples",
             "seed", "chance_margin"}
"""What other tests ask about, or what needs another option."""


@pytest.mark.parametrize("name", sorted({field.name for field in fields(ExpectimaxOptions)
                                         if isinstance(field.default, int)} - NUMBERS - ELSEWHERE))
def test_every_option_does_something(name: str) -> None:
    default = getattr(ExpectimaxOptions(), name)
    changed = {name: not default if isinstance(default, bool) else default + 30}
    assert any(one != other for one, other in zip(count_nodes(), count_nodes(**changed), strict=True))


def test_threads_agree_on_the_kind_of_answer() -> None:
    position = JIEQI.parse("4k4/R8/1R7/9/9/9/9/9/9/3K5 w - 0 1 w")
    searcher = Expectimax(JIEQI.evaluators["hand"](), ExpectimaxOptions(threads=2))
    assert searcher.search(position, Limits(depth=5)).lines[0].wins_in == 1
