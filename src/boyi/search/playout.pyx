"""Random games from start to end on the compiled side, for statistics, speed and rollouts."""

from libc.stdint cimport uint64_t

from boyi.core.position cimport Position
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, move_t
from boyi.core.random cimport next_random, random_below, random_unit


cdef int play_randomly(Position position, uint64_t* state, int most) except -1 nogil:
    """Play random moves until the game is over or `most` are made; how many were."""
    cdef move_t moves[MAX_MOVES]
    cdef double odds[MAX_MOVES]
    cdef double at
    cdef int n, made = 0, i
    while made < most:
        if position.side == CHANCE:
            n = position.chances(moves, odds)
            at = random_unit(state)
            i = 0
            while i < n - 1 and at >= odds[i]:
                at -= odds[i]
                i += 1
        else:
            n = position.generate(moves)
            if n == 0:
                break
            i = random_below(state, n)
        position.make(moves[i])
        made += 1
    return made


def playout(Position position not None, uint64_t seed=1, int most=100_000):
    """Finish the game from here with random moves; how many were made. The position moves on."""
    cdef uint64_t state = seed
    cdef int made
    next_random(&state)
    with nogil:
        made = play_randomly(position, &state, most)
    return made


def playouts(Position position not None, int games, uint64_t seed=1):
    """Play `games` random games from here and back; (moves made, sum of scores per player)."""
    cdef uint64_t state = seed
    cdef double scores[MAX_PLAYERS]
    cdef double sums[MAX_PLAYERS]
    cdef long long total = 0
    cdef int game, made, i
    for i in range(MAX_PLAYERS):
        sums[i] = 0
    next_random(&state)
    with nogil:
        for game in range(games):
            made = play_randomly(position, &state, 100_000)
            if position.over():
                position.score(scores)
                for i in range(position.players):
                    sums[i] += scores[i]
            for i in range(made):
                position.unmake()
            total += made
    return total, [sums[i] for i in range(position.players)]
