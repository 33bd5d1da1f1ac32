"""Training from Python: what `boyi train` does, without its words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from boyi.arena.pool import Pool
from boyi.core.position import Position
from boyi.games import find_game
from boyi.learn.needs import needs_extra
from boyi.learn.training.settings import Length, Plan, change_plan
from boyi.learn.training.smoke import SMOKE

__all__ = ["Trained", "train"]


@dataclass(frozen=True)
class Trained:
    """What came of a run."""

    folder: Path
    """Everything that is kept of it; see docs/learn.md."""

    model: Path
    """The network that plays best: `mcts:net=FILE`, `boyi.Engine(f"mcts:net={model}")`."""

    report: Path
    """How it went, as a web page."""

    metrics: tuple[Mapping[str, Any], ...]
    """A row per iteration."""


def train(game: str | Position, folder: str | Path, *, minutes: float | None = None, iterations: int | None = None,
          games: int | None = None, settings: Mapping[str, object] | None = None, seed: int = 0, workers: int = 1,
          threads: int = 1, cluster: str | None = None, smoke: bool = False,
          on_iteration: Callable[[Mapping[str, Any]], object] | None = None) -> Trained:
    """Train a network by self-play, from nothing but the rules, for one of `minutes`, `iterations` and `games`.

    The run is kept in its folder; the same call goes on where it was killed. `settings` are those of docs/learn.md by
    their names, `{"games.simulations": 32}`; `smoke` makes everything tiny, to see that it works. `on_iteration` is
    given each row of metrics as it is made.

        trained = boyi.train("liuzhou", "runs/first", minutes=30, workers=2)
        with boyi.Engine(f"mcts:net={trained.model},simulations=400") as engine: ...
    """
    with needs_extra():
        from boyi.learn.training.run import Run

    start = find_game(game).start() if isinstance(game, str) else game
    plan = change_plan(replace(SMOKE if smoke else Plan(), seed=seed),
                       {name: str(value) for name, value in (settings or {}).items()})
    run = Run(Path(folder), start, plan, Length(minutes=minutes, iterations=iterations, games=games), threads=threads)
    with Pool(workers, cluster) as pool:
        for row in run.work(pool):
            if on_iteration is not None:
                on_iteration(row)
    return Trained(run.folder.path, run.best_model, run.folder.report, tuple(run.metrics))
