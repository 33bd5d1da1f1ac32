"""A trained network as an ONNX file with its card, for `boyi.nets`.

The graph is written node by node: it has a handful of kinds of nodes, it takes milliseconds, and the same weights give
the same file. Auxiliary heads stay behind, and the gain of a residual block goes into its convolution.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from boyi.core.errors import MissingPartError
from boyi.learn.training.networks import MLP, Network, ResidualTrunk
from boyi.nets.card import KEY, Card

OPSET = 17
IR_VERSION = 9


def export(network: Network, card: Card) -> bytes:
    """The file."""
    try:
        import onnx
    except ImportError as error:
        raise MissingPartError.extra("writing a model", "learn") from error
    graph = _Graph()
    trunk = network.trunk
    assert isinstance(trunk, (MLP, ResidualTrunk))
    hidden = _write_mlp(graph, trunk) if isinstance(trunk, MLP) else _write_residual(graph, trunk, card)
    graph.dense(hidden, network.policy, "policy")
    if network.wdl is not None:
        value, outputs = graph.dense(hidden, network.wdl, "wdl"), 3
    else:
        value = graph.node("Tanh", [graph.dense(hidden, network.value_head)], "value")
        outputs = network.value_head.out_features
    size = card.planes * card.points + card.scalars
    make, single = onnx.helper.make_tensor_value_info, onnx.TensorProto.FLOAT
    model = onnx.helper.make_model(
        onnx.helper.make_graph(
            graph.nodes, "boyi", [make("features", single, ["N", size])],
            [make("policy", single, ["N", card.policy_size]),
             make(value, single, ["N", outputs])], graph.tensors),
        opset_imports=[onnx.helper.make_opsetid("", OPSET)], ir_version=IR_VERSION, producer_name="boyi")
    onnx.helper.set_model_props(model, {KEY: card.to_text()})
    content: bytes = model.SerializeToString(deterministic=True)
    return content


def change_notes(content: bytes, notes: Mapping[str, Any]) -> tuple[bytes, Card]:
    """A model file with more notes on its card, and the card."""
    import onnx

    model = onnx.load_from_string(content)
    card = Card.parse(next(entry.value for entry in model.metadata_props if entry.key == KEY))
    card = replace(card, notes={**card.notes, **notes})
    onnx.helper.set_model_props(model, {KEY: card.to_text()})
    changed: bytes = model.SerializeToString(deterministic=True)
    return changed, card


class _Graph:
    """Nodes and numbers, each with a name."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.tensors: list[Any] = []

    def tensor(self, numbers: Tensor | NDArray[Any]) -> str:
        import onnx

        name = f"t{len(self.tensors)}"
        array = numbers.detach().cpu().numpy() if isinstance(numbers, Tensor) else numbers
        self.tensors.append(onnx.numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(self, kind: str, inputs: list[str], output: str | None = None, **attributes: Any) -> str:
        import onnx

        output = output or f"n{len(self.nodes)}"
        self.nodes.append(onnx.helper.make_node(kind, inputs, [output], **attributes))
        return output

    def dense(self, hidden: str, layer: nn.Module, output: str | None = None) -> str:
        assert isinstance(layer, nn.Linear)
        return self.node("Gemm", [hidden, self.tensor(layer.weight), self.tensor(layer.bias)], output, transB=1)

    def convolve(self, hidden: str, layer: nn.Module, gain: Tensor | None = None) -> str:
        assert isinstance(layer, nn.Conv2d) and layer.bias is not None
        weight, bias = layer.weight, layer.bias
        if gain is not None:
            weight, bias = weight * gain, bias * gain
        edge = layer.kernel_size[0] // 2
        return self.node("Conv", [hidden, self.tensor(weight), self.tensor(bias)], pads=[edge] * 4)


def _write_mlp(graph: _Graph, trunk: MLP) -> str:
    hidden = "features"
    for layer in trunk.layers:
        hidden = graph.node("Relu", [graph.dense(hidden, layer)])
    return hidden


def _write_residual(graph: _Graph, trunk: ResidualTrunk, card: Card) -> str:
    rows, columns, points = trunk.grid.rows, trunk.grid.columns, card.planes * card.points
    # 1. Planes onto the grid: a point's cell is looked up from the cell's side, and holes look at a zero at the end.
    flat = graph.node("Slice", ["features", *(graph.tensor(np.array([number])) for number in (0, points, 1))])
    planes = graph.node("Reshape", [flat, graph.tensor(np.array([-1, card.planes, card.points]))])
    if trunk.grid.cells != tuple(range(rows * columns)):
        padded = graph.node("Pad", [planes, graph.tensor(np.array([0, 0, 0, 0, 0, 1]))])
        sources = np.full(rows * columns, card.points)
        sources[list(trunk.grid.cells)] = np.arange(card.points)
        planes = graph.node("Gather", [padded, graph.tensor(sources)], axis=2)
    board = graph.node("Reshape", [planes, graph.tensor(np.array([-1, card.planes, rows, columns]))])
    hidden = graph.convolve(board, trunk.first)
    # 2. Scalars.
    if card.scalars:
        scalars = graph.node("Slice", ["features", *(
            graph.tensor(np.array([number])) for number in (points, points + card.scalars, 1))])
        added = graph.node("Reshape", [graph.dense(scalars, trunk.scalars), graph.tensor(np.array([0, -1, 1, 1]))])
    else:
        added = graph.tensor(trunk.scalars.bias.reshape(1, -1, 1, 1))
    hidden = graph.node("Relu", [graph.node("Add", [hidden, added])])
    # 3. Blocks.
    for block in trunk.blocks:
        inner = graph.node("Relu", [graph.convolve(hidden, block.first)])
        inner = graph.convolve(inner, block.second, block.gain)
        hidden = graph.node("Relu", [graph.node("Add", [hidden, inner])])
    # 4. What every point says, and the whole board.
    last = graph.node("Flatten", [graph.node("Relu", [graph.convolve(hidden, trunk.last)])])
    mean = graph.node("ReduceMean", [hidden], axes=[2, 3], keepdims=0)
    most = graph.node("ReduceMax", [hidden], axes=[2, 3], keepdims=0)
    return graph.node("Concat", [last, mean, most], axis=1)
