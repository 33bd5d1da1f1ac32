"""Tuning: better numbers for an agent, found by games.

    boyi tune chinese_checkers --params own_weight=3:1..6,targets=3:1..8 --agent multiplayer:preset=ancestor,nodes=1000

A *trial* is a pair of games from one opening between two settings of the same agent, + and −, with
the seats exchanged. A *method* says which settings meet next and learns how they did: `spsa` climbs
in small steps (the default, for any number of parameters), `surface` fits a quadratic surface (for
three or four). In the end the setting that was found plays the one it started from, until a
sequential test (`arena.sprt`) has decided whether it is stronger: what a method believes is no proof.

*More than two players.* Half of the seats are +, half −, by lot, and the second game of a trial has
them the other way round. The score is the share of couples of a + and a − seat in which the + came
before the −. So every game compares n²/4 couples instead of the n − 1 of one + among − (the
noise of a game is shared by more comparisons), neither setting is tuned for a table at which
everybody else plays otherwise, and chance in seats and openings cancels in the pair. If places follow
Plackett and Luce's model, as `arena.rating` supposes, one player comes before another with odds that
depend on these two alone, however many are at the table: the share is that of a Bradley–Terry
game, its Elo means the same as with two players, and a test of its mean is the same test. Trials are
independent of each other, and that is all it needs.

*The same run every time.* A trial's number decides its opening, its seats and all lots. Trial k is proposed
when the method has been told of exactly the trials up to k − `LAG`, however many have ended by then: so processes
and machines (`arena.pool`) are busy, and the run is the same on any number of them. The journal keeps each trial as it
ends; a run that was killed is repeated from it, without the games.
"""

from __future__ import annotations

import math
import random
import statistics
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol, get_args

from boyi.agents.spec import AgentSpec, read_spec
from boyi.arena.journal import JournalFile
from boyi.arena.match import HIGHEST_SEED, RANDOM_PLIES, Match
from boyi.arena.pool import Pool
from boyi.arena.rating import Z95
from boyi.arena.sprt import Sprt, Verdict
from boyi.core.errors import OptionError, RecordError, UnknownNameError, shorten
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.learn.parameters import Parameter, Values, put

__all__ = ["Check", "Method", "Phase", "Trial", "Tuning", "make_method", "run"]

LAG = 16
"""So many trials may be under way while settings are looked for: more processes are of no use there."""

RATE = 100.0
"""r_end of SPSA times the number of trials, if nobody says otherwise. With synthetic games 50 to 100 came nearest to
the top, from 1,000 to 5,000 trials; at 50,000 it is fishtest's 0.002."""

HIGHEST_RATE = 0.06
"""However few trials there are. With 200 to 500 synthetic ones and a rate of 0.2 and more, parameters ended farther
from the top than they began: they followed luck."""

STEPS_SHOWN = 50

Phase = Literal["tune", "check"]
MethodName = Literal["spsa", "surface"]


