"""Mirror images of a position: one key, moves that go there and back, and a search that takes them for one."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import boyi
from boyi import IllegalMoveError, Position
from boyi.core.errors import OptionError
from boyi.core.evaluator import PythonEvaluator
from boyi.core.searcher import Limits
from boyi.games import find_game
from boyi.search.alphabeta import AlphaBeta
from boyi.search.alphabeta_options import AlphaBetaOptions, SymmetryReach
from tests.scale import scaled
from tests.search.naive import minimax
from tests.search.test_alphabeta import PLAIN, SOUND, positions

REACHES: tuple[SymmetryReach, ...] = ("none", "top", "everywhere")


class EvenWhim(PythonEvaluator):
    """No reason, but the same opinion on all images of a position."""

    def guess(self, position: Position) -> int:
        return position.symmetric_fingerprint % 1999 - 999


def play_towards(position: Position, canonical: int, generator: random.Random) -> None:
    """Play a move, any that leads to some image of the position known by its symmetric fingerprint."""
    found = []
    for move in position.moves():
        position.play(move)
        if position.symmetric_fingerprint == canonical:
            found.append(move)
        position.undo()
    assert found, "an image has no such move"
    position.play(generator.choice(found))


@pytest.mark.parametrize(("game", "plies", "images"), [
    ("othello", 45, 4), ("liuzhou", 60, 8), ("xiangqi", 60, 2), ("jieqi", 60, 2), ("chinese_checkers", 40, 2),
    ("tic_tac_toe", 9, 1)])
def test_a_move_commutes_with_the_images_of_its_position(game: str, plies: int, images: int) -> None:
    """A game and an image of it side by side. Which image it is, only fingerprints decide."""
    generator = random.Random(3)
    met = set()
    for _ in range(scaled(100)):
        position, image = boyi.start(game), boyi.start(game)
        for _ in range(generator.randrange(plies)):
            moves = position.moves()
            if not moves:
                break
            move = generator.choice(moves)
            # There and back; and in the image the same move leads to the image of the same position.
            there = [position.to_canonical(each) for each in moves]
            assert len(set(there)) == len(moves)
            assert [position.from_canonical(each) for each in there] == moves
            assert sorted(image.to_canonical(each) for each in image.moves()) == sorted(there)
            mirrored = image.from_canonical(position.to_canonical(move))
            position.play(move)
            image.play(mirrored)
            assert image.symmetric_fingerprint == position.symmetric_fingerprint
            image.undo()
            play_towards(image, position.symmetric_fingerprint, generator)
            met.add(image.fingerprint == position.fingerprint)
    assert met == ({True, False} if images > 1 else {True})


def test_moves_that_are_none_are_refused() -> None:
    position = boyi.start("othello")
    with pytest.raises(IllegalMoveError):
        position.to_canonical(0)
    for nonsense in (0, 10**6, 2**70, -1):
        with pytest.raises(IllegalMoveError, match="canonical"):
            position.from_canonical(nonsense)


@pytest.mark.parametrize("reach", REACHES)
@pytest.mark.parametrize(("game", "depth", "longest"), [
    ("othello", 4, 10), ("othello", 3, 60), ("liuzhou", 2, 140), ("xiangqi", 2, 100), ("chinese_checkers", 1, 60)])
def test_the_value_is_that_of_minimax_and_the_move_attains_it(
        game: str, depth: int, longest: int, reach: SymmetryReach) -> None:
    whim = EvenWhim()
    options = replace(PLAIN, table_mb=1, symmetry=reach, symmetry_plies=2,
                      **dict.fromkeys(SOUND, True))  # type: ignore[arg-type]
    searcher = AlphaBeta(whim, options)         # one table for all positions, as at play
    for position in positions(game, scaled(60), 17, longest):
        expected = minimax(position, whim, depth)
        result = searcher.search(position, Limits(depth=depth))
        assert result.value == expected, position.to_text()
        actor = position.turn
        position.play(result.move)
        stays = position.turn == actor
        assert minimax(position, whim, depth if stays else depth - 1, 1, actor) == expected
        position.undo()


def test_images_save_entries_and_the_move_known_of_one_serves_the_others() -> None:
    """From the start of Othello the four first moves are one; the table holds fewer positions and hits more."""
    results = {reach: AlphaBeta(EvenWhim(), replace(PLAIN, table_mb=4, symmetry=reach)).search(
        boyi.start("othello"), Limits(depth=5)) for reach in REACHES}
    assert len({result.value for result in results.values()}) == 1
    entries = {reach: result.statistics["table_entries"] for reach, result in results.items()}
    assert entries["everywhere"] < entries["top"] < entries["none"]
    assert results["everywhere"].nodes < results["none"].nodes
    for result in results.values():
        assert 0 < result.statistics["table_hits"] <= result.statistics["table_probes"]


@pytest.mark.parametrize("game", ["othello", "liuzhou"])
def test_moves_are_mapped_back_when_they_are_read(game: str) -> None:
    """The table's move goes first. One that was not mapped back would be no help: twice the nodes and more."""
    evaluator = next(iter(find_game(game).evaluators.values()))()
    nodes = dict.fromkeys(REACHES, 0)
    for position in positions(game, 10, 5, 40):
        for reach in REACHES:
            options = replace(PLAIN, table_mb=2, symmetry=reach, principal_variation=True)
            depth = 6 if game == "othello" else 3
            nodes[reach] += AlphaBeta(evaluator, options).search(position, Limits(depth=depth)).nodes
    assert nodes["everywhere"] <= 1.02 * nodes["none"] and nodes["top"] <= 1.02 * nodes["none"], nodes


@pytest.mark.parametrize("game", ["othello", "xiangqi", "liuzhou"])
def test_lines_stay_legal_where_moves_come_from_images(game: str) -> None:
    searcher = AlphaBeta(EvenWhim(), AlphaBetaOptions(symmetry="everywhere", transposition_cutoffs=True, table_mb=1))
    for position in positions(game, 8, 21, 40):
        for line in searcher.search(position, Limits(nodes=1_500, lines=2)).lines:
            for move in line.moves:
                position.play(move)
            for _ in line.moves:
                position.undo()


def test_entries_are_counted_one_by_one() -> None:
    searcher = AlphaBeta(options=AlphaBetaOptions(table_mb=1))
    assert len(searcher.table) == 0
    result = searcher.search(boyi.start("othello"), Limits(depth=6))
    assert 0 < len(searcher.table) == result.statistics["table_entries"] <= result.nodes
    searcher.table.clear()
    assert len(searcher.table) == 0


def test_refusals() -> None:
    with pytest.raises(OptionError, match="symmetry: 'all' is not one of none, top, everywhere"):
        AlphaBetaOptions(symmetry="all")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="symmetry_plies"):
        AlphaBetaOptions(symmetry_plies=0)
    with pytest.raises(OptionError, match="threads"):
        AlphaBetaOptions(threads=0)
