"""Self-play of a search: a number decides everything about a game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import boyi
from boyi.core.errors import OptionError
from boyi.games import all_games
from boyi.learn.selfplay import Settings, play, source

QUICK = Settings(nodes=50, random_plies=2, loose_plies=4, lines=3, longest=30)


@pytest.mark.parametrize("name", sorted(all_games()))
def test_a_number_decides_everything_about_a_game(name: str) -> None:
    start = boyi.start(name)
    first, again, other = (play(start, number, QUICK) for number in (3, 3, 4))
    assert first == again and first.to_text() != other.to_text()
    assert start.ply == 0
    reached = first.replay()          # and the record is what was played
    assert first.result is not None and len(first.entries) <= 30
    assert (reached.outcome() is None) == (first.reason == "too_long")
    assert [entry.evaluation for entry in first.entries[:2]] == [None, None]
    assert any(entry.evaluation is not None for entry in first.entries[2:])


def test_other_settings_play_other_games() -> None:
    start = boyi.start("othello")
    texts = [play(start, 0, settings).to_text() for settings in (
        QUICK, replace(QUICK, seed=1), replace(QUICK, later_nodes=400), replace(QUICK, evaluator="classic"))]
    assert len(set(texts)) == 4


def test_sources_are_gone_on_with() -> None:
    made: list[dict[str, Any]] = [{"source": "games.wtb", "games": 5}]
    first = source(made, QUICK, plies=8)
    assert first["games"] == 0 and len(made) == 2
    first["games"] = 7
    assert source(made, QUICK, plies=8) is first
    assert source(made, replace(QUICK, seed=9), plies=8)["games"] == 0 and len(made) == 3
    assert first["looseness"] == QUICK.temperature and "temperature" not in first      # as in files of 0.1.0


def test_settings_are_checked() -> None:
    wrong: dict[str, Any]
    for wrong in ({"nodes": 0}, {"later_nodes": 0}, {"random_plies": -1}, {"temperature": -1.0}, {"lines": 0},
                  {"temperature": float("nan")}):
        with pytest.raises(OptionError, match="must be at least"):
            Settings(**wrong)
