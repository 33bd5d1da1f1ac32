"""Batches: encoded positions of one or many games that a predictor is asked about at once.

A tree search gathers leaves into a `Batch`, asks a `Predictor` (`core.predictor`) once for all of them
and takes the answers back. Leaves of many games may share a batch: a search only remembers its rows.

    >>> import boyi
    >>> from boyi.core.batch import Batch
    >>> position = boyi.start("othello")
    >>> batch = Batch(position.game.make_encoder(position.options), 8)
    >>> batch.append(position), batch.count
    (0, 1)
"""

from array import array

from boyi.core.encoder cimport Encoder
from boyi.core.position cimport Position
from boyi.core.types cimport MAX_MOVES, move_t

from boyi.core.errors import OptionError

cdef enum:
    MOST_ROWS = 1 << 14


cdef class Batch:
    """Encoded positions and, once a predictor was asked, its logits and values."""

    def __init__(self, Encoder encoder not None, int capacity):
        if not 1 <= capacity <= MOST_ROWS:
            raise OptionError(f"a batch has room for 1 to {MOST_ROWS} positions, not {capacity}")
        self.encoder = encoder
        self.capacity = capacity
        self.count = 0
        self._features = array("f", bytes(4 * capacity * encoder.size))
        self._values = array("f", bytes(4 * capacity * encoder.players))
        self._starts = array("i", bytes(4 * (capacity + 1)))
        self._indices = array("i", bytes(4 * capacity * MAX_MOVES))
        self._logits = array("f", bytes(4 * capacity * MAX_MOVES))
        # An array of which a view is held is never moved in memory.
        self._features_held, self._values_held, self._logits_held = self._features, self._values, self._logits
        self._starts_held, self._indices_held = self._starts, self._indices
        self.row_features = &self._features_held[0]
        self.seat_values = &self._values_held[0]
        self.move_logits = &self._logits_held[0]
        self.row_starts = &self._starts_held[0]
        self.move_indices = &self._indices_held[0]

    cdef int add(self, Position position, const move_t* moves, int n) except -1 nogil:
        """Encode a position in which a player acts, to be asked about these of its moves."""
        cdef int row = self.count, begin = self.row_starts[row]
        if row == self.capacity:
            with gil:
                raise IndexError(f"the batch is full: it has room for {self.capacity} positions")
        self.encoder.encode(position, self.row_features + <size_t> row * self.encoder.size)
        self.encoder.index_all(position, moves, n, self.move_indices + begin)
        self.row_starts[row + 1] = begin + n
        self.count += 1
        return row

    cdef int clear(self) noexcept nogil:
        self.count = 0
        return 0

    def append(self, Position position not None):
        """Add a position with all its moves; the number of its row."""
        cdef move_t moves[MAX_MOVES]
        self.encoder.check(position)
        return self.add(position, moves, position.generate(moves))

    def empty(self):
        """Take everything out."""
        self.clear()

    @property
    def features(self):
        """All rows of features, also those not in use: row r begins at r * encoder.size."""
        return memoryview(self._features)

    @property
    def starts(self):
        """Where the moves of each row begin in `indices` and `logits`; with row r + 1 those of row r end."""
        return memoryview(self._starts)

    @property
    def indices(self):
        """The policy indices of the moves asked about."""
        return memoryview(self._indices)

    @property
    def logits(self):
        """The answer: a logit per move asked about."""
        return memoryview(self._logits)

    @property
    def values(self):
        """The answer: per row what the position is worth to the player who acts, then to the others in order of play;
        from -1 to 1."""
        return memoryview(self._values)
