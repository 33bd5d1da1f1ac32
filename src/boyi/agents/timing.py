"""How long to think about a move under a clock: one small rule for every agent of ours.

1. What an agent's own settings say (`seconds`, `nodes`, `depth`) is never exceeded.
2. A clock for the move is used up but for a reserve: a search looks at the time only now and then, and
   its answer has a way to go.
3. A clock for the game: a share of what is left as if there were always `MOVES_LEFT` moves to come, and most of
   what the move will earn; never more than half of it. So a clock without increment shrinks by the same
   share with every move and is never empty, and in the end a player lives on the increment.
4. Nodes are a limit like an agent's own.
5. Without any limit an agent thinks for `DEFAULT_SECONDS`.

Levels and hints think in nodes, so that they can be repeated, and the same number is a moment in a compiled game and
minutes in a slow one. So in a game in plain Python they are also limited in time (`limit_python`).
"""

from __future__ import annotations

from dataclasses import replace

from boyi.agents.agent import Clock
from boyi.core.position import Position
from boyi.core.python_position import PythonPosition
from boyi.core.searcher import Limits

DEFAULT_SECONDS = 1.0
MOVES_LEFT = 30
"""Own moves. A whole game of Othello; in longer games most of the fight is over by then."""

SPENT_INCREMENT = 0.8
LEAST_SECONDS = 0.01
RESERVE_SECONDS = 0.02
RESERVE_SHARE = 0.02
"""What is held back of a clock for one move: these seconds, and this share of it."""

PYTHON_SECONDS = 1.8
"""The longest a level or a hint thinks in a game in plain Python: a person waits for two seconds, and a search ends
only after the position it is at."""


def plan(limits: Limits | None, clock: Clock) -> Limits:
    """The limits of one move: an agent's own (None if it has none), so that the clock lasts."""
    if limits is not None and clock.seconds is None and clock.move_seconds is None and clock.nodes is None:
        return limits   # no clock, which in most matches is every move
    seconds = [share for share in (_share_of_move(clock), _share_of_game(clock)) if share is not None]
    nodes = [] if clock.nodes is None else [clock.nodes]
    if limits is None:
        if not seconds and not nodes:
            seconds = [DEFAULT_SECONDS]
        return Limits(seconds=min(seconds, default=None), nodes=min(nodes, default=None))
    if limits.seconds is not None:
        seconds.append(limits.seconds)
    if limits.nodes is not None:
        nodes.append(limits.nodes)
    return Limits(seconds=min(seconds, default=None), nodes=min(nodes, default=None), depth=limits.depth,
                  lines=limits.lines)


def limit_python(limits: Limits, position: Position) -> Limits:
    """The limits for a position; in a game in plain Python with `PYTHON_SECONDS` as well.

    Nodes stay the first limit: where they are used up sooner, as in most games, the answer can be repeated.
    """
    if not isinstance(position, PythonPosition):
        return limits
    return replace(limits, seconds=min(limits.seconds or PYTHON_SECONDS, PYTHON_SECONDS))


def _share_of_move(clock: Clock) -> float | None:
    if clock.move_seconds is None:
        return None
    return max(clock.move_seconds / 2, clock.move_seconds * (1 - RESERVE_SHARE) - RESERVE_SECONDS)


def _share_of_game(clock: Clock) -> float | None:
    if clock.seconds is None:
        return None
    return max(LEAST_SECONDS, min(
        clock.seconds / 2, clock.seconds / MOVES_LEFT + SPENT_INCREMENT * clock.increment_seconds))
