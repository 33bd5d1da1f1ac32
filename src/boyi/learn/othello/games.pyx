# cython: boundscheck=False, wraparound=False
# (the shapes are checked before the loop)
"""Othello games replayed in bulk: from points played to the positions on the way."""

from libc.stdint cimport int8_t, uint8_t, uint64_t

from boyi.core.bits cimport popcount
from boyi.games.othello.position cimport flips, mobility


def replay(const uint8_t[:, ::1] moves not None, uint64_t[:, ::1] own not None, uint64_t[:, ::1] other not None,
           int8_t[:, ::1] side not None):
    """Replay games given as WTHOR writes them: 60 bytes each, 10 · row + column from 1, passes left out, 0 at the end.

    Row s of the results is for positions with 4 + s discs, a column per game: the discs of the player to
    act and of the other, and 1 if that is Black, -1 if White, 0 where the game has no such position (or
    nobody could move). A game with an illegal move ends before it. Returns how many had one.
    """
    cdef Py_ssize_t game, games = moves.shape[0]
    cdef int number, byte, point, stage, black
    cdef uint64_t mine, theirs, turned
    cdef Py_ssize_t illegal = 0
    if (not own.shape[0] == other.shape[0] == side.shape[0] == 61
            or not own.shape[1] == other.shape[1] == side.shape[1] == games):
        raise ValueError(f"the results of {games} games are arrays of 61 x {games}")
    if moves.shape[1] != 60:
        raise ValueError("a game has 60 bytes")
    with nogil:
        for game in range(games):
            for stage in range(61):
                side[stage, game] = 0
            mine = (<uint64_t> 1 << 28) | (<uint64_t> 1 << 35)
            theirs = (<uint64_t> 1 << 27) | (<uint64_t> 1 << 36)
            black = 1
            for number in range(61):
                if mobility(mine, theirs) == 0:
                    mine, theirs, black = theirs, mine, -black
                    if mobility(mine, theirs) == 0:
                        break
                stage = popcount(mine | theirs) - 4
                own[stage, game] = mine
                other[stage, game] = theirs
                side[stage, game] = <int8_t> black
                byte = moves[game, number] if number < 60 else 0
                if byte == 0:
                    break
                point = 8 * (byte // 10 - 1) + byte % 10 - 1
                if (not (1 <= byte // 10 <= 8 and 1 <= byte % 10 <= 8)
                        or not mobility(mine, theirs) >> point & 1):
                    illegal += 1
                    break
                turned = flips(mine, theirs, point)
                mine, theirs, black = theirs ^ turned, mine ^ turned ^ (<uint64_t> 1 << point), -black
    return illegal
