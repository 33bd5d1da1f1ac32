"""Tiny models nobody trained: one matrix for the policy, one for the value, random numbers from a seed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy
import pytest

from boyi.core.position import Position
from boyi.nets.card import KEY, Card

onnx = pytest.importorskip("onnx", reason="onnx is not installed; pip install 'boyi[dev]'")
pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed; pip install 'boyi[nets]'")


def write_model(path: Path, position: Position, *, seed: int = 0, head: str = "value", width: int | None = None,
                rows: int | str = "N", card: Card | str | None = None, scale: float = 1.0, **changes: Any) -> Path:
    """A model for games like that of a position; `changes` are lies on its card."""
    encoder = position.game.make_encoder(position.options)
    if card is None:
        card = replace(Card.of(position, seed=seed), **changes)
    width = width or (3 if head == "wdl" else encoder.players)
    generator = numpy.random.default_rng(seed)
    tensors = {"W": (encoder.size, encoder.policy_size), "V": (encoder.size, width)}
    weights = [onnx.numpy_helper.from_array(
        (scale * generator.standard_normal(shape)).astype(numpy.float32), name) for name, shape in tensors.items()]
    nodes = [onnx.helper.make_node("MatMul", ["features", "W"], ["policy"]),
             onnx.helper.make_node("MatMul", ["features", "V"], ["raw"]),
             onnx.helper.make_node("Identity" if head == "wdl" else "Tanh", ["raw"], [head])]
    make = onnx.helper.make_tensor_value_info
    single = onnx.TensorProto.FLOAT
    graph = onnx.helper.make_graph(
        nodes, "tiny", [make("features", single, [rows, encoder.size])],
        [make("policy", single, [rows, encoder.policy_size]), make(head, single, [rows, width])], weights)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=9)
    if card != "none":
        onnx.helper.set_model_props(model, {KEY: card if isinstance(card, str) else card.to_text()})
    path.write_bytes(model.SerializeToString())
    return path
