"""The strongest agent of each game at a revision, as data.

A revision plays by the last row below whose commit it contains; `default` is the search that the revision itself takes
if none is named. When stronger agents become the default or are named otherwise, a row is added here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.revisions.build import is_ancestor
from benchmarks.revisions.driver import DEFAULT

GAMES = ("xiangqi", "jieqi", "othello", "liuzhou", "chinese_checkers")


@dataclass(frozen=True)
class Strongest:
    """Specs without limits, from a commit on."""

    commit: str
    two: Mapping[str, str]
    """By game, for two players; a game that is not here has the default."""

    more: Mapping[str, str]
    """By game, for more than two players."""


STRONGEST = (
    Strongest("6692040",   # v0.1.0
              {"xiangqi": "alphabeta:evaluator=net", "jieqi": "expectimax:evaluator=net", "othello": "alphabeta",
               "liuzhou": "alphabeta:evaluator=net", "chinese_checkers": "alphabeta:evaluator=net"},
              {"chinese_checkers": "multiplayer"}),
)


def find_strongest(commit: str, game: str, players: int) -> str:
    """The spec by which a commit plays a game."""
    for row in reversed(STRONGEST):
        if is_ancestor(row.commit, commit):
            return (row.two if players == 2 else row.more).get(game, DEFAULT)
    return DEFAULT
