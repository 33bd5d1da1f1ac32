# cython: boundscheck=False, wraparound=False
# (lengths are checked once, before the loops)
"""From games in shards to what a network is shown: replayed move by move, on the compiled side.

    encode     the kept positions of games, as rows of bytes with all that a fit asks of them

Nothing is written as text and read again. Where players see different things, each player's view of the game is played
along: it is told of every event that is legal in it, for what a player is not told of, their view does not await. At
the end of a game the views are compared with what the referee's position says a player knows.
"""

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy, memset

from boyi.core.position cimport Position
from boyi.core.python_position cimport PythonPosition
from boyi.core.random cimport random_below
from boyi.core.types cimport CHANCE, MAX_MOVES, key_t, move_t
from boyi.kit.nnue cimport MAX_PLACES, NetEvaluator
from boyi.search.keyset cimport KeySet

from boyi.core.errors import BoyiError

cdef enum:
    SIDE = 0                   # columns of `facts`
    FIRST_VIEW = 1
    SECOND_VIEW = 2
    BUCKET = 3
    IMITATED = 4
    FACTS = 5

    HAND = 0                   # columns of `labels`
    SEARCHED = 1
    RESULT = 2
    LABELS = 3


cdef class Encoder:
    """Encodes the kept positions of games; one that was there before, in these games or earlier ones, is left out."""

    cdef NetEvaluator evaluator
    cdef Position start
    cdef KeySet seen
    cdef int imitated
    cdef bint secrets
    cdef bint asks                   # views are asked for, not played along
    cdef uint8_t[:, ::1] codes
    cdef uint8_t[:, ::1] facts
    cdef int16_t[:, ::1] labels
    cdef int64_t[::1] families
    cdef Py_ssize_t count

    def __init__(self, NetEvaluator evaluator not None, Position start not None, int imitated=0):
        """`evaluator` has a base, which is asked for the hand-written evaluation. Per position, `imitated` more are
        encoded, a few random moves away."""
        if evaluator.base is None:
            raise ValueError("an evaluator with a base is needed")
        if start.side >= 0:
            evaluator.check(start)
        self.evaluator, self.start, self.imitated = evaluator, start, imitated
        self.seen = KeySet()
        self.secrets = start.has_secrets
        self.asks = isinstance(start, PythonPosition)

    @property
    def distinct(self):
        """Positions that were encoded so far, without imitated ones."""
        return len(self.seen)

    def encode(self, starts, const uint32_t[::1] families not None, const uint32_t[::1] plies not None,
               const int8_t[::1] results not None, const uint32_t[::1] moves not None,
               const int16_t[::1] values not None, const uint8_t[::1] kept not None, int64_t first_family,
               uint8_t[:, ::1] codes not None, uint8_t[:, ::1] facts not None, int16_t[:, ::1] labels not None,
               int64_t[::1] numbers not None):
        """Write the positions of games into the arrays, from their beginning; the number of positions.

        `first_family` is added to what `numbers` gets, so that sets of games are kept apart.
        """
        cdef Py_ssize_t game, ply = 0, last, room = codes.shape[0], wanted = 0, i
        cdef Position position, here, one = None, two = None
        cdef int result
        if not len(starts) == families.shape[0] == plies.shape[0] == results.shape[0]:
            raise ValueError("a start, a family, plies and a result per game are needed")
        for game in range(plies.shape[0]):
            ply += plies[game]
        for i in range(kept.shape[0]):
            wanted += kept[i] != 0
        if not ply == moves.shape[0] == values.shape[0] == kept.shape[0]:
            raise ValueError("a move, a value and a mark per ply are needed")
        if (room < wanted * (1 + self.imitated) or facts.shape[0] < room or labels.shape[0] < room
                or numbers.shape[0] < room or codes.shape[1] != self.evaluator.places or facts.shape[1] != FACTS
                or labels.shape[1] != LABELS):
            raise ValueError(f"the arrays have no room for {wanted * (1 + self.imitated)} positions")
        self.codes, self.facts, self.labels, self.families = codes, facts, labels, numbers
        self.count = 0
        ply = 0
        for game in range(plies.shape[0]):
            position = self.start.game.parse(starts[game], **self.start.options) if starts[game] else self.start.copy()
            if self.secrets and not self.asks:
                one, two = position.observe(0), position.observe(1)
            last = ply + plies[game]
            while ply < last:
                if kept[ply]:
                    if position.side < 0 or position.over():
                        raise BoyiError(f"a position is kept in which no player acts: {position.to_text()}")
                    if not self.secrets:
                        here = position
                    elif self.asks:
                        here = position.observe(position.side)
                    else:
                        here = one if position.side == 0 else two
                    result = results[game] if position.side == 0 else -results[game]
                    if self.seen.add(here.key()):
                        self.write(here, values[ply], result, first_family + families[game], 0)
                        if self.imitated:
                            self.write_near(here, first_family + families[game])
                self.advance(position, moves[ply], True)
                if self.secrets and not self.asks:
                    self.advance(one, moves[ply], False)
                    self.advance(two, moves[ply], False)
                ply += 1
            if self.secrets and not self.asks and not position.over():
                for i in range(2):
                    here = position.observe(i)
                    if here.key() != (one if i == 0 else two).key():
                        raise BoyiError(f"what player {i} knows does not follow from what they were told: "
                                        f"{here.to_text()}")
        self.codes = self.facts = None
        self.labels = None
        self.families = None
        return self.count

    cdef int advance(self, Position position, move_t move, bint must) except -1:
        """Make a move of a file, which may be nonsense, or in a player's view unseen."""
        if position.legal(move):
            position.make(move)
        elif must:
            raise BoyiError(f"move {move} is not legal in {position.to_text()}: the games are of other rules")
        return 0

    cdef int write(self, Position position, int searched, int result, int64_t family, int imitated) except -1:
        cdef Py_ssize_t row = self.count
        cdef uint8_t codes[MAX_PLACES]
        cdef NetEvaluator evaluator = self.evaluator
        memset(codes, 0, sizeof(codes))
        evaluator.encode(position, codes)
        memcpy(&self.codes[row, 0], codes, evaluator.places)
        self.facts[row, SIDE] = position.side
        self.facts[row, FIRST_VIEW] = self.facts[row, SECOND_VIEW] = 0
        if evaluator.views > 1:
            self.facts[row, FIRST_VIEW] = evaluator.view(position, 0)
            self.facts[row, SECOND_VIEW] = evaluator.view(position, 1)
        self.facts[row, BUCKET] = evaluator.bucket(position)
        self.facts[row, IMITATED] = imitated
        self.labels[row, HAND] = evaluator.base.evaluate(position)
        self.labels[row, SEARCHED] = searched
        self.labels[row, RESULT] = result
        self.families[row] = family
        self.count += 1
        return 0

    cdef int write_near(self, Position position, int64_t family) except -1:
        """Positions a few random moves away, the same for the same position."""
        cdef move_t moves[MAX_MOVES]
        cdef key_t state = position.key()
        cdef int ply = position.ply, number, _i
        for _i in range(self.imitated):
            number = position.generate(moves)
            position.make(moves[random_below(&state, number)])
            while position.side == CHANCE:
                number = position.generate(moves)
                position.make(moves[random_below(&state, number)])
            if position.side < 0 or position.over():
                break
            self.write(position, 0, 0, family, 1)
        position.unmake_to(ply)
        return 0
