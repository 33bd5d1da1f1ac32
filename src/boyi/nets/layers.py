"""The layers of a plain network, read out of its ONNX file.

A network that is only linear layers with ReLU, with a policy head and a value head on the last of them, needs no
general runtime: `mlp.pyx` computes it. Here its matrices are found. ONNX files are protocol buffers, of which
a few kinds of fields are read; the numbers of those fields are ONNX's own (onnx.proto). Any other network has no
layers in this sense (`read_layers` answers None) and is left to ONNX Runtime.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

MODEL_GRAPH, MODEL_METADATA = 7, 14
GRAPH_NODE, GRAPH_INITIALIZER = 1, 5
NODE_INPUT, NODE_OUTPUT, NODE_KIND, NODE_ATTRIBUTE = 1, 2, 4, 5
ATTRIBUTE_NAME, ATTRIBUTE_FLOAT, ATTRIBUTE_WHOLE = 1, 2, 3
TENSOR_SHAPE, TENSOR_KIND, TENSOR_FLOATS, TENSOR_NAME, TENSOR_BYTES = 1, 2, 4, 8, 9
PAIR_KEY, PAIR_VALUE = 1, 2
SINGLE = 1
"""TensorProto.FLOAT"""

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
LONGEST_VARINT = 10
MOST_DEEP = 64

Numbers: TypeAlias = "memoryview[float]"
Affine: TypeAlias = tuple[Numbers, Numbers]
"""Weights [inputs, outputs] and a bias."""


@dataclass(frozen=True)
class Layers:
    """A plain network."""

    layers: tuple[Affine, ...]
    """Each followed by a ReLU."""

    policy: Affine
    value: Affine
    wdl: bool
    """The value head gives logits of win, draw and loss; else `tanh` makes values of its outputs."""


class NotPlainError(Exception):
    """Something about a file that a plain network has not."""


@dataclass
class _Node:
    kind: str = ""
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    attributes: dict[str, float] = field(default_factory=dict)


def read_card(data: bytes, key: str) -> str | None:
    """An entry of a model's metadata; None if there is none or this is no model."""
    try:
        for number, value in _fields(memoryview(data)):
            if number == MODEL_METADATA:
                pair = dict(_fields(_part(value)))
                if _text(pair.get(PAIR_KEY)) == key:
                    return _text(pair.get(PAIR_VALUE))
    except NotPlainError:
        pass
    return None


def read_layers(data: bytes) -> Layers | None:
    """The layers of a model, if it is a plain network."""
    try:
        return _read(memoryview(data))
    except NotPlainError:
        return None


def _read(data: memoryview) -> Layers:
    graphs = [_part(value) for number, value in _fields(data) if number == MODEL_GRAPH]
    if len(graphs) != 1:
        raise NotPlainError
    nodes: dict[str, _Node] = {}
    tensors: dict[str, memoryview] = {}
    for number, value in _fields(graphs[0]):
        if number == GRAPH_NODE:
            node = _read_node(_part(value))
            nodes.update((output, node) for output in node.outputs)
        elif number == GRAPH_INITIALIZER:
            tensor = _part(value)
            tensors[_text(dict(_fields(tensor)).get(TENSOR_NAME))] = tensor

    def made_by(name: str, **kinds: int) -> _Node:
        """The node that makes this, if it is of one of the kinds and has that number of inputs."""
        node = nodes.get(name)
        for _ in range(MOST_DEEP):
            if node is not None and node.kind == "Identity" and len(node.inputs) == 1:
                node = nodes.get(node.inputs[0])
        if node is None or kinds.get(node.kind) != len(node.inputs):
            raise NotPlainError
        return node

    def affine(name: str) -> tuple[str, Affine]:
        """What goes into a matrix and a bias whose sum has this name, and both of them."""
        node = made_by(name, Gemm=3, Add=2)
        if node.kind == "Gemm":
            if node.attributes.get("transA", 0) or any(
                    node.attributes.get(factor, 1.0) != 1.0 for factor in ("alpha", "beta")):
                raise NotPlainError
            source, weights, bias = node.inputs
            turned = bool(node.attributes.get("transB", 0))
        else:
            product, bias = node.inputs if node.inputs[1] in tensors else reversed(node.inputs)
            node = made_by(product, MatMul=2)
            source, weights = node.inputs
            turned = False
        if weights not in tensors or bias not in tensors:
            raise NotPlainError
        return source, (_matrix(tensors[weights], turned), _row(tensors[bias]))

    trunk, policy = affine("policy")
    wdl = "wdl" in nodes
    below, values = affine("wdl" if wdl else made_by("value", Tanh=1).inputs[0])
    layers: list[Affine] = []
    while trunk != "features":
        if trunk != below or len(layers) == MOST_DEEP:
            raise NotPlainError
        trunk, layer = affine(made_by(trunk, Relu=1).inputs[0])
        below = trunk
        layers.insert(0, layer)
    if not layers:
        raise NotPlainError
    return Layers(tuple(layers), policy, values, wdl)


