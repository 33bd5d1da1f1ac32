"""Encoders: the input of a network for a position, and the policy indices of its moves.

Each game has one in its folder (`encoder.pyx`), made for its options by `Game.make_encoder`. What
every encoder promises:

- It shows the position to the player who acts: that player's stones come first, the board is turned so that
  they sit at the bottom (where seats have sides), and nothing that they may not know changes a number.
- Features are `planes` of `points` numbers each, plane after plane, then `scalars` about the position as
  a whole. Convolutional networks take the planes for channels and broadcast the scalars; others take all
  as one row.
- Policy indices are the same for every position of the game under the same options, turned like the board.
- The numbers never change while `version` stays; a network says for which version it was trained.

    >>> import boyi
    >>> position = boyi.start("othello")
    >>> encoder = position.game.make_encoder(position.options)
    >>> encoder.planes, encoder.points, encoder.scalars, encoder.policy_size
    (3, 64, 0, 65)
    >>> sum(encoder.features(position))      # two discs each, four moves
    8.0
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc

from boyi.core.position cimport Position
from boyi.core.types cimport move_t

from boyi.core.errors import IllegalMoveError, TextError
from boyi.core.game import belongs_to_another
from boyi.core.symmetry import Symmetry


cdef class Encoder:
    """The parent of all encoders: facts and the Python side. Games override `encode`, `index` and `meaning`."""

    cdef int _shape(self, int version, int players, int planes, int points, int scalars, int policy_size) except -1:
        """The facts; subclasses call this once, in __init__."""
        self.version = version
        self.players = players
        self.planes = planes
        self.points = points
        self.scalars = scalars
        self.size = planes * points + scalars
        self.policy_size = policy_size
        return 0

    cdef int encode(self, Position position, float* features) except -1 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} encodes nothing")

    cdef int index(self, Position position, move_t move) except -1 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} gives moves no policy index")

    cdef int index_all(self, Position position, const move_t* moves, int n, int* indices) except -1 nogil:
        cdef int i
        for i in range(n):
            indices[i] = self.index(position, moves[i])
        return 0

    def check(self, Position position not None):
        """Refuse, in words, a position that this encoder was not made for: it reads C fields of its own game."""
        if belongs_to_another(type(self), position.game):
            raise TextError(f"{type(self).__module__}.{type(self).__name__} does not know {position.game.name}")
        if position.players != self.players:
            raise TextError(f"this encoder is for {self.players} players, and here are {position.players}")
        if position.over() or position.side < 0:
            raise TextError("there is nothing to encode: no player acts in this position")

    def features(self, Position position not None):
        """The numbers of a position, as a list."""
        cdef int i
        self.check(position)
        cdef float* numbers = <float*> PyMem_Malloc(self.size * sizeof(float))
        if numbers == NULL:
            raise MemoryError("no room for the features of a position")
        try:
            self.encode(position, numbers)
            return [numbers[i] for i in range(self.size)]
        finally:
            PyMem_Free(numbers)

    def policy_index(self, Position position not None, move):
        """The policy index of a legal move."""
        self.check(position)
        if not position.is_legal(move):
            raise IllegalMoveError(f"{move} has no policy index: it is not legal in {position!r}")
        return self.index(position, <move_t> int(move))

    def meaning(self, int index):
        """What a policy index stands for: a kind of move and the points it touches, by their numbers in a plane."""
        raise NotImplementedError(f"{type(self).__name__} does not explain its policy indices")

    def point_symmetries(self):
        """Permutations of the points that make a position of an equally good one; see `symmetries`."""
        return ()

    def symmetries(self):
        """All images of a position that are as good as itself, as permutations of features and policy indices, without
        the identity: for data augmentation."""
        meanings = [self.meaning(i) for i in range(self.policy_size)]
        indices = {meaning: i for i, meaning in enumerate(meanings)}
        found = []
        for image in self.point_symmetries():
            features = tuple(plane * self.points + image[point]
                             for plane in range(self.planes) for point in range(self.points))
            features += tuple(range(self.planes * self.points, self.size))
            policy = tuple(indices[kind, tuple(image[point] for point in points)] for kind, points in meanings)
            found.append(Symmetry(features, policy))
        return tuple(found)


cdef class PythonEncoder(Encoder):
    """An encoder in plain Python: call `__init__` with the facts, override `look`, `name` and `meaning`.

    Two moves of one position may share a policy index here: then a network cannot tell them apart and
    gives both the same probability, which is coarse but not wrong.
    """

    def __init__(self, *, int version, int players, int planes, int points, int scalars, int policy_size):
        self._shape(version, players, planes, points, scalars, policy_size)

    cdef int encode(self, Position position, float* features) except -1 nogil:
        cdef int i = 0
        with gil:
            for number in self.look(position):
                if i == self.size:
                    i += 1
                    break
                features[i] = number
                i += 1
            if i != self.size:
                raise RuntimeError(f"{type(self).__name__}.look: {'more' if i > self.size else 'fewer'} than "
                                   f"{self.size} numbers")
        return 0

    cdef int index(self, Position position, move_t move) except -1 nogil:
        cdef int index
        with gil:
            index = self.name(position, move)
            if not 0 <= index < self.policy_size:
                raise RuntimeError(f"{type(self).__name__}.name: {index} is not from 0 to {self.policy_size - 1}")
        return index

    def look(self, position):
        """The features of a position, `size` numbers."""
        raise NotImplementedError

    def name(self, position, move):
        """The policy index of a legal move."""
        raise NotImplementedError
