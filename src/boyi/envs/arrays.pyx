"""Positions as NumPy arrays: what networks see of them, and which actions are legal.

An *action* is a move by its policy index (`core.encoder`): the same number means the same move in every position of a
game under the same options, as the player who acts sees the board.

    >>> import boyi
    >>> from boyi.envs import encode, legal_actions, legal_mask
    >>> positions = [boyi.start("othello"), boyi.start("othello")]
    >>> positions[1].play("f5")
    >>> encode(positions).shape, legal_mask(positions).sum(axis=1).tolist()
    ((2, 192), [4, 3])
    >>> legal_actions(positions[1])
    {29: 29, 43: 43, 45: 45}
"""

from libc.stdint cimport uint8_t

from boyi.core.encoder cimport Encoder
from boyi.core.position cimport Position
from boyi.core.types cimport MAX_MOVES, move_t

import numpy as np

from boyi.core.errors import OptionError, shorten

_MOST_KEPT = 64
_kept = {}                     # encoders, by the name and the options of their game


cdef int refuse_shared(Position position, const move_t* moves, const int* actions, int n) except -1 nogil:
    cdef int i, j
    for i in range(n):
        for j in range(i):
            if actions[i] == actions[j]:
                with gil:
                    raise OptionError(
                        f"{position.format_move(moves[j])} and {position.format_move(moves[i])} would both be action "
                        f"{actions[i]} in {position!r}: to be played by actions, {position.game.name} needs an encoder "
                        f"of its own that tells them apart (Game.encoder) or, where they touch no point, to say how "
                        f"many such moves there may be (Game.moves_without_points)")
    return 0


def encoder_of(Position position not None):
    """The encoder for positions of this game under these options: made once, however often it is asked for."""
    cdef Encoder encoder
    key = position.game.module, position.options
    game, encoder = _kept.get(key, (None, None))
    if game is not position.game:
        encoder = position.game.make_encoder(position.options)
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        _kept[key] = position.game, encoder
    return encoder


def encode(positions):
    """The features of positions in which a player acts, as that player may know them: float32, (n, encoder.size).

    All positions are of one game under the same options.
    """
    cdef list rows = _read_positions(positions)
    cdef Encoder encoder = encoder_of(rows[0])
    cdef Position position
    cdef int i
    features = np.empty((len(rows), encoder.size), np.float32)
    cdef float[:, ::1] numbers = features
    for i in range(len(rows)):
        position = rows[i]
        encoder.check(position)
        if position.has_secrets:
            position = position.observe(position.side)
        encoder.encode(position, &numbers[i, 0])
    return features


def legal_mask(positions):
    """Which actions are legal in positions in which a player acts: bool, (n, encoder.policy_size)."""
    cdef list rows = _read_positions(positions)
    cdef Encoder encoder = encoder_of(rows[0])
    cdef move_t moves[MAX_MOVES]
    cdef int actions[MAX_MOVES]
    cdef int i, j
    mask = np.zeros((len(rows), encoder.policy_size), np.bool_)
    cdef uint8_t[:, ::1] bits = mask.view(np.uint8)
    for i in range(len(rows)):
        for j in range(_number_moves(encoder, rows[i], moves, actions)):
            bits[i, actions[j]] = 1
    return mask


def legal_actions(Position position not None):
    """The legal actions of a position in which a player acts, each with its move, in the order of `moves()`."""
    cdef move_t moves[MAX_MOVES]
    cdef int actions[MAX_MOVES]
    cdef int i, n = _number_moves(encoder_of(position), position, moves, actions)
    return {actions[i]: moves[i] for i in range(n)}


cdef int _number_moves(Encoder encoder, Position position, move_t* moves, int* actions) except -1:
    """All legal moves with their numbers; how many."""
    cdef int n
    encoder.check(position)
    n = position.generate(moves)
    encoder.index_all(position, moves, n, actions)
    refuse_shared(position, moves, actions, n)
    return n


cdef list _read_positions(positions):
    """Positions of one game under the same options, at least one."""
    cdef list rows = list(positions)
    if not rows:
        raise OptionError("there are no positions here: an array is made of at least one")
    for row in rows:
        if not isinstance(row, Position):
            raise OptionError(f"{shorten(row)} is not a position")
        if row.game is not rows[0].game or row.options != rows[0].options:
            raise OptionError(f"all positions of an array are of one game under the same options, and here are "
                              f"{rows[0].game.name} under {rows[0].options} and {row.game.name} under {row.options}")
    return rows
