"""Games of random moves."""

from __future__ import annotations

import random

from boyi.core.position import Position


def walk(position: Position, plies: int, seed: int) -> Position:
    """Play random moves, fewer if the game ends before; the position itself is moved on."""
    generator = random.Random(seed)
    for _ in range(plies):
        moves = position.moves()
        if not moves:
            break
        position.play(generator.choice(moves))
    return position
