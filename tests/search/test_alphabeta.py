"""Alpha-beta against plain minimax, and what it promises besides."""

from __future__ import annotations

import itertools
import random
import threading
from dataclasses import fields, replace

import pytest

import boyi
from boyi import Position, TextError
from boyi.core.errors import OptionError
from boyi.core.evaluator import PythonEvaluator
from boyi.core.searcher import Limits, Result
from boyi.games import find_game
from boyi.search.alphabeta import AlphaBeta
from boyi.search.alphabeta_numbers import RANGES, AlphaBetaNumbers
from boyi.search.alphabeta_options import PRESETS, AlphaBetaOptions
from tests.scale import scaled
from tests.search.naive import minimax

SOUND = ("aspiration", "principal_variation", "killers", "history", "continuation_history", "capture_history",
         "counter_moves", "keep_history", "transposition_cutoffs")
PLAIN = replace(PRESETS["sound"], table_mb=0, repetition="none", **dict.fromkeys(SOUND, False))  # type: ignore[arg-type]


class Whim(PythonEvaluator):
    """An opinion on every position, but no reason: values spread so that equal ones are rare."""

    def guess(self, position: Position) -> int:
        return position.fingerprint % 1999 - 999


def positions(game: str, count: int, seed: int, longest: int, **options: object) -> list[Position]:
    generator = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = boyi.start(game, **options)
        boyi.playout(position, generator.randrange(1 << 60), generator.randrange(longest))
        if position.outcome() is None:
            found.append(position)
    return found


CASES = [("othello", 2, 60), ("othello", 3, 60), ("liuzhou", 2, 140), ("xiangqi", 2, 250), ("tic_tac_toe", 6, 9),
         ("chinese_checkers", 1, 60)]


@pytest.mark.parametrize(("game", "depth", "longest"), CASES)
def test_every_combination_of_sound_switches_gives_the_value_of_minimax(game: str, depth: int, longest: int) -> None:
    combinations = list(itertools.product([False, True], repeat=len(SOUND) + 1))
    generator = random.Random(7)
    whim = Whim()
    for position in positions(game, scaled(200, 40), 3, longest):
        expected = minimax(position, whim, depth)
        text = position.to_text()
        for switches in [*generator.sample(combinations, 6), combinations[-1]]:
            chosen = dict(zip(SOUND, switches, strict=False))
            options = replace(PLAIN, table_mb=1 if switches[-1] else 0, **chosen)  # type: ignore[arg-type]
            result = AlphaBeta(whim, options).search(position, Limits(depth=depth))
            assert result.value == expected, (text, options)
            assert position.to_text() == text and position.ply == len(position.history())


def test_lines_are_the_best_moves_with_their_values() -> None:
    whim = Whim()
    for position in positions("othello", scaled(200), 5, 58):
        moves = position.moves()
        actor = position.turn
        values = []
        for move in moves:
            position.play(move)
            values.append(minimax(position, whim, 2 if position.turn != actor else 3, 1, actor))
            position.undo()
        result = AlphaBeta(whim, PLAIN).search(position, Limits(depth=3, lines=len(moves)))
        assert sorted((line.value for line in result.lines), reverse=True) == sorted(values, reverse=True)
        assert [line.value for line in result.lines] == [values[moves.index(line.moves[0])] for line in result.lines]


def test_lines_of_an_interrupted_search_are_of_one_depth() -> None:
    """Values of different depths could not be compared, and a move must not come twice."""
    generator = random.Random(6)
    whim = Whim()
    unfinished = 0
    for position in positions("othello", scaled(200), 6, 50):
        limits = Limits(nodes=generator.randrange(20, 2_000), lines=5)
        result = AlphaBeta(whim, PLAIN).search(position, limits)
        deep = AlphaBeta(whim, PLAIN).search(position, Limits(depth=max(1, result.depth), lines=5)).lines
        unfinished += result.depth == 0
        if result.depth:
            assert result.lines == deep
        elif len(result.lines) > 1:   # a single one may be unfinished
            assert result.lines == deep[:len(result.lines)]
        assert [line.value for line in result.lines] == sorted((line.value for line in result.lines), reverse=True)
    assert unfinished   # some were interrupted in the first depth


def test_the_same_nodes_give_the_same_answer() -> None:
    for position in positions("xiangqi", 5, 11, 80):
        answers = {(result.lines, result.depth, result.nodes) for result in
                   (AlphaBeta(Whim()).search(position, Limits(nodes=3_000)) for _ in range(3))}
        assert len(answers) == 1


def test_lines_are_legal() -> None:
    for position in positions("xiangqi", 20, 12, 80):
        result = AlphaBeta(Whim()).search(position, Limits(nodes=2_000))
        for move in result.lines[0].moves:
            position.play(move)


def test_tic_tac_toe_is_a_draw_and_a_mate_is_seen() -> None:
    assert AlphaBeta().search(boyi.start("tic_tac_toe"), Limits(depth=9)).value == 0
    mate = boyi.parse("xiangqi", "3k5/R8/1R7/9/9/9/9/9/9/4K4 w")
    line = AlphaBeta().search(mate, Limits(depth=4)).lines[0]
    assert line.wins_in == 1


