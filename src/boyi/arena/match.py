"""Matches: agents play each other from the same openings, each in every seat.

A match is played in *rounds*. A round takes one opening and plays it once per seat,
every contestant one seat further each time; with two players that is the usual pair
of games with colours changed. Where there are fewer contestants than seats the last
one fills the rest: `A B` among three is A against two of B.

Everything that is not in the agents' own hands comes from one seed: openings, what
chance draws, the seeds of agents that take one. Agents are made anew for every game,
so that no game depends on another: under limits in nodes a match is repeatable game
by game, in any order, on any number of processes.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Generator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property

from boyi.agents.agent import Agent, AgentError, close_agent
from boyi.agents.interruption import listening
from boyi.arena.conditions import Conditions
from boyi.arena.contestant import Contestant, Contested, enter, read_contestant
from boyi.arena.game import Failure, Notes, play_game, write_notes
from boyi.arena.openings import draw_opening
from boyi.arena.pool import Pool
from boyi.arena.tally import Finished
from boyi.arena.timecontrol import Clocks
from boyi.core.errors import OptionError
from boyi.core.outcome import Outcome
from boyi.core.position import OVER, Position
from boyi.core.record import Record

__all__ = ["HIGHEST_SEED", "Match", "Played", "play_match"]

HIGHEST_SEED = 2**62


@dataclass(frozen=True)
class Played:
    """One game of a match.

    >>> import boyi
    >>> game, = play_match(Match(("random", "random"), boyi.start("tic_tac_toe"), games=1, seed=1))
    >>> game.number, game.contestants, len(game.outcome.places)
    (0, (0, 1), 2)
    """

    number: int
    """From 0."""

    contestants: tuple[int, ...]
    """Per seat, which contestant sat there."""

    outcome: Outcome
    record: Record
    failures: tuple[Failure, ...] = ()
    """Agents that failed; more than one only where the others play on."""

    @property
    def places(self) -> tuple[int, ...]:
        """By seat."""
        return self.outcome.places

    @property
    def decisions(self) -> int:
        return len(self.record.entries)

    @property
    def course(self) -> tuple[str, ...]:
        """The written moves."""
        return tuple(entry.text for entry in self.record.entries)


@dataclass(frozen=True)
class Match(Contested, Conditions):
    """All that a match depends on.

    >>> import boyi
    >>> match = Match(("alphabeta:nodes=200", "random"), boyi.start("othello"), games=4, seed=1)
    >>> match.seating(0), match.seating(1)
    ((0, 1), (1, 0))
    """

    contestants: Sequence[Contestant]
    """Spec strings, or objects with `choose`, or what makes such objects; see `arena.contestant`."""

    start: Position
    """Where games begin, before the random opening moves."""

    games: int = 100

    def __post_init__(self) -> None:
        """Refuse everything that could fail later."""
        object.__setattr__(self, "contestants", tuple(map(enter, self.contestants)))
        players = self.start.players
        if not 2 <= len(self.contestants) <= players:
            several = "two" if players == 2 else f"two to {players}"
            raise OptionError(f"a match of {self.start.game.name} has {several} agents here, "
                              f"not {len(self.contestants)}")
        if self.games < 1:
            raise OptionError(f"a match has at least one game, not {self.games}")
        for opening in (self.start, *self.openings):
            if opening.turn == OVER:
                raise OptionError(f"a match cannot begin where the game is over: {opening.to_text()}")
            if opening.players != players:
                raise OptionError("all openings of a match must have the same number of players")
        for entry in self.entries:
            spec = read_contestant(entry)
            if spec.kind.name == "human":
                raise OptionError("a human cannot play in a match; use `boyi play`")
            spec.check(self.start)
            if self.time is not None:
                spec.check_clock(Clocks(self.time, players).face(0))
        self.adjudication.check(players)

    @cached_property
    def is_stochastic(self) -> bool:
        """Has it an agent that plays by random numbers of its own, others in every game?"""
        return any(read_contestant(entry).is_stochastic(self.start) for entry in self.entries)

    def match_of(self, game: Finished) -> Match:
        """Itself: all its games are of one match; see `distinct.Event`."""
        return self

    def seating(self, number: int) -> tuple[int, ...]:
        """Per seat, the contestant of a game."""
        players = self.start.players
        return tuple(min((seat + number) % players, len(self.contestants) - 1) for seat in range(players))

    def opening(self, number: int) -> Position:
        """The position a game begins with, the same for all games of its round."""
        turn = number // self.start.players
        if self.openings:
            return self.openings[turn % len(self.openings)].copy()
        return draw_opening(self.start, self.random_plies, self.seed, turn)

    def play(self, number: int) -> Played:
        """One game; its number decides everything about it."""
        position, seating = self.opening(number), self.seating(number)
        specs = [read_contestant(self.entries[contestant]) for contestant in seating]
        agents: list[Agent] = []
        notes: Notes = {}
        try:
            for seat, spec in enumerate(specs):
                seed = random.Random(f"{self.seed} agent {number} {seat}").randrange(HIGHEST_SEED)
                agents.append(spec.fill(seed=seed).make())
            with listening():
                outcome, failures = play_game(
                    position, agents, seed=f"{self.seed} chance {number // self.start.players}",
                    move_seconds=self.move_seconds, longest=self.longest, time=self.time,
                    adjudication=self.adjudication, notes=notes)
        finally:
            for agent in agents:
                _close(agent)
        ended = position.outcome() is None
        record = Record.from_position(
            position, players=[str(spec) for spec in specs], event=f"game {number + 1}",
            result=outcome.places if ended else None, reason=outcome.reason if ended else "",
            comment="; ".join(failure.message for failure in failures), notes=write_notes(position, notes))
        return Played(number, seating, outcome, record, failures)


def _close(agent: Agent) -> None:
    """Let an agent go. The game is over: what it raises now changes nothing, and is said."""
    try:
        close_agent(agent)
    except Exception as error:   # noqa: BLE001  an agent from outside may raise anything
        warnings.warn(f"an agent could not be closed: {AgentError.raised(error)}", RuntimeWarning, stacklevel=2)


def play_match(match: Match, jobs: int = 1, pool: Pool | None = None) -> Generator[Played]:
    """Every game of a match as it ends, in order; the same games by several processes, or by a pool that is there.

    >>> import boyi
    >>> match = Match(("alphabeta:nodes=200", "random"), boyi.start("othello"), games=4, seed=1)
    >>> sum(game.outcome.places[game.contestants.index(0)] == 1 for game in play_match(match)) >= 3
    True
    """
    with Pool(min(jobs, match.games)) if pool is None else nullcontext(pool) as players:
        yield from players.run(match.play, range(match.games), in_order=True, name=lambda number: f"game {number + 1}")
