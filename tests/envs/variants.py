"""The games that environments are tried with: all of ours, with their numbers of players, and toys."""

from __future__ import annotations

from typing import Any

import pytest

from boyi.core.position import Position
from tests.toys import find_game_or_toy

Variant = tuple[str, dict[str, Any]]

OURS: list[Variant] = [
    ("othello", {}), ("xiangqi", {}), ("jieqi", {}), ("liuzhou", {}), ("tic_tac_toe", {}),
    *(("chinese_checkers", {"players": players}) for players in range(2, 7)),
]
TOYS: list[Variant] = [("line", {}), ("race", {"players": 3}), ("cards", {}), ("picking", {})]

SELDOM: list[Variant] = [("chinese_checkers", {"players": players}) for players in (2, 3, 4, 5)]
"""What need not be drawn every day."""


def start(name: str, rules: dict[str, Any]) -> Position:
    return find_game_or_toy(name).start(**rules)


def asked_of(variants: list[Variant], seldom: list[Variant] | None = None) -> pytest.MarkDecorator:
    """The test is asked of each of these, and of those that are `seldom` among them before a merge only."""
    return pytest.mark.parametrize(("name", "rules"), [
        pytest.param(name, rules, id="-".join(map(str, (name, *rules.values()))),
                     marks=pytest.mark.slow if (name, rules) in (seldom or []) else ()) for name, rules in variants])
