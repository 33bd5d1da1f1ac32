"""The speed of inference: one search with batches of leaves, and many games in lock-step.

    python -m benchmarks.nets [GAME …]

The model is an MLP of two layers of 256 with random weights, which costs what a trained one costs. Rates are per second
of CPU time, so that a busy machine does not matter much. "No network" is the same without a model: the cost of
tree, rules and encoder alone.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy
import onnx

import boyi
from boyi.core.position import Position
from boyi.core.predictor import Predictor
from boyi.core.searcher import Limits
from boyi.learn.training.lockstep import play
from boyi.learn.training.settings import SelfPlay
from boyi.nets import Card, NetPredictor
from boyi.nets.card import KEY
from boyi.search.mcts import MCTS
from boyi.search.mcts_options import MCTSOptions

WIDTH = 256
NODES = 4_000
SIMULATIONS = 16


def write_mlp(path: Path, position: Position) -> Path:
    """A model of random weights for games like that of a position."""
    encoder = position.game.make_encoder(position.options)
    generator = numpy.random.default_rng(0)
    shapes = {"A": (encoder.size, WIDTH), "a": (WIDTH,), "B": (WIDTH, WIDTH), "b": (WIDTH,),
              "P": (WIDTH, encoder.policy_size), "p": (encoder.policy_size,), "V": (WIDTH, 1), "v": (1,)}
    numbers = [onnx.numpy_helper.from_array((0.05 * generator.standard_normal(shape)).astype(numpy.float32), name)
               for name, shape in shapes.items()]
    node, end, single = onnx.helper.make_node, onnx.helper.make_tensor_value_info, onnx.TensorProto.FLOAT
    graph = onnx.helper.make_graph(
        [node("Gemm", ["features", "A", "a"], ["one"]), node("Relu", ["one"], ["two"]),
         node("Gemm", ["two", "B", "b"], ["three"]), node("Relu", ["three"], ["four"]),
         node("Gemm", ["four", "P", "p"], ["policy"]),
         node("Gemm", ["four", "V", "v"], ["five"]), node("Tanh", ["five"], ["value"])],
        "mlp", [end("features", single, ["N", encoder.size])],
        [end("policy", single, ["N", encoder.policy_size]), end("value", single, ["N", 1])], numbers)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=9)
    onnx.helper.set_model_props(model, {KEY: Card.of(position).to_text()})
    path.write_bytes(model.SerializeToString())
    return path


def measure(name: str, folder: Path) -> None:
    position = boyi.start(name)
    net = NetPredictor(write_mlp(folder / f"{name}.onnx", position), position.game)
    for batch in (1, 8, 32):
        searcher = MCTS(options=MCTSOptions(selection="puct", batch=batch), predictor=net)
        began = time.process_time()
        result = searcher.search(position, Limits(nodes=NODES))
        rate = NODES / (time.process_time() - began)
        print(f"{name}: one search, batch {batch}: {rate:,.0f} simulations per second, "
              f"{result.statistics['batches']} requests, {result.statistics['misses']} misses", flush=True)
    for title, predictor in (("MLP", net), ("no network", Predictor(net.encoder))):
        for at_once in (16, 64, 256):
            began = time.process_time()
            settings = SelfPlay(at_once=at_once, simulations=SIMULATIONS)
            positions = sum(len(game.samples) for game in play(position, predictor, settings, 0, at_once))
            rate = positions / (time.process_time() - began)
            print(f"{name}: {at_once} games in lock-step, {title}: {rate:,.0f} positions per second, "
                  f"{SIMULATIONS * rate:,.0f} simulations", flush=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        for game in sys.argv[1:] or ["othello", "liuzhou"]:
            measure(game, Path(directory))
