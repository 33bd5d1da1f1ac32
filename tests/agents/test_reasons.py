"""Why a move is good, by positions that show one reason each."""

from __future__ import annotations

import pytest

import boyi
from boyi.agents.reasons import find_reason


@pytest.mark.parametrize(("text", "move", "kind", "words"), [
    ("3k5/9/9/9/9/9/r3R4/9/9/4K4 w - - 0 1", "e3a3", "takes", "takes the black chariot"),
    ("3k5/9/9/9/9/9/4R4/9/9/4K4 w - - 0 1", "e3e9", "checks", "gives check"),
    ("3k5/9/9/9/4r4/9/9/9/R3A4/4K4 w - - 0 1", "a1a5", "threatens", "threatens the black chariot"),
    ("3k5/9/9/9/9/9/r1P1R4/9/9/3AK4 b - - 0 1", "a3a0", "", ""),
    ("3k5/9/9/9/1r2R4/9/9/9/4A4/4K4 w - - 0 1", "e5e6", "saves", "saves the red chariot"),
])
def test_a_reason_of_xiangqi(text: str, move: str, kind: str, words: str) -> None:
    position = boyi.find_game("xiangqi").parse(text)
    found = find_reason(position, position.parse_move(move))
    assert (("", "") if found is None else (found.kind, found.words.en)) == (kind, words)


def test_a_proven_win_comes_first() -> None:
    position = boyi.find_game("xiangqi").parse("3k5/9/9/9/9/9/r3R4/9/9/4K4 w - - 0 1")
    found = [find_reason(position, position.parse_move("e3a3"), wins_in) for wins_in in (1, 5, -3)]
    assert [one and (one.kind, one.words.en) for one in found] == [
        ("wins", "wins at once"), ("wins", "wins in 5 plies"), ("takes", "takes the black chariot")]


@pytest.mark.parametrize("name", ["othello", "jieqi", "liuzhou", "chinese_checkers", "tic_tac_toe"])
def test_any_move_of_any_game_may_have_none(name: str) -> None:
    """Nothing fails, the position stays as it was, and where chance acts after a move nothing is promised."""
    position = boyi.start(name)
    for _ in range(12):
        moves = position.moves()
        text = position.to_text()
        for move in moves:
            reason = find_reason(position, move)
            assert reason is None or (reason.words.en and reason.words.zh)
        assert position.to_text() == text
        position.play(moves[len(moves) // 2])
        while position.turn == boyi.CHANCE:
            position.play(position.odds()[0][0])
        if position.turn < 0:
            return
