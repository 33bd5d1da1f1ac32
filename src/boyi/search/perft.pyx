"""Count the leaves of the game tree: the first question to ask of any rules.

`perft(position, depth)` counts the sequences of `depth` moves. The last ply is
counted, not made ("bulk counting"). A game that ends earlier has no leaf at that
depth by chess players' custom and one by Othello players' (`Game.finished_is_leaf`).
"""

from boyi.core.position cimport Position
from boyi.core.types cimport MAX_MOVES, move_t
from boyi.search.signals cimport check_signals

from boyi.core.errors import TextError, shorten

DEEPEST = 64


cdef long long count_leaves(Position position, int depth, int finished) except -1 nogil:
    """The leaves `depth` plies below; depth > 0. A game that ends earlier has `finished` of them."""
    cdef move_t moves[MAX_MOVES]
    cdef long long leaves = 0
    cdef int i, n, below
    if depth == 1:
        n = position.count()
        return n if n else finished
    if depth > 5:
        check_signals()
    n = position.generate(moves)
    if n == 0:
        return finished
    for i in range(n):
        position.make(moves[i])
        if depth == 2:
            # The last ply, without one more call.
            below = position.count()
            leaves += below if below else finished
        else:
            leaves += count_leaves(position, depth - 1, finished)
        position.unmake()
    return leaves


def perft(Position position not None, depth):
    """How many sequences of `depth` moves the rules allow from here."""
    cdef int plies = read_depth(depth), before = position.ply, finished = position.game.finished_is_leaf
    cdef long long leaves
    if plies == 0:
        return 1
    try:
        with nogil:
            leaves = count_leaves(position, plies, finished)
    except BaseException:
        position.unmake_to(before)
        raise
    return leaves


def divide(Position position not None, depth):
    """`perft`, split by the first move: a dict from the move's text to its leaves."""
    cdef int plies = read_depth(depth)
    cdef dict split = {}
    for move in position.moves() if plies else ():
        text = position.format_move(move)
        position.play(move)
        try:
            split[text] = perft(position, plies - 1)
        finally:
            position.undo()
    return split


def read_depth(depth):
    """A number of plies that can be counted; anything else is refused."""
    if not isinstance(depth, int) or not 0 <= depth <= DEEPEST:
        raise TextError(f"a depth of {shorten(depth)} cannot be counted; 0 to {DEEPEST} can")
    return depth
