"""The rules of Othello. Black (player 0) begins; a player without a move passes.

The game is over as soon as neither side can move, so a pass is always followed
by a move and two passes in a row never have to be played.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport uint64_t

from boyi.core.bits cimport lowest, mix, popcount
from boyi.core.position cimport Position
from boyi.core.rules cimport Rules
from boyi.core.types cimport key_t, move_t
from boyi.kit.images cimport fill_images
from boyi.games.othello.discs cimport flips_of, lay_out_discs, mobility_of
from boyi.games.othello.endings cimport ENTRY_NAME, Entry
from boyi.games.othello.lanes cimport HAS_VECTORS

from boyi.core.board import Change, Stone
from boyi.core.errors import IllegalMoveError, TextError, shorten
from boyi.core.words import Words
from boyi.games.othello.processors import compiled_for, usable_processors

lay_out_discs()

# A package that is compiled for any processor calls what was compiled for this one.
cdef object _fastest = compiled_for(usable_processors()[0]).ENTRY
cdef Entry* fastest = <Entry*> PyCapsule_GetPointer(_fastest, ENTRY_NAME)


cdef uint64_t mobility(uint64_t own, uint64_t other) noexcept nogil:
    return mobility_of(own, other) if HAS_VECTORS else fastest.mobility(own, other)


cdef uint64_t flips(uint64_t own, uint64_t other, int point) noexcept nogil:
    return flips_of(own, other, point) if HAS_VECTORS else fastest.flips(own, other, point)


cdef inline uint64_t _mirror(uint64_t word) noexcept nogil:
    """Left and right exchanged."""
    word = ((word >> 1) & <uint64_t> 0x5555555555555555) | ((word & <uint64_t> 0x5555555555555555) << 1)
    word = ((word >> 2) & <uint64_t> 0x3333333333333333) | ((word & <uint64_t> 0x3333333333333333) << 2)
    return ((word >> 4) & <uint64_t> 0x0F0F0F0F0F0F0F0F) | ((word & <uint64_t> 0x0F0F0F0F0F0F0F0F) << 4)


cdef inline uint64_t _transpose(uint64_t word) noexcept nogil:
    """Rows and columns exchanged."""
    cdef uint64_t t
    t = (word ^ (word >> 7)) & <uint64_t> 0x00AA00AA00AA00AA
    word ^= t ^ (t << 7)
    t = (word ^ (word >> 14)) & <uint64_t> 0x0000CCCC0000CCCC
    word ^= t ^ (t << 14)
    t = (word ^ (word >> 28)) & <uint64_t> 0x00000000F0F0F0F0
    return word ^ t ^ (t << 28)


cdef uint64_t CORNERS = 0x8100000000000081

# Where each image puts each point, and where it has it from.
cdef move_t IMAGES[8][64]
cdef move_t ORIGINALS[8][64]


fill_images(IMAGES, ORIGINALS, 64, _mirror, _transpose)


cdef class OthelloPosition(Position):
    """A position of Othello."""

    def __init__(self, game, options):
        Position.__init__(self, game, options)
        self._records(sizeof(Record))
        self.has_promises = True
        self.discs[0] = (<uint64_t> 1 << 28) | (<uint64_t> 1 << 35)
        self.discs[1] = (<uint64_t> 1 << 27) | (<uint64_t> 1 << 36)
        self.start_text = self.to_text()

    cdef int generate(self, move_t* moves) except -1 nogil:
        cdef uint64_t places = mobility(self.discs[self.side], self.discs[self.side ^ 1])
        cdef int n = 0
        if places == 0:
            if mobility(self.discs[self.side ^ 1], self.discs[self.side]) == 0:
                return 0
            moves[0] = PASS
            return 1
        while places:
            moves[n] = lowest(places)
            places &= places - 1
            n += 1
        return n

    cdef int count(self) except -1 nogil:
        cdef uint64_t own = self.discs[self.side]
        cdef uint64_t other = self.discs[self.side ^ 1]
        cdef uint64_t places = mobility(own, other)
        if places:
            return popcount(places)
        return mobility(other, own) != 0

    cdef int legal(self, move_t move) except -1 nogil:
        cdef uint64_t own = self.discs[self.side], other = self.discs[self.side ^ 1]
        if move < PASS:
            return not (own | other) >> move & 1 and flips(own, other, move) != 0
        return move == PASS and mobility(own, other) == 0 and mobility(other, own) != 0

    cdef int make(self, move_t move) except -1 nogil:
        cdef Record* record = <Record*> self.push()
        cdef int side = self.side
        cdef uint64_t own = self.discs[side], other = self.discs[side ^ 1], flipped
        record.move = move
        record.own = own
        record.other = other
        if move != PASS:
            flipped = flips(own, other, move)
            self.discs[side] = own ^ flipped ^ (<uint64_t> 1 << move)
            self.discs[side ^ 1] = other ^ flipped
        self.side = side ^ 1
        return 0

    cdef int unmake(self) except -1 nogil:
        cdef Record* record = <Record*> self.pop()
        cdef int side = self.side ^ 1
        self.side = side
        self.discs[side] = record.own
        self.discs[side ^ 1] = record.other
        return 0

    cdef key_t key(self) noexcept nogil:
        return _key(self.discs[0], self.discs[1], self.side)

    cdef key_t canonical_key(self, int* image) except? 0 nogil:
        """Of eight images, each the last one mirrored or transposed."""
        cdef uint64_t black = self.discs[0], white = self.discs[1]
        cdef key_t best = _key(black, white, self.side), one
        cdef int i
        image[0] = 0
        for i in range(1, 8):
            if i & 1:
                black = _mirror(black)
                white = _mirror(white)
            else:
                black = _transpose(black)
                white = _transpose(white)
            one = _key(black, white, self.side)
            if one < best:
                best = one
                image[0] = i
        return best

    cdef int images(self) noexcept nogil:
        return 8

    cdef move_t image_of(self, move_t move, int image) noexcept nogil:
        return IMAGES[image][move] if move < PASS else move

    cdef move_t original_of(self, move_t move, int image) noexcept nogil:
        return ORIGINALS[image][move] if move < PASS else move

    cdef int promise(self, move_t move) noexcept nogil:
        """Few replies for the opponent ("fastest first"), and corners."""
        cdef uint64_t own = self.discs[self.side], other = self.discs[self.side ^ 1], flipped, replies
        if move == PASS:
            return 0
        flipped = flips(own, other, move)
        replies = mobility(other ^ flipped, own ^ flipped ^ (<uint64_t> 1 << move))
        return CORNER * <int> (CORNERS >> move & 1) - REPLY * (popcount(replies) + popcount(replies & CORNERS))

    cdef int score(self, double* scores) except -1 nogil:
        cdef int black = popcount(self.discs[0]), white = popcount(self.discs[1])
        scores[0] = (black > white) - (black < white)
        scores[1] = -scores[0]
        return 0

    cdef int copy_state(self, Rules other) except -1:
        self.discs = (<OthelloPosition> other).discs
        return 0

    # ------------------------------------------------------------------ words and pictures

    def margin(self):
        """Black's discs minus White's; of a finished game, the empty points go to the winner."""
        cdef int black = popcount(self.discs[0]), white = popcount(self.discs[1])
        cdef int empty = 64 - black - white
        if not self.over():
            return black - white
        return black - white + empty * ((black > white) - (black < white))

    def reason(self):
        margin = self.margin()
        discs = f"{popcount(self.discs[0])}–{popcount(self.discs[1])}"
        if margin == 0:
            return "no_moves", Words(f"neither side can move; {discs}, a draw",
                                     f"双方均无棋可下；{discs}，和棋")
        return "no_moves", Words(
            f"neither side can move; {discs}, {'Black' if margin > 0 else 'White'} wins by {abs(margin)}",
            f"双方均无棋可下；{discs}，{'黑' if margin > 0 else '白'}胜{abs(margin)}子")

    def to_text(self):
        cdef int i
        text = "".join("X" if self.discs[0] >> i & 1 else "O" if self.discs[1] >> i & 1 else "-"
                       for i in range(64))
        return f"{text} {'XO'[self.side]}"

    def set_text(self, text):
        """Read the form of `to_text`, OBF lines without scores, FEN-like rows (`8/8/8/3wb3/…`) or rows by line."""
        if not isinstance(text, str) or not text.isascii() or len(text) > 200:
            raise _not_a_position(text)
        fields = text.strip().removesuffix(";").split()
        if len(fields) not in (2, 9):
            raise _not_a_position(text)
        rows, side = fields[:-1], fields[-1].upper()
        if "/" in rows[0]:
            rows = ["".join("-" * int(c) if c in "12345678" else c for c in row) for row in rows[0].split("/")]
        if len(rows) != 1 and (len(rows) != 8 or any(len(row) != 8 for row in rows)):
            raise TextError(f"{shorten(text)} is not an Othello board: it takes 8 rows of 8 points")
        cells = "".join(rows).upper().translate(_DISCS)
        if len(cells) != 64 or set(cells) - set("XO-"):
            raise TextError(f"{shorten(' '.join(fields[:-1]))} is not an Othello board: it takes 64 points, "
                            "each X (Black), O (White) or - (empty)")
        if side.translate(_DISCS) not in ("X", "O"):
            raise TextError(f"{shorten(fields[-1])} is not a side to move: X (Black) or O (White)")
        cdef int i
        self.discs[0] = self.discs[1] = 0
        for i in range(64):
            if cells[i] == "X":
                self.discs[0] |= <uint64_t> 1 << i
            elif cells[i] == "O":
                self.discs[1] |= <uint64_t> 1 << i
        self.side = side.translate(_DISCS) == "O"
        self.ply = 0
        self.start_text = self.to_text()

    def format_move(self, move):
        return "pass" if move == PASS else point_name(move)

    def parse_move(self, text):
        cdef move_t move
        word = text.strip().lower() if isinstance(text, str) and text.isascii() else ""
        if word in ("pass", "--", "pa", "ps"):
            move = PASS
        elif len(word) == 2 and "a" <= word[0] <= "h" and "1" <= word[1] <= "8":
            move = ord(word[0]) - 97 + 8 * (ord(word[1]) - 49)
        else:
            raise TextError(f"{shorten(text)} is not an Othello move: a point from a1 to h8, or pass")
        if not self.legal(move):
            raise IllegalMoveError(self._refusal(shorten(text)))
        return move

    def path(self, move):
        return () if move == PASS else (point_name(move),)

    def stones(self):
        cdef int i
        return [Stone(point_name(i), "X" if self.discs[0] >> i & 1 else "O")
                for i in range(64) if (self.discs[0] | self.discs[1]) >> i & 1]

    def changes(self, move):
        cdef int i
        if not self.is_legal(move):
            raise IllegalMoveError(self._refusal(shorten(move)))
        if move == PASS:
            return []
        own = "XO"[self.side]
        cdef uint64_t flipped = flips(self.discs[self.side], self.discs[self.side ^ 1], move)
        return [Change("placed", point_name(move), own)] + [
            Change("flipped", point_name(i), own) for i in range(64) if flipped >> i & 1]


cdef inline key_t _key(uint64_t black, uint64_t white, int side) noexcept nogil:
    return mix(mix(black + <uint64_t> 0x9E3779B97F4A7C15) ^ white) ^ (<uint64_t> 0xD1B54A32D192ED03 * side)


_DISCS = str.maketrans("BW*.", "XOX-")   # other people's signs for discs and empty points


def _not_a_position(text):
    return TextError(f"{shorten(text)} is not an Othello position: 64 points, each X (Black), O (White) or - (empty), "
                     "row by row from a1, then a space and the side to move, X or O")


def point_name(point):
    """From 0 … 63 to a1 … h8."""
    if not 0 <= point < 64:
        raise IllegalMoveError(f"{shorten(point)} is not a point of the board, 0 to 63, nor {PASS}, a pass")
    return f"{chr(97 + point % 8)}{point // 8 + 1}"
