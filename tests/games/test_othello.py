"""Othello against published counts, two strangers' rules, and hostile input."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boyi
from boyi.core.errors import BoyiError, IllegalMoveError, TextError
from boyi.core.position import OVER, Position
from boyi.games import find_game
from tests.data import FACTS
from tests.games.othello_oracles import (
    PASS,
    open_spiel_game,
    open_spiel_text,
    pyffish_moves,
    pyffish_result,
)
from tests.scale import SOAK, scaled

GAME = find_game("othello")
START = "---------------------------OX------XO--------------------------- X"

# Leaves by depth; a pass is a ply, and a game that ended early is one leaf. Depths 1 to 11 are the
# table of the rules file, 12 is as published by Othello programmers (Edax and others).
PERFT = (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800, 1939886636)


def texts(position: Position) -> set[str]:
    """The legal moves in words."""
    return {position.format_move(move) for move in position.moves()}


# ---------------------------------------------------------------------- counts


@pytest.mark.parametrize("depth", range(1, 13 if SOAK else 11))
def test_perft(depth: int) -> None:
    assert boyi.perft(boyi.start("othello"), depth) == PERFT[depth - 1]


def test_perft_through_passes_and_ends() -> None:
    """Below a position near the end, by a count that makes every move and asks nothing of `count()`."""

    def leaves(position: Position, depth: int) -> int:
        if depth == 0 or not position.moves():
            return 1
        total = 0
        for move in position.moves():
            position.play(move)
            total += leaves(position, depth - 1)
            position.undo()
        return total

    rng = random.Random(3)
    for _ in range(20):
        position = boyi.start("othello")
        for _ in range(53):
            if position.turn != OVER:
                position.play(rng.choice(position.moves()))
        for depth in range(1, 7):
            assert boyi.perft(position, depth) == leaves(position, depth)
            assert position.turn == OVER or sum(boyi.divide(position, depth).values()) == boyi.perft(position, depth)


# ---------------------------------------------------------------------- strangers


def test_open_spiel_agrees() -> None:
    game = open_spiel_game()
    rng = random.Random(20_240_602)
    compared = 0
    while compared < scaled(100_000):
        position, state = boyi.start("othello"), game.new_initial_state()
        while not state.is_terminal():
            moves = position.moves()
            assert moves == state.legal_actions(), position.to_text()     # the numbers happen to be the same
            assert position.turn == state.current_player()
            move = rng.choice(moves)
            position.play(move)
            state.apply_action(move)
            compared += 1
        outcome = position.outcome()
        assert outcome is not None, position.to_text()
        assert list(outcome.scores) == state.returns()
        assert position.to_text()[:64] == open_spiel_text(state)[:64]


def test_pyffish_agrees() -> None:
    """Each call costs pyffish 1.8 ms, so this is the slowest test of the file."""
    rng = random.Random(20_240_603)
    compared = 0
    while compared < scaled(100_000, 200):
        position = boyi.start("othello")
        while position.turn != OVER:
            assert texts(position) == pyffish_moves(position.to_text()), position.to_text()
            position.play(rng.choice(position.moves()))
            compared += 1
        outcome = position.outcome()
        assert outcome is not None
        # Where we stop at once, pyffish lets the side to move pass first: see othello_oracles.
        assert pyffish_moves(position.to_text()) <= {PASS}
        assert outcome.scores[0] == pyffish_result(position.to_text()), position.to_text()


def test_positions_with_answers() -> None:
    """Committed positions and what two other programs said about them (tools/othello_positions.py)."""
    vectors = json.loads((FACTS / "othello" / "positions.json").read_text(encoding="utf-8"))
    assert len(vectors) > 500
    assert sum(vector["moves"] == [PASS] for vector in vectors) > 50
    for vector in vectors:
        position = GAME.parse(vector["text"])
        assert sorted(texts(position)) == vector["moves"]
        for point in range(65):
            assert position.is_legal(point) == (position.format_move(point) in vector["moves"])
        if vector["moves"]:
            position.play(vector["move"])
            assert position.to_text().split()[0] == vector["after"]
        else:
            outcome = position.outcome()
            assert outcome is not None
            assert outcome.scores == (vector["result"], -vector["result"])


# ---------------------------------------------------------------------- rules in words


def test_the_start() -> None:
    position = boyi.start("othello")
    assert position.to_text() == START
    assert texts(position) == {"d3", "c4", "f5", "e6"}
    assert {(stone.point, stone.glyph) for stone in position.stones()} == {
        ("d4", "O"), ("e5", "O"), ("d5", "X"), ("e4", "X")}


def test_a_pass_is_a_move_and_comes_alone() -> None:
    position = GAME.parse("XO------" + "-" * 55 + "X O")
    assert texts(position) == {PASS}
    assert position.path(position.moves()[0]) == ()
    assert position.changes(position.moves()[0]) == []
    position.play("--")
    assert position.turn == 0
    assert texts(position) == {"c1"}
    with pytest.raises(IllegalMoveError, match="'pass' is not a legal move here; legal are c1"):
        position.play("pass")


@pytest.mark.parametrize(("text", "margin", "scores", "words"), [
    ("X" * 40 + "O" * 24 + " X", 16, (1, -1), "neither side can move; 40–24, Black wins by 16"),
    ("X" * 32 + "O" * 32 + " O", 0, (0, 0), "neither side can move; 32–32, a draw"),
    ("O" * 13 + "-" * 51 + " X", -64, (-1, 1), "neither side can move; 0–13, White wins by 64"),
    ("X" * 20 + "-" * 24 + "O" * 20 + " X", 0, (0, 0), "neither side can move; 20–20, a draw"),
])
def test_empty_points_go_to_the_winner(text: str, margin: int, scores: tuple[float, float], words: str) -> None:
    position = GAME.parse(text)
    assert position.turn == OVER
    assert position.margin() == margin  # type: ignore[attr-defined]
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == scores
    assert outcome.words.en == words


def test_a_key_for_every_board() -> None:
    """Boards that differ in one disc, or in the side to move only, differ in the key."""
    seen = {}
    for side in "XO":
        for point in range(64):
            for disc in "XO":
                text = f"{'-' * point}{disc}{'-' * (63 - point)} {side}"
                seen[GAME.parse(text).fingerprint] = text
        for disc in "XO-":
            seen[GAME.parse(f"{disc * 64} {side}").fingerprint] = side
    assert len(seen) == 2 * (64 * 2 + 3)


@settings(max_examples=scaled(1000), derandomize=True, deadline=None)
@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.booleans())
def test_eight_images_share_the_symmetric_key(black: int, white: int, white_to_move: bool) -> None:
    white &= ~black
    rows = [["X" if black >> 8 * r + c & 1 else "O" if white >> 8 * r + c & 1 else "-" for c in range(8)]
            for r in range(8)]
    images = []
    for _ in range(4):
        rows = [list(column) for column in zip(*rows[::-1], strict=True)]
        images += [rows, [row[::-1] for row in rows]]
    positions = [GAME.parse(f"{''.join(map(''.join, image))} {'XO'[white_to_move]}") for image in images]
    assert len({position.symmetric_fingerprint for position in positions}) == 1
    assert len({position.fingerprint for position in positions}) == len({str(image) for image in images})
    assert len({len(position.moves()) for position in positions}) == 1


@settings(max_examples=scaled(3000), derandomize=True, deadline=None)
@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.booleans())
def test_any_board_at_all(black: int, white: int, white_to_move: bool) -> None:
    """Moves and flips on arbitrary boards, full of discs at the edges, by the plainest code there is."""
    white &= ~black
    cells = ["X" if black >> i & 1 else "O" if white >> i & 1 else "-" for i in range(64)]
    position = GAME.parse(f"{''.join(cells)} {'XO'[white_to_move]}")

    def flipped(point: int, own: str) -> set[int]:
        turned: set[int] = set()
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)):
            row, column, run = point // 8 + down, point % 8 + right, set()
            while 0 <= row < 8 and 0 <= column < 8 and cells[8 * row + column] not in (own, "-"):
                run.add(8 * row + column)
                row, column = row + down, column + right
            if 0 <= row < 8 and 0 <= column < 8 and cells[8 * row + column] == own:
                turned |= run
        return turned

    own, other = ("O", "X") if white_to_move else ("X", "O")
    moves = [point for point in range(64) if cells[point] == "-" and flipped(point, own)]
    if not moves and any(cells[point] == "-" and flipped(point, other) for point in range(64)):
        moves = [64]
    assert position.moves() == moves
    for move in moves:
        position.play(move)
        turned = flipped(move, own) | {move} if move != 64 else set()
        assert position.to_text() == "".join(own if i in turned else cells[i] for i in range(64)) + f" {other}"
        position.undo()


# ---------------------------------------------------------------------- reading


@pytest.mark.parametrize("text", [
    START,
    START.lower(),
    f"  {START}\n",
    f"{START};",
    START.replace("X", "*").replace("-", "."),
    START.replace("X", "B").replace("O", "W"),
    "8/8/8/3OX3/3XO3/8/8/8 X",
    "8/8/8/3wb3/3bw3/8/8/8 b",
    "8/8/8/111OX111/-2XO.2/44/8/8 x",
    "\n".join(START[i:i + 8] for i in range(0, 64, 8)) + "\nX",
])
def test_ways_to_write_the_start(text: str) -> None:
    assert GAME.parse(text).to_text() == START


@pytest.mark.parametrize(("text", "complaint"), [
    (None, "None is not an Othello position: 64 points"),
    (64, "64 is not an Othello position"),
    (b"", "is not an Othello position"),
    ("", "'' is not an Othello position"),
    (START[:64], "then a space and the side to move"),
    (f"{START} X", "is not an Othello position"),
    (f"{START};;", "is not a side to move"),
    (f"{START[:-1]}Z", "'Z' is not a side to move: X .Black. or O .White."),
    (f"{START[:-1]}XX", "'XX' is not a side to move"),
    (f"{START[:-1]}-", "'-' is not a side to move"),
    (f"{START[:-1]}Ｘ", "is not an Othello position"),
    (START[1:], "it takes 64 points"),
    (f"-{START}", "it takes 64 points"),
    ("8" * 8 + " X", "it takes 64 points"),
    (START.replace("O", "0"), "it takes 64 points"),
    (START.replace("O", "Ο"), "is not an Othello position"),       # a Greek letter
    ("²" * 64 + " X", "is not an Othello position"),
    ("８/8/8/8/8/8/8/8 X", "is not an Othello position"),
    ("²/8/8/8/8/8/8/8 X", "is not an Othello position"),
    ("9/8/8/8/8/8/8/8 X", "8 rows of 8 points"),
    ("0/8/8/8/8/8/8/8 X", "8 rows of 8 points"),
    ("88/8/8/8/8/8/8 X", "8 rows of 8 points"),
    ("7/9/8/8/8/8/8/8 X", "8 rows of 8 points"),
    ("8/8/8/8/8/8/8/8/ X", "8 rows of 8 points"),
    ("8/8/8/8/8/8/8/7P X", "it takes 64 points"),
    ("8 8 8 8 8 8 8 8 X", "8 rows of 8 points"),
    ("/" * 150, "is not an Othello position"),
    ("/" * 150 + " X", "8 rows of 8 points"),
    ("X" * 10**6, "is not an Othello position"),
    ("\0" * 64 + " X", "it takes 64 points"),
])
def test_what_is_not_a_position(text: str, complaint: str) -> None:
    position = boyi.start("othello")
    position.play("f5")
    before = (position.to_text(), position.history(), position.start_text)
    with pytest.raises(TextError, match=complaint) as refused:
        position.set_text(text)
    assert len(str(refused.value)) < 300
    assert (position.to_text(), position.history(), position.start_text) == before


@pytest.mark.parametrize(("text", "move"), [("d3", 19), ("D3", 19), (" c4\n", 26)])
def test_ways_to_write_a_move(text: str, move: int) -> None:
    assert boyi.start("othello").parse_move(text) == move


@pytest.mark.parametrize(("text", "error"), [
    ("", TextError), ("d", TextError), ("d33", TextError), ("i1", TextError), ("a9", TextError), ("a0", TextError),
    ("d３", TextError), ("d²", TextError), ("ｄ3", TextError), ("3d", TextError), ("d3\0", TextError),
    ("passs", TextError), ("d" * 10**6, TextError), (None, TextError), (3, TextError), (b"d3", TextError),
    ("a1", IllegalMoveError), ("d4", IllegalMoveError), ("pass", IllegalMoveError), ("--", IllegalMoveError),
])
def test_what_is_not_a_move(text: str, error: type[BoyiError]) -> None:
    position = boyi.start("othello")
    with pytest.raises(error):
        position.parse_move(text)
    assert position.to_text() == START


@pytest.mark.parametrize("move", [0, 27, 63, 64, 65, 1000, 2**31, 2**32 - 1, 2**32, 2**64 + 19, -1])
def test_numbers_that_are_no_moves(move: int) -> None:
    position = boyi.start("othello")
    assert not position.is_legal(move)
    for use in (position.play, position.changes):
        with pytest.raises(IllegalMoveError, match="is not a legal move here; legal are d3, c4, f5, e6"):
            use(move)
    if not 0 <= move <= 64:
        for name in (position.format_move, position.path):
            with pytest.raises(IllegalMoveError, match="not a point of the board"):
                name(move)
    assert position.to_text() == START


def test_moves_promise_more_the_fewer_replies_they_leave() -> None:
    corners, generator, weighed = {0, 7, 56, 63}, random.Random(29), set()
    for _ in range(10):
        position = boyi.start("othello")
        while position.outcome() is None:
            for move in position.moves():
                after = position.copy()
                after.play(move)
                replies = {reply for reply in after.moves() if after.turn != position.turn and reply != 64}
                weight = len(replies) + len(replies & corners)
                weighed.add(position.promise_now(move) + (1500 * weight if move != 64 else 0)
                            - (3000 if move in corners else 0))
            position.play(generator.choice(position.moves()))
    assert weighed == {0}
