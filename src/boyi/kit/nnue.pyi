from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

from boyi.core.errors import BoyiError
from boyi.core.evaluator import Evaluator
from boyi.core.position import Position
from boyi.kit.inputs import Inputs

MOST_PLACES: int
"""Of a position as a row of bytes."""

MOST_CODES: int
"""Every byte is less than this."""

FORMAT: str
NET_FILE: str
"""In the folder of a game that comes with a network."""

class NetError(BoyiError):
    """A file that holds no network, or one for something else."""

def kernels() -> list[str]:
    """Names of the loops that can be chosen on this processor, the best last."""

def use_kernels(name: str) -> None:
    """Let all evaluators use these loops from now on: for tests and measurements, while nothing searches."""

class Net:
    """The numbers of a network; any number of evaluators share them."""

    @property
    def facts(self) -> dict[str, Any]: ...
    @property
    def digest(self) -> str:
        """SHA-256 of the file; empty for a network that was read from none."""
    @property
    def width(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def buckets(self) -> int: ...
    @property
    def unit(self) -> float: ...
    @property
    def scale(self) -> float: ...
    def __init__(self, facts: Mapping[str, Any], numbers: bytes) -> None: ...
    @classmethod
    def read(cls, data: bytes) -> Self:
        """From the bytes of a file."""

def pack(facts: Mapping[str, Any], numbers: bytes) -> bytes:
    """The bytes of a file with a network: what `Net.read` reads."""

class NetEvaluator(Evaluator):
    """An evaluator that asks a network; games say how a position is encoded for it."""

    INPUTS: ClassVar[str]
    """The name of what the network is shown, with a version."""

    SEATS: ClassVar[Sequence[Sequence[Sequence[int | None]]]]
    """Per seat, place and code the row of the first layer; None for what says nothing."""

    ROWS: ClassVar[int]
    BUCKETS: ClassVar[int]
    IMAGES: ClassVar[Sequence[Sequence[int]]]
    """Symmetries that change no value: the place that each place becomes."""

    OTHER_INPUTS: ClassVar[Sequence[Inputs]]
    """What networks may be shown besides: files name one of them."""

    @classmethod
    def find_inputs(cls, name: str | None = None) -> Inputs:
        """What networks may be shown, by name; without one, what they are shown by default."""
    @property
    def inputs(self) -> Inputs:
        """What this network is shown."""
    @property
    def net(self) -> Net: ...
    @property
    def base(self) -> Evaluator | None: ...
    def __init__(self, net: Net | None = None) -> None: ...
    def own_net(self) -> Net:
        """The network that comes with the game; refused, in words, where there is none."""
    def fork(self) -> Self:
        """Another evaluator with the same network, for another thread: accumulators belong to one thread."""
    def codes(self, position: Position) -> bytes:
        """The position as a row of bytes."""
    def bucket_of(self, position: Position) -> int:
        """The number of the output layer that the position takes."""
    def views_of(self, position: Position) -> tuple[int, int]:
        """The view that each seat has."""
    def fresh_value(self, position: Position) -> int:
        """As `value`, computed anew without vectors, accumulators or cache: what `value` must equal."""

class PythonNetEvaluator(NetEvaluator):
    """The same for an encoding in plain Python: override `look`. Slow, and good for a game in plain Python."""

    def _install(self, net: Net, hand: Callable[[], Evaluator]) -> None:
        """Take a network; `__init__` calls it. `hand` makes the evaluator that it may have been fitted to correct."""
    def look(self, position: Position) -> bytes:
        """The position as a row of bytes, one for each place."""