def test_stop_from_another_thread() -> None:
    searcher = AlphaBeta(Whim())
    position = boyi.start("othello")
    timer = threading.Timer(0.2, searcher.stop)
    timer.start()
    result = searcher.search(position, Limits(depth=60))
    timer.join()
    assert result.move in position.moves() and position.ply == 0


def test_threads_agree_on_the_kind_of_answer() -> None:
    position = boyi.start("othello")
    for threads in (1, 2, 3):
        result = AlphaBeta(options=AlphaBetaOptions(threads=threads)).search(position, Limits(depth=8))
        assert result.depth == 8 and result.move in position.moves()
    assert position.ply == 0


def test_nodes_spent_on_the_best_move_stay_with_it() -> None:
    """The part of the best root move grows from depth to depth, also after it gave its place to another."""
    changed = 0
    for position in (boyi.start("xiangqi"),
                     boyi.parse("xiangqi", "r1bakabr1/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w")):
        spent: dict[int, int] = {}
        moves: list[int] = []

        def hear(result: Result, spent: dict[int, int] = spent, moves: list[int] = moves) -> None:
            part = result.statistics["best_move_nodes"]
            assert spent.get(result.move, 0) < part <= result.nodes - sum(
                nodes for move, nodes in spent.items() if move != result.move)
            spent[result.move] = part
            moves.append(result.move)

        searcher = AlphaBeta(find_game("xiangqi").evaluators["hand"]())
        result = searcher.search(position, Limits(depth=9), hear)
        changed += len(set(moves)) > 1
        assert result.statistics["best_move_nodes"] < result.nodes
        alone = searcher.search(position, Limits(depth=4), None, (result.move,))
        assert alone.statistics["best_move_nodes"] == alone.nodes > 0
    assert changed


def test_nodes_spent_on_the_best_move_are_those_of_all_threads() -> None:
    searcher = AlphaBeta(find_game("xiangqi").evaluators["hand"](), AlphaBetaOptions(threads=2))
    position = boyi.start("xiangqi")
    alone = searcher.search(position, Limits(nodes=20_000), None, (position.moves()[0],))
    assert alone.statistics["best_move_nodes"] == alone.nodes


def test_refusals() -> None:
    with pytest.raises(OptionError, match="limit"):
        Limits()
    with pytest.raises(OptionError, match="depth"):
        Limits(depth=0)
    with pytest.raises(TextError, match="two players"):
        AlphaBeta().search(boyi.start("chinese_checkers", players=3), Limits(depth=1))
    with pytest.raises(TextError, match="nothing to search"):
        AlphaBeta().search(boyi.parse("xiangqi", "5k3/4P4/9/9/9/9/9/9/9/4K4 b"), Limits(depth=1))
    with pytest.raises(TextError, match="does not know othello"):
        AlphaBeta(find_game("xiangqi").evaluators["hand"]()).search(boyi.start("othello"), Limits(depth=1))
    with pytest.raises(TextError, match="chance"):
        AlphaBeta().search(boyi.start("jieqi"), Limits(depth=3))


def test_a_table_in_memory_of_another_is_empty() -> None:
    """Tables that are gone leave their memory to the next ones: nothing of what they knew may be left there."""
    position, limits = boyi.start("othello"), Limits(nodes=3_000)
    first, *others = (AlphaBeta(options=AlphaBetaOptions(table_mb=2)).search(position, limits) for _ in range(4))
    for other in others:
        assert (other.lines, other.nodes, other.statistics) == (first.lines, first.nodes, first.statistics)


SWITCHES = [field.name for field in fields(AlphaBetaOptions) if isinstance(field.default, bool)]


def count_nodes(game: str, **changed: object) -> list[int]:
    """Of searches of three positions by the game's strongest evaluator, with and without some options changed."""
    evaluator = find_game(game).evaluators["patterns" if game == "othello" else "net"]()
    searcher = AlphaBeta(evaluator, replace(AlphaBetaOptions(), **changed))  # type: ignore[arg-type]
    return [searcher.search(position, Limits(depth=9)).nodes for position in positions(game, 3, 17, 30)]


@pytest.mark.parametrize("switch", sorted(set(SWITCHES) - {"same_depth", "statistical_cutoffs"}))
def test_every_switch_does_something(switch: str) -> None:
    """The search visits other nodes without it (or with it), in a game that has what the switch is about."""
    game = "othello" if switch == "multi_probcut" else "xiangqi"
    assert count_nodes(game) != count_nodes(game, **{switch: not getattr(AlphaBetaOptions(), switch)})


@pytest.mark.parametrize("name", [field.name for field in fields(AlphaBetaNumbers)])
def test_every_number_does_something(name: str) -> None:
    game, others = ("othello", {"multi_probcut": True}) if name == "probcut_deviations" else ("xiangqi", {})
    lowest, _ = RANGES.get(name, (1, 0))
    changed = {name: max(lowest, getattr(AlphaBetaOptions(), name) // 3)}
    assert count_nodes(game, **others) != count_nodes(game, **others, **changed)


@pytest.mark.parametrize("game", ["xiangqi", "othello"])
def test_a_copy_is_searched_as_the_position_is(game: str) -> None:
    for position in positions(game, 3, 19, 30):
        ours, theirs = (AlphaBeta().search(one, Limits(depth=6)).nodes for one in (position, position.copy()))
        assert ours == theirs
