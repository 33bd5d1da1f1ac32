"""Random games from start to end on the compiled side, for statistics, speed and rollouts."""

from libc.stdint cimport uint64_t

from boyi.core.position cimport Position
from boyi.core.random cimport next_random, random_below, random_unit
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, move_t
from boyi.search.signals cimport check_signals

from boyi.core.errors import TextError, shorten
from boyi.core.record import Record

LONGEST = 100_000


cdef int pick_by_odds(double* odds, int n, uint64_t* state) noexcept nogil:
    """Draw one of n results by their odds."""
    cdef double at = random_unit(state)
    cdef int i = 0
    while i < n - 1 and at >= odds[i]:
        at -= odds[i]
        i += 1
    return i


cdef int play_randomly(Position position, uint64_t* state, int most) except -1 nogil:
    """Play random moves until the game is over or `most` are made; how many were."""
    cdef move_t moves[MAX_MOVES]
    cdef double odds[MAX_MOVES]
    cdef int n, made = 0, i
    while made < most:
        if position.side == CHANCE:
            n = position.chances(moves, odds)
            i = pick_by_odds(odds, n, state)
        else:
            n = position.generate(moves)
            if n == 0:
                break
            i = random_below(state, n)
        position.make(moves[i])
        made += 1
    return made


def playout(Position position not None, seed=1, most=LONGEST):
    """Finish the game from here with random moves; how many were made. The position moves on."""
    cdef uint64_t state = first_state(seed)
    cdef int made, limit = _read_count("most", most), before = position.ply
    try:
        with nogil:
            made = play_randomly(position, &state, limit)
    except BaseException:
        position.unmake_to(before)
        raise
    return made


def playouts(Position position not None, games, seed=1, *, records=False):
    """Play `games` random games from here and back; (moves made, sum of scores per player).

    A game that has not ended after `LONGEST` moves is broken off and scores nothing. With `records` the answer has
    a third part: the games themselves, each a `Record` from its start on.
    """
    cdef uint64_t state = first_state(seed)
    cdef double scores[MAX_PLAYERS]
    cdef double sums[MAX_PLAYERS]
    cdef long long total = 0
    cdef int number = _read_count("games", games), most = LONGEST, before = position.ply
    cdef int game, made, i
    cdef bint kept = records
    cdef list played = []
    for i in range(MAX_PLAYERS):
        sums[i] = 0
    try:
        with nogil:
            for game in range(number):
                if game % 256 == 255:
                    check_signals()
                made = play_randomly(position, &state, most)
                if position.over():
                    position.score(scores)
                    for i in range(position.players):
                        sums[i] += scores[i]
                if kept:
                    with gil:
                        played.append(Record.from_position(position))
                position.unmake_to(before)
                total += made
    except BaseException:
        position.unmake_to(before)
        raise
    totals = total, [sums[i] for i in range(position.players)]
    return (*totals, played) if kept else totals


cdef uint64_t first_state(seed) except? 0:
    """Any whole number seeds the generator."""
    if not isinstance(seed, int):
        raise TextError(f"{shorten(seed)} is not a seed: any whole number is")
    cdef uint64_t state = seed & 0xFFFFFFFFFFFFFFFF
    next_random(&state)
    return state


def _read_count(name, count):
    if not isinstance(count, int) or not 0 <= count <= 0x7FFFFFFF:
        raise TextError(f"{name}: {shorten(count)} is not a whole number from 0 to {0x7FFFFFFF}")
    return count
