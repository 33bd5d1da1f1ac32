"""Asking a network about many positions at once: by our own code if it is a plain MLP, else by ONNX Runtime.

A model is an ONNX file with a card (see `card`) and these inputs and outputs, N being any number of positions:

    features  [N, size]          in: what the encoder writes, float32
    policy    [N, policy_size]   out: a logit per name of a move
    value     [N, players]       out: from -1 to 1, for the player to act and then in order of play;
                                 with two players [N, 1] will do
    wdl       [N, 3]             out, with two players instead of `value`: logits of win, draw and loss

One thread per process: two threads are slower under load, and more speed is to be had
by more processes. A model keeps no state, so that several searches may ask one from different threads.

A network of plain layers is computed by `mlp`, which is faster and needs nothing installed (`PlainPredictor`); any
other is asked by ONNX Runtime (`NetPredictor`). `open_net` chooses.

ONNX Runtime is the extra `nets` and not part of every installation: with NumPy it takes 144 MB, and a plain
`pip install boyi` shall stay under 200 with everything that rooms need.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boyi.core.batch import Batch
from boyi.core.encoder import Encoder
from boyi.core.errors import MissingPartError, OptionError, shorten
from boyi.core.game import Game, Options, load
from boyi.core.position import Position
from boyi.core.predictor import Predictor, PythonPredictor
from boyi.nets.card import KEY, Card, differing
from boyi.nets.layers import Layers, read_card, read_layers
from boyi.nets.mlp import MLPPredictor
from boyi.nets.shipped import MOST_CHARACTERS, find_model, shipped_models

if TYPE_CHECKING:
    import onnxruntime

    _Base = Predictor
else:
    # Only a mixin. Were it a predictor itself, then Python, asked for a class of two predictors, would take the
    # compiled methods of the first.
    _Base = object

MOST_OPEN = 16
"""The number of models kept open in a process: a tournament goes back and forth between a few at a time."""

MOST_BYTES = 2 << 30
"""ONNX's own limit of a file."""

QUIET = 4
"""ONNX Runtime logs only what ends the program: what it has to say of bad files, we say in words."""


def open_net(path: str | Path, game: Game, *, any_limits: bool = False) -> Model:
    """The predictor of a model for a game, by its file or its name, opened once while the file stays the same.

    With `any_limits` it may be asked about games that other limits of moves end than those it was trained with.
    """
    path = find_model(path)
    state = path.stat()
    return _open(str(path), game.module, any_limits, state.st_mtime_ns, state.st_size)


@lru_cache(MOST_OPEN)
def _open(path: str, module: str, any_limits: bool, changed: int, size: int) -> Model:
    game = load(module)
    data = _read(Path(path))
    layers = read_layers(data)
    net: Model = (NetPredictor(path, game, data) if layers is None else
                  PlainPredictor(path, game, layers, read_card(data, KEY)))
    net.any_limits = any_limits
    return net


class Model(_Base):
    """A model file: what it was trained for, and that nothing else is asked of it."""

    path: str
    card: Card
    options: Options
    any_limits: bool = False
    """May options that are limits (`Option.is_limit`) differ from those of the card?"""

    _called: str
    _game: Game

    def _take_card(self, path: str | Path, game: Game, text: str | None) -> Encoder:
        """Read the card; the encoder that the model was trained with."""
        self.path, self._game = str(path), game
        if text is None:
            raise OptionError("it has no card that says what it was trained for; was it made by Boyi?")
        self.card = Card.parse(text)
        self.options, encoder = self.card.prepare(game)
        return encoder

    def check(self, position: Position) -> None:
        """Refuse, in words, a position that there is nothing to say of, or of another game or other rules."""
        self.check_rules(position)
        super().check(position)

    def check_rules(self, position: Position) -> None:
        """Refuse, in words, another game or other rules than the model was trained for."""
        if position.game is not self._game:
            raise OptionError(f"{self._called} plays {self._game.name}, not {position.game.name}")
        if self.plays_by(position.options) or (self.any_limits and self.differs_in_limits(position)):
            return
        if self.differs_in_limits(position):
            raise OptionError(f"{self._called} was trained with other limits of moves: "
                              f"{differing(self.options, position.options)}. It may play all the same if you say so: "
                              "any_limits=on in the agent, or --any-limits")
        fitting = [name for name, path in shipped_models().items()
                   if (card := Card.parse(read_card(path.read_bytes(), KEY) or "")).game == self._game.name
                   and dict(card.options) == dict(position.options)]
        advice = f". For these there is net={fitting[0]}" if fitting else ""
        raise OptionError(f"{self._called} was trained under other rules of {self._game.name}: "
                          f"{differing(self.options, position.options)}{advice}")

    def plays_by(self, options: Options) -> bool:
        """Was it trained under these rules?"""
        return options == self.options

    def differs_in_limits(self, position: Position) -> bool:
        """Do the rules of a position differ from those of the card, and in limits of moves only?"""
        limits = {option.name for option in self._game.options if option.is_limit}
        differing = {name for name, value in self.options.items() if position.options[name] != value}
        return bool(differing) and differing <= limits

    def describe_limits(self, position: Position) -> str:
        """In words, that a position has other limits than the model was trained with; empty where it has the same."""
        if not self.differs_in_limits(position):
            return ""
        return (f"{self._called} was trained with other limits of moves, and plays as if it knew these: "
                f"{differing(self.options, position.options)}")


