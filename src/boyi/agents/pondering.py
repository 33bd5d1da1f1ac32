"""Thinking in the opponent's time: a search of the position after the expected reply, in a thread of its own.

What it finds stays in the searcher's table, so that the next search gets to the same depth in a moment if the reply
comes, and finds a part of it if another one does. Where it is not known what follows (chance acts, the line ends) there
is nothing to ponder on.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from boyi.core.position import Position
from boyi.core.searcher import Limits, Searcher

LONGEST_SECONDS = 3_600.0
"""An opponent who takes longer is not waited for."""

STOP_SECONDS = 0.005
"""Interval at which a search is stopped again: a stop before it has begun has no effect."""


class Pondering:
    """A search that goes on until `end`."""

    def __init__(self, searcher: Searcher, position: Position) -> None:
        self.position = position
        """What is thought about."""

        self._searcher = searcher
        self._thread = threading.Thread(target=searcher.search, args=(position.copy(), Limits(seconds=LONGEST_SECONDS)),
                                        name="pondering", daemon=True)
        self._thread.start()

    @classmethod
    def begin(cls, searcher: Searcher, observation: Position, line: Sequence[int]) -> Pondering | None:
        """Think about the position after the player's own move and the expected reply; None if that is not known.

        With more than two players the replies are those of all others.
        """
        player, after, replied = observation.turn, observation.copy(), False
        for move in line:
            if after.turn < 0 or not after.is_legal(move):   # the end of a line may come from the table
                return None
            replied |= after.turn != player
            after.play(move)
            if after.turn == player:
                break
        return cls(searcher, after) if replied and after.turn == player else None

    def end(self) -> None:
        """Stop, and wait until the search has ended."""
        while self._thread.is_alive():
            self._searcher.stop()
            self._thread.join(STOP_SECONDS)
