"""The board of xiangqi and jieqi as bits, and all that pieces can do on it.

A square is 9*rank + file, rank 0 being Red's back rank and file 0 the a-file; a
set of squares is a 90-bit word. Besides the sets, the grid keeps the occupancy
of every rank (9 bits) and file (10 bits), by which a line is looked up whole.

What stands on a square is a *walking kind*: what the piece moves as. In xiangqi
that is what it is. In jieqi a covered piece walks as the piece whose starting
point it stands on, and turned-up advisors and elephants walk as ROAMING ones.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from boyi.core.bits cimport lowest, popcount
from boyi.core.types cimport key_t, move_t

cdef extern from *:
    """
    typedef unsigned __int128 boyi_squares;
    """
    ctypedef unsigned long long squares_t "boyi_squares"   # a set of squares (Cython need not know its true width)

cdef enum:
    RED = 0
    BLACK = 1
    EMPTY = 0
    KING = 1
    ADVISOR = 2
    ELEPHANT = 3
    HORSE = 4
    ROOK = 5
    CANNON = 6
    PAWN = 7
    ROAMING_ADVISOR = 8
    ROAMING_ELEPHANT = 9
    KINDS = 10
    SQUARES = 90
    COLOUR = 16            # a piece is its kind, plus COLOUR for Black

cdef enum:                 # how far a line is looked along
    FIRST = 0              # all squares up to the first piece each way, and that piece
    SECOND = 1             # the second piece each way
    THIRD = 2              # the third


cdef struct Grid:
    squares_t pieces[2][KINDS]     # per side and kind; kind 0 holds all pieces of the side
    uint16_t ranks[12]             # occupancy of rank r at ranks[r + 1]; the first and last stay empty
    uint16_t files[9]
    uint8_t cells[SQUARES]         # the piece on each square, or EMPTY
    uint8_t kings[2]               # their squares
    key_t key                      # Zobrist key of the pieces, without the side to move


cdef inline int side_of(int piece) noexcept nogil:
    return piece >> 4


cdef inline int kind_of(int piece) noexcept nogil:
    return piece & 15


cdef inline move_t move_between(int origin, int target) noexcept nogil:
    return <move_t> (origin | target << 7)


cdef inline int mirror_of(int square) noexcept nogil:
    """The square where left and right are exchanged."""
    return square + 8 - 2 * (square % 9)


cdef inline int origin_of(move_t move) noexcept nogil:
    return move & 127


cdef inline int target_of(move_t move) noexcept nogil:
    return move >> 7 & 127


cdef inline int first_square(squares_t squares) noexcept nogil:
    """The lowest square of a set that is not empty."""
    cdef uint64_t low = <uint64_t> squares
    return lowest(low) if low else 64 + lowest(<uint64_t> (squares >> 64))


cdef inline int size_of(squares_t squares) noexcept nogil:
    return popcount(<uint64_t> squares) + popcount(<uint64_t> (squares >> 64))


cdef inline move_t null_move(Grid* grid) noexcept nogil:
    """From some empty square to the same: `relocate` and `replace` change nothing by it."""
    cdef squares_t occupied = grid.pieces[0][EMPTY] | grid.pieces[1][EMPTY]
    cdef int square = first_square(~occupied)
    return move_between(square, square)


cdef squares_t square_set(int square) noexcept nogil
cdef int clear(Grid* grid) noexcept nogil
cdef int put(Grid* grid, int square, int piece) noexcept nogil          # on an empty square
cdef int take(Grid* grid, int square) noexcept nogil                    # from an occupied one; the piece
cdef int relocate(Grid* grid, int origin, int target) noexcept nogil    # capturing; the captured piece or EMPTY
cdef int replace(Grid* grid, int origin, int target, int captured) noexcept nogil   # the way back
cdef key_t side_key() noexcept nogil                                    # to be XORed in when Black is to move
cdef key_t piece_key(int square, int piece) noexcept nogil
cdef squares_t seen(Grid* grid, int square, int level) noexcept nogil
cdef bint attacked(Grid* grid, int square, int by) noexcept nogil       # could a king of the other side be taken here?
cdef bint safe(Grid* grid, int origin, int target) noexcept nogil       # does this move leave its own king safe?
cdef squares_t reach(Grid* grid, int square) noexcept nogil             # where the piece can go, safe or not
cdef squares_t strikes(Grid* grid, int square) noexcept nogil           # where it takes an enemy or guards a friend
cdef squares_t struck(Grid* grid, squares_t pieces, int side, int kind) noexcept nogil   # `strikes` of many of a kind
cdef bint is_legal(Grid* grid, int side, int origin, int target) noexcept nogil
cdef int write_moves(Grid* grid, int side, move_t* moves) noexcept nogil  # all legal moves; how many
cdef int count_moves(Grid* grid, int side) noexcept nogil                 # how many, without writing them
cdef int write_captures(Grid* grid, int side, move_t* moves) noexcept nogil  # the legal moves that take; how many
cdef int write_quiets(Grid* grid, int side, move_t* moves) noexcept nogil    # all others; how many
cdef bint would_check(Grid* grid, int origin, int target) noexcept nogil     # does this move attack the other king?
cdef int value_on(const int* values, int side, int kind, int square) noexcept nogil   # a pawn across is worth two
# The pieces of one kind that reach a square on which a piece of the other side stands.
cdef squares_t capturers(Grid* grid, int square, int side, int kind) noexcept nogil
# Take a piece off the board, or put it back, as far as `capturers` looks.
cdef int toggle(Grid* grid, int square, int side, int kind) noexcept nogil
# What a capture wins once both sides have taken on its square as long as it pays, by the nominal value of each kind.
# Pins are ignored, but a king never takes what is protected.
cdef int exchange_value(Grid* grid, int origin, int target, const int* values) noexcept nogil
# Is that at least `least`? Also of a move to an empty square. The grid is left as it was.
cdef bint exchange_is_at_least(Grid* grid, int origin, int target, const int* values, int least) noexcept nogil
