"""Tuning: better numbers for an agent, found by games.

    boyi tune chinese_checkers --params own_weight=3:1..6,targets=3:1..8 --agent multiplayer:preset=ancestor,nodes=1000

A *method* says which two settings meet in the next trial (`learn.tuning.trial`) and learns how they did: `spsa` climbs
in small steps (the default, for any number of parameters), `surface` fits a quadratic surface (for three or four). In
the end the setting that was found plays the one it started from, until a sequential test (`arena.sprt`) has decided
whether it is stronger: what a method believes is no proof.

*The same run every time.* A trial's number decides its opening, its seats and all that is random. Trial k is proposed
when the method has been told of exactly the trials up to k − `LAG`, however many have ended by then: so processes
and machines (`arena.pool`) are busy, and the run is the same on any number of them. The journal keeps each trial as it
ends; a run that was killed is repeated from it, without the games.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from boyi.arena.journal import JournalFile
from boyi.arena.pool import Pool
from boyi.arena.score import Z95
from boyi.arena.sprt import Sprt, Verdict
from boyi.core.errors import RecordError, shorten
from boyi.learn.tuning.parameters import Values
from boyi.learn.tuning.trial import Phase, Trial, Tuning

__all__ = ["Check", "Method", "State", "make_method", "run"]

LAG = 16
"""The number of trials under way while settings are looked for: more processes are of no use there."""

RATE = 100.0
"""r_end of SPSA times the number of trials, by default. With synthetic games 50 to 100 came nearest to
the top, from 1,000 to 5,000 trials; at 50,000 it is fishtest's 0.002."""

HIGHEST_RATE = 0.06
"""However few trials there are. With 200 to 500 synthetic ones and a rate of 0.2 and more, parameters ended farther
from the top than they began: they followed noise."""

MOST_STATES = 50
"""How often the best guess is kept while settings are looked for."""

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


# ---------------------------------------------------------------------- the test in the end

@dataclass(frozen=True)
class Check:
    """What the games of one setting against another say."""

    test: Sprt
    counts: tuple[int, ...]
    """How many pairs brought the first 0, 1, 2, … points."""

    repeated: int = 0
    """Further pairs, which repeated earlier ones and count once."""

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
        # One pair more, of which nothing is known, keeps a few equal results from looking certain.
        return statistics.fmean(values), math.sqrt(statistics.pvariance([*values, 0.0, 1.0]) / len(values))


def make_method(tuning: Tuning) -> Method:
    if tuning.method == "surface":
        from boyi.learn.tuning.surface import Surface
        return Surface(tuning.parameters, tuning.pairs, tuning.seed)
    from boyi.learn.tuning.spsa import Spsa
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
        on_trial: Callable[[Phase, int], None] = lambda phase, number: None) -> Generator[State]:
    """Tune, then test; what the journal has is not played again. `on_trial` is called with every trial that is played.

    States are handed over now and then, the last one when all is done.
    """
    kept = _read(tuning, journal)
    method = make_method(tuning)
    path: list[tuple[int, Values]] = [(0, tuple(map(float, tuning.begin)))]
    every = max(1, tuning.pairs // MOST_STATES)
    counts: Counter[int] = Counter()
    seen: set[object] = set()
    failures = repeated = 0

    def check() -> Check:
        return Check(tuning.test, tuple(counts[points] for points in range(2 * tuning.most + 1)), repeated)

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
                on_trial(trial.phase, trial.number)
                yield trial

    # Step 1. Look for better settings.
    told = proposed = 0

    def tell(number: int) -> bool:
        """Tell the method of the first `number` trials, in order; whether they are there."""
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
                failures += bool(trial.failures)
                known = tuning.identify(trial)
                if known in seen:
                    repeated += 1
                    continue
                seen.add(known)
                counts[trial.total] += 1
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
