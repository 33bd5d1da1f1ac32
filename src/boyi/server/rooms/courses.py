"""A written move as a viewer saw it who may not know everything."""

from __future__ import annotations

from boyi.core.board import Change
from boyi.core.position import Position
from boyi.core.words import Words
from boyi.server.protocol.positions import play_and_describe

Course = tuple[str, list[str], list[Change], list[Words]]
"""A move as a viewer saw it: its text, the points it touches, what it changed, what chance brought."""


def describe_course(before: Position, after: Position, decision: int | None) -> Course:
    """A move as it looks to a viewer who knew `before` and knows `after`."""
    known = before.history() + ([] if decision is None else [decision])
    history = after.history()
    follows = before.start_text == after.start_text and history[:len(known)] == known
    moves = ([] if decision is None else [decision]) + (history[len(known):] if follows else [])
    walk = before.copy()
    text = walk.format_moves(moves) if moves else ""
    path = [] if decision is None else list(walk.path(decision))
    if follows and moves:
        return text, path, *play_and_describe(walk, moves)[1:]
    if follows:
        return text, path, [], []
    # A viewer whose position has no history sees what is different.
    old = {stone.point: stone.glyph for stone in before.stones()}
    new = {stone.point: stone.glyph for stone in after.stones()}
    changes = [Change("captured", point, glyph) for point, glyph in old.items() if point not in new]
    changes += [Change("revealed" if point in old else "placed", point, glyph)
                for point, glyph in new.items() if old.get(point) != glyph]
    return text, path, changes, []
