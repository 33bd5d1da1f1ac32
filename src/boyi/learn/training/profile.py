"""Where the time of a run goes: rules, search, network, learning, evaluation.

The stages of a run are timed as they are; of two at the same time (`Plan.ahead`), each counts. The parts of self-play
are measured in a few games more, with a timer around the network; the share of the rules is that of random games, which
make and generate one move per step as a simulation does.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from boyi.core.batch import Batch
from boyi.core.predictor import Predictor, PythonPredictor
from boyi.core.words import Words
from boyi.learn.training import lockstep
from boyi.learn.training.run import Run
from boyi.nets import open_net
from boyi.search.playout import playouts

SAMPLE_GAMES = 64
RANDOM_GAMES = 200

WHERE = {
    "rules": Words("self-play: rules", "自对弈：规则"),
    "search": Words("self-play: search, encoding and the rest", "自对弈：搜索、编码及其他"),
    "network": Words("self-play: network", "自对弈：神经网络"),
    "training": Words("training", "训练"),
    "evaluation": Words("evaluation", "测评"),
}


@dataclass(frozen=True)
class Share:
    """The time of one part."""

    where: str
    seconds: float
    share: float
    """Of the whole, from 0 to 1."""

    @property
    def words(self) -> Words:
        return WHERE[self.where]


class _Timed(PythonPredictor):
    """Asks another predictor and adds up the seconds."""

    def __init__(self, inner: Predictor) -> None:
        super().__init__(inner.encoder)
        self._inner = inner
        self.seconds = 0.0

    def answer(self, batch: Batch) -> None:
        began = time.perf_counter()
        self._inner.fill(batch)
        self.seconds += time.perf_counter() - began


def shares(run: Run) -> list[Share]:
    """Where the time of this session went."""
    # 1. A few games, with a timer around the network.
    timed = _Timed(open_net(run.folder.model(run.iteration), run.start.game))
    began = time.perf_counter()
    played = list(lockstep.play(run.start, timed, run.plan.games, 0, min(SAMPLE_GAMES, run.plan.games_per_iteration)))
    whole = time.perf_counter() - began
    simulations = sum(game.simulations for game in played)
    # 2. What that number of moves costs by itself.
    began = time.perf_counter()
    moves, _ = playouts(run.start.copy(), RANDOM_GAMES)
    rules = min((time.perf_counter() - began) / max(1, moves) * simulations, whole - timed.seconds)
    # 3. In proportion.
    play = run.stage_seconds.get("self-play", 0.0)
    seconds = {"rules": play * rules / whole, "search": play * (whole - timed.seconds - rules) / whole,
               "network": play * timed.seconds / whole,
               **{name: run.stage_seconds.get(name, 0.0) for name in ("training", "evaluation")}}
    total = max(sum(seconds.values()), 1e-9)
    return [Share(name, value, value / total) for name, value in seconds.items()]
