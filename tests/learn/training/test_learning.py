"""It learns: small games, from nothing but their rules, in seconds, to a strength that luck does not reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from boyi.arena.pool import Pool
from boyi.core.position import Position
from boyi.core.searcher import Limits
from boyi.search.mcts import MCTS
from boyi.search.mcts_options import MCTSOptions

pytest.importorskip("torch", reason="PyTorch is not installed; pip install 'boyi[learn]'")
pytest.importorskip("onnx", reason="onnx is not installed; pip install 'boyi[learn]'")
pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed; pip install 'boyi[nets]'")

from boyi.learn.training.duel import NET, Contestant, Duel, play_duel
from boyi.learn.training.run import Run
from boyi.learn.training.schedule import Schedule
from boyi.learn.training.settings import Design, Evaluation, Learning, Length, Plan, SelfPlay
from boyi.nets import open_net
from tests.toys import find_game_or_toy

NO_EVALUATION = Evaluation(every=10**6, simulations=2, random_games=0, level_games=0, ladder_games=0,
                           promotion_games=0)


def learn(folder: Path, start: Position, games: SelfPlay, each: int, iterations: int, reuse: float) -> Run:
    """A run of `iterations` times `each` games; the latest model is the result."""
    plan = Plan(design=Design(width=64), games=games, schedule=Schedule(peak=5e-3), evaluation=NO_EVALUATION,
                learning=Learning(batch=128, reuse=reuse, memory=0.98), games_per_iteration=each, chunk=each,
                ahead=False, first_window=100_000, held_out=20)
    run = Run(folder, start, plan, Length(iterations=iterations))
    with Pool() as pool:
        list(run.work(pool))
    return run


def count_losses(model: Path, start: Position, simulations: int) -> int:
    """How many games are lost if the other side tries everything, from both seats."""
    predictor = open_net(model, start.game)
    chosen: dict[str, int] = {}

    def choose(position: Position) -> int:
        text = position.to_text()
        if text not in chosen:
            searcher = MCTS(options=MCTSOptions(selection="puct", megabytes=1), predictor=predictor)
            chosen[text] = searcher.search(position, Limits(nodes=simulations)).move
        return chosen[text]

    def walk(position: Position, player: int) -> int:
        outcome = position.outcome()
        if outcome is not None:
            return int(outcome.scores[player] < 0)
        lost = 0
        for move in [choose(position)] if position.turn == player else position.moves():
            position.play(move)
            lost += walk(position, player)
            position.undo()
        return lost

    return walk(start.copy(), 0) + walk(start.copy(), 1)


@pytest.mark.slow
def test_tic_tac_toe_is_learned_to_perfect_play(tmp_path: Path) -> None:
    """2,400 games; whatever the other does, nothing is lost any more. Random weights lose to many replies."""
    start = find_game_or_toy("line").start()
    settings = SelfPlay(simulations=32, root="gumbel", random_plies=1, loose_plies=9)
    run = learn(tmp_path, start, settings, 300, 8, 6.0)
    assert run.metrics[-1]["games"] == 2_400
    assert count_losses(run.folder.model(0), start, 32) > 50
    assert count_losses(run.folder.model(8), start, 32) == 0


@pytest.mark.slow
def test_small_othello_is_learned(tmp_path: Path) -> None:
    """640 games; then random moves are beaten as random weights with the same search cannot."""
    start = find_game_or_toy("small_othello").start()
    settings = SelfPlay(simulations=16, root="gumbel", loose_plies=8)
    run = learn(tmp_path, start, settings, 128, 5, 4.0)

    def score(iteration: int) -> float:
        mine = Contestant("mine", f"mcts:net={NET},simulations=8", run.folder.model(iteration).read_bytes())
        with Pool() as pool:
            return play_duel(Duel((mine, Contestant("random", "random")), start, 100, random_plies=0), pool)[0].share

    assert score(0) < 0.6 < 0.75 < score(5)
