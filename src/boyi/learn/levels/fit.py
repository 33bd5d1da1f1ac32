"""From the path of strength to a ladder of even steps.

1. *The curve.* Neighbours on a coarse grid of the path play a few games, from random moves to full strength; where a
   step is too large to be measured, the grid is refined.
2. *How many levels.* As many as steps of `AIM` fit between random moves and full strength, at most `MOST`; if that is
   not enough, steps are larger, up to `WIDEST`.
3. *The climb.* From the bottom up, the curve says where the next level should be, a match says what it scores against
   the one below, and if that is not within `LEAST` and `MOST_SCORE` the level is moved by as much and played again.
4. *Ratings.* One fit by `arena.rating` over all games between levels; random moves have 0.

Every game is kept in a journal as it ends, and a fit that is begun again goes on from there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import log2
from pathlib import Path
from typing import Any

from boyi.agents.searching import find_default
from boyi.arena.conditions import RANDOM_PLIES
from boyi.arena.journal import JournalFile
from boyi.arena.openings import draw_opening
from boyi.arena.pool import Pool
from boyi.arena.rating import rate
from boyi.arena.score import elo
from boyi.core.level import MOST, Level
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.core.searcher import Limits
from boyi.core.strength import DOUBLING, SEARCH
from boyi.kit.ladder import Ladder
from boyi.learn.levels.curve import Curve
from boyi.learn.levels.meeting import Meeting, Table, Task, to_entry
from boyi.learn.levels.rung import RANDOM, TOP, Rung, at

__all__ = ["AIM", "LEAST", "MOST_SCORE", "Fit", "Settings"]

AIM = 0.70
"""What a level should score against the one below."""

LEAST, MOST_SCORE = 0.60, 0.82
"""What it may score."""

CLOSE = 0.035
"""A climb is content with a score this far inside those bounds: a longer match would score otherwise."""

WIDEST = elo(MOST_SCORE - CLOSE)
"""Steps are no larger: where as many do not reach full strength, only its own step is."""

TOO_MUCH = 0.9
"""A score on the grid that tells too little."""

FINEST = 0.03
"""The smallest distance on the grid."""

GRID = (0.1, 0.2, 0.35, 0.55, 0.75, 0.9, 0.97, SEARCH)
GRID_DOUBLINGS = 2.0
"""Above `SEARCH`: nodes grow by this many doublings from one point of the grid to the next."""

FEWER_THAN_FULL = 3.0
"""The last point of the grid has this many times fewer nodes than full strength."""

SHORT, SHORT_PLIES = 20, 2
"""On a board with fewer points games begin with fewer random moves, which would else leave little to play."""

SPEED_SECONDS = 1.0
"""For the measurement of how fast full strength searches."""

TRIES = 4
"""How often a level may be moved."""


@dataclass(frozen=True)
class Settings:
    """All that a fit depends on."""

    start: Position
    games: int = 200
    """For a step of the ladder; 0 to place the levels by the curve alone."""

    probes: int = 24
    """For a step of the grid."""

    minutes: float | None = None
    """For a step: one that takes longer has fewer games, but at least `least`."""

    least: int = 6
    seconds: float = 1.0
    """For a move of full strength, of a processor that does nothing else."""

    seed: int = 1
    command: str = ""

    def describe(self) -> dict[str, Any]:
        """What must agree for a journal to be continued."""
        return {"game": self.start.game.name, "start": Record.from_position(self.start).to_text(),
                "seed": self.seed, "path": [str(at(strength).level(self.start.game)) for strength in (0.3, 0.7, 1.3)]}


@dataclass
class Fit:
    """A fit under way."""

    settings: Settings
    journal: Path
    jobs: int = 1
    tell: Callable[[str], object] = print
    """Is told of every step."""

    watch: Callable[[str], object] = lambda state: None
    """Is told of every game."""

    meetings: dict[tuple[Rung, Rung], Meeting] = field(default_factory=dict)

    def run(self, date: str) -> Ladder:
        """The ladder."""
        settings = self.settings
        plies = SHORT_PLIES if len(settings.start.board.points) < SHORT else RANDOM_PLIES
        with JournalFile(self.journal, "levels", settings.describe()) as kept, Pool(self.jobs) as pool:
            self._kept, self._pool = kept, pool
            for entry in kept.entries:
                if "lower" in entry and entry.get("seconds", settings.seconds) == settings.seconds:
                    self._meeting(Rung(entry["lower"]), Rung(entry["higher"])).add(entry["seats"], entry["places"])
            self._table = Table(settings.start, plies, settings.seed, round(settings.seconds * self._speed(plies)))
            curve = self._measure()
            if not settings.games:
                return self._place(curve, date)
            rungs = self._climb(curve)
        return self._rate(rungs, date)

    # ------------------------------------------------------------------ games

    def _meeting(self, lower: Rung, higher: Rung) -> Meeting:
        return self.meetings.setdefault((lower, higher), Meeting(lower, higher))

    def _meet(self, lower: Rung, higher: Rung, games: int) -> Meeting:
        """A meeting of at least this number of games, as far as the time allows."""
        meeting, began, before = self._meeting(lower, higher), time.monotonic(), 0
        tasks = [Task(lower, higher, number) for number in range(meeting.games, games)]
        results = self._pool.run(self._table.play, tasks, in_order=True)
        try:
            for task, seats, places in results:
                meeting.add(seats, places)
                before += 1
                self._kept.add(to_entry(task, seats, places, self.settings.seconds))
                self.watch(f"{higher} against {lower}: {meeting.games} of {games} games, {100 * meeting.score:.0f} %")
                late = (self.settings.minutes is not None
                        and time.monotonic() - began > 60 * self.settings.minutes)
                if late and meeting.games >= min(games, self.settings.least) and meeting.games % 2 == 0:
                    break
        finally:
            results.close()
        return meeting

    # ------------------------------------------------------------------ the curve

    def _measure(self) -> Curve:
        rungs = [RANDOM, *self._grid(), TOP]
        number = 0
        while number + 1 < len(rungs):
            lower, upper = rungs[number:number + 2]
            meeting = self._meet(lower, upper, self.settings.probes)
            self.tell(f"curve: {upper} against {lower}: {100 * meeting.score:.0f} % of {meeting.games}")
            between = self._between(lower, upper)
            if meeting.elo > elo(TOO_MUCH) and between is not None:
                rungs.insert(number + 1, between)
            else:
                number += 1
        first = at(SEARCH).level(self.settings.start.game).nodes
        return Curve(rungs, [self._meeting(*pair).elo for pair in pairwise(rungs)],
                     SEARCH + DOUBLING * log2(max(1.0, self._table.full_nodes / first)))

    def _between(self, lower: Rung, upper: Rung) -> Rung | None:
        """A rung between two of the grid; None where they are close already."""
        low = max(lower.strength, 0.0)
        if upper == TOP:
            above = at(max(low, SEARCH) + DOUBLING)
            return above if above.level(self.settings.start.game).nodes < self._table.full_nodes else None
        return at((low + upper.strength) / 2) if upper.strength - low > FINEST else None

    def _grid(self) -> Iterator[Rung]:
        """Points of the path below full strength."""
        game = self.settings.start.game
        first = at(SEARCH).level(game).nodes
        full = self._table.full_nodes
        yield from map(at, GRID)
        strength = SEARCH + GRID_DOUBLINGS * DOUBLING
        while first * 2 ** ((strength - SEARCH) / DOUBLING) < full / FEWER_THAN_FULL:
            yield at(strength)
            strength += GRID_DOUBLINGS * DOUBLING

    def _speed(self, plies: int) -> float:
        """Nodes that full strength searches in a second of processor time, measured once for all runs of a fit."""
        for entry in self._kept.entries:
            if "nodes_per_second" in entry:
                return float(entry["nodes_per_second"])
        position = draw_opening(self.settings.start, plies, self.settings.seed, 0)
        searcher = find_default(position).make(position.game, {})
        began = time.process_time()
        nodes = searcher.search(position, Limits(seconds=SPEED_SECONDS)).nodes
        speed = nodes / max(time.process_time() - began, 0.001)
        self._kept.add({"nodes_per_second": round(speed)})
        return speed

    # ------------------------------------------------------------------ the climb

    def _climb(self, curve: Curve) -> list[Rung]:
        """The levels, the lowest first."""
        count = max(1, min(MOST, round(curve.total / elo(AIM))))
        step = min(max(elo(AIM), curve.total / count) if count == MOST else curve.total / count, WIDEST)
        self.tell(f"full strength is {curve.total:.0f} above random moves: about {count} levels of {step:.0f}")
        rungs = self._ascend(curve, step)
        if len(rungs) + 1 == MOST and self._meet(rungs[-1], TOP, self.settings.games).score > MOST_SCORE:
            # The curve said too little: as many levels must reach farther.
            height = sum(self._meeting(*pair).elo for pair in pairwise([RANDOM, *rungs, TOP]))
            step = min(height / MOST, WIDEST)
            self.tell(f"full strength is {height:.0f} above random moves: {MOST} levels of {step:.0f}")
            rungs = self._ascend(curve, step)
        # While the last step is too small, full strength takes the place of the level below it.
        while self._meet(rungs[-1] if rungs else RANDOM, TOP, self.settings.games).score < LEAST and rungs:
            rungs.pop()
        return [*rungs, TOP]

    def _ascend(self, curve: Curve, step: float) -> list[Rung]:
        """Levels at this distance from each other, as far as it can be had, until full strength is about one above."""
        rungs: list[Rung] = []
        below = RANDOM
        while len(rungs) + 1 < MOST:
            left = curve.total - (curve.elo(below) if below != RANDOM else 0.0)
            if left < 1.35 * step:
                top = self._meet(below, TOP, self.settings.games)
                self.tell(f"level {len(rungs) + 1}, full strength: {100 * top.score:.0f} % of {top.games}")
                if top.score <= MOST_SCORE or not self._above(curve, below, step / 2):
                    break
            chosen = self._next(curve, below, step, len(rungs) + 1)
            if chosen is None:
                break
            rungs.append(chosen)
            below = chosen
        return rungs

    def _place(self, curve: Curve, date: str) -> Ladder:
        """A first ladder, by the curve alone: no level has met the one below."""
        count = max(1, min(MOST, round(curve.total / elo(AIM))))
        rungs = dict.fromkeys([*(curve.find(curve.total * number / count) for number in range(1, count)), TOP])
        game = self.settings.start.game
        return Ladder(tuple(replace(rung.level(game), rating=round(curve.elo(rung))) for rung in rungs),
                      self.settings.command, date)

    def _above(self, curve: Curve, below: Rung, step: float) -> Rung | None:
        """The rung so much above another, if there is one below full strength."""
        found = curve.find((curve.elo(below) if below != RANDOM else 0.0) + step)
        return found if found > below and found != TOP else None

    def _next(self, curve: Curve, below: Rung, step: float, number: int) -> Rung | None:
        """The next level above one, by a match; then, where that was too easy or too hard, by interpolation."""
        rung, best = self._above(curve, below, step), None
        low, high = (max(below.strength, 0.0), 0.0), None
        for _ in range(TRIES):
            if rung is None or rung <= below:
                break
            meeting = self._meet(below, rung, self.settings.games)
            self.tell(f"level {number}, {rung}: {100 * meeting.score:.0f} % of {meeting.games} against {below}")
            if best is None or abs(meeting.elo - step) < abs(best[1] - step):
                best = rung, meeting.elo, meeting.score
            if LEAST + CLOSE <= meeting.score <= MOST_SCORE - CLOSE:
                break
            if meeting.elo > step:
                high = rung.strength, meeting.elo
            else:
                low = rung.strength, meeting.elo
            if high is None:
                rung = self._above(curve, rung, step - meeting.elo)
            elif high[1] > low[1]:
                rung = at(low[0] + (high[0] - low[0]) * (step - low[1]) / (high[1] - low[1]))
            else:
                break
        if best is None or (best[2] < LEAST and best[0] >= curve.last):
            return None     # nothing below full strength is a step
        return best[0]

    # ------------------------------------------------------------------ ratings

    def _rate(self, rungs: list[Rung], date: str) -> Ladder:
        finishes = [finish for lower, higher in pairwise([RANDOM, *rungs])
                    for finish in self._meeting(lower, higher).finishes]
        ratings = {row.name: row.elo.value for row in rate(finishes, anchor=str(RANDOM)).rows}
        levels: list[Level] = []
        for lower, higher in pairwise([RANDOM, *rungs]):
            meeting = self._meeting(lower, higher)
            levels.append(replace(higher.level(self.settings.start.game), rating=round(ratings[str(higher)]),
                                  score=round(meeting.score, 3), games=meeting.games))
        return Ladder(tuple(levels), self.settings.command, date)