class Method(Protocol):
    """A way to find better settings. Trials are told in the order of their numbers."""

    @property
    def values(self) -> Values:
        """The best guess so far."""
        ...

    def propose(self, number: int) -> tuple[Values, Values]:
        """The two sides of a trial, as they are played."""
        ...

    def tell(self, score: float) -> None:
        """What the first side scored in the next trial, from 0 to 1."""
        ...


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
    """In the end at most so many pairs against the start; 0 for no test."""

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
        return Match(tuple(agents), self.start, 1, openings, self.random_plies, seed)

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

    @property
    def most(self) -> int:
        """Points in a game."""
        players = self.start.players
        return 2 * (players // 2) * (players - players // 2)


def count_points(seats: Sequence[bool], places: Sequence[int]) -> int:
    """How often a + seat came before a − seat, twice, and how often they shared a place.

    >>> count_points([True, False, False], [2, 1, 3])
    2
    """
    return sum(1 + (place < other) - (place > other) for seat, place in zip(seats, places, strict=True) if seat
               for rival, other in zip(seats, places, strict=True) if not rival)


# ---------------------------------------------------------------------- the test in the end

@dataclass(frozen=True)
class Check:
    """What the games of one setting against another say."""

    test: Sprt
    counts: tuple[int, ...]
    """How many pairs brought the first 0, 1, 2, … points."""

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def score(self) -> float:
        """The mean, from 0 to 1."""
        return self._moments[0]

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean, from how much pairs differ."""
        mean, error = self._moments
        return max(0.0, mean - Z95 * error), min(1.0, mean + Z95 * error)

    @property
    def ratio(self) -> float:
        """The logarithm of the likelihood ratio."""
        return self.test.ratio(self.counts)

    @property
    def verdict(self) -> Verdict | None:
        return self.test.verdict(self.counts)

    @cached_property
    def _moments(self) -> tuple[float, float]:
        values = [number / (len(self.counts) - 1) for number, times in enumerate(self.counts) for _ in range(times)]
        if not values:
            return 0.5, 0.5
        # One pair more, of which nothing is known, keeps few equal results from looking certain.
        return statistics.fmean(values), math.sqrt(statistics.pvariance([*values, 0.0, 1.0]) / len(values))


def make_method(tuning: Tuning) -> Method:
    if tuning.method == "surface":
        from boyi.learn.surface import Surface
        return Surface(tuning.parameters, tuning.pairs, tuning.seed)
    from boyi.learn.spsa import Spsa
    rate = min(RATE / tuning.pairs, HIGHEST_RATE) if tuning.rate is None else tuning.rate
    return Spsa(tuning.parameters, tuning.pairs, rate, tuning.seed)


# ---------------------------------------------------------------------- the run

@dataclass(frozen=True)
class State:
    """How far a run has come."""

    path: tuple[tuple[int, Values], ...]
    """Now and then: after how many pairs, the best guess."""

    tuned: Values | None
    """What was found, as it is played; None while it is looked for."""

    check: Check
    """What was found against the start."""

    failures: int
    """Trials in which an agent failed."""

    done: bool = False


def run(tuning: Tuning, journal: JournalFile, pool: Pool,
        watch: Callable[[Phase, int], None] = lambda phase, number: None) -> Generator[State]:
    """Tune, then test; what the journal has is not played again. `watch` is told of every trial that is played.

    States are handed over now and then, the last one when all is done.
    """
    kept = _read(tuning, journal)
    method = make_method(tuning)
    path: list[tuple[int, Values]] = [(0, tuple(map(float, tuning.begin)))]
    every = max(1, tuning.pairs // STEPS_SHOWN)
    counts: Counter[int] = Counter()
    failures = 0

    def check() -> Check:
        return Check(tuning.test, tuple(counts[points] for points in range(2 * tuning.most + 1)))

    def find(trial: Trial) -> Trial | None:
        """The same trial in the journal, with its result."""
        known = kept.get((trial.phase, trial.number))
        if known is not None and (known.plus, known.minus) != (trial.plus, trial.minus):
            raise RecordError(f"the journal is of a run that went another way: trial {trial.number} of {trial.phase} "
                              f"was {known.plus} against {known.minus} and is now {trial.plus} against "
                              f"{trial.minus}. Has the program changed? Name a new --journal.")
        return known

    def play(trials: Iterable[Trial], ahead: int | None = None) -> Generator[Trial]:
        """Play trials and keep them; they are handed over as they end."""
        with closing(pool.run(tuning.play, trials, ahead=ahead,
                              name=lambda trial: f"trial {trial.number} ({trial.phase})")) as played:
            for trial in played:
                journal.add(trial.to_entry())
                kept[trial.phase, trial.number] = trial
                watch(trial.phase, trial.number)
                yield trial

    # Step 1. Look for better settings.
    told = proposed = 0

    def tell(number: int) -> bool:
        """Tell the method of so many trials in all, in order; whether they are there."""
        nonlocal told, failures
        while told < number and (trial := kept.get(("tune", told))) is not None:
            method.tell(trial.score)
            failures += bool(trial.failures)
            told += 1
            if told % every == 0 and told < tuning.pairs:
                path.append((told, method.values))
        return told >= number

    def propose() -> Iterator[Trial]:
        """The trials to be played, as far as they can be known now."""
        nonlocal proposed
        while proposed < tuning.pairs and tell(proposed - LAG + 1):
            trial = Trial("tune", proposed, *method.propose(proposed))
            proposed += 1
            if find(trial) is None:
                yield trial

    # The pool asks for a trial when those `LAG` before it have been handed over, but it does not know of those in the
    # journal. Where they leave gaps, a trial may be asked for too early: then what is under way must end first.
    while proposed < tuning.pairs:
        with closing(play(propose(), ahead=LAG)) as trials:
            for _ in trials:
                yield State(tuple(path), None, check(), failures)
    tell(tuning.pairs)
    path.append((tuning.pairs, method.values))
    tuned = tuple(one.round(value) for one, value in zip(tuning.parameters, method.values, strict=True))

    # Step 2. Are they better? If nothing has changed there is nothing to ask.
    def test() -> Generator[Trial]:
        """The trials of the test in order; those that are missing are played when they are needed."""
        def trials() -> Iterator[Trial]:
            return (Trial("check", number, tuned, tuning.begin) for number in range(tuning.check_pairs))

        with closing(play(trial for trial in trials() if find(trial) is None)) as played:
            for trial in trials():
                while (known := find(trial)) is None:
                    next(played)
                yield known

    if tuned != tuning.begin:
        with closing(test()) as trials:
            for trial in trials:
                counts[trial.total] += 1
                failures += bool(trial.failures)
                if check().verdict is not None:
                    break
                if trial.number % every == 0:
                    yield State(tuple(path), tuned, check(), failures)
    yield State(tuple(path), tuned, check(), failures, done=True)


def _read(tuning: Tuning, journal: JournalFile) -> dict[tuple[Phase, int], Trial]:
    """The trials of a journal."""
    kept: dict[tuple[Phase, int], Trial] = {}
    for entry in journal.entries:
        try:
            trial = Trial(entry["phase"], int(entry["number"]), tuple(entry["plus"]), tuple(entry["minus"]),
                          (int(entry["points"][0]), int(entry["points"][1])), tuning.most, int(entry["failures"]))
            if not all(0 <= points <= tuning.most for points in trial.points):
                raise ValueError("too many points")
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise RecordError(f"the journal holds what is no trial: {shorten(entry)}") from error
        kept.setdefault((trial.phase, trial.number), trial)
    return kept
