"""Tuning: better numbers for an agent, found by games.

    boyi tune chinese_checkers --params own_weight=3:1..6,targets=3:1..8 --agent multiplayer:preset=seed,nodes=1000

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
when exactly the trials before k − `LAG` have been told, however many processes play: they are busy and the run is the
same. The journal keeps each trial as it ends; a run that was killed is repeated from it, without the games.
"""

from __future__ import annotations

import contextlib
import math
import os
import random
import signal
import statistics
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Literal, Protocol, get_args

from boyi.agents.spec import AgentSpec, read_spec
from boyi.arena.match import HIGHEST_SEED, RANDOM_PLIES, Match
from boyi.arena.rating import Z95
from boyi.arena.sprt import Sprt, Verdict
from boyi.core.errors import BoyiError, OptionError, RecordError, UnknownNameError, shorten
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.learn.journal import Journal
from boyi.learn.parameters import Parameter, Values, put

__all__ = ["Check", "Method", "Phase", "Trial", "Tuning", "make_method", "run"]

LAG = 16
"""So many trials may be under way; also the most processes that are of use."""

RATE = 100.0
"""r_end of SPSA times the number of trials, if nobody says otherwise. With synthetic games 50 to 100 came nearest to
the top, from 1,000 to 5,000 trials; at 50,000 it is fishtest's 0.002."""

HIGHEST_RATE = 0.06
"""However few trials there are. With 200 to 500 synthetic ones and a rate of 0.2 and more, parameters ended farther
from the top than they began: they followed luck."""

MOST_BREAKDOWNS = 5
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


def run(tuning: Tuning, journal: Journal, jobs: int = 0,
        watch: Callable[[Phase, int], None] = lambda phase, played: None) -> Iterator[State]:
    """Tune, then test; what the journal has is not played again. `watch` is told of every trial that is played.

    `jobs` processes play; with 0 this one does. States are handed over now and then, the last one when all is done.
    """
    kept = _read(tuning, journal)
    method = make_method(tuning)
    path: list[tuple[int, Values]] = [(0, tuple(map(float, tuning.begin)))]
    every = max(1, tuning.pairs // STEPS_SHOWN)
    counts: Counter[int] = Counter()
    failures = 0

    def check() -> Check:
        return Check(tuning.test, tuple(counts[points] for points in range(2 * tuning.most + 1)))

    with _Crew(tuning, jobs) as crew:
        def play(phase: Phase, pairs: int, propose: Callable[[int], tuple[Values, Values]]) -> Iterator[Trial]:
            """The trials in order; each is proposed when exactly those before it less `LAG` were handed over."""
            finished: dict[int, Trial] = {}
            for number in range(pairs + LAG):
                if number >= LAG:
                    while number - LAG not in finished:
                        for trial in crew.wait():
                            journal.add(trial.to_entry())
                            finished[trial.number] = trial
                            watch(phase, trial.number)
                    yield finished.pop(number - LAG)
                if number < pairs:
                    trial = Trial(phase, number, *propose(number), most=tuning.most)
                    known = kept.get((phase, number))
                    if known is None:
                        crew.submit(trial)
                    elif (known.plus, known.minus) != (trial.plus, trial.minus):
                        raise RecordError(f"the journal is of a run that went another way: trial {number} of {phase} "
                                          f"was {known.plus} against {known.minus} and is now {trial.plus} against "
                                          f"{trial.minus}. Has the program changed? Name a new --journal.")
                    else:
                        finished[number] = known

        # Step 1. Look for better settings.
        for trial in play("tune", tuning.pairs, method.propose):
            method.tell(trial.score)
            failures += bool(trial.failures)
            told = trial.number + 1
            if told % every == 0 and told < tuning.pairs:
                path.append((told, method.values))
                yield State(tuple(path), None, check(), failures)
        path.append((tuning.pairs, method.values))
        tuned = tuple(one.round(value) for one, value in zip(tuning.parameters, path[-1][1], strict=True))

        # Step 2. Are they better? If nothing has changed there is nothing to ask.
        if tuned != tuning.begin and tuning.check_pairs:
            trials = play("check", tuning.check_pairs, lambda number: (tuned, tuning.begin))
            for trial in trials:
                counts[trial.total] += 1
                failures += bool(trial.failures)
                if check().verdict is not None:
                    break
                if trial.number % every == 0:
                    yield State(tuple(path), tuned, check(), failures)
            crew.drop()
    yield State(tuple(path), tuned, check(), failures, done=True)


def _read(tuning: Tuning, journal: Journal) -> dict[tuple[Phase, int], Trial]:
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


# ---------------------------------------------------------------------- many processes

class _Crew:
    """Processes that play trials. One that dies costs time: what was under way is played again by new ones.

    Also a single one is a process of its own, so that Ctrl-C can end a long game. With none, trials are played here.
    """

    def __init__(self, tuning: Tuning, jobs: int) -> None:
        self._tuning = tuning
        self._jobs = min(jobs, LAG)
        self._running: dict[Future[Trial], Trial] = {}
        self._waiting: list[Trial] = []
        self._breakdowns = 0
        # Nothing is ever sent: when the other end closes, because we are done or were killed, the processes leave.
        self._held, self._leash = Pipe(duplex=False)
        self._pool = self._hire() if self._jobs else None

    def __enter__(self) -> _Crew:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        self._leash.close()   # nobody waits for the games that are being played
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._held.close()

    def _hire(self) -> ProcessPoolExecutor:
        # A fresh interpreter inherits no threads and no half-written engine pipes. It gets the run once.
        return ProcessPoolExecutor(self._jobs, mp_context=get_context("spawn"), initializer=_begin_work,
                                   initargs=(self._tuning, self._held))

    def submit(self, trial: Trial) -> None:
        if self._pool is None:
            self._waiting.append(trial)
            return
        try:
            self._running[self._pool.submit(_work, trial)] = trial
        except BrokenProcessPool as error:
            self._waiting.append(trial)
            self._replace(error)

    def wait(self) -> list[Trial]:
        """Some trials that were submitted, as soon as there are any."""
        if self._pool is None:
            return [self._tuning.play(self._waiting.pop(0))]
        done, _ = wait(self._running, return_when=FIRST_COMPLETED)
        trials = []
        for future in done:
            try:
                trials.append(future.result())
            except BrokenProcessPool as error:
                self._replace(error)
                break
            del self._running[future]
            self._breakdowns = 0
        return trials

    def drop(self) -> None:
        """Forget what was submitted."""
        self._waiting.clear()
        for future in self._running:
            future.cancel()
        self._running.clear()

    def _replace(self, error: Exception) -> None:
        self._breakdowns += 1
        if self._breakdowns > MOST_BREAKDOWNS:
            raise BoyiError(f"the processes that play died {self._breakdowns} times in a row; is there enough "
                            f"memory?") from error
        again = [*self._running.values(), *self._waiting]
        self._running.clear()
        self._waiting.clear()
        assert self._pool is not None
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._hire()
        for trial in again:
            self.submit(trial)


_tuning: Tuning | None = None
"""In a process of the crew: what it plays."""


def _begin_work(tuning: Tuning, leash: Connection) -> None:
    global _tuning
    _tuning = tuning
    signal.signal(signal.SIGINT, signal.SIG_IGN)   # Ctrl-C is for whoever hired us
    threading.Thread(target=_leave_after, args=(leash,), daemon=True).start()


def _leave_after(leash: Connection) -> None:
    with contextlib.suppress(OSError):
        leash.poll(None)
    os._exit(1)


def _work(trial: Trial) -> Trial:
    assert _tuning is not None
    return _tuning.play(trial)
