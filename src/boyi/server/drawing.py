"""Whether the AI agrees to a draw: when the game has been quiet for long, and neither side stands better.

What is quiet the game says (`Game.quiet_plies_field`: the plies without a capture or a reveal, which lead to a draw in
the end). Where it counts none, as in Othello, the AI plays to the end.
"""

from __future__ import annotations

from typing import Literal

from boyi.core.position import Position

QUIET_PLIES = 20
"""Without anything happening, before the AI thinks about a draw: ten moves of each (a guess)."""

FEWEST_PLIES = 40
"""Of a game, before the AI thinks about a draw."""

EVEN = 0.12
"""How far from one half the odds may be that still count as even."""


def is_quiet(observation: Position) -> bool:
    """Has nothing happened for so long that the AI thinks about a draw?"""
    place = observation.game.quiet_plies_field
    if place is None:
        return False
    words = observation.to_text().split()
    quiet = words[place] if place < len(words) else ""
    return quiet.isdigit() and int(quiet) >= QUIET_PLIES and observation.ply >= FEWEST_PLIES


def judge(odds: float) -> Literal["", "plays_on"]:
    """What the AI answers, by the odds of either side: the empty word agrees."""
    return "" if abs(odds - 0.5) <= EVEN else "plays_on"
