"""The rules of xiangqi: whose move, what is legal, when and why the game is over.

How pieces move is in `grid`, who is to blame for a repetition in `repetition`.
A position knows checks, counters and repetition as soon as a move is made; that a
side has no legal move (mate or stalemate, both lose) shows when moves are generated.
"""

from libc.stdint cimport uint8_t, uint64_t

from boyi.core.position cimport Position
from boyi.core.rules cimport FRESH, REPEAT_DRAWS, REPEAT_LOSES, REPEAT_WINS, Rules
from boyi.core.types cimport OVER, key_t, move_t
from boyi.games.xiangqi.grid cimport (
    ADVISOR,
    BLACK,
    CANNON,
    COLOUR,
    ELEPHANT,
    EMPTY,
    HORSE,
    KING,
    KINDS,
    PAWN,
    RED,
    ROOK,
    SQUARES,
    Grid,
    attacked,
    clear,
    count_moves,
    exchange_is_at_least,
    exchange_value,
    first_square,
    is_legal,
    kind_of,
    mirror_of,
    move_between,
    null_move,
    origin_of,
    piece_key,
    put,
    relocate,
    replace,
    side_key,
    side_of,
    squares_t,
    target_of,
    value_on,
    would_check,
    write_captures,
    write_moves,
    write_quiets,
)
from boyi.games.xiangqi.repetition cimport (
    AXF,
    CHECKS,
    CXA,
    MUTUAL_ATTACK,
    MUTUAL_CHECK,
    PERPETUAL_CHASE,
    PERPETUAL_CHECK,
    SIMPLE,
    Deed,
    Ruling,
    inspect,
    judge,
)

from boyi.core.board import Change, Stone
from boyi.core.errors import IllegalMoveError, TextError, shorten
from boyi.core.words import Words
from boyi.games.xiangqi.fen import LETTERS, SIDES, START, read_fen, read_squares, square_name
from boyi.games.xiangqi.piece_values import PIECE_VALUES

RULE_SETS = {"cxa": CXA, "axf": AXF, "checks": CHECKS, "simple": SIMPLE}

cdef int piece_values[KINDS]          # in exchanges
for _letter, _value in PIECE_VALUES.items():
    piece_values[<int> LETTERS.index(_letter)] = _value


cdef inline key_t _mixed(squares_t one, squares_t other) noexcept nogil:
    """A key of two sets of squares."""
    return (<uint64_t> one * <uint64_t> 0x9E3779B97F4A7C15 + <uint64_t> (one >> 64) * <uint64_t> 0xBF58476D1CE4E5B9
            + <uint64_t> other * <uint64_t> 0xC2B2AE3D27D4EB4F
            + <uint64_t> (other >> 64) * <uint64_t> 0x94D049BB133111EB)


