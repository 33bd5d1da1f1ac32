"""Predictors: for many positions at once, how promising each legal move looks and what the position is worth.

A tree search gathers leaves into a `Batch`, asks a `Predictor` once for all of them and takes the
answers back. Leaves of many games may share a batch: a search only remembers its rows. Tests and
networks write the same two methods, `Predictor.predict` in Cython or `PythonPredictor.answer` in Python,
and the interpreter's lock is taken once per batch, not per leaf.

    >>> import boyi
    >>> from boyi.core.predictor import Batch, Predictor
    >>> position = boyi.start("othello")
    >>> batch = Batch(position.game.make_encoder(position.options), 8)
    >>> batch.append(position)
    0
    >>> Predictor(batch.encoder).fill(batch)
    >>> list(batch.logits[:4]), list(batch.values[:2])
    ([0.0, 0.0, 0.0, 0.0], [0.0, 0.0])
"""

from array import array

from libc.math cimport isfinite
from libc.string cimport memset

from boyi.core.encoder cimport Encoder
from boyi.core.position cimport Position
from boyi.core.types cimport MAX_MOVES, move_t

from boyi.core.errors import OptionError

cdef enum:
    MOST_ROWS = 1 << 14
    # What floats add up to may pass the bounds of a value by a little.
    TOLERANCE = 1000


cdef class Batch:
    """Encoded positions and, once a predictor was asked, its predictions."""

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
        # A view that is held keeps an array from being moved.
        self._features_held, self._values_held, self._logits_held = self._features, self._values, self._logits
        self._starts_held, self._indices_held = self._starts, self._indices
        self.encoded = &self._features_held[0]
        self.seat_values = &self._values_held[0]
        self.move_logits = &self._logits_held[0]
        self.first = &self._starts_held[0]
        self.names = &self._indices_held[0]

    cdef int add(self, Position position, const move_t* moves, int n) except -1 nogil:
        """Encode a position in which a player acts, to be asked about these of its moves."""
        cdef int row = self.count, i, begin = self.first[row]
        if row == self.capacity:
            with gil:
                raise IndexError(f"the batch is full: it has room for {self.capacity} positions")
        self.encoder.encode(position, self.encoded + <size_t> row * self.encoder.size)
        for i in range(n):
            self.names[begin + i] = self.encoder.index(position, moves[i])
        self.first[row + 1] = begin + n
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
        """The moves asked about, by their names."""
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


cdef class Predictor:
    """The predictor that knows nothing: all moves alike, every position level. The parent of all others."""

    def __init__(self, Encoder encoder not None):
        self.encoder = encoder

    cdef int predict(self, Batch batch) except -1 nogil:
        memset(batch.move_logits, 0, batch.first[batch.count] * sizeof(float))
        memset(batch.seat_values, 0, batch.count * self.encoder.players * sizeof(float))
        return 0

    def check(self, Position position not None):
        """Refuse, in words, a position that there is nothing to say of: searches ask before they begin."""
        self.encoder.check(position)

    def fill(self, Batch batch not None):
        """Write the predictions for all that is in the batch into it."""
        if batch.encoder is not self.encoder:
            raise OptionError("this batch was encoded by another encoder than the predictor's")
        if batch.count:
            self.predict(batch)


cdef class PythonPredictor(Predictor):
    """A predictor in plain Python: override `answer`. What it answers is checked."""

    cdef int predict(self, Batch batch) except -1 nogil:
        cdef int i
        cdef float value
        with gil:
            self.answer(batch)
        for i in range(batch.first[batch.count]):
            if not isfinite(batch.move_logits[i]):
                with gil:
                    raise ValueError(f"{type(self).__name__}.answer: a logit is {batch.move_logits[i]}")
        for i in range(batch.count * self.encoder.players):
            value = batch.seat_values[i]
            if not -1 <= value <= 1:
                if not (isfinite(value) and value * value * TOLERANCE < TOLERANCE + 1):
                    with gil:
                        raise ValueError(f"{type(self).__name__}.answer: a value is {value}, not from -1 to 1")
                batch.seat_values[i] = 1 if value > 0 else -1
        return 0

    def answer(self, batch):
        """Fill in `batch.logits` and `batch.values` of the rows 0 … batch.count - 1."""
        raise NotImplementedError
