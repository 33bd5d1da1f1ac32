"""The end of the race at play: a plan of our own, once nobody stands in the way any more.

Between two, when all pieces have passed those of the opponent, each side plays alone, and who needs fewer turns wins. A
beam search of all remaining turns (`solver`) sees further than alpha-beta, which takes turns with an opponent who does
not matter. With more players the search plays to the end: plans with others standing still did harm in matches.
"""

from __future__ import annotations

from boyi.core.position import Position
from boyi.core.searcher import Limits, Line, Result
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from boyi.games.chinese_checkers.solver import SoloSolver

GUESS, WIN = 28_000, 30_000
"""As in `core.evaluator`: what is not proven stays within the one; the other less n is a win in n plies."""

WIDEST = 1000
"""Boards of the beam: 2 CPU milliseconds for every turn of the plan."""

SHARE = 0.5
"""Of the seconds that may be spent."""

BOARDS_A_SECOND = 400_000
"""Boards that are expanded, about, on one core of 2.3 GHz."""

LIKELY_TURNS = 12
"""Of a plan."""

PROOF_NODES = 5_000
TURN = 200
"""What a turn is worth: two steps, in hundredths."""


class ChineseCheckersFinisher:
    """Plays the end of a race by plans. See `boyi.core.searcher.Finisher`."""

    def __init__(self, threads: int = 1) -> None:    # a plan takes one
        self._solver = SoloSolver(WIDEST)
        self._rest: tuple[int, ...] = ()
        """What is left of the last plan."""

    def finish(self, position: Position, limits: Limits) -> Result | None:
        """The first move of a plan to the goal; None where others matter."""
        assert isinstance(position, ChineseCheckersPosition)
        width = beam_width(limits)
        rules = position.options
        if width == 0 or rules["long_hops"] or rules["stay_home"] or rules["pieces"] != 10:
            return None
        if not self._solver.passed(position):
            return None
        plan = self._solver.plan(position, position.turn, alone=True, width=width)
        seconds = self._solver.seconds
        if self._rest and (plan is None or len(self._rest) < len(plan)) and self._still_leads(position):
            plan = self._rest
        if not plan or not position.is_legal(plan[0]):
            self._rest = ()
            return None
        self._rest = plan[1:]
        value, wins_in = self._judge(position, len(plan), width)
        return Result((Line(plan[:1], value, wins_in),), len(plan), width * len(plan), seconds)

    def stop(self) -> None:
        """End a running finish() soon, from another thread."""
        self._solver.stop()

    def _still_leads(self, position: ChineseCheckersPosition) -> bool:
        """Does the rest of the last plan lead from here to the goal? It was made for this game's last turn, or not."""
        player, trial = position.turn, position.copy()
        for move in self._rest:
            if not trial.is_legal(move):
                return False
            trial.play(move)
            if trial.outcome() is None:
                trial.play_null()
        return isinstance(trial, ChineseCheckersPosition) and player in trial.finished

    def _judge(self, position: ChineseCheckersPosition, turns: int, width: int) -> tuple[float, int | None]:
        """The value for the player to act, by the turns that a plan takes; and the plies to a proven win."""
        rival = 1 - position.turn
        if self._solver.least(position, rival, turns, PROOF_NODES, alone=True) >= turns:
            return float(WIN - (2 * turns - 1)), 2 * turns - 1
        theirs = self._solver.plan(position, rival, alone=True, width=min(width, 100))
        lead = TURN * ((99 if theirs is None else len(theirs)) - turns + 0.5)
        return max(-float(GUESS), min(lead, float(GUESS))), None


def beam_width(limits: Limits) -> int:
    """How wide a beam suits limits; 0 where a search is asked for what a plan does not tell.

    >>> beam_width(Limits(seconds=0.05))
    833
    """
    if limits.lines != 1 or (limits.seconds is None and limits.nodes is None):
        return 0
    width = WIDEST
    if limits.seconds is not None:
        width = min(width, int(SHARE * limits.seconds * BOARDS_A_SECOND / LIKELY_TURNS))
    if limits.nodes is not None:
        width = min(width, int(SHARE * limits.nodes / LIKELY_TURNS))
    return max(1, width)
