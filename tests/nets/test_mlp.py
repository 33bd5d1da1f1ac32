"""Plain networks worked out by hand: against NumPy and ONNX Runtime, in any company, from files good and bad."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boyi
from boyi.core.batch import Batch
from boyi.core.errors import OptionError
from boyi.core.position import CHANCE, Position
from boyi.core.predictor import Predictor
from boyi.nets import Card, MLPPredictor, NetPredictor, PlainPredictor, open_net
from boyi.nets.card import KEY
from boyi.nets.layers import read_card, read_layers
from boyi.nets.mlp import use_fused
from tests.nets.models import onnx, write_model
from tests.scale import scaled

Affine = tuple[Any, Any]


@pytest.fixture(params=[True, False], ids=["fused", "plain"])
def _arithmetic(request: pytest.FixtureRequest) -> Iterator[None]:
    if use_fused(request.param) != request.param:
        pytest.skip("this machine cannot fuse multiplication and addition")
    yield
    use_fused(True)


def some_positions(start: Position, count: int) -> list[Position]:
    choose, position = random.Random(1), start.copy()
    found: list[Position] = []
    while len(found) < count:
        position.play(choose.choice(position.moves()))
        if position.outcome() is not None or position.ply > 60:
            position = start.copy()
        if position.turn != CHANCE:
            found.append(position.copy())
    return found


def make(position: Position, widths: list[int], value_size: int, seed: int = 0) -> tuple[list[Affine], Affine, Affine]:
    encoder = position.game.make_encoder(position.options)
    generator = np.random.default_rng(seed)

    def affine(inputs: int, outputs: int) -> Affine:
        weights = generator.standard_normal((inputs, outputs)) / np.sqrt(inputs)
        return weights.astype(np.float32), generator.standard_normal(outputs).astype(np.float32)

    sizes = [encoder.size, *widths]
    return ([affine(*pair) for pair in zip(sizes, widths, strict=False)], affine(widths[-1], encoder.policy_size),
            affine(widths[-1], value_size))


def answers(predictor: Predictor, positions: list[Position]) -> list[tuple[list[float], list[float]]]:
    """Logits and values per position, all asked at once."""
    batch = Batch(predictor.encoder, len(positions))
    for position in positions:
        batch.append(position)
    predictor.fill(batch)
    players = predictor.encoder.players
    return [(list(batch.logits[batch.starts[row]:batch.starts[row + 1]]),
             list(batch.values[row * players:(row + 1) * players])) for row in range(len(positions))]


@pytest.mark.usefixtures("_arithmetic")
@pytest.mark.parametrize(("name", "rules", "widths", "value_size", "wdl"), [
    ("othello", {}, [256, 256], 3, True), ("liuzhou", {}, [64], 3, True), ("liuzhou", {}, [70, 5, 130], 1, False),
    ("tic_tac_toe", {}, [3, 200], 2, False), ("xiangqi", {}, [40, 40], 3, True),
    ("chinese_checkers", {"players": 3}, [50], 3, False)])
def test_answers_are_the_networks(name: str, rules: dict[str, Any], widths: list[int], value_size: int,
                                  wdl: bool) -> None:
    """As NumPy works them out in double precision; and to the last bit the same in whatever company."""
    start = boyi.start(name, **rules)
    encoder = start.game.make_encoder(start.options)
    layers, policy, value = make(start, widths, value_size)
    predictor = MLPPredictor(encoder, layers, policy, value, wdl)
    positions = some_positions(start, 71)
    found = answers(predictor, positions)
    for position, (logits, values) in zip(positions, found, strict=True):
        seen = np.array(encoder.features(position))
        for weights, bias in layers:
            seen = np.maximum(seen @ weights.astype(float) + bias, 0)
        names = [encoder.policy_index(position, move) for move in position.moves()]
        assert logits == pytest.approx((seen @ policy[0].astype(float) + policy[1])[names], abs=1e-4)
        raw = seen @ value[0].astype(float) + value[1]
        if wdl:
            odds = np.exp(raw) / np.exp(raw).sum()
            assert values == pytest.approx([odds[0] - odds[2], odds[2] - odds[0]], abs=1e-4)
        else:
            expected = np.tanh(raw).tolist()
            assert values == pytest.approx(expected if len(expected) > 1 else [expected[0], -expected[0]], abs=1e-4)
    assert len({tuple(values) for _, values in found}) > 30
    for company in (1, 2, 3, 4, 7, 64):
        assert [one for i in range(0, len(positions), company)
                for one in answers(predictor, positions[i:i + company])] == found


def test_layers_that_do_not_fit_are_refused() -> None:
    start = boyi.start("othello")
    encoder = start.game.make_encoder(start.options)
    layers, policy, value = make(start, [16, 16], 3)
    for words, some in (
            ("a layer of 16 × 16 with a bias of 16 does not fit 192 inputs", (layers[1:], policy, value, True)),
            ("at least one layer", ([], policy, value, True)),
            ("the policy has 3 outputs; moves have 65 names", (layers, value, value, True)),
            ("the value head has 3 outputs for 2 players", (layers, policy, value, False)),
            ("with a bias of 15", ([(layers[0][0], layers[0][1][:15]), layers[1]], policy, value, True)),
            ("a weight is not a number", ([(layers[0][0] * np.float32("nan"), layers[0][1]), layers[1]], policy,
                                          value, True))):
        with pytest.raises(OptionError, match=words):
            MLPPredictor(encoder, *some)


# ------------------------------------------------------------------ files

def write(path: Path, position: Position, shape: str = "gemm", activation: str = "Relu") -> Path:
    """A model of two layers as exporters write them: products with weights turned or not, or products and sums."""
    layers, policy, value = make(position, [24, 20], 3)
    nodes, tensors, source = [], [], "features"
    for name, (weights, bias), output in (("a", layers[0], "one"), ("b", layers[1], "two"), ("p", policy, "policy"),
                                          ("v", value, "wdl")):
        tensors += [onnx.numpy_helper.from_array(np.ascontiguousarray(weights.T if shape == "turned" else weights),
                                                 name + "W"),
                    onnx.numpy_helper.from_array(bias, name + "b")]
        result = output + "_" if output in ("one", "two") else output
        if shape == "sum":
            nodes += [onnx.helper.make_node("MatMul", [source, name + "W"], [name]),
                      onnx.helper.make_node("Add", [name + "b", name], [result])]
        else:
            nodes.append(onnx.helper.make_node("Gemm", [source, name + "W", name + "b"], [result],
                                               alpha=2.0 if shape == "scaled" else 1.0, transB=int(shape == "turned")))
        if result != output:
            nodes.append(onnx.helper.make_node(activation, [result], [output]))
            source = output
    encoder = position.game.make_encoder(position.options)
    end, single = onnx.helper.make_tensor_value_info, onnx.TensorProto.FLOAT
    graph = onnx.helper.make_graph(
        nodes, "plain", [end("features", single, ["N", encoder.size])],
        [end("policy", single, ["N", encoder.policy_size]), end("wdl", single, ["N", 3])], tensors)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=9)
    onnx.helper.set_model_props(model, {"other": "nothing", KEY: Card.of(position).to_text()})
    path.write_bytes(model.SerializeToString())
    return path


@pytest.mark.parametrize("shape", ["gemm", "turned", "sum"])
def test_plain_files_are_opened_by_hand(tmp_path: Path, shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the answers that ONNX Runtime gives, and without having it."""
    start = boyi.start("liuzhou")
    path = write(tmp_path / "plain.onnx", start, shape)
    expected = answers(NetPredictor(path, start.game), some_positions(start, 9))
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    predictor = open_net(path, start.game)
    assert isinstance(predictor, PlainPredictor) and predictor.card == Card.of(start)
    for (logits, values), (others, worths) in zip(answers(predictor, some_positions(start, 9)), expected, strict=True):
        assert logits == pytest.approx(others, abs=1e-5) and values == pytest.approx(worths, abs=1e-5)
    with pytest.raises(OptionError, match="was trained under other rules of liuzhou"):
        predictor.check(boyi.start("liuzhou", shapes="maximum"))
    with pytest.raises(OptionError, match=r"plain\.onnx' does not fit: "):
        open_net(path, boyi.find_game("othello"))