cdef class XiangqiPosition(Position):
    """A position of xiangqi. Player 0 is Red, who moves first."""

    def __init__(self, game, options):
        Position.__init__(self, game, options)
        self._records(sizeof(Record))
        self.staged = self.has_checks = True
        self.rules = <RuleSet> <int> RULE_SETS[options["rules"]]
        self.mate_threats = options["mate_threats"]
        self.quiet_limit = options["quiet_limit"]
        self.counted_checks = options["counted_checks"]
        self.bare_material_draws = options["bare_material_draws"]
        self.set_text(START)

    # ------------------------------------------------------------------ the C side

    cdef int generate(self, move_t* moves) except -1 nogil:
        if self.side == OVER:
            return 0
        return write_moves(&self.grid, self.side, moves)

    cdef int count(self) except -1 nogil:
        if self.side == OVER:
            return 0
        return count_moves(&self.grid, self.side)

    cdef int legal(self, move_t move) except -1 nogil:
        if self.side == OVER or move >> 14:
            return 0
        return is_legal(&self.grid, self.side, origin_of(move), target_of(move))

    cdef int make(self, move_t move) except -1 nogil:
        cdef Record* record = <Record*> self.push()
        self.remember(record, move)
        record.captured = relocate(&self.grid, origin_of(move), target_of(move))
        return self.conclude(record.captured != EMPTY)

    cdef int unmake(self) except -1 nogil:
        cdef Record* record = <Record*> self.pop()
        self.recall(record)
        replace(&self.grid, origin_of(record.move), target_of(record.move), record.captured)
        self.acting ^= 1
        self.side = self.acting
        return 0

    cdef int remember(self, Record* record, move_t move) noexcept nogil:
        record.move = move
        record.captured = EMPTY
        record.checked = self.checked
        record.checks = self.checks
        record.quiet = self.quiet
        record.reversible = self.reversible
        record.number = self.number
        record.key = self.key()
        return 0

    cdef int recall(self, Record* record) noexcept nogil:
        self.checked = record.checked
        self.checks = record.checks
        self.quiet = record.quiet
        self.reversible = record.reversible
        self.number = record.number
        self.ending = NONE
        return 0

    cdef int conclude(self, bint progress) except -1 nogil:
        """After a move: hand over the turn, count, and see whether the game is over.

        `progress` says that the move captured (or revealed) something, so that no
        earlier position can come back and the counters start anew.
        """
        cdef int previous, mover = self.acting
        self.acting ^= 1
        self.side = self.acting
        self.number += mover
        self.checked = attacked(&self.grid, self.grid.kings[self.side], mover)
        if progress:
            self.quiet = 0
            self.reversible = 0
            self.checks[RED] = self.checks[BLACK] = 0
            if self.bare_material_draws and self._bare() and count_moves(&self.grid, self.side):
                self.side = OVER
                self.ending = BARE_MATERIAL
            return 0
        self.reversible += 1
        if self.checked and self.checks[mover] < 255:
            self.checks[mover] += 1
        if not self.checked or self.checks[mover] <= self.counted_checks:
            self.quiet += 1
        # The third occurrence is judged by the cycle since the second.
        if self.reversible >= 8:
            previous = self.previous_occurrence(self.ply)
            if previous >= 0 and self.previous_occurrence(previous) >= 0:
                self.ruling = judge(&self.grid, <move_t*> self.record(previous), self.ply - previous,
                                    self._record_bytes, self.rules, self.mate_threats)
                self.side = OVER
                self.ending = REPETITION
                return 0
        # A mate given by the last counted move still wins.
        if self.quiet_limit and self.quiet >= self.quiet_limit and count_moves(&self.grid, self.side):
            self.side = OVER
            self.ending = QUIET_LIMIT
        return 0

    cdef int previous_occurrence(self, int before) noexcept nogil:
        """The last ply before ply `before` at which the present position stood, or -1."""
        cdef int ply = before - 4 if before == self.ply else before - 2
        cdef int first = self.ply - self.reversible
        cdef key_t key = self.key()
        while ply >= first:
            if (<Record*> self.record(ply)).key == key:
                return ply
            ply -= 2
        return -1

    cdef bint _bare(self) noexcept nogil:
        """Has neither side a piece that can cross the river?"""
        cdef int side
        for side in range(2):
            if (self.grid.pieces[side][ROOK] | self.grid.pieces[side][HORSE]
                    | self.grid.pieces[side][CANNON] | self.grid.pieces[side][PAWN]):
                return False
        return True

    cdef key_t key(self) noexcept nogil:
        return self.grid.key ^ (side_key() if self.acting == BLACK else 0)

    cdef key_t fresh_key(self) except? 0 nogil:
        cdef key_t key = side_key() if self.acting == BLACK else 0
        cdef int square
        for square in range(SQUARES):
            if self.grid.cells[square] != EMPTY:
                key ^= piece_key(square, self.grid.cells[square])
        return key

    cdef int score(self, double* scores) except -1 nogil:
        scores[RED] = scores[BLACK] = 0
        if self.ending == NONE:
            scores[self.side] = -1
            scores[self.side ^ 1] = 1
        elif self.ending == REPETITION and self.ruling.loser >= 0:
            scores[self.ruling.loser] = -1
            scores[self.ruling.loser ^ 1] = 1
        return 0

    # ------------------------------------------------------------------ for searches

    cdef int captures(self, move_t* moves) except -1 nogil:
        if self.side < 0:
            return 0
        return write_captures(&self.grid, self.side, moves)

    cdef int exchange(self, move_t move) except? -32768 nogil:
        if self.grid.cells[target_of(move)] == EMPTY:
            return 0
        return exchange_value(&self.grid, origin_of(move), target_of(move), piece_values)

    cdef int quiets(self, move_t* moves) except -1 nogil:
        if self.side < 0:
            return 0
        return write_quiets(&self.grid, self.side, moves)

    cdef int taken(self, move_t move) except -1 nogil:
        cdef int target = target_of(move), piece = self.grid.cells[target]
        return value_on(piece_values, side_of(piece), kind_of(piece), target) if piece != EMPTY else 0

    cdef int gives_check(self, move_t move) except -1 nogil:
        return would_check(&self.grid, origin_of(move), target_of(move))

    cdef int exchange_reaches(self, move_t move, int least) except -1 nogil:
        return exchange_is_at_least(&self.grid, origin_of(move), target_of(move), piece_values, least)

    cdef int footprint(self, move_t move) noexcept nogil:
        """The piece and its target."""
        cdef int piece = self.grid.cells[origin_of(move)]
        return (KINDS * side_of(piece) + kind_of(piece)) * SQUARES + target_of(move)

    cdef key_t part_key(self, int part) noexcept nogil:
        """The pawns; the other pieces of Red; those of Black."""
        cdef squares_t* red = self.grid.pieces[RED]
        cdef squares_t* black = self.grid.pieces[BLACK]
        if part == 0:
            return _mixed(red[PAWN], black[PAWN])
        if part == 1:
            return _mixed(red[ROOK] ^ red[KING], red[HORSE]) ^ _mixed(red[CANNON], red[ADVISOR] | red[ELEPHANT])
        if part == 2:
            return _mixed(black[ROOK] ^ black[KING], black[HORSE]) ^ _mixed(black[CANNON],
                                                                            black[ADVISOR] | black[ELEPHANT])
        return 0

    cdef int make_null(self) except -1 nogil:
        cdef Record* record
        # With only pawns and guards left a move can be a burden (a stalemate loses): passing would hide it.
        if self.side < 0 or self.checked or not (self.grid.pieces[self.side][ROOK] | self.grid.pieces[self.side][HORSE]
                                                 | self.grid.pieces[self.side][CANNON]):
            return 0
        record = <Record*> self.push()
        self.remember(record, null_move(&self.grid))
        self.reversible = 0                # no repetition reaches back across a pass
        self.acting ^= 1
        self.side = self.acting
        return 1

    cdef int repeated(self) except -1 nogil:
        """Judged at the second occurrence as the rules do at the third: who goes round once can go round again."""
        cdef int previous
        cdef Ruling ruling
        if self.ending == REPETITION:
            ruling = self.ruling
        else:
            if self.side < 0 or self.reversible < 4:
                return FRESH
            previous = self.previous_occurrence(self.ply)
            if previous < 0:
                return FRESH
            ruling = judge(&self.grid, <move_t*> self.record(previous), self.ply - previous,
                           self._record_bytes, self.rules, self.mate_threats)
        if ruling.loser < 0:
            return REPEAT_DRAWS
        return REPEAT_LOSES if ruling.loser == self.acting else REPEAT_WINS

    cdef int last_occurrence(self) except -2 nogil:
        return self.previous_occurrence(self.ply) if self.acting == self.side or self.ending == REPETITION else -1

    cdef int in_check(self) except -1 nogil:
        return self.checked

    cdef int repetition(self) except -1 nogil:
        cdef int times = 0, ply = self.previous_occurrence(self.ply)
        while ply >= 0:
            times += 1
            ply = self.previous_occurrence(ply)
        return times

    cdef key_t canonical_key(self, int* image) except? 0 nogil:
        """Of the position and its mirror image."""
        cdef key_t own = self.key(), mirrored = side_key() if self.acting == BLACK else 0
        cdef int square
        for square in range(SQUARES):
            if self.grid.cells[square] != EMPTY:
                mirrored ^= piece_key(mirror_of(square), self.grid.cells[square])
        image[0] = mirrored < own
        return mirrored if image[0] else own

    cdef int images(self) noexcept nogil:
        return 2

    cdef move_t image_of(self, move_t move, int image) noexcept nogil:
        return move_between(mirror_of(origin_of(move)), mirror_of(target_of(move))) if image else move

    cdef move_t original_of(self, move_t move, int image) noexcept nogil:
        return self.image_of(move, image)

    cdef int copy_state(self, Rules other) except -1:
        cdef XiangqiPosition source = <XiangqiPosition> other
        self.grid = source.grid
        self.checked = source.checked
        self.quiet = source.quiet
        self.reversible = source.reversible
        self.checks = source.checks
        self.ending = source.ending
        self.ruling = source.ruling
        self.acting = source.acting
        self.number = source.number
        self.rules = source.rules
        self.mate_threats = source.mate_threats
        self.quiet_limit = source.quiet_limit
        self.counted_checks = source.counted_checks
        self.bare_material_draws = source.bare_material_draws
        return 0

    # ------------------------------------------------------------------ verdicts in words

    def reason(self):
        if self.ending == NONE:
            loser = SIDES[self.side]
            if self.checked:
                return "checkmate", Words(f"checkmate: {loser.en} has lost", f"将死，{loser.zh}负")
            return "stalemate", Words(f"stalemate: {loser.en} has no legal move and has lost",
                                      f"困毙，{loser.zh}无子可动，判负")
        if self.ending == QUIET_LIMIT:
            return "quiet_limit", Words(f"a draw: {self.quiet_limit} plies without a capture",
                                        f"和棋：{self.quiet_limit}步内无吃子（自然限着）")
        if self.ending == BARE_MATERIAL:
            return "bare_material", Words("a draw: neither side has a piece that can win",
                                          "和棋：双方均无进攻子力")
        if self.ruling.loser < 0:
            if self.ruling.verdict == MUTUAL_CHECK:
                return "mutual_check", Words("a draw: both sides check perpetually", "和棋：双方长将")
            if self.ruling.verdict == MUTUAL_ATTACK:
                return "mutual_attack", Words("a draw: both sides attack perpetually", "和棋：双方长打")
            return "repetition", Words("a draw: the position occurred for the third time", "和棋：同一局面出现三次")
        loser = SIDES[self.ruling.loser]
        if self.ruling.verdict == PERPETUAL_CHECK:
            return "perpetual_check", Words(f"{loser.en} has lost by perpetual check", f"{loser.zh}长将判负")
        if self.ruling.verdict == PERPETUAL_CHASE:
            return "perpetual_chase", Words(f"{loser.en} has lost by perpetual chase", f"{loser.zh}长捉判负")
        return "perpetual_attack", Words(f"{loser.en} has lost by attacking with every move",
                                         f"{loser.zh}长打判负（将、捉交替）")

    def explain(self):
        """For a repetition: what each move of the cycle did."""
        if self.ending != REPETITION:
            return ()
        cdef Grid scratch = self.grid
        cdef uint8_t names[SQUARES]
        cdef Deed deed
        cdef int ply
        cdef squares_t targets
        for ply in range(SQUARES):
            names[ply] = ply
        sentences = [Words(f"the position occurred for the third time; rules {self.options['rules']}",
                           f"同一局面第三次出现；规则 {self.options['rules']}")]
        for ply in range(self.previous_occurrence(self.ply), self.ply):
            inspect(&scratch, names, (<Record*> self.record(ply)).move, self.mate_threats, &deed)
            chased = []
            targets = deed.targets
            while targets:
                chased.append(first_square(targets))
                targets &= targets - 1
            victims = [(self.glyph(scratch.cells[square], square), square_name(square)) for square in chased]
            english, chinese = [], []
            if deed.checks:
                english.append("checks")
                chinese.append("将军")
            if victims:
                english.append("threatens " + " and ".join(f"{glyph.name.en} on {at}" for glyph, at in victims))
                chinese.append("捉" + "、".join(f"{at}{glyph.character or glyph.name.zh}" for glyph, at in victims))
            if deed.threatens_mate:
                english.append("threatens mate")
                chinese.append("要杀")
            side = SIDES[deed.side]
            text = self.format_move(deed.move)
            sentences.append(Words(f"{side.en} {text}: {', '.join(english) or 'idle'}",
                                   f"{side.zh} {text}：{'、'.join(chinese) or '闲着'}"))
        return tuple(sentences)

    def glyph(self, int piece, int square):
        """The look of a piece that stands on a square (which tells whether it is covered, in jieqi)."""
        return self.board.glyphs[self.letter(piece)]

    def letter(self, int piece):
        """The letter of a piece in position texts."""
        letter = LETTERS[kind_of(piece)]
        return letter if side_of(piece) == RED else letter.lower()

    # ------------------------------------------------------------------ text

    def to_text(self):
        rows = []
        for rank in range(9, -1, -1):
            row = ""
            for file in range(9):
                piece = self.grid.cells[9 * rank + file]
                row += "." if piece == EMPTY else self.letter(piece)
            for run in range(9, 0, -1):
                row = row.replace("." * run, str(run))
            rows.append(row)
        return f"{'/'.join(rows)} {'wb'[self.acting]} - - {self.quiet} {self.number}"

    def set_text(self, text):
        fen = read_fen(text)
        cdef Grid grid
        cdef int square, side = fen.side
        clear(&grid)
        for square, letter in fen.pieces.items():
            put(&grid, square, LETTERS.index(letter.upper()) + (COLOUR if letter.islower() else 0))
        if attacked(&grid, grid.kings[side ^ 1], side):
            raise TextError(f"{SIDES[side ^ 1].en} is in check although {SIDES[side].en} is to move; "
                            "such a position cannot arise")
        self.grid = grid
        self.side = side
        self.ply = 0
        self.acting = side
        self.number = fen.number
        self.checked = attacked(&grid, grid.kings[side], side ^ 1)
        self.quiet = fen.quiet
        self.reversible = 0
        self.checks[RED] = self.checks[BLACK] = 0
        self.ending = NONE
        if self.quiet_limit and self.quiet >= self.quiet_limit and count_moves(&self.grid, self.side):
            self.side = OVER
            self.ending = QUIET_LIMIT
        elif self.bare_material_draws and self._bare() and count_moves(&self.grid, self.side):
            self.side = OVER
            self.ending = BARE_MATERIAL
        self.start_text = self.to_text()

    def format_move(self, move):
        return square_name(origin_of(move)) + square_name(target_of(move))

    def parse_move(self, text):
        cdef int origin, target
        origin, target = read_squares(text)
        cdef move_t move = move_between(origin, target)
        if not self.legal(move):
            raise IllegalMoveError(self._refusal(shorten(text)))
        return move

    def path(self, move):
        return square_name(origin_of(move)), square_name(target_of(move))

    def stones(self):
        return [Stone(square_name(square), self.letter(self.grid.cells[square]))
                for square in range(SQUARES) if self.grid.cells[square] != EMPTY]

    def changes(self, move):
        origin, target = self.path(move)
        captured = self.grid.cells[target_of(move)]
        taken = [Change("captured", target, self.letter(captured))] if captured != EMPTY else []
        return [*taken, Change("moved", origin, self.letter(self.grid.cells[origin_of(move)]), target)]
