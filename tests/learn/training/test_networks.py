"""Networks: what is exported says the same as what was trained, and learning makes losses small."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import boyi
from boyi.core.batch import Batch
from boyi.core.errors import OptionError, RecordError
from boyi.core.game import load
from boyi.core.position import Position
from boyi.nets import Card, NetPredictor
from boyi.nets.predictor import open_net

torch = pytest.importorskip("torch", reason="PyTorch is not installed; pip install 'boyi[learn]'")
pytest.importorskip("onnx", reason="onnx is not installed; pip install 'boyi[learn]'")
pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed; pip install 'boyi[nets]'")

from boyi.learn.training.export import change_notes, export  # noqa: E402
from boyi.learn.training.networks import Grid, Network, build  # noqa: E402
from boyi.learn.training.replay import Replay  # noqa: E402
from boyi.learn.training.schedule import Schedule  # noqa: E402
from boyi.learn.training.settings import Design, Learning  # noqa: E402
from boyi.learn.training.trainer import Trainer, divergence, entropy  # noqa: E402
from tests.learn.training.test_replay import shard_of, some_games, write  # noqa: E402
from tests.scale import some_of  # noqa: E402

DESIGNS = {"mlp": Design(width=24, depth=2), "resnet": Design(kind="resnet", width=6, depth=2)}


def loud(network: Network) -> Network:
    """With weights that say something everywhere: fresh ones are silent."""
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.copy_(0.3 * torch.randn(parameter.shape, generator=generator))
    return network


def start(name: str) -> Position:
    return boyi.start(name, players=2) if name == "chinese_checkers" else boyi.start(name)


@pytest.mark.parametrize("kind", DESIGNS)
@pytest.mark.parametrize("name", ["othello", "liuzhou", "tic_tac_toe", "chinese_checkers"])
def test_the_file_says_what_the_network_says(name: str, kind: str, tmp_path: Path) -> None:
    position = start(name)
    network = loud(build(position, DESIGNS[kind]))
    path = tmp_path / "model.onnx"
    path.write_bytes(export(network, Card.of(position, words="hello")))
    predictor = NetPredictor(path, position.game)
    assert predictor.card.notes == {"words": "hello"}
    batch = Batch(predictor.encoder, 4)
    features = []
    for _ in range(3):
        batch.append(position)
        features.append(predictor.encoder.features(position))
        position.play(position.moves()[0])
    predictor.fill(batch)
    with torch.no_grad():
        policy, wdl, _, _ = network(torch.tensor(features))
    odds = torch.softmax(wdl, 1)
    for row in range(3):
        names = list(batch.indices[batch.starts[row]:batch.starts[row + 1]])
        assert list(batch.logits[batch.starts[row]:batch.starts[row + 1]]) == pytest.approx(
            policy[row][names].tolist(), abs=1e-4)
        assert batch.values[2 * row] == pytest.approx(float(odds[row][0] - odds[row][2]), abs=1e-5)
        assert batch.values[2 * row + 1] == -batch.values[2 * row]


@pytest.mark.parametrize("kind", DESIGNS)
def test_the_file_values_every_one_of_three_players(kind: str, tmp_path: Path) -> None:
    position = load("tests.toys.picking").start()
    network = loud(build(position, DESIGNS[kind]))
    path = tmp_path / "model.onnx"
    path.write_bytes(export(network, Card.of(position)))
    with torch.no_grad():
        _, value, _, _ = network(torch.tensor([position.game.make_encoder(position.options).features(position)]))
    for predictor in (NetPredictor(path, position.game), open_net(path, position.game)):
        batch = Batch(predictor.encoder, 1)
        batch.append(position)
        predictor.fill(batch)
        assert list(batch.values) == pytest.approx(torch.tanh(value)[0].tolist(), abs=1e-5)
        assert len(set(batch.values)) == 3


def test_the_same_weights_give_the_same_file() -> None:
    position = boyi.start("tic_tac_toe")
    first, again, other = (export(build(position, DESIGNS["mlp"], seed), Card.of(position)) for seed in (1, 1, 2))
    assert first == again != other
    changed, card = change_notes(first, {"rating": "12"})
    assert card.notes == {"rating": "12"} and change_notes(changed, {})[0] == changed


def test_neighbours_on_the_board_are_neighbours_on_the_grid() -> None:
    """Also on the hexagons of Chinese checkers: a step along a line is always one of three ways."""
    board = start("chinese_checkers").board
    grid = Grid.of([(point.x, point.y) for point in board.points])
    assert len(set(grid.cells)) == 121
    steps = set()
    for one, cell in zip(board.points, grid.cells, strict=True):
        for other, target in zip(board.points, grid.cells, strict=True):
            if 0 < (one.x - other.x) ** 2 + (one.y - other.y) ** 2 < 1.2:
                steps.add((target // grid.columns - cell // grid.columns, target % grid.columns - cell % grid.columns))
    assert len(steps) == 6 and all(max(abs(down), abs(across)) == 1 for down, across in steps)


def test_designs_are_refused_in_words() -> None:
    with pytest.raises(OptionError, match="mlp, resnet, not 'transformer'"):
        Design(kind="transformer")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="from 1 to 4096, not 0"):
        Design(width=0)
    with pytest.raises(OptionError, match="no grid"):
        Grid.of([(0, 0), (0.1, 0)])


# ---------------------------------------------------------------------- learning

def filled(position: Position, tmp_path: Path) -> Replay:
    replay = Replay(Card.of(position), position.game.make_encoder(position.options), 4)
    replay.add(write(tmp_path / "a.npz", shard_of(position, some_games(position, 12))))
    return replay


@pytest.mark.parametrize("kind", some_of(DESIGNS, 2))
def test_learning_makes_losses_small_and_repeats_itself(kind: str, tmp_path: Path) -> None:
    position = boyi.start("tic_tac_toe")
    replay = filled(position, tmp_path)
    seen = replay.minibatch(replay.training())
    digests = set()
    for _ in range(2):
        torch.set_num_threads(1)
        trainer = Trainer(position, DESIGNS[kind], Learning(batch=16, memory=0.9), seed=3)
        before, silent = trainer.check(seen), trainer.policies(seen)
        trainer.learn(replay, 16 * 150, lambda share: 5e-3, "a seed")
        after = trainer.check(seen)
        assert after.policy < before.policy and after.value < 0.8 * before.value
        assert after.auxiliary < before.auxiliary
        assert divergence(silent, trainer.policies(seen)) > 0.01 and divergence(silent, silent) == 0
        assert entropy(trainer.policies(seen)) < entropy(silent)
        digests.add(trainer.digest())
    assert len(digests) == 1


def test_scores_of_three_players_are_learnt(tmp_path: Path) -> None:
    """Each has a value of their own, which comes to be the mean of what the games came to."""
    position = load("tests.toys.picking").start()
    replay = filled(position, tmp_path)
    seen = replay.minibatch(replay.training())
    trainer = Trainer(position, DESIGNS["mlp"], Learning(batch=16, memory=0.9, search_share=0.0, haste=0.0), seed=3)
    before = trainer.check(seen)
    trainer.learn(replay, 16 * 150, lambda share: 5e-3, "a seed")
    assert trainer.check(seen).value < before.value
    with torch.no_grad():
        values = torch.tanh(trainer.average(torch.tensor(seen.features))[1])
    assert values.mean(0).tolist() == pytest.approx((2 * seen.scores - 1).mean(0).tolist(), abs=0.1)


def test_a_checkpoint_goes_on_where_it_was(tmp_path: Path) -> None:
    position = boyi.start("tic_tac_toe")
    replay = filled(position, tmp_path)
    settings = Learning(batch=16)
    whole = Trainer(position, DESIGNS["mlp"], settings)
    whole.learn(replay, 200, lambda share: 1e-3, "1")
    (tmp_path / "half.pt").write_bytes(whole.to_bytes())
    whole.learn(replay, 200, lambda share: 1e-3, "2")
    half = Trainer.read(tmp_path / "half.pt", position, settings)
    assert half.digest() != whole.digest()
    half.learn(replay, 200, lambda share: 1e-3, "2")
    assert half.digest() == whole.digest() and half.steps == whole.steps and half.samples == whole.samples


def test_wrong_checkpoints_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.pt"
    path.write_bytes(Trainer(boyi.start("liuzhou"), DESIGNS["mlp"], Learning()).to_bytes())
    with pytest.raises(RecordError, match="is of 'liuzhou' and not of othello"):
        Trainer.read(path, boyi.start("othello"), Learning())
    with pytest.raises(RecordError, match=r"other rules of liuzhou: .*rules=document \(here reference\)"):
        Trainer.read(path, boyi.start("liuzhou", rules="reference"), Learning())
    for content in (b"", b"nonsense", np.zeros(9).tobytes()):
        path.write_bytes(content)
        with pytest.raises(RecordError, match="cannot be read as a checkpoint"):
            Trainer.read(path, boyi.start("othello"), Learning())


@pytest.mark.parametrize(("changes", "words"), [
    ({"batch": 0}, "batch is 0"), ({"search_share": 2}, "search_share is 2"), ({"clip": 0}, "clip is 0"),
    ({"precision": "float8"}, "precision is one of float32, bfloat16")])
def test_settings_are_refused_in_words(changes: dict[str, object], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        Learning(**changes)  # type: ignore[arg-type]


def test_schedules() -> None:
    for shape in ("cosine", "one-cycle", "plateau", "constant"):
        schedule = Schedule(shape=shape, peak=1e-2)
        rates = [schedule.rate(step / 100) for step in range(101)]
        top = rates.index(max(rates))
        assert rates[top] == pytest.approx(1e-2) and min(rates) > 0
        assert rates[:top + 1] == sorted(rates[:top + 1]) and rates[top:] == sorted(rates[top:], reverse=True)
    assert Schedule(shape="one-cycle").rate(1.0) < Schedule().rate(1.0) < Schedule(shape="constant").rate(1.0)
    with pytest.raises(OptionError, match="a schedule is one of"):
        Schedule(shape="sawtooth")  # type: ignore[arg-type]
