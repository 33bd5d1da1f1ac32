"""Whatever a game does when it is asked, `check_game` answers with a report."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from boyi.conformance import check_game
from tests.conformance.test_broken_games import publish
from tests.scale import some_of
from tests.toys.race import GAME, RacePosition


class UnspeakableError(Exception):
    """An error that breaks whoever asks what it is about."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


def raises(error: type[BaseException]) -> Callable[..., Any]:
    def method(self: object, *arguments: object) -> Any:
        raise error("on purpose")
    return method


def answers(value: Any) -> Callable[..., Any]:
    return lambda self, *arguments: value


METHODS = ("player_count", "initial", "to_act", "legal_moves", "likelihoods", "after", "final_scores", "reason",
           "state_to_text", "text_to_state", "format_move", "path", "stones", "changes", "status", "may_resign",
           "forfeit", "observe", "pools", "explain", "parse_move")
DEEDS = {
    "raises": raises(KeyError), "exits": raises(SystemExit), "raises_what_cannot_be_said": raises(UnspeakableError),
    "text": answers("nonsense"), "number": answers(-7), "list": answers([None]), "object": answers(object()),
}


@pytest.mark.parametrize(("method", "deed"), some_of([(method, deed) for method in METHODS for deed in DEEDS], 19))
def test_a_hostile_game_gets_a_report(method: str, deed: str) -> None:
    position = type("Hostile", (RacePosition,), {method: DEEDS[deed]})
    report = check_game(publish(GAME, f"hostile_{method}_{deed}", position=position))
    assert not report.ok
    assert json.loads(json.dumps(report.document()))["ok"] is False
    assert "broken" in str(report)