def test_other_files_are_left_to_the_runtime(tmp_path: Path) -> None:
    start = boyi.start("othello")
    for path in (write(tmp_path / "scaled.onnx", start, "scaled"),
                 write(tmp_path / "soft.onnx", start, activation="Tanh"),
                 write_model(tmp_path / "tiny.onnx", start)):
        assert read_layers(path.read_bytes()) is None
        assert isinstance(open_net(path, start.game), NetPredictor)


def test_broken_files_have_no_layers(tmp_path: Path) -> None:
    """Bytes missing or changed anywhere: an answer, never another error."""
    data = write(tmp_path / "plain.onnx", boyi.start("tic_tac_toe")).read_bytes()
    assert read_layers(data) is not None and read_card(data, KEY) is not None and read_card(data, "nobody") is None
    choose = random.Random(3)
    for _ in range(scaled(10_000)):
        cut = data[:choose.randrange(len(data))]
        read_layers(cut)
        changed = bytearray(data)
        for _ in range(choose.randint(1, 8)):
            # The ends hold the structure; between them are numbers.
            at = choose.choice([choose.randrange(200), len(data) - 1 - choose.randrange(1500),
                                choose.randrange(len(data))])
            changed[at] = choose.randrange(256)
        read_layers(bytes(changed))
        read_card(bytes(changed), KEY)
    assert read_layers(b"") is None and read_card(b"", KEY) is None
