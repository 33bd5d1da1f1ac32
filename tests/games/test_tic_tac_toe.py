"""Tic-tac-toe: small enough to be counted out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import boyi
from boyi import IllegalMoveError, TextError, perft
from boyi.games import tic_tac_toe


def test_leaves() -> None:
    """At depth 6 the 1,440 games that were over after five moves are missing: 60,480 - 4 * 1,440 = 54,720."""
    start = boyi.start("tic_tac_toe")
    assert [perft(start, depth) for depth in range(7)] == [1, 9, 72, 504, 3024, 15120, 54720]


def test_all_games_by_result() -> None:
    """255,168 games: 131,184 won by X, 77,904 by O, 46,080 drawn; counted over states, each once."""
    position = boyi.start("tic_tac_toe")
    games: dict[str, Counter[str]] = {}

    def count() -> Counter[str]:
        state = position.to_text()
        if state not in games:
            outcome = position.outcome()
            if outcome is not None:
                games[state] = Counter([f"{outcome.reason} {outcome.winner}"])
            else:
                games[state] = Counter()
                for move in position.moves():
                    position.play(move)
                    games[state] += count()
                    position.undo()
        return games[state]

    assert count() == {"three_in_a_row 0": 131184, "three_in_a_row 1": 77904, "board_full None": 46080}
    assert len(games) == 5478, "positions that can arise"


@pytest.mark.parametrize("text", [
    None, 7, "", "X", "---/---/--", "---/---/----", "---------", "XO-/---/--", "x--/---/---", "XX-/---/---",
    "O--/---/---", "XXX/OOO/---", "XXX/OO-/O--", "XX-/OOO/XX-", "Ⅹ--/---/---", "---/---/---\n", "/" * 20, "X" * 10**6,
])
def test_texts_that_are_no_positions(text: object) -> None:
    with pytest.raises(TextError):
        boyi.parse("tic_tac_toe", text)  # type: ignore[arg-type]


def test_moves_that_are_none() -> None:
    position = boyi.start("tic_tac_toe")
    position.play("b2")
    for text, error in (("b2", IllegalMoveError), ("d1", TextError), ("", TextError), ("b", TextError)):
        with pytest.raises(error):
            position.play(text)
    assert position.to_text() == "---/-X-/---"


def test_the_example_stays_small() -> None:
    assert len(Path(tic_tac_toe.__file__).read_text(encoding="utf-8").splitlines()) < 100
