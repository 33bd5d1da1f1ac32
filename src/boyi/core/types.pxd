"""The numbers that every compiled module shares."""

from libc.stdint cimport uint32_t, uint64_t

ctypedef uint32_t move_t   # a move; its bits mean something to its own game only
ctypedef uint64_t key_t    # what a position looks like to a hash table

cdef enum:
    CHANCE = -1            # as a turn: not a player but the dice act
    OVER = -2              # as a turn: nobody acts any more
    MAX_PLAYERS = 6
    MAX_MOVES = 2048       # more than any game can offer at once (15 pieces x 120 holes)
