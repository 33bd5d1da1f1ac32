"""The rules of a room, without a server around it."""

from __future__ import annotations

from typing import Any

from tests.server import Table


def result(table: Table) -> Any:
    """How the game at a table ended."""
    game = table.room.state.game
    assert game is not None and game.result is not None
    return game.result
