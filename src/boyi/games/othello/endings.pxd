"""What the solver and the code that searches for it share: the table, and the state of one search."""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from boyi.kit.control cimport Control

cdef extern from *:
    """
    #define BOYI_ENDGAME "boyi.games.othello.endgame"
    """
    const char* ENTRY_NAME "BOYI_ENDGAME"      # of the capsule that a variant puts its Entry in

cdef enum:
    LONGEST = 128         # a line with a pass after every move
    EXACT = 255           # the level of certainty of a proof
    WAYS = 4              # cells where a position may be kept: one line of the processor's cache
    MARKS = 1 << 12       # places for what threads are searching, a power of two


cdef struct Known:                 # what is known of a position
    int8_t lower
    int8_t upper
    uint8_t move
    uint8_t empties                # how many: the more, the dearer
    uint8_t level                  # how certain the bounds are; EXACT if proven
    uint8_t spare
    uint16_t round                 # the number of the solve() that wrote it


cdef union Content:
    Known known
    uint64_t word


cdef struct Cell:                  # 16 bytes
    uint64_t check                 # 64 bits of the position's hash that do not decide the place, XOR the content:
    Content content                # what two threads wrote half each fits no position (Hyatt and Mann 2002)


cdef struct Cut:                   # what a shallow search tells about the margin, in hundredths of a disc: `probcut.py`
    int shallow                    # its plies; 0 where nothing is known
    double slope
    double offset
    double deviation


cdef struct Search:
    Control control
    Cell* cells                    # aligned to 64 bytes
    uint64_t mask                  # of places: the first cell of WAYS
    Cell* near                     # a small table, for positions near the end: it stays in the processor's cache
    uint64_t near_mask
    uint64_t* marks                # of positions that some thread is searching; NULL where there is only one
    bint done                      # the answer is `margin`: it was not stopped before
    int margin
    uint16_t round
    int level                      # how certain a bound must be: from 0 (73 %) to EXACT
    double deviations              # ... in standard deviations, for ProbCut; of no meaning when EXACT
    bint prepare                   # search selectively first, for a value to begin with and for moves to try first
    Cut cuts[65]                   # per number of empty points
    bint parity                    # the switches of SolverOptions
    bint stability
    bint transpositions
    bint table
    bint patterns
    const int8_t* weights          # of the patterns, see patterns.pxd
    const uint16_t (*contributions)[256][48]   # 48 is LANES, which C would not know in `patterns` itself
    const int32_t* offsets
    int length[LONGEST + 1]
    uint8_t line[LONGEST + 1][LONGEST + 1]


cdef struct Entry:                 # what a compiled variant of `endgame` offers
    # The margin between alpha and beta, more or less certain; the line that leads there in line[0].
    int (*solve)(Search* search, uint64_t own, uint64_t other, int alpha, int beta) noexcept nogil
    uint64_t (*flips)(uint64_t own, uint64_t other, int point) noexcept nogil
    uint64_t (*mobility)(uint64_t own, uint64_t other) noexcept nogil
    # The value of a search of fixed depth with the pattern evaluation, in hundredths of a disc.
    int (*value)(Search* search, uint64_t own, uint64_t other, int depth) noexcept nogil
    # `sum_of_patterns` of patterns.pxd.
    int (*evaluate)(uint64_t own, uint64_t other, const uint16_t (*contributions)[256][48], const int32_t* offsets,
                    const int8_t* weights) noexcept nogil
