"""A trial: a pair of games between two settings of the same agent, + and −, from one opening with the seats exchanged.

*More than two players.* Half of the seats are +, half −, at random, and the second game of a trial has them the other
way round. The score is the share of couples of a + and a − seat in which the + came before the −. So every game
compares n²/4 couples instead of the n − 1 of one + among − (the noise of a game is shared by more comparisons), neither
setting is tuned for a table at which all others play otherwise, and chance in seats and openings cancels in the
pair. If places follow Plackett and Luce's model, as `arena.rating` supposes, one player comes before another with odds
that depend on these two alone, however many are at the table: the share is that of a Bradley–Terry game, its Elo means
the same as with two players, and a test of its mean is the same test. Trials are independent of each other, and that is
all it needs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from boyi.agents.spec import AgentSpec, read_spec
from boyi.arena.conditions import RANDOM_PLIES
from boyi.arena.match import HIGHEST_SEED, Match
from boyi.arena.sprt import Sprt
from boyi.core.errors import OptionError, UnknownNameError
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.learn.tuning.parameters import Parameter, Values, put

__all__ = ["MethodName", "Phase", "Trial", "Tuning", "count_points"]

Phase = Literal["tune", "check"]
MethodName = Literal["spsa", "surface"]


@dataclass(frozen=True)
class Trial:
    """A pair of games between two settings."""

    phase: Phase
    number: int
    plus: Values
    minus: Values
    points: tuple[int, int] = (0, 0)
    """Of the + side in each game: 2 for each couple of seats in which it came first, 1 where both share a place."""

    most: int = 2
    """Points in a game."""

    failures: int = 0
    """Games in which an agent failed, and so lost."""

    @property
    def total(self) -> int:
        return sum(self.points)

    @property
    def score(self) -> float:
        """Of the + side, from 0 to 1."""
        return self.total / (2 * self.most)

    def to_entry(self) -> dict[str, Any]:
        return {"phase": self.phase, "number": self.number, "plus": self.plus, "minus": self.minus,
                "points": self.points, "failures": self.failures}


@dataclass(frozen=True)
class Tuning:
    """All that a run depends on."""

    agent: str
    """A spec string, with the settings to begin with."""

    start: Position
    parameters: tuple[Parameter, ...]
    pairs: int
    method: MethodName = "spsa"
    rate: float | None = None
    """Of SPSA: r_end; None for `RATE` over the number of pairs."""

    check_pairs: int = 0
    """The largest number of pairs of the final test against the start; 0 for no test."""

    test: Sprt = Sprt()   # noqa: RUF009  frozen
    openings: tuple[Position, ...] = ()
    random_plies: int = RANDOM_PLIES
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse everything that could fail later."""
        if not self.parameters:
            raise OptionError("there is nothing to tune; name a parameter")
        if self.pairs < 1 or self.check_pairs < 0:
            raise OptionError(f"a run has at least one pair of games, not {self.pairs}")
        if self.method not in get_args(MethodName):
            raise UnknownNameError.among("method", self.method, get_args(MethodName))
        if self.rate is not None and not 0 < self.rate <= 100:
            raise OptionError(f"the rate must be above 0 and at most 100, not {self.rate:g}")
        if self.rate is not None and self.method != "spsa":
            raise OptionError("the rate is for the method spsa")
        self.match([self.agent] * self.start.players, "tune", 0).opening(0)

    @property
    def spec(self) -> AgentSpec:
        return read_spec(self.agent)   # not kept: it cannot be sent to other processes

    @property
    def begin(self) -> Values:
        """The settings to begin with, as they are played."""
        return tuple(one.round(one.start) for one in self.parameters)

    def put(self, values: Values) -> str:
        """The agent with other settings."""
        return put(self.spec, self.parameters, values)

    def settings(self) -> dict[str, Any]:
        """What must agree for a journal to be continued."""
        return {
            "game": self.start.game.name, "options": dict(self.start.options),
            "start": Record.from_position(self.start).to_text(), "agent": self.agent,
            "parameters": [[one.name, one.start, one.low, one.high, one.reach] for one in self.parameters],
            "method": self.method, "pairs": self.pairs, "rate": self.rate,
            "openings": [Record.from_position(opening).to_text() for opening in self.openings],
            "random_plies": self.random_plies, "seed": self.seed,
        }

    # ------------------------------------------------------------------ one trial

    def seats(self, phase: Phase, number: int) -> tuple[bool, ...]:
        """Which seats the + side has in the first game of a trial; in the second it has the others."""
        players = self.start.players
        chosen = random.Random(f"{self.seed} {phase} seats {number}").sample(range(players), players // 2)
        return tuple(seat in chosen for seat in range(players))

    def match(self, agents: Sequence[str], phase: Phase, number: int) -> Match:
        """A game of a trial, as a match of one game: both have the same opening and the same chance."""
        openings = self.openings[number % len(self.openings):][:1] if self.openings else ()
        seed = random.Random(f"{self.seed} {phase} {number}").randrange(HIGHEST_SEED)
        return Match(tuple(agents), self.start, 1, openings=openings, random_plies=self.random_plies, seed=seed)

    def play(self, trial: Trial) -> Trial:
        """A trial with its result; its number and its settings decide everything about it."""
        plus, minus = self.put(trial.plus), self.put(trial.minus)
        first = self.seats(trial.phase, trial.number)
        points, failures = [], 0
        for seats in (first, tuple(not seat for seat in first)):
            played = self.match([plus if seat else minus for seat in seats], trial.phase, trial.number).play(0)
            points.append(count_points(seats, played.outcome.places))
            failures += bool(played.failures)
        return Trial(trial.phase, trial.number, trial.plus, trial.minus, (points[0], points[1]), self.most, failures)

    def identify(self, trial: Trial) -> object:
        """Equal for trials of two settings that repeat each other: agents that count nodes and draw nothing at random
        play the same games whenever they begin alike. No other trial is equal to this one."""
        values = self.spec.values
        counts_nodes = "seconds" not in values and not {"nodes", "simulations", "depth"}.isdisjoint(values)
        if (trial.failures or not counts_nodes or self.start.game.has_chance or self.spec.is_stochastic(self.start)):
            return trial.phase, trial.number
        seats = self.seats(trial.phase, trial.number)
        opening = self.match([self.agent] * self.start.players, trial.phase, trial.number).opening(0)
        return opening.to_text(), frozenset([seats, tuple(not seat for seat in seats)]), trial.plus, trial.minus

    @property
    def most(self) -> int:
        """Points in a game."""
        players = self.start.players
        return 2 * (players // 2) * (players - players // 2)


def count_points(seats: Sequence[bool], places: Sequence[int]) -> int:
    """Twice the number of couples in which a + seat came before a − seat, plus those that shared a place.

    >>> count_points([True, False, False], [2, 1, 3])
    2
    """
    return sum(1 + (place < other) - (place > other) for seat, place in zip(seats, places, strict=True) if seat
               for rival, other in zip(seats, places, strict=True) if not rival)