class PlainPredictor(Model, MLPPredictor):
    """A model of plain layers."""

    def __init__(self, path: str | Path, game: Game, layers: Layers, card: str | None) -> None:
        self._called = f"the model {shorten(str(path), MOST_CHARACTERS)}"
        try:
            encoder = self._take_card(path, game, card)
            MLPPredictor.__init__(self, encoder, layers.layers, layers.policy, layers.value, layers.wdl)
        except OptionError as error:
            raise OptionError(f"{self._called} does not fit: {error}") from error


class NetPredictor(Model, PythonPredictor):
    """A model file, asked by ONNX Runtime."""

    def __init__(self, path: str | Path, game: Game, data: bytes | None = None) -> None:
        self._called = f"the model {shorten(str(path), MOST_CHARACTERS)}"
        self._session = _start(Path(path), _read(Path(path)) if data is None else data)
        try:
            encoder = self._take_card(path, game, self._session.get_modelmeta().custom_metadata_map.get(KEY))
            self._outputs = _check_ends(self._session, encoder.size, encoder.policy_size, encoder.players)
        except OptionError as error:
            raise OptionError(f"{self._called} does not fit: {error}") from error
        PythonPredictor.__init__(self, encoder)

    def answer(self, batch: Batch) -> None:
        import numpy

        count, size, players = batch.count, self.encoder.size, self.encoder.players
        # All of these share the batch's memory.
        features = numpy.asarray(batch.features)[:count * size].reshape(count, size)
        starts = numpy.asarray(batch.starts)[:count + 1]
        names = numpy.asarray(batch.indices)[:starts[count]]
        values = numpy.asarray(batch.values)[:count * players].reshape(count, players)
        policy, outputs = self._session.run(self._outputs, {"features": features})
        rows = numpy.repeat(numpy.arange(count), numpy.diff(starts))
        numpy.asarray(batch.logits)[:len(names)] = policy[rows, names]
        if self._outputs[1] == "wdl":
            odds = numpy.exp(outputs - outputs.max(axis=1, keepdims=True))
            outputs = (odds[:, :1] - odds[:, 2:]) / odds.sum(axis=1, keepdims=True)
        values[:] = outputs if outputs.shape[1] == players else numpy.concatenate([outputs, -outputs], axis=1)


def _read(path: Path) -> bytes:
    """The bytes of a model file."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise OptionError(f"the model {shorten(str(path), MOST_CHARACTERS)} is too large")
        return path.read_bytes()
    except OSError as error:
        raise OptionError(f"the model {shorten(str(path), MOST_CHARACTERS)} cannot be read: "
                          f"{error.strerror}") from error


def _start(path: Path, data: bytes) -> onnxruntime.InferenceSession:
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingPartError.extra("playing by a network", "nets") from error
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    settings.log_severity_level = QUIET
    try:
        return onnxruntime.InferenceSession(data, settings, providers=["CPUExecutionProvider"])
    except Exception as error:
        words = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise OptionError(f"the model {shorten(str(path), MOST_CHARACTERS)} cannot be read: {words}") from error


def _check_ends(session: onnxruntime.InferenceSession, size: int, policy_size: int, players: int) -> list[str]:
    """The names of the outputs to ask for; refuses a model with other ends than this module's text says."""
    def refuse(what: str) -> OptionError:
        return OptionError(f"{what}; the input must be features [N, {size}], the outputs policy [N, {policy_size}] and "
                           f"value [N, {players}]" + (" or [N, 1] or wdl [N, 3]" if players == 2 else ""))

    def width(end: Any) -> int | None:
        return end.shape[1] if len(end.shape) == 2 and isinstance(end.shape[1], int) else None

    inputs = {end.name: end for end in session.get_inputs()}
    outputs = {end.name: end for end in session.get_outputs()}
    if set(inputs) != {"features"} or width(inputs["features"]) != size or inputs["features"].type != "tensor(float)":
        raise refuse(f"its input is {_shown(inputs)}")
    if isinstance(inputs["features"].shape[0], int):
        raise refuse(f"it takes {inputs['features'].shape[0]} positions at a time and not any number")
    widths = {"value": {players, 1} if players == 2 else {players}, "wdl": {3} if players == 2 else set()}
    if "policy" not in outputs or width(outputs["policy"]) != policy_size:
        raise refuse(f"its outputs are {_shown(outputs)}")
    for name, fitting in widths.items():
        if name in outputs and width(outputs[name]) in fitting:
            return ["policy", name]
    raise refuse(f"its outputs are {_shown(outputs)}")


def _shown(ends: dict[str, Any]) -> str:
    return ", ".join(f"{name} {end.shape}" for name, end in ends.items())[:200]