def _read_node(data: memoryview) -> _Node:
    node = _Node()
    for number, value in _fields(data):
        if number == NODE_INPUT:
            node.inputs.append(_text(value))
        elif number == NODE_OUTPUT:
            node.outputs.append(_text(value))
        elif number == NODE_KIND:
            node.kind = _text(value)
        elif number == NODE_ATTRIBUTE:
            attribute = dict(_fields(_part(value)))
            name = _text(attribute.get(ATTRIBUTE_NAME))
            if ATTRIBUTE_FLOAT in attribute:
                node.attributes[name] = _singles(_part(attribute[ATTRIBUTE_FLOAT]))[0]
            else:
                whole = attribute.get(ATTRIBUTE_WHOLE, 0)
                node.attributes[name] = whole if isinstance(whole, int) else float("nan")
    return node


def _tensor(data: memoryview) -> tuple[tuple[int, ...], array[float]]:
    """Shape and numbers."""
    shape: list[int] = []
    numbers = array("f")
    for number, value in _fields(data):
        if number == TENSOR_SHAPE:
            shape += [value] if isinstance(value, int) else _varints(value)
        elif number == TENSOR_KIND and value != SINGLE:
            raise NotPlainError
        elif number in (TENSOR_FLOATS, TENSOR_BYTES):
            numbers.extend(_singles(_part(value)))
    count = 1
    for size in shape:
        count *= size
    if count != len(numbers) or not count:
        raise NotPlainError
    return tuple(shape), numbers


def _matrix(data: memoryview, turned: bool) -> Numbers:
    shape, numbers = _tensor(data)
    if len(shape) != 2:
        raise NotPlainError
    inputs, outputs = shape
    if turned:
        outputs, inputs = shape
        columns, numbers = numbers, array("f", bytes(4 * len(numbers)))
        for output in range(outputs):
            numbers[output::outputs] = columns[output * inputs:(output + 1) * inputs]
    return memoryview(numbers.tobytes()).cast("f", (inputs, outputs))


def _row(data: memoryview) -> Numbers:
    shape, numbers = _tensor(data)
    if len(shape) != 1:
        raise NotPlainError
    return memoryview(numbers)


# ---------------------------------------------------------------------- protocol buffers

def _fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """The fields of a message: its number, and a whole number or bytes."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == VARINT:
            value, at = _varint(data, at)
            yield tag >> 3, value
            continue
        if kind == BYTES:
            size, at = _varint(data, at)
        elif kind in (FIXED64, FIXED32):
            size = 8 if kind == FIXED64 else 4
        else:
            raise NotPlainError
        if at + size > len(data):
            raise NotPlainError
        yield tag >> 3, data[at:at + size]
        at += size


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = 0
    for i, byte in enumerate(data[at:at + LONGEST_VARINT]):
        value |= (byte & 127) << 7 * i
        if byte < 128:
            return value, at + i + 1
    raise NotPlainError


def _varints(data: memoryview) -> list[int]:
    found, at = [], 0
    while at < len(data):
        value, at = _varint(data, at)
        found.append(value)
    return found


def _part(value: int | memoryview) -> memoryview:
    if isinstance(value, int):
        raise NotPlainError
    return value


def _text(value: int | memoryview | None) -> str:
    if not isinstance(value, memoryview):
        raise NotPlainError
    return bytes(value).decode("utf-8", "replace")


def _singles(data: memoryview) -> array[float]:
    if len(data) % 4 or not len(data):
        raise NotPlainError
    numbers = array("f")
    numbers.frombytes(data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
