"""What a search makes of positions that come back."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import boyi
from boyi import Position
from boyi.core.evaluator import PythonEvaluator
from boyi.core.searcher import Limits
from boyi.search.alphabeta import AlphaBeta
from boyi.search.alphabeta_options import PRESETS, AlphaBetaOptions, RepetitionPolicy

WORTH = {"r": 900, "c": 450, "n": 400, "a": 200, "b": 200, "p": 100, "k": 0}


class Material(PythonEvaluator):
    """Pieces only, and the enemy king kept to the edge: enough to win a won ending."""

    def guess(self, position: Position) -> int:
        value = sum(WORTH[stone.glyph.lower()] * (1 if stone.glyph.isupper() else -1) for stone in position.stones())
        return value if position.turn == 0 else -value


def engine(policy: RepetitionPolicy = "full") -> AlphaBeta:
    return AlphaBeta(Material(), AlphaBetaOptions(table_mb=1, repetition=policy))


@pytest.mark.parametrize("policy", ["full", "ancestor", "none"])
def test_the_stack_is_as_it_was_when_a_search_returns(policy: RepetitionPolicy) -> None:
    position = boyi.start("xiangqi")
    for move in ("h2e2", "h9g7"):
        position.play(move)
    before = position.history(), position.to_text(), position.fingerprint
    engine(policy).search(position, Limits(nodes=3_000))
    assert (position.history(), position.to_text(), position.fingerprint) == before


def test_no_two_move_cycle_while_winning() -> None:
    position = boyi.parse("xiangqi", "3k5/9/9/9/9/9/9/4R4/9/4K4 w")
    searcher = engine()
    moves: list[str] = []
    while position.outcome() is None and len(moves) < 12:
        moves.append(position.format_move(searcher.search(position, Limits(nodes=8_000)).move))
        position.play(moves[-1])
    for earlier, later in zip(moves[::2], moves[2::2], strict=False):
        assert later != earlier[2:] + earlier[:2], moves


def test_a_perpetual_is_seen_as_the_loss_it_is() -> None:
    # Red has checked twice round and could do so again, which loses; any quiet move is better.
    perpetual = boyi.parse("xiangqi", "4k4/R8/n8/9/9/9/9/9/9/3K5 w")
    for move in ("a8a9", "e9e8", "a9a8", "e8e9", "a8a9", "e9e8", "a9a8"):
        perpetual.play(move)
    perpetual.undo()
    searcher = engine()
    line = searcher.search(perpetual, Limits(depth=3)).lines[0]
    perpetual.play(line.moves[0])
    assert not perpetual.repetitions


def test_the_side_that_suffers_a_perpetual_waits_for_the_verdict() -> None:
    # Black to move may step back into the cycle: Red, who checks with every move, will have lost.
    position = boyi.parse("xiangqi", "4k4/R8/n8/9/9/9/9/9/9/3K5 w")
    for move in ("a8a9", "e9e8", "a9a8", "e8e9", "a8a9", "e9e8", "a9a8"):
        position.play(move)
    line = engine().search(position, Limits(depth=2)).lines[0]
    assert position.format_move(line.moves[0]) == "e8e9"
    assert line.wins_in == 1


def test_a_value_that_leaned_on_a_repetition_is_not_stored() -> None:
    # The same position with and without a history that makes it a repetition gets its own value from one table.
    searcher = engine()
    with_history = boyi.parse("xiangqi", "4k4/R8/n8/9/9/9/9/9/9/3K5 w")
    for move in ("a8a9", "e9e8", "a9a8", "e8e9", "a8a9", "e9e8", "a9a8"):
        with_history.play(move)
    without = boyi.parse("xiangqi", with_history.to_text())
    expected = engine().search(without, Limits(depth=3)).value
    assert searcher.search(with_history, Limits(depth=3)).value != expected
    assert searcher.search(without, Limits(depth=3)).value == expected

# ------------------------------------------------------------------ the ancestors' policy

def ancestor(**switches: object) -> AlphaBetaOptions:
    return AlphaBetaOptions(table_mb=1, repetition="ancestor", **switches)  # type: ignore[arg-type]


@pytest.mark.parametrize("penalty", [0, 30])
def test_list_and_set_are_the_same_policy(penalty: int) -> None:
    seen = 0
    for text in ("3k5/9/9/9/9/9/9/4R4/9/4K4 w", "4k4/R8/n8/9/9/9/9/9/9/3K5 w", "3k5/4a4/9/9/9/9/9/9/4A4/2B1K4 w"):
        answers = []
        for lookup in ("list", "set"):
            options = ancestor(repetition_lookup=lookup, repetition_penalty=penalty)
            result = AlphaBeta(Material(), options).search(boyi.parse("xiangqi", text), Limits(nodes=6_000))
            answers.append((result.lines, result.depth, result.nodes, result.statistics))
            seen += result.statistics["repetitions"]
        assert answers[0] == answers[1]
    assert seen > 0


class Whim(PythonEvaluator):
    """A value for every position, but no reason."""

    def guess(self, position: Position) -> int:
        return position.fingerprint % 199 - 99


def naive_ancestor(position: Position, path: list[int], depth: int, penalty: int, inherited: int = 0) -> int:
    """The policy to the letter, for the player to act: third occurrence 0, second searched on, with a bonus.

    The first `inherited` positions of the path are those of the game before the search.
    """
    before = path.count(position.fingerprint)
    if before >= 2:
        return 0
    path.append(position.fingerprint)
    outcome = position.outcome()
    if outcome is not None:
        value = 0 if outcome.winner is None else -(30_000 - len(path) + 1 + inherited)
    elif depth == 0:
        value = Whim().value(position)
    else:
        value = -31_000
        for move in position.moves():
            position.play(move)
            value = max(value, -naive_ancestor(position, path, depth - 1, penalty, inherited))
            position.undo()
    path.pop()
    return value + penalty if before and abs(value) < 28_100 else value


@pytest.mark.parametrize("lookup", ["list", "set"])
def test_the_first_repetition_is_searched_on_at_a_price(lookup: str) -> None:
    values = set()
    for text in ("3k5/9/9/9/9/9/9/9/9/4KA3 w", "9/3k5/9/9/9/9/9/9/4K4/9 w", "9/9/5k3/9/9/9/9/9/9/4K4 b"):
        position = boyi.parse("xiangqi", text)
        for penalty, depth in ((0, 5), (60, 5), (0, 6), (60, 6)):
            options = replace(PRESETS["sound"], table_mb=0, repetition="ancestor", repetition_penalty=penalty,
                              repetition_lookup=lookup)  # type: ignore[arg-type]
            expected = naive_ancestor(position, [], depth, penalty)
            assert AlphaBeta(Whim(), options).search(position, Limits(depth=depth)).value == expected
            values.add((text, depth, expected))
    assert len(values) > 6, "a price that never matters tests nothing"


SHUFFLES = ("e0e1 d9d8 e1e0 d8d9", "e0e1 d9d8 e1e0 d8d9 e0e1 d9d8 e1e0", "f0e1 d9d8 e1f0 d8d9 e0e1")
"""Games of one or two rounds to and fro."""


@pytest.mark.parametrize("lookup", ["list", "set"])
def test_the_history_of_the_game_is_inherited(lookup: str) -> None:
    """As the ancestor planned it: its list of positions begins with those of the game."""
    differing = 0
    for text in ("3k5/9/9/8p/9/9/9/9/9/4KA3 w", "3k5/9/9/9/9/9/9/9/8p/4KA3 w"):
        for moves in SHUFFLES:
            position, history = boyi.parse("xiangqi", text), list[int]()
            for move in moves.split():
                history.append(position.fingerprint)
                position.play(move)
            values = {}
            for reach in ("path", "game"):
                inherited = history if reach == "game" else []
                for penalty, depth in ((0, 3), (60, 3), (60, 4)):
                    options = replace(PRESETS["sound"], table_mb=0, repetition="ancestor", repetition_penalty=penalty,
                                      repetition_lookup=lookup, repetition_reach=reach)  # type: ignore[arg-type]
                    found = AlphaBeta(Whim(), options).search(position, Limits(depth=depth)).lines
                    # At the root the position itself is searched, however often it stood there.
                    expected = max(-naive_after(position, move, inherited, depth, penalty) for move in position.moves())
                    assert found[0].value == expected, (text, moves, reach, penalty, depth)
                    values[reach, penalty, depth] = expected
            differing += sum(values["path", *rest] != values["game", *rest] for rest in ((0, 3), (60, 3), (60, 4)))
    assert differing > 3, "a history that never matters tests nothing"


def naive_after(position: Position, move: int, inherited: list[int], depth: int, penalty: int) -> int:
    """The value of a first move, for the other side."""
    path = [*inherited, position.fingerprint]
    position.play(move)
    value = naive_ancestor(position, path, depth - 1, penalty, len(inherited))
    position.undo()
    return value


def test_a_long_game_is_inherited_whole() -> None:
    """Both ways to look it up find the same, with more positions than the path alone ever has."""
    position = boyi.start("xiangqi", rules="simple", quiet_limit=0)
    generator = random.Random(3)
    while position.ply < 400 and position.outcome() is None:
        position.play(generator.choice(position.moves()))
    while position.outcome() is not None:
        position.undo()
    assert position.ply > 150
    answers = []
    for lookup in ("list", "set"):
        options = ancestor(repetition_lookup=lookup, repetition_reach="game", repetition_penalty=30)
        searcher = AlphaBeta(Material(), options)
        results = [searcher.search(asked, Limits(nodes=3_000)) for asked in (
            position, boyi.parse("xiangqi", position.to_text()), position)]
        answers.append([(result.lines, result.nodes, result.statistics) for result in results])
    assert answers[0] == answers[1]
