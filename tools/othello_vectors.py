"""Make `tests/data/othello/solved.json`: endings of random games and their margins.

    python -m tools.othello_vectors > tests/data/othello/solved.json

The margins come from a plain alpha-beta on the rules alone, without a table, ordering or the solver's code.
"""

from __future__ import annotations

import json
import random
import sys

import boyi
from boyi.core.position import OVER
from boyi.games.othello.position import OthelloPosition


def margin(position: OthelloPosition, alpha: int, beta: int) -> int:
    """For the player to act, within the window."""
    player, best = position.turn, -65
    for move in position.moves():
        position.play(move)
        if position.turn == OVER:
            value = position.margin() * (1 if player == 0 else -1)
        elif position.turn == player:
            value = margin(position, max(alpha, best), beta)
        else:
            value = -margin(position, -beta, -max(alpha, best))
        position.undo()
        best = max(best, value)
        if best >= beta:
            break
    return best


def main() -> None:
    rng = random.Random(20_261_115)
    found = {}
    for empties in [2, 3, 4, 5, 6, 7, 8, 9] * 12 + [10] * 4:
        position = boyi.start("othello")
        while position.turn != OVER and position.to_text().count("-") > empties:
            position.play(rng.choice(position.moves()))
        if position.turn != OVER and isinstance(position, OthelloPosition):
            found[position.to_text()] = margin(position, -64, 64)
    json.dump(found, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
