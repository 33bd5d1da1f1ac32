"""Count distinct positions: perft on the graph of positions instead of the tree of sequences.

Different sequences of moves often end in the same position (a transposition). `perft` counts the sequences; here the
positions in which they end are counted once each and, where the game knows images of its positions, once for all
images together (a symmetry class). What a sequence is, perft decides: a pass and a result of chance are plies like any
other, and where a game that ended early is a leaf of every greater depth (`Game.finished_is_leaf`), so is its last
position.

    >>> import boyi
    >>> from boyi.search.distinct import count_distinct
    >>> found = count_distinct(boyi.start("othello"), 6, symmetric=True)
    >>> found.sequences, found.positions, found.classes
    (8200, 7092, 1773)

Positions are the same when their keys are (`Position.key`): the board and all that decides the future, without counters
and history. Every sequence is followed to its end, so rules that look at the history (repetition, limits) are heard.

A key has 64 bits. Two positions that share one by chance would be counted as one; the probability that this
happens at all among n positions is about n²/2^65: one in 370,000 for ten million, one in 3,700 for a hundred million.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.stdint cimport uint64_t

from boyi.core.position cimport Position
from boyi.core.types cimport MAX_MOVES, key_t, move_t
from boyi.search.signals cimport check_signals

from boyi.core.errors import BoyiError, OptionError, shorten
from boyi.search.perft import read_depth

cdef extern from *:
    """
    #if defined(_MSC_VER) && !defined(__clang__)
      #define boyi_prefetch(address)
    #else
      #define boyi_prefetch(address) __builtin_prefetch(address)
    #endif
    """
    void prefetch "boyi_prefetch"(const void* address) noexcept nogil

cdef enum:
    FIRST_BITS = 10            # slots of a new set, as a power of two
    MOST_FULL = 70             # hundredths; beyond, runs of taken slots get long
    SIGNAL_DEPTH = 3           # plies above the leaves at which Ctrl-C is looked for: thousands of leaves apart
    MEGABYTE = 1 << 20

# Fibonacci hashing: 2^64 / the golden ratio, odd.
cdef uint64_t SPREAD = 0x9E3779B97F4A7C15

MEGABYTES = 2048
"""How much memory a count may take, unless told otherwise: enough for 94 million positions."""

MOST_MEGABYTES = 1 << 20


class MemoryBoundError(BoyiError, MemoryError):
    """A count that would take more memory than it may."""


cdef class DistinctPositions:
    """The ends of sequences of moves, which `add` follows: how many they are, and how many are not the same.

    Sequences may be added from several positions; what they have in common is counted once. After an error the counts
    are those of a part.
    """

    def __cinit__(self, *, symmetric=False, megabytes=MEGABYTES):
        if isinstance(megabytes, bool) or not isinstance(megabytes, int) or not 1 <= megabytes <= MOST_MEGABYTES:
            raise OptionError(f"{shorten(megabytes)} is not a number of megabytes from 1 to {MOST_MEGABYTES}")
        self.symmetric = symmetric
        self.megabytes = megabytes

    def __dealloc__(self):
        PyMem_RawFree(self._keys.slots)
        PyMem_RawFree(self._classes.slots)

    @property
    def positions(self):
        """How many positions the sequences end in."""
        return self._keys.taken

    @property
    def classes(self):
        """How many there are if images of a position are not told apart; None where that was not asked for."""
        return self._classes.taken if self.symmetric else None

    def add(self, Position position not None, depth):
        """Follow all sequences of `depth` moves from here."""
        cdef int plies = read_depth(depth), before = position.ply
        cdef bint finished = position.game.finished_is_leaf
        if self.symmetric and position.images() == 1:
            raise OptionError(f"{position.game.name} knows no images of this position, so there are no symmetry "
                              "classes to count; distinct positions can be counted without them")
        try:
            with nogil:
                self.sequences += self.walk(position, plies, finished)
        except BaseException:
            position.unmake_to(before)
            raise

    cdef long long walk(self, Position position, int depth, bint finished) except -1 nogil:
        cdef move_t moves[MAX_MOVES]
        cdef long long sequences = 0
        cdef int i, n
        if depth == 0:
            self.meet(position)
            return 1
        if depth >= SIGNAL_DEPTH:
            check_signals()
        n = position.generate(moves)
        if n == 0 and finished:
            self.meet(position)
            return 1
        if depth == 1:
            self.meet_children(position, moves, n)
            return n
        for i in range(n):
            position.make(moves[i])
            sequences += self.walk(position, depth - 1, finished)
            position.unmake()
        return sequences

    cdef int meet(self, Position position) except -1 nogil:
        """A sequence ends here."""
        cdef int image
        if self.insert(&self._keys, position.key()) and self.symmetric:
            self.insert(&self._classes, position.canonical_key(&image))
        return 0

    cdef int meet_children(self, Position position, move_t* moves, int n) except -1 nogil:
        """Sequences end after each of these moves. Most of the time is spent waiting for memory, so the slots of all
        children are asked for before the first is looked at."""
        cdef key_t keys[MAX_MOVES]
        cdef int i, image
        for i in range(n):
            position.make(moves[i])
            keys[i] = position.key()
            position.unmake()
            if self._keys.slots:
                prefetch(&self._keys.slots[keys[i] * SPREAD >> (64 - self._keys.bits)])
        for i in range(n):
            if self.insert(&self._keys, keys[i]) and self.symmetric:
                position.make(moves[i])
                self.insert(&self._classes, position.canonical_key(&image))
                position.unmake()
        return 0

    cdef int insert(self, KeySet* keys, key_t key) except -1 nogil:
        cdef uint64_t mask, slot
        key += key == 0                # 0 marks a free slot; that it is taken for 1 is a collision like any other
        if keys.slots == NULL or keys.taken * 100 >= (<uint64_t> MOST_FULL << keys.bits):
            self.grow(keys)
        mask = (<uint64_t> 1 << keys.bits) - 1
        slot = key * SPREAD >> (64 - keys.bits)
        while keys.slots[slot]:
            if keys.slots[slot] == key:
                return 0
            slot = (slot + 1) & mask
        keys.slots[slot] = key
        keys.taken += 1
        return 1

    cdef int grow(self, KeySet* keys) except -1 nogil:
        """Twice the room, for all that is there; the old room is needed until the new one is filled."""
        cdef int bits = keys.bits + 1 if keys.slots else FIRST_BITS
        cdef uint64_t size = <uint64_t> 1 << bits, mask = size - 1, i, slot
        cdef uint64_t used = 0
        cdef key_t* larger
        if self._keys.slots:
            used += <uint64_t> 1 << self._keys.bits
        if self._classes.slots:
            used += <uint64_t> 1 << self._classes.bits
        if (used + size) * sizeof(key_t) > <uint64_t> self.megabytes * MEGABYTE:
            with gil:
                raise MemoryBoundError(
                    f"more than {self.megabytes:,} MB would be needed to tell these positions apart "
                    f"({self.positions:,} were found so far); allow more memory, or count less deep")
        larger = <key_t*> PyMem_RawCalloc(size, sizeof(key_t))
        if larger == NULL:
            with gil:
                raise MemoryError(f"no room for {size:,} positions")
        if keys.slots:
            for i in range(<uint64_t> 1 << keys.bits):
                if keys.slots[i]:
                    slot = keys.slots[i] * SPREAD >> (64 - bits)
                    while larger[slot]:
                        slot = (slot + 1) & mask
                    larger[slot] = keys.slots[i]
        PyMem_RawFree(keys.slots)
        keys.slots = larger
        keys.bits = bits
        return 0


def count_distinct(Position position not None, depth, *, symmetric=False, megabytes=MEGABYTES):
    """The sequences of `depth` moves from here and the distinct positions they end in, as `DistinctPositions`."""
    found = DistinctPositions(symmetric=symmetric, megabytes=megabytes)
    found.add(position, depth)
    return found
