"""How long to think about a move under a clock.

1. What an agent's own settings say (`seconds`, `nodes`, `depth`) is never exceeded.
2. A clock for the move is used up but for a reserve: a search looks at the time only now and then, and
   its answer has a way to go.
3. A clock for the game is shared out by one of two plans, which agents call by name (`timing=`):

       adaptive   an aim and a most (`TimePlan`): the search ends near the aim, sooner where the best move is clear, and
                  goes on up to the most where it is unsure (`agents.patience`)
       plain      one number, whatever the search finds: a share of what is left as if there were always `MOVES_LEFT`
                  moves to come, and most of what the move will earn; never more than half of it

   Both leave a clock without increment shrunk by a share with every move, so it is never empty, and in the end a player
   lives on the increment.
4. Nodes are a limit like an agent's own.
5. Without any limit an agent thinks for `DEFAULT_SECONDS`.

Levels and hints think in nodes, so that they can be repeated, and the same number is a moment in a compiled game and
minutes in a slow one. So in a game in plain Python they are also limited in time (`limit_python`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

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

# The adaptive plan. Its numbers are guesses in the range of what chess engines use; none is tuned.
LAG_SECONDS = 0.02
"""Held back of what is left: a search looks at the time every few milliseconds, and its answer has a way to go."""

HORIZON_FIRST, HORIZON_LEAST, HORIZON_SLOPE = 30.0, 20.0, 0.25
"""Own moves that time is kept for: at the first move, at least, and by how many fewer with every move made."""

MOST_AIMS = 4.0
"""The most, in aims."""

MOST_SHARE = 0.3
"""The most, as a share of what is left, where many moves are to come."""

LAST_MOVES_SHARE = 1.6
"""The same before a time control: this divided by the moves to go, but never more than `PENULTIMATE_SHARE`."""

PENULTIMATE_SHARE = 0.8
TINY_SECONDS = 0.001
"""For a move when nothing is left."""

Timing = Literal["adaptive", "plain"]
TIMINGS: tuple[Timing, ...] = ("adaptive", "plain")

PYTHON_SECONDS = 1.8
"""The longest a level or a hint thinks in a game in plain Python: a person waits for two seconds, and a search ends
only after the position it is at."""


@dataclass(frozen=True)
class TimePlan:
    """The time for one move, counted from the question."""

    most_seconds: float
    """Hard limit: the search is stopped in the middle of a depth (maximum time)."""

    aim_seconds: float | None = None
    """About then no new depth is begun, see `Limits.soft_seconds` (optimum time); None to use up `most_seconds`."""


def allot(clock: Clock, own_moves: int = 0) -> TimePlan | None:
    """The adaptive plan for a clock for the game after `own_moves` moves of the player; None without such a clock.

    Both numbers grow with what is left, the increment and the moves made, and shrink with the moves to go. The most is
    never more than what is left, but for `TINY_SECONDS`.

    >>> allot(Clock(seconds=3.02, increment_seconds=0.03))
    TimePlan(most_seconds=0.496, aim_seconds=0.124)
    """
    if clock.seconds is None:
        return None
    left = max(0.0, clock.seconds - LAG_SECONDS)
    horizon = max(HORIZON_LEAST, HORIZON_FIRST - HORIZON_SLOPE * own_moves)
    share = MOST_SHARE
    if clock.moves_to_go is not None:
        to_go = max(1, clock.moves_to_go)
        horizon = min(horizon, to_go)
        share = 1.0 if to_go == 1 else max(share, min(PENULTIMATE_SHARE, LAST_MOVES_SHARE / to_go))
    aim = left / horizon + SPENT_INCREMENT * clock.increment_seconds
    most = max(TINY_SECONDS, min(MOST_AIMS * aim, share * left))
    return TimePlan(most, max(TINY_SECONDS, min(aim, most)))


def plan_move(limits: Limits | None, clock: Clock, own_moves: int = 0, timing: Timing = "adaptive") -> Limits:
    """The limits of one move, as `plan`, by either plan for the game's clock.

    An aim is set only where no other limit of seconds is below it.
    """
    allotted = allot(clock, own_moves) if timing == "adaptive" else None
    if allotted is None or allotted.aim_seconds is None:
        return plan(limits, clock)
    most, aim, others = allotted.most_seconds, allotted.aim_seconds, replace(clock, seconds=None)
    if limits is None and others.move_seconds is None and others.nodes is None:
        return Limits(seconds=most, soft_seconds=aim)
    known = plan(limits, others)
    if known.seconds is not None and known.seconds <= aim:
        return known
    return replace(known, seconds=min(most, known.seconds or most), soft_seconds=aim)


def plan(limits: Limits | None, clock: Clock) -> Limits:
    """The limits of one move by the plain plan: an agent's own (None if it has none), so that the clock lasts."""
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
