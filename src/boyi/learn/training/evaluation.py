"""The evaluation of a checkpoint: games against random moves, a level, the best so far and one about half as old.

The checkpoint is promoted if a sequential test (SPRT) finds it stronger than the best so far. All results with the
same number of simulations make one Bradley–Terry ladder; the first checkpoint, which knows nothing, has rating 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from boyi.arena.pool import Pool
from boyi.arena.rating import Finish
from boyi.arena.sprt import Sprt
from boyi.core.position import Position
from boyi.learn.training.duel import NET, Contestant, Duel, Score, count_results, play_duel, rate_results
from boyi.learn.training.folder import RunFolder, name_checkpoint
from boyi.learn.training.progress import OnProgress
from boyi.learn.training.settings import Plan

GOOD = 0.99
"""A share of points against random moves that is worth measuring exactly."""

ANCHOR = name_checkpoint(0)
OPPONENTS = ("random", "level", "best")
"""Those whose games are metrics of an iteration."""


@dataclass(frozen=True)
class Evaluations:
    """The evaluations of a run."""

    folder: RunFolder
    start: Position
    plan: Plan

    def play(self, iteration: int, last: bool, pool: Pool, on_progress: OnProgress) -> dict[str, Any]:
        """Evaluate the model of an iteration, in full if it is the last: what `exams/` keeps."""
        settings = self.plan.evaluation
        before = {number: facts for number, facts in self.folder.read_evaluations().items() if number < iteration}
        best = max((number for number, facts in before.items() if facts["promoted"]), default=0)
        earlier = [number for number in (0, *before) if number != best]
        half = min(earlier, key=lambda number: (abs(number - iteration // 2), number), default=None)
        rated: dict[str, list[Finish]] = {}

        def duel(opponent: Contestant, games: int, test: Sprt | None = None, random_plies: int = 4,
                 simulations: int = settings.simulations) -> Score:
            score, finishes = play_duel(
                Duel((self._contestant(iteration, simulations), opponent), self.start, games,
                     self.plan.seed + iteration, random_plies), pool, test,
                lambda done, so_far: on_progress("evaluate", done, games,
                                                 f"– {opponent.name} {100 * so_far.share:.1f} %"))
            if simulations == settings.simulations:
                rated[opponent.name] = finishes
            return score

        facts: dict[str, Any] = {"iteration": iteration, "best_before": best}
        promoted = False
        if settings.promotion_games:
            test = Sprt(elo0=settings.elo0, elo1=settings.elo1)
            score = duel(self._contestant(best), settings.promotion_games, test)
            promoted = score.verdict == "elo1"
            facts["best"] = {**score.facts(), "opponent": name_checkpoint(best)}
        if settings.random_games:
            score = duel(Contestant("random", "random"), settings.random_games, None, 0, settings.random_simulations)
            seen = any(facts["random"]["games"] >= settings.random_games_in_full for facts in before.values())
            if settings.random_games_in_full > settings.random_games and (last or (score.share >= GOOD and not seen)):
                # The same games are played again, and more.
                score = duel(Contestant("random", "random"), settings.random_games_in_full, None, 0,
                             settings.random_simulations)
            facts["random"] = {**score.facts(), "simulations": settings.random_simulations}
        if settings.level_games:
            score = duel(Contestant(f"level {settings.level}", f"level:{settings.level}"), settings.level_games,
                         simulations=settings.level_simulations)
            facts["level"] = {**score.facts(), "level": settings.level, "simulations": settings.level_simulations}
        if settings.ladder_games and half is not None:
            facts["earlier"] = {**duel(self._contestant(half), settings.ladder_games).facts(),
                                "opponent": name_checkpoint(half)}
        facts["promoted"] = promoted
        facts["results"] = count_results(finish for finishes in rated.values() for finish in finishes)
        return facts

    def _contestant(self, iteration: int, simulations: int | None = None) -> Contestant:
        spec = f"mcts:net={NET},simulations={simulations or self.plan.evaluation.simulations}"
        return Contestant(name_checkpoint(iteration), spec, self.folder.model(iteration).read_bytes())

    def rate(self, evaluations: Mapping[int, Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The ladder of all players in these evaluations, the strongest first; kept in `ratings.json`."""
        results = [result for facts in evaluations.values() for result in facts["results"]]
        ratings = rate_results(results, ANCHOR)
        rows = [{"agent": row.name, "games": row.games, "elo": round(row.elo.value, 2), "low": round(row.elo.low, 2),
                 "high": round(row.elo.high, 2)} for row in ratings.rows]
        self.folder.write_ratings({
            "game": self.start.game.name, "options": dict(self.start.options), "anchor": ANCHOR,
            "simulations": self.plan.evaluation.simulations, "draws": round(ratings.draws, 4), "ratings": rows})
        return rows


def metrics_of(iteration: int, facts: Mapping[str, Any], ratings: list[dict[str, Any]]) -> dict[str, Any]:
    """What an evaluation adds to the metrics of its iteration."""
    metrics: dict[str, Any] = {}
    for opponent in OPPONENTS:
        if opponent in facts:
            metrics[f"{opponent}_score"] = facts[opponent]["score"]
            metrics[f"{opponent}_error"] = (facts[opponent]["high"] - facts[opponent]["low"]) / 2
    for rating in ratings:
        if rating["agent"] == name_checkpoint(iteration):   # unless it played no game that is rated
            metrics.update(elo=rating["elo"], elo_error=(rating["high"] - rating["low"]) / 2)
    metrics["promoted"] = facts["promoted"]
    return metrics
