"""Networks in files: asked rightly, and refused kindly where they do not fit."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import boyi
from boyi.agents.agent import Clock
from boyi.agents.spec import make_agent, read_spec
from boyi.core.batch import Batch
from boyi.core.errors import BoyiError, OptionError
from boyi.core.position import Position
from boyi.core.searcher import Limits
from boyi.nets import Card, NetPredictor, open_net
from boyi.nets.card import KEY
from boyi.search.mcts import MCTS
from boyi.search.mcts_options import MCTSOptions
from tests.nets.models import onnx, write_model
from tests.search.test_mcts import wander

GAMES: dict[str, dict[str, object]] = {
    "othello": {}, "liuzhou": {}, "xiangqi": {}, "jieqi": {}, "tic_tac_toe": {}, "chinese_checkers": {"players": 3},
}


def by_hand(path: Path, position: Position) -> tuple[dict[int, float], list[float]]:
    """What the model says of a position, computed from its matrices one number at a time."""
    model = onnx.load(str(path))
    matrices = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    encoder = position.game.make_encoder(position.options)
    features = encoder.features(position)
    policy = {move: sum(feature * float(matrices["W"][i, encoder.policy_index(position, move)])
                        for i, feature in enumerate(features) if feature) for move in position.moves()}
    raw = [sum(feature * float(matrices["V"][i, column]) for i, feature in enumerate(features) if feature)
           for column in range(matrices["V"].shape[1])]
    if model.graph.output[1].name == "wdl":
        odds = [math.exp(number - max(raw)) for number in raw]
        value = (odds[0] - odds[2]) / sum(odds)
        return policy, [value, -value]
    values = [math.tanh(number) for number in raw]
    return policy, values if len(values) == position.players else [values[0], -values[0]]


HEADS = [(game, head, width) for game, rules in GAMES.items()
         for head, width in (("value", None), ("value", 1), ("wdl", 3)) if width is None or "players" not in rules]


@pytest.mark.parametrize(("game", "head", "width"), HEADS)
def test_answers_are_the_models(game: str, head: str, width: int | None, tmp_path: Path) -> None:
    start = boyi.start(game, **GAMES[game])
    path = write_model(tmp_path / "tiny.onnx", start, head=head, width=width, scale=0.1)
    predictor = NetPredictor(path, start.game)
    positions = [wander(boyi.start(game, **GAMES[game]), plies, plies) for plies in (0, 1, 2, 3, 4, 5)]
    batch = Batch(predictor.encoder, 8)
    for position in positions:
        batch.append(position)
    predictor.fill(batch)
    for row, position in enumerate(positions):
        logits, values = by_hand(path, position)
        begin, end = batch.starts[row], batch.starts[row + 1]
        assert batch.logits[begin:end].tolist() == pytest.approx([logits[move] for move in position.moves()], abs=1e-4)
        players = position.players
        assert batch.values[row * players:(row + 1) * players].tolist() == pytest.approx(values, abs=1e-4)


@pytest.mark.parametrize("game", GAMES)
def test_an_agent_plays_by_a_network(game: str, tmp_path: Path) -> None:
    start = boyi.start(game, **GAMES[game])
    path = write_model(tmp_path / "tiny.onnx", start, scale=0.1)
    spec = read_spec(f"mcts:net={path},simulations=30")
    assert str(spec) == f"mcts:net={path},simulations=30"
    spec.check(start)
    agent, twin = spec.make(), make_agent(str(spec))
    position = start
    for _ in range(6):
        view = position.observe(position.turn)
        move = agent.choose(view, Clock())
        assert move == twin.choose(view, Clock())
        position.play(move)
        while position.turn == boyi.CHANCE:
            position.play(position.moves()[0])
        if position.outcome() is not None:
            break


def test_the_network_decides(tmp_path: Path) -> None:
    """With few simulations the move is one that the model likes, and other models like other moves."""
    position = boyi.start("xiangqi")
    chosen = set()
    for seed in range(6):
        path = write_model(tmp_path / f"{seed}.onnx", position, seed=seed)
        likes, _ = by_hand(path, position)
        move = make_agent(f"mcts:net={path},simulations=2").choose(position, Clock())
        assert likes[move] == pytest.approx(max(likes.values()), abs=1e-3)
        chosen.add(move)
    assert len(chosen) > 2


def test_batches_change_little(tmp_path: Path) -> None:
    """A batch is one question; a batch of one asks for every leaf."""
    position = boyi.start("othello")
    predictor = NetPredictor(write_model(tmp_path / "tiny.onnx", position, scale=0.05), position.game)
    for batch in (1, 4, 16):
        result = MCTS(options=MCTSOptions(selection="puct", batch=batch), predictor=predictor).search(
            position, Limits(nodes=200))
        assert result.nodes == 200
        assert result.statistics["batches"] < 200 / batch * 1.6 + 2
        assert (result.statistics["batches"] == 200) == (batch == 1)


def test_a_model_is_opened_once_and_again_when_it_changes(tmp_path: Path) -> None:
    position = boyi.start("othello")
    path = write_model(tmp_path / "tiny.onnx", position)
    first = open_net(path, position.game)
    assert open_net(str(path), position.game) is first
    path.unlink()
    path = write_model(path, position, seed=1, head="wdl")
    assert open_net(path, position.game) is not first


# ------------------------------------------------------------------ what does not fit

LIES: list[tuple[dict[str, Any], str]] = [
    ({"game": "xiangqi"}, "trained for 'xiangqi' and not for othello"),
    ({"rules_version": 99}, "version 99 of the rules of othello"),
    ({"encoder_version": 7}, "version 7 of the encoder of othello, and here it has version 1"),
    ({"options": {"size": 6}}, "rules that are not known here"),
    ({"planes": 4}, "its card says planes = 4, and the encoder of othello has 3"),
    ({"points": 36}, "points = 36"),
    ({"format_version": 2}, "format 2; this Boyi reads format 1"),
    ({"card": "none"}, "no card that says what it was trained for"),
    ({"card": "{"}, "cannot be read"),
    ({"card": "[" * 100_000}, "cannot be read"),
    ({"card": "[1]"}, "cannot be read"),
    ({"card": '{"format_version": 1, "game": "othello"}'}, "cannot be read"),
    ({"width": 5}, "its outputs are policy"),
    ({"head": "opinion"}, "the outputs policy"),
    ({"rows": 4}, "takes 4 positions at a time"),
]


@pytest.mark.parametrize(("lies", "words"), LIES, ids=[next(iter(lies)) + str(i) for i, (lies, _) in enumerate(LIES)])
def test_models_that_do_not_fit(lies: dict[str, Any], words: str, tmp_path: Path) -> None:
    position = boyi.start("othello")
    path = write_model(tmp_path / "tiny.onnx", position, **lies)
    with pytest.raises(OptionError, match=words) as refusal:
        NetPredictor(path, position.game)
    assert "tiny.onnx" in str(refusal.value) and "does not fit" in str(refusal.value)
    with pytest.raises(OptionError, match=words):
        read_spec(f"mcts:net={path}").check(position)


def test_other_rules_are_refused(tmp_path: Path) -> None:
    path = write_model(tmp_path / "tiny.onnx", boyi.start("liuzhou", rules="reference"))
    here = boyi.start("liuzhou")
    with pytest.raises(OptionError, match=r"other rules of liuzhou: rules=reference \(here document\), shapes="):
        read_spec(f"mcts:net={path}").check(here)
    with pytest.raises(OptionError, match=r"threshold=4 \(here 1\)"):
        MCTS(predictor=open_net(path, here.game)).search(here, Limits(nodes=5))
    read_spec(f"mcts:net={path}").check(boyi.start("liuzhou", rules="reference"))


def test_files_that_are_no_models(tmp_path: Path) -> None:
    othello = boyi.find_game("othello")
    with pytest.raises(OptionError, match="there is no model"):
        open_net(tmp_path / "nothing.onnx", othello)
    for name, content in (("empty.onnx", b""), ("words.onnx", b"not a model"), ("zeros.onnx", bytes(1000))):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(OptionError, match=f"{name}.* (cannot be read|does not fit)"):
            open_net(path, othello)
    with pytest.raises(OptionError, match="cannot be read"):
        open_net(tmp_path, othello)


def test_a_missing_part_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    position = boyi.start("othello")
    path = write_model(tmp_path / "tiny.onnx", position)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(BoyiError, match=r"pip install 'boyi\[nets\]'"):
        NetPredictor(path, position.game)


@pytest.mark.parametrize(("spec", "words"), [
    ("mcts:net=x.onnx,nodes=5,simulations=5", "name one of them"),
    ("mcts:net=x.onnx,evaluator=classic", "net and evaluator do not go together"),
    ("mcts:net=", "is not a model file"),
    ("mcts:simulations=0", "is not a whole number"),
    ("alphabeta:net=x.onnx", "no parameter of alphabeta is called 'net'"),
    ("mcts:net=x.onnx,batch=0", "batch: 0 is not from 1"),
])
def test_specs_refused(spec: str, words: str) -> None:
    with pytest.raises(OptionError, match=words):
        read_spec(spec)


def test_a_card_is_read_as_it_was_written() -> None:
    card = Card.of(boyi.start("liuzhou"), minutes=5, words="自我对弈")
    assert Card.parse(card.to_text()) == card
    assert asdict(card) == json.loads(card.to_text()) and KEY == "boyi"
