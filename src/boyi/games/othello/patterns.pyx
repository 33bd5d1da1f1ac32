"""The patterns of Othello: which points are read together, and what their discs are worth.

Twelve patterns (corners, edges, lines) with all their images under the eight symmetries of the
board make 46 instances. An instance reads its points as one number in base 3 and looks its weight
up in a table; the value of a position is the sum of 46 weights (Buro 1997, "Experiments with
Multi-ProbCut and a new high-quality evaluation function for Othello"). There is a set of
tables for every number of discs. `boyi learn patterns` makes them.

Numbers in base 3 are linear in the discs, so all 46 are found at once: per row of the board and
per way its discs can stand there is a vector of 48 contributions, and sixteen vectors are added.
Images that look alike (an edge read from the left or from the right) share one weight; the shared
weights are what is trained and stored ("packed"), the full tables are what is read.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from boyi.games.othello.endings cimport ENTRY_NAME, Entry

import lzma
from importlib.resources import files

from boyi.core.errors import BoyiError
from boyi.games.othello.processors import compiled_for, usable_processors

WEIGHTS_FILE = "patterns.xz"
"""The weights that come with the package; `patterns.json` beside it tells how they were made."""

PATTERNS = {
    "corner 3x3": "a1 b1 c1 a2 b2 c2 a3 b3 c3",
    "corner angle": "a5 a4 a3 a2 a1 b2 b1 c1 d1 e1",
    "edge and X": "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2",
    "edge block": "a1 c1 d1 e1 f1 h1 c2 d2 e2 f2",
    "row 2": "a2 b2 c2 d2 e2 f2 g2 h2",
    "row 3": "a3 b3 c3 d3 e3 f3 g3 h3",
    "row 4": "a4 b4 c4 d4 e4 f4 g4 h4",
    "diagonal 8": "a1 b2 c3 d4 e5 f6 g7 h8",
    "diagonal 7": "b1 c2 d3 e4 f5 g6 h7",
    "diagonal 6": "c1 d2 e3 f4 g5 h6",
    "diagonal 5": "d1 e2 f3 g4 h5",
    "diagonal 4": "e1 f2 g3 h4",
}
"""One image of each pattern, its points from the lowest digit to the highest."""

cdef uint32_t SHARED[INDICES]                # per index, the number of its packed weight
cdef int8_t* weights = NULL
cdef int packed = 0


def _images(place):
    """The eight images of a list of points, each a pair of column and row."""
    for points in (place, [(row, column) for column, row in place]):
        yield points
        yield [(7 - column, row) for column, row in points]
        yield [(column, 7 - row) for column, row in points]
        yield [(7 - column, 7 - row) for column, row in points]


def _lay_out():
    """Fill the tables above from PATTERNS; the number of packed weights."""
    cdef int row, discs, instance = 0, column, offset = 0, index, other, image, digit, best
    cdef int power[10]
    cdef int order[8][10]
    cdef int points, images, shared = 0
    memset(CONTRIBUTIONS, 0, sizeof(CONTRIBUTIONS))
    memset(OFFSETS, 0, sizeof(OFFSETS))
    power[0] = 1
    for digit in range(1, 10):
        power[digit] = 3 * power[digit - 1]
    for text in PATTERNS.values():
        place = [(ord(name[0]) - 97, int(name[1]) - 1) for name in text.split()]
        points, images, seen = len(place), 0, set()
        for turned in _images(place):
            if set(turned) == set(place):      # the pattern looks like itself: read in another order
                for digit in range(points):
                    order[images][digit] = place.index(turned[digit])
                images += 1
            if frozenset(turned) in seen:
                continue
            seen.add(frozenset(turned))
            OFFSETS[instance] = offset
            for digit in range(points):
                column, row = turned[digit]
                for discs in range(256):
                    if discs >> column & 1:
                        CONTRIBUTIONS[row][discs][instance] += power[digit]
            instance += 1
        # Indices that are images of each other share a weight, numbered by the lowest of them.
        for index in range(power[points - 1] * 3):
            best = index
            for image in range(images):
                other = 0
                for digit in range(points):
                    other += index // power[order[image][digit]] % 3 * power[digit]
                best = min(best, other)
            if best == index:
                SHARED[offset + index] = shared
                shared += 1
            else:
                SHARED[offset + index] = SHARED[offset + best]
        offset += power[points - 1] * 3
    assert instance == INSTANCES and offset == INDICES
    return shared


packed = _lay_out()
PACKED = packed
"""How many weights a stage has when images share theirs."""

STAGE_COUNT = STAGES
WEIGHT_UNIT = STEP / 200.0
"""One unit of a stored weight, in discs."""


# A package that is compiled for any processor calls what was compiled for this one. It is found with the weights, for
# those modules import this one.
cdef Entry* fastest = NULL


cdef int measure(uint64_t own, uint64_t other, uint16_t* numbers) noexcept nogil:
    add_rows(numbers, CONTRIBUTIONS, own, other)
    return 0


cdef int pattern_value(uint64_t own, uint64_t other) noexcept nogil:
    if HAS_GATHERS:
        return sum_of_patterns(own, other, CONTRIBUTIONS, OFFSETS, weights)
    return fastest.evaluate(own, other, CONTRIBUTIONS, OFFSETS, weights)


cdef int load_weights() except -1:
    """Read the weights of the package, once for the life of the process."""
    global fastest
    if fastest == NULL:
        fastest = <Entry*> PyCapsule_GetPointer(compiled_for(usable_processors()[0]).ENTRY, ENTRY_NAME)
    if weights == NULL:
        try:
            set_weights(lzma.decompress((files("boyi.games.othello") / WEIGHTS_FILE).read_bytes()))
        except (OSError, lzma.LZMAError) as error:
            raise BoyiError(f"the weights of Othello's patterns cannot be read from {WEIGHTS_FILE}: {error}; "
                            "`boyi learn patterns` makes them anew") from error
    return 0


def set_weights(data):
    """Play with these weights from now on: per stage PACKED signed bytes, in units of WEIGHT_UNIT."""
    global weights
    cdef const int8_t[::1] source = memoryview(data).cast("b")
    cdef int8_t* fresh
    cdef int stage, index
    if source.shape[0] != STAGES * packed:
        raise BoyiError(f"{source.shape[0]} bytes are not weights of the patterns: those are {STAGES} stages "
                        f"of {packed}, {STAGES * packed} bytes")
    fresh = <int8_t*> PyMem_RawMalloc(STAGES * <size_t> INDICES + SPARE)
    if fresh == NULL:
        raise MemoryError("no room for the weights of the patterns")
    for stage in range(STAGES):
        for index in range(INDICES):
            fresh[stage * <Py_ssize_t> INDICES + index] = source[stage * packed + SHARED[index]]
    if weights == NULL:
        weights = fresh
    else:                                      # evaluators may be reading: write over, never free
        memcpy(weights, fresh, STAGES * <size_t> INDICES)
        PyMem_RawFree(fresh)


def shared_indices(const uint64_t[::1] own not None, const uint64_t[::1] other not None,
                   uint32_t[:, ::1] indices not None):
    """Write into `indices`, for each position given by its bitboards, the numbers of its 46 packed weights."""
    cdef Py_ssize_t i
    cdef int instance
    cdef uint16_t numbers[LANES]
    if other.shape[0] != own.shape[0] or indices.shape[0] != own.shape[0] or indices.shape[1] != INSTANCES:
        raise ValueError(f"{own.shape[0]} positions need as many of the other's boards and rows of {INSTANCES} indices")
    with nogil:
        for i in range(own.shape[0]):
            measure(own[i], other[i], numbers)
            for instance in range(INSTANCES):
                indices[i, instance] = SHARED[OFFSETS[instance] + numbers[instance]]
