from collections.abc import Sequence

from boyi.core.position import Position
from boyi.core.symmetry import Symmetry

class Encoder:
    """The parent of all encoders: facts and the Python side. Games override `encode`, `index` and `meaning`."""

    @property
    def version(self) -> int:
        """Grows when a position would be encoded, or a move be numbered, otherwise."""
    @property
    def players(self) -> int:
        """How many play."""
    @property
    def planes(self) -> int:
        """Numbers per point of the board."""
    @property
    def points(self) -> int:
        """Points of a plane."""
    @property
    def scalars(self) -> int:
        """Numbers about the whole position, behind the planes."""
    @property
    def size(self) -> int:
        """Of all features: planes * points + scalars."""
    @property
    def policy_size(self) -> int:
        """Policy indices are 0 to policy_size - 1."""
    def check(self, position: Position) -> None:
        """Refuse, in words, a position that this encoder was not made for."""
    def features(self, position: Position) -> list[float]:
        """The numbers of a position, as a list."""
    def policy_index(self, position: Position, move: int) -> int:
        """The policy index of a legal move."""
    def meaning(self, index: int) -> tuple[str, tuple[int, ...]]:
        """What a policy index stands for: a kind of move and the points it touches, by their numbers in a plane."""
    def point_symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Permutations of the points that make a position of an equally good one; see `symmetries`."""
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All images of a position that are as good as itself, as permutations of features and policy indices, without
        the identity: for data augmentation."""

class PythonEncoder(Encoder):
    """An encoder in plain Python: call `__init__` with the facts, override `look`, `name` and `meaning`."""

    def __init__(self, *, version: int, players: int, planes: int, points: int, scalars: int,
                 policy_size: int) -> None: ...
    def look(self, position: Position) -> Sequence[float]:
        """The features of a position, `size` numbers."""
    def name(self, position: Position, move: int) -> int:
        """The policy index of a legal move."""
