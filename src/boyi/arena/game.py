"""One game between agents, to its end.

The referee has the position, the whole truth; agents are shown what their seats may know, and what chance adds is
drawn here. Clocks are in `arena.timecontrol`, games that end before the rules end them in `arena.adjudication`.

An agent that fails (it raises an error, its process ends, it plays what the rules forbid, its time runs out) loses the
game, and the game says who failed and how.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

from boyi.agents.agent import Agent, AgentError, Fault, expectation_of, limit_agent, prepare_agent, read_answer
from boyi.arena.adjudication import Adjudication, Arbiter
from boyi.arena.timecontrol import Clocks, TimeControl
from boyi.core.draws import sample_chance
from boyi.core.errors import BoyiError, IllegalMoveError
from boyi.core.outcome import Outcome
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.words import Words
from boyi.core.written import written_moves

__all__ = ["LONGEST", "Failure", "Notes", "play_game", "write_notes"]

LONGEST = 4_000
"""A game of this many moves is broken off as a draw."""


@dataclass(frozen=True)
class Failure:
    """What an agent did instead of a move."""

    seat: int
    fault: Fault
    message: str
    traceback: str = ""
    """Of an agent in Python that raised an error."""

    def to_entry(self) -> dict[str, Any]:
        """As journals and JSON have it; without a traceback where there is none."""
        return {name: value for name, value in asdict(self).items() if name != "traceback" or value}


Notes = dict[int, dict[str, float]]
"""By ply: how long a move took, and what was left then."""


def play_game(
    position: Position, agents: Sequence[Agent], *, seed: object = 0, move_seconds: float | None = None,
    longest: int = LONGEST, time: TimeControl | None = None, adjudication: Adjudication | None = None,
    notes: Notes | None = None, now: Callable[[], float] = perf_counter,
) -> tuple[Outcome, tuple[Failure, ...]]:
    """Play on `position` to the end.

    `position` is the referee's: the whole truth. Agents are shown `observe(seat)`, and
    what chance adds is drawn here, from the seed and the place in the game. `notes` is
    filled where a clock counts seconds; `now` is the time and never goes back.

    >>> import boyi
    >>> from boyi.agents import make_agent
    >>> position = boyi.start("tic_tac_toe")
    >>> outcome, *_ = play_game(position, [make_agent("random:seed=1"), make_agent("random:seed=2")])
    >>> outcome == position.outcome()
    True
    """
    failures: list[Failure] = []
    clocks = Clocks(time, position.players)
    arbiter = Arbiter(adjudication, position) if adjudication is not None and adjudication.active else None
    ready: set[int] = set()
    for _ in range(longest):
        turn = position.turn
        if turn == OVER:
            break
        if turn == CHANCE:
            position.play(sample_chance(position, random.Random(f"{seed} {position.ply}")))
            continue
        if arbiter is not None and (verdict := arbiter.judge(position)) is not None:
            return verdict, tuple(failures)
        forced = position.forced_move()
        if forced is not None:
            position.play(forced)
            continue
        ply = position.ply
        failure, took = _ask(position, agents[turn], clocks, move_seconds, now, first=turn not in ready)
        ready.add(turn)
        if failure is None:
            if notes is not None and time is not None and time.counts_seconds:
                left = clocks.left(turn)
                notes[ply] = {"took": took} if left is None else {"took": took, "clock": left}
            if arbiter is not None:
                arbiter.hear(turn, expectation_of(agents[turn]))
            continue
        failures.append(failure)
        lost = position.resign(turn, failure.fault)
        if lost is not None:   # else the others play on
            return lost, tuple(failures)
    outcome = position.outcome()
    if outcome is None:
        outcome = Outcome.of([0.0] * position.players, "too_long",
                             Words(f"broken off after {longest} moves", f"满 {longest} 步，判和"))
    return outcome, tuple(failures)


def _ask(position: Position, agent: Agent, clocks: Clocks, move_seconds: float | None, now: Callable[[], float], *,
         first: bool) -> tuple[Failure | None, float]:
    """Have the agent to act make its move: what went wrong or None, and how long it took."""
    turn = position.turn
    observation, face = position.observe(turn), clocks.face(turn)
    took = 0.0
    try:
        if first:
            prepare_agent(agent, observation)
        limit_agent(agent, min((limit for limit in (clocks.limit(turn), move_seconds) if limit is not None),
                               default=None))
        began = now()
        answer = agent.choose(observation, face)
        took = now() - began
        move = read_answer(answer)
    except AgentError as error:
        return _fail(position, error.fault, f": {error}", error.traceback), took
    except BoyiError as error:   # its program is no longer there, a file it needs has gone
        return _fail(position, "crash", f": {error}"), took
    except KeyboardInterrupt:
        raise
    except BaseException as error:   # noqa: BLE001  what an agent raises ends its game and no other
        raised = AgentError.raised(error)
        return _fail(position, raised.fault, f": {raised}", raised.traceback), took
    had = clocks.spend(turn, took)
    if had is None and move_seconds is not None and took > move_seconds:
        had = move_seconds
    if had is not None:
        return _fail(position, "timeout", f" took {took:.3g} s for a move and had {had:.3g} s"), took
    try:
        if position.is_forfeit(move):
            raise IllegalMoveError(f"{position.format_move(move)} gives a game up and is no move to choose")
        position.play(move)
    except BoyiError as error:
        return _fail(position, "illegal_move", f": {error}"), took
    return None, took


def _fail(position: Position, fault: Fault, message: str, traceback: str = "") -> Failure:
    """A failure of the player to act, who is named in front of the message."""
    return Failure(position.turn, fault, position.board.seat_names[position.turn].en + message, traceback)


def write_notes(position: Position, notes: Notes) -> list[dict[str, float]]:
    """Notes by written move: there a decision and what chance adds to it are one."""
    written, ply = list[dict[str, float]](), 0
    if notes:
        for _, moves in written_moves(position.game.parse(position.start_text, **position.options), position.history()):
            written.append(notes.get(ply, {}))
            ply += moves
    return written
