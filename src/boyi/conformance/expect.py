"""How a property says that it is broken, and what it compares.

A plain `assert` would be gone under `python -O`, and would say nothing to who wrote the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boyi.core.board import Stone
from boyi.core.errors import BoyiError, shorten
from boyi.core.position import Position

__all__ = ["ConformanceError", "ensure", "refused", "same", "same_snapshot", "snapshot", "standing"]

LONGEST_REFUSAL = 1000
"""In characters: nobody's nonsense fills the screen."""


class ConformanceError(Exception):
    """A game breaks the contract: the message says where it differs from what it should be.

    >>> raise ConformanceError("undo left a trace")
    Traceback (most recent call last):
    boyi.conformance.expect.ConformanceError: undo left a trace
    """


def ensure(condition: object, otherwise: str) -> None:
    """`otherwise` is what is wrong if the condition does not hold."""
    if not condition:
        raise ConformanceError(otherwise)


def same(found: object, wanted: object, what: str) -> None:
    if found != wanted:
        raise ConformanceError(f"{what}: {shorten(found, 200)} and not {shorten(wanted, 200)}")


def refused(kind: type[BoyiError], what: str, action: Callable[..., object], *arguments: object) -> None:
    """Ensure that something is refused by an error of ours, in words."""
    try:
        action(*arguments)
    except kind as error:
        ensure(0 < len(str(error)) < LONGEST_REFUSAL,
               f"{what} is refused in {len(str(error))} characters, not in 1 to {LONGEST_REFUSAL - 1}")
    except Exception as error:
        raise ConformanceError(f"{what} raises {type(error).__name__} ({error}) and not {kind.__name__}") from error
    else:
        raise ConformanceError(f"{what} is not refused")


def snapshot(position: Position) -> dict[str, Any]:
    """Everything that can be seen of a position from Python."""
    return {
        "to_text": position.to_text(),
        "start_text": position.start_text,
        "history": position.history(),
        "ply": position.ply,
        "turn": position.turn,
        "moves": position.moves(),
        "odds": position.odds(),
        "fingerprint": position.fingerprint,
        "recomputed_fingerprint": position.recomputed_fingerprint(),
        "symmetric_fingerprint": position.symmetric_fingerprint,
        "repetitions": position.repetitions,
        "repeat_result": position.repeat_result,
        "checked": position.checked,
        "stones": position.stones(),
        "status": position.status(),
        "stage": position.stage(),
        "outcome": position.outcome(),
        "players": position.players,
        "options": dict(position.options),
        "repr": repr(position),
    }


def same_snapshot(position: Position, wanted: dict[str, Any], when: str) -> None:
    """Ensure that a position looks as it should; `when` begins the sentence that says otherwise."""
    for name, value in snapshot(position).items():
        same(value, wanted[name], f"{when}, {name} is")


def standing(stones: list[Stone]) -> dict[str, str]:
    """From points to glyphs; no point twice."""
    board = {stone.point: stone.glyph for stone in stones}
    ensure(len(board) == len(stones), f"two stones stand on one point: {shorten(stones, 200)}")
    return board
