"""Random games: the records of those that were played are what was counted."""

from __future__ import annotations

import pytest

import boyi


@pytest.mark.parametrize(("name", "rules"), [("othello", {}), ("jieqi", {}), ("chinese_checkers", {"players": 3})])
def test_records_are_the_games_that_were_counted(name: str, rules: dict[str, object]) -> None:
    position = boyi.start(name, **rules)
    made, sums, records = boyi.playouts(position, 3, 7, records=True)
    assert (made, sums) == boyi.playouts(position, 3, 7) and position.ply == 0
    finals = [record.replay() for record in records]
    assert sum(final.ply for final in finals) == made
    outcomes = [final.outcome() for final in finals]
    assert sums == pytest.approx([sum(outcome.scores[player] for outcome in outcomes if outcome)
                                  for player in range(position.players)])


def test_records_begin_where_the_game_began() -> None:
    position = boyi.start("othello")
    position.play("f5")
    _, _, (record,) = boyi.playouts(position, 1, records=True)
    assert record.entries[0].text == "f5" and record.start is None and position.ply == 1
