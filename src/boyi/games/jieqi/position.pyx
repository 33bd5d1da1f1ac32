"""The rules of jieqi 揭棋: xiangqi with covered pieces, as one viewer knows the game.

Viewers. A position is the knowledge of one viewer, written last in its text:

    w b   Red or Black, who takes part
    -     the referee, who is told everything; `GAME.start()` gives this one
    s     a spectator, who sees the board but no piece that was taken covered

`observe(player)` of the referee's position is that player's, `observe(None)` a spectator's. It is
not a filter over the referee's: it is a new position in which the same game was played again with
only those chance results that the viewer was told, so neither its text, its moves, its history nor
its pickle holds more than the viewer knows. A start text is public: what a referee's start text says about
the pools, everybody knows. When the game is over everybody may know everything, and `observe` gives
a copy. A player's own position cannot tell what the other one was shown; asked for the other's view it gives
what both know, which is the spectator's.

Chance. A piece moves covered only once. Its decision is followed by a CHANCE turn in which it turns
up, and when it took a covered piece by one more that tells what it was, if this viewer is told
(option `captures`; the referee always is). So the same game has different numbers of moves for
different viewers: `decisions` is what they all count alike.

Moves are numbers: a decision is origin | target << 7 as in xiangqi; a chance result is TURNED_UP or
SHOWN plus the type, 0 … 5 in the order R A C P N B.

Pools. Per side and type, how many may still be covered as far as this viewer knows: all, less those
that turned up, less those taken covered that the viewer was told. Twelve counts of four bits in one word.
The probability of a type is its share of the pool, for whatever is covered is equally likely to be any
of it. (See `draws` for how the referee's results come about honestly.)

Text: board, side to act, pools, plies since a capture or reveal, move number, viewer (if left out:
the side to act). At a CHANCE turn the side that moved is followed by `?`, the point it moved to and
what is awaited: `w?b9Xx` when Red's piece on b9 (X on the board) turns up and then the black piece
it took is shown, `w?b9x` when only the latter. On the grid the piece that is turning up is a ROOK
meanwhile, wherever it came from: nothing asks what it is before chance has told.
"""

from libc.stdint cimport uint64_t

from boyi.core.bits cimport mix
from boyi.core.position cimport Position
from boyi.core.rules cimport FRESH, REPEAT_DRAWS, REPEAT_LOSES, REPEAT_WINS, Rules
from boyi.core.types cimport CHANCE, OVER, key_t, move_t
from boyi.games.jieqi.exchange cimport Capturer, exchange_among
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
    ROAMING_ADVISOR,
    ROAMING_ELEPHANT,
    ROOK,
    SQUARES,
    Grid,
    attacked,
    clear,
    count_moves,
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
    square_set,
    squares_t,
    take,
    target_of,
    would_check,
    write_captures,
)
from boyi.games.xiangqi.position cimport NONE, QUIET_LIMIT, XiangqiPosition
from boyi.games.xiangqi.repetition cimport Ruling, RuleSet, judge

import re

from boyi.core.board import Change, Covered, Stone
from boyi.core.errors import IllegalMoveError, TextError, shorten
from boyi.core.words import Words
from boyi.games.jieqi.draws import ORDER
from boyi.games.jieqi.fen import LETTER_SYNONYMS, START, VIEWERS, read_fen
from boyi.games.jieqi.piece_values import PIECE_VALUES
from boyi.games.xiangqi.fen import SIDES, square_name, square_number
from boyi.games.xiangqi.position import RULE_SETS

cdef enum:
    COVERED = 10                   # not a kind of the grid: its keys mark the covered squares

cdef int standing[2][SQUARES]      # the kind whose starting point a square is, or EMPTY
cdef int turned[TYPES]             # what each type walks as once it is turned up
cdef int piece_values[KINDS]       # in exchanges

_LETTERS = {KING: "K", ROAMING_ADVISOR: "A", ROAMING_ELEPHANT: "B", HORSE: "N", ROOK: "R", CANNON: "C", PAWN: "P"}
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}
_MOVE = re.compile("([A-Ia-i][0-9])([A-Ia-i][0-9])([RACPNBHEracpnbhe]*)")
_RESULTS = re.compile("[RACPNBHEracpnbhe]+")


cdef inline uint64_t pool_unit(int side, int type) noexcept nogil:
    """One piece of that type, as it is counted in the pools."""
    return <uint64_t> 1 << 4 * (TYPES * side + type)


cdef inline bint told(int viewing, int shown_to, int captor) noexcept nogil:
    """Is this viewer shown what `captor` takes covered?"""
    return viewing == REFEREE or shown_to == BOTH or (shown_to == CAPTOR and viewing == captor)


cdef inline int coloured(int kind, int side) noexcept nogil:
    return kind | (COLOUR if side == BLACK else 0)


cdef int standing_on(int side, int square) noexcept nogil:
    return standing[side][square]


cdef class JieqiPosition(XiangqiPosition):
    """What one viewer knows of a game of jieqi. Player 0 is Red, who moves first."""

    def __init__(self, game, options):
        # Not xiangqi's own __init__: its start position and some of its options are not jieqi's.
        Position.__init__(self, game, options)
        self._records(sizeof(JieqiRecord))
        self.staged = self.has_checks = True
        self.rules = <RuleSet> <int> RULE_SETS[options["rules"]]
        self.mate_threats = options["mate_threats"]
        self.quiet_limit = options["quiet_limit"]
        self.counted_checks = 255
        self.bare_material_draws = False
        self.shown_to = ("captor", "nobody", "both").index(options["captures"])
        self.set_text(START)

    # ------------------------------------------------------------------ the C side

    cdef int generate(self, move_t* moves) except -1 nogil:
        cdef int n = 0, type, owner
        cdef move_t result
        if self.side != CHANCE:
            return XiangqiPosition.generate(self, moves)
        owner = self.acting if self.awaits & TURN_UP else self.acting ^ 1
        result = TURNED_UP if self.awaits & TURN_UP else SHOWN
        for type in range(TYPES):
            if pool_count(self.pool_counts, owner, type):
                moves[n] = result | type
                n += 1
        return n

    cdef int chances(self, move_t* moves, double* odds) except -1 nogil:
        cdef int n, i, owner, total = 0
        if self.side != CHANCE:
            return 0
        n = self.generate(moves)
        owner = self.acting if self.awaits & TURN_UP else self.acting ^ 1
        for i in range(n):
            total += pool_count(self.pool_counts, owner, moves[i] & 7)
        for i in range(n):
            odds[i] = <double> pool_count(self.pool_counts, owner, moves[i] & 7) / total
        return n

    cdef int count(self) except -1 nogil:
        cdef move_t moves[TYPES]
        if self.side != CHANCE:
            return XiangqiPosition.count(self)
        return self.generate(moves)

    cdef int legal(self, move_t move) except -1 nogil:
        cdef move_t moves[TYPES]
        cdef int i
        if self.side != CHANCE:
            return XiangqiPosition.legal(self, move)
        for i in range(self.generate(moves)):
            if moves[i] == move:
                return 1
        return 0

    cdef int make(self, move_t move) except -1 nogil:
        cdef JieqiRecord* record
        cdef int origin, target
        if move & (TURNED_UP | SHOWN):
            return self.tell(move)
        record = <JieqiRecord*> self.push()
        self.remember(&record.base, move)
        origin = origin_of(move)
        target = target_of(move)
        record.landed = self.landed
        record.uncovered = 0
        if self.covered & square_set(origin):
            record.uncovered = TURN_UP
            self.covered ^= square_set(origin)
            self.covered_key ^= piece_key(origin, COVERED)
        if self.covered & square_set(target):
            record.uncovered |= SHOW
            self.covered ^= square_set(target)
            self.covered_key ^= piece_key(target, COVERED)
        record.base.captured = relocate(&self.grid, origin, target)
        self.decisions += 1
        self.awaits = record.uncovered
        if self.awaits & SHOW and not told(self.viewing, self.shown_to, self.acting):
            self.awaits ^= SHOW
        if not self.awaits:
            return self.conclude(record.base.captured != EMPTY)
        if self.awaits & TURN_UP:
            take(&self.grid, target)
            put(&self.grid, target, coloured(ROOK, self.acting))
        self.landed = target
        self.side = CHANCE
        self.checked = False
        self.quiet = 0
        return 0

    cdef int tell(self, move_t move) except -1 nogil:
        cdef JieqiRecord* record = <JieqiRecord*> self.push()
        cdef int type = move & 7
        self.remember(&record.base, move)
        record.landed = self.landed
        if move & TURNED_UP:
            take(&self.grid, self.landed)
            put(&self.grid, self.landed, coloured(turned[type], self.acting))
            self.pool_counts -= pool_unit(self.acting, type)
            self.awaits ^= TURN_UP
        else:
            self.pool_counts -= pool_unit(self.acting ^ 1, type)
            self.awaits ^= SHOW
        if self.awaits:
            return 0
        return self.conclude(True)

    cdef int unmake(self) except -1 nogil:
        cdef JieqiRecord* record = <JieqiRecord*> self.pop()
        cdef int origin, target
        if not self.awaits:
            self.acting ^= 1   # the move had been completed
        self.recall(&record.base)
        self.landed = record.landed
        if record.base.move & (TURNED_UP | SHOWN):
            return self.untell(record)
        origin = origin_of(record.base.move)
        target = target_of(record.base.move)
        if record.uncovered & TURN_UP:
            take(&self.grid, target)
            put(&self.grid, target, coloured(standing[self.acting][origin], self.acting))
            self.covered ^= square_set(origin)
            self.covered_key ^= piece_key(origin, COVERED)
        if record.uncovered & SHOW:
            self.covered ^= square_set(target)
            self.covered_key ^= piece_key(target, COVERED)
        replace(&self.grid, origin, target, record.base.captured)
        self.decisions -= 1
        self.awaits = 0
        self.side = self.acting
        return 0

    cdef int untell(self, JieqiRecord* record) except -1 nogil:
        cdef int type = record.base.move & 7
        if record.base.move & TURNED_UP:
            take(&self.grid, self.landed)
            put(&self.grid, self.landed, coloured(ROOK, self.acting))
            self.pool_counts += pool_unit(self.acting, type)
            self.awaits |= TURN_UP
        else:
            self.pool_counts += pool_unit(self.acting ^ 1, type)
            self.awaits |= SHOW
        self.side = CHANCE
        return 0

    cdef key_t known(self, int landed) noexcept nogil:
        # 48 bits of pools, then the viewer, and at a CHANCE turn what is awaited and where.
        return mix(self.pool_counts | <uint64_t> self.viewing << 48 | <uint64_t> self.awaits << 50
                   | (<uint64_t> landed << 52 if self.awaits else 0))

    cdef key_t key(self) noexcept nogil:
        return (self.grid.key ^ self.covered_key ^ self.known(self.landed)
                ^ (side_key() if self.acting == BLACK else 0))

    cdef key_t fresh_key(self) except? 0 nogil:
        cdef key_t key = self.known(self.landed) ^ (side_key() if self.acting == BLACK else 0)
        cdef int square
        for square in range(SQUARES):
            if self.grid.cells[square] != EMPTY:
                key ^= piece_key(square, self.grid.cells[square])
            if self.covered & square_set(square):
                key ^= piece_key(square, COVERED)
        return key

    cdef key_t canonical_key(self, int* image) except? 0 nogil:
        """Of the position and its mirror image."""
        cdef key_t own = self.key()
        cdef key_t mirrored = side_key() if self.acting == BLACK else 0
        cdef int square
        for square in range(SQUARES):
            if self.grid.cells[square] != EMPTY:
                mirrored ^= piece_key(mirror_of(square), self.grid.cells[square])
            if self.covered & square_set(square):
                mirrored ^= piece_key(mirror_of(square), COVERED)
        mirrored ^= self.known(mirror_of(self.landed))
        image[0] = mirrored < own
        return mirrored if image[0] else own

    cdef move_t image_of(self, move_t move, int image) noexcept nogil:
        return move if self.side == CHANCE else XiangqiPosition.image_of(self, move, image)

    cdef int repetition(self) except -1 nogil:
        return 0 if self.side == CHANCE else XiangqiPosition.repetition(self)

    cdef int repeated(self) except -1 nogil:
        """Judged as if the cycle went on for ever: nothing new was taken or turned up in it."""
        cdef int previous
        cdef Ruling ruling
        if self.side < 0 or self.reversible < 4:
            return FRESH
        previous = self.previous_occurrence(self.ply)
        if previous < 0:
            return FRESH
        ruling = judge(&self.grid, <move_t*> self.record(previous), self.ply - previous, self._record_bytes,
                       self.rules, self.mate_threats)
        if ruling.loser < 0:
            return REPEAT_DRAWS
        return REPEAT_LOSES if ruling.loser == self.side else REPEAT_WINS

    cdef int captures(self, move_t* moves) except -1 nogil:
        if self.side < 0:
            return 0
        return write_captures(&self.grid, self.side, moves)

    cdef int quiets(self, move_t* moves) except -1 nogil:
        return self.generate(moves) if self.side == CHANCE else XiangqiPosition.quiets(self, moves)

    cdef int taken(self, move_t move) except -1 nogil:
        cdef int value
        if self.side < 0 or self.grid.cells[target_of(move)] == EMPTY:
            return 0
        value = self.value_on(target_of(move))
        return value if value > 0 else 1

    cdef int gives_check(self, move_t move) except -1 nogil:
        """By what is turned up only: nobody knows yet what a covered piece will be."""
        cdef squares_t hidden
        if self.side < 0:
            return Position.gives_check(self, move)
        hidden = self.covered & (square_set(origin_of(move)) | square_set(target_of(move)))
        if hidden and self._awaits_after(move):
            return 0
        return would_check(&self.grid, origin_of(move), target_of(move))

    cdef bint _awaits_after(self, move_t move) noexcept nogil:
        """Does chance act after this move of a player?"""
        return (self.covered & square_set(origin_of(move))) != 0 or told(self.viewing, self.shown_to, self.acting)

    cdef int footprint(self, move_t move) noexcept nogil:
        """A covered piece is told from all others."""
        if self.side < 0:
            return Position.footprint(self, move)
        if self.covered & square_set(origin_of(move)):
            return KINDS * self.side * SQUARES + target_of(move)
        return XiangqiPosition.footprint(self, move)

    cdef key_t part_key(self, int part) noexcept nogil:
        return 0

    cdef int value_on(self, int square) noexcept nogil:
        """About what the piece here is worth."""
        cdef int piece = self.grid.cells[square]
        return self.covered_value(side_of(piece)) if self.covered & square_set(square) else piece_values[kind_of(piece)]

    cdef int covered_value(self, int side) noexcept nogil:
        """The mean of what a covered piece of a side may be."""
        cdef int type, count, sum = 0, total = 0
        for type in range(TYPES):
            count = pool_count(self.pool_counts, side, type)
            sum += count * piece_values[turned[type]]
            total += count
        return sum // total if total else 0

    cdef int exchange(self, move_t move) except? -32768 nogil:
        if self.side < 0 or self.grid.cells[target_of(move)] == EMPTY:
            return 0
        return self.exchanged(move, self.value_on(target_of(move)))

    cdef int exchange_reaches(self, move_t move, int least) except -1 nogil:
        cdef int taken
        if self.side < 0:
            return Position.exchange_reaches(self, move, least)
        # Not enough although nobody takes back, or enough even if what moved is lost for nothing?
        taken = self.value_on(target_of(move)) if self.grid.cells[target_of(move)] != EMPTY else 0
        if taken < least:
            return 0
        if taken - self.value_on(origin_of(move)) >= least:
            return 1
        return self.exchanged(move, taken) >= least

    cdef int exchanged(self, move_t move, int taken) noexcept nogil:
        """What a move wins that takes this much, once all captures on its square are over."""
        cdef int covered_values[2]
        cdef Capturer first
        first.square = origin_of(move)
        first.kind = kind_of(self.grid.cells[first.square])
        first.value = self.value_on(first.square)
        covered_values[RED] = self.covered_value(RED)
        covered_values[BLACK] = self.covered_value(BLACK)
        return exchange_among(&self.grid, target_of(move), self.side, first, taken, self.covered, piece_values,
                              covered_values)

    cdef int make_null(self) except -1 nogil:
        cdef JieqiRecord* record
        if self.side < 0 or self.checked:
            return 0
        record = <JieqiRecord*> self.push()
        self.remember(&record.base, null_move(&self.grid))
        record.landed = self.landed
        record.uncovered = 0
        self.decisions += 1
        self.acting ^= 1
        self.side = self.acting
        self.reversible = 0                # no repetition reaches back across a pass
        return 1

    cdef int copy_state(self, Rules other) except -1:
        cdef JieqiPosition source = <JieqiPosition> other
        XiangqiPosition.copy_state(self, other)
        self.covered = source.covered
        self.covered_key = source.covered_key
        self.pool_counts = source.pool_counts
        self.viewing = source.viewing
        self.shown_to = source.shown_to
        self.awaits = source.awaits
        self.landed = source.landed
        self.decisions = source.decisions
        return 0

    # ------------------------------------------------------------------ who knows what

    @property
    def viewer(self):
        """Whose knowledge this is: `w`, `b`, `-` (the referee) or `s` (a spectator)."""
        return VIEWERS[self.viewing]

    @property
    def mover(self):
        """The player whose turn it is; at a CHANCE turn the one whose move chance completes."""
        return self.acting

    @property
    def awaited(self):
        """What chance is to tell, next first: `X` a red and `x` a black piece; empty at a player's turn."""
        return (("Xx"[self.acting] if self.awaits & TURN_UP else "")
                + ("xX"[self.acting] if self.awaits & SHOW else ""))

    def pool(self, int player):
        """How many pieces of each type the covered ones of a player may be, as far as the viewer knows."""
        if player not in (RED, BLACK):
            raise TextError(f"{player} is not a player: 0 (Red) or 1 (Black)")
        return {letter: pool_count(self.pool_counts, player, i) for i, letter in enumerate(ORDER)}

    def pools(self):
        """What covered pieces may be, as far as the viewer knows: per side, the types in the order R A C P N B."""
        cdef int side, i
        return tuple([Covered(side, ORDER[i].lower() if side else ORDER[i], pool_count(self.pool_counts, side, i))
                      for side in range(2) for i in range(TYPES)])

    def observe(self, player):
        """What `player` (None: a spectator) may know of this game; see the module's text."""
        cdef JieqiPosition view
        cdef int viewing
        cdef move_t move
        if player is not None and player not in (RED, BLACK):
            raise TextError(f"{shorten(player)} is not a player: 0 (Red), 1 (Black) or None (a spectator)")
        viewing = SPECTATOR if player is None else player
        if viewing == self.viewing or self.over():
            return self.copy()
        if self.viewing != REFEREE:
            viewing = SPECTATOR
        view = type(self)(self.game, self.options)     # they were checked when this game began: not `game.parse`
        view.set_text(self.start_text)
        view.become(viewing)
        for move in self.history():
            if not move & SHOWN or view.awaits & SHOW:
                view.make(move)
        return view

    cdef int become(self, int viewing) except -1:
        """At the start of a game: be another viewer's, who may not be told what the first one awaits."""
        self.viewing = viewing
        if self.awaits & SHOW and not told(viewing, self.shown_to, self.acting):
            self.awaits ^= SHOW
            if not self.awaits:
                self.conclude(True)
        self.start_text = self.to_text()
        return 0

    # ------------------------------------------------------------------ words and pictures

    def reason(self):
        if self.ending == QUIET_LIMIT:
            return "quiet_limit", Words(f"a draw: {self.quiet_limit} plies without a capture or a reveal",
                                        f"和棋：{self.quiet_limit}步内无吃子、无翻子")
        return XiangqiPosition.reason(self)

    def letter(self, int piece):
        letter = _LETTERS[kind_of(piece)]
        return letter if side_of(piece) == RED else letter.lower()

    def glyph(self, int piece, int square):
        letter = "Xx"[side_of(piece)] if self.covered & square_set(square) else self.letter(piece)
        return self.board.glyphs[letter]

    def to_text(self):
        cdef int side, i
        rows = []
        for rank in range(9, -1, -1):
            row = "".join(self._letter(9 * rank + file) or "." for file in range(9))
            rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), row))
        acts = "wb"[self.acting]
        if self.side == CHANCE:
            acts += f"?{square_name(self.landed)}{self.awaited}"
        pools = "".join(f"{ORDER[i].lower() if side else ORDER[i]}{pool_count(self.pool_counts, side, i)}"
                        for side in range(2) for i in range(TYPES))
        return f"{'/'.join(rows)} {acts} {pools} {self.quiet} {self.number} {self.viewer}"

    def set_text(self, text):
        cdef Grid grid
        cdef squares_t covered = 0
        cdef int square, side, kind, i
        fen = read_fen(text)
        cdef int mover = fen.mover, landed = -1 if fen.landed is None else fen.landed
        cdef bint awaiting = landed >= 0, turns_up = fen.turns_up, shows = fen.shows
        if shows and not told(fen.viewer, self.shown_to, mover):
            raise TextError(f"viewer {VIEWERS[fen.viewer]} is not shown what {SIDES[mover].en} takes covered "
                            f"(captures={self.options['captures']}): leave out the {'xX'[mover]} "
                            f"of {text.split()[1]}")

        # Nobody may have left their king in check.
        clear(&grid)
        for square, letter in fen.pieces.items():
            side = letter.islower()
            if square == landed and turns_up:
                kind = ROOK
            elif letter in "Xx":
                kind = standing[side][square]
                covered |= square_set(square)
            else:
                kind = _KINDS[letter.upper()]
            put(&grid, square, coloured(kind, side))
        cdef int waiting = mover if awaiting else mover ^ 1
        if attacked(&grid, grid.kings[waiting], waiting ^ 1):
            raise TextError(f"{SIDES[waiting].en}'s king could be taken, and it is not {SIDES[waiting].en}'s turn: "
                            "nobody may leave their king in check")

        self.grid = grid
        self.covered = covered
        self.covered_key = 0
        for square in range(SQUARES):
            if covered & square_set(square):
                self.covered_key ^= piece_key(square, COVERED)
        self.pool_counts = 0
        for side in range(2):
            for i in range(TYPES):
                self.pool_counts += <uint64_t> fen.pools[side][ORDER[i]] * pool_unit(side, i)
        self.viewing = fen.viewer
        self.awaits = (TURN_UP if turns_up else 0) | (SHOW if shows else 0)
        self.landed = landed if awaiting else 0
        self.acting = mover
        self.side = CHANCE if awaiting else mover
        self.checked = not awaiting and attacked(&grid, grid.kings[mover], mover ^ 1)
        self.quiet = fen.quiet
        self.number = fen.number
        self.reversible = 0
        self.checks[RED] = self.checks[BLACK] = 0
        self.ending = NONE
        self.decisions = 0
        self.ply = 0
        if self.quiet_limit and self.quiet >= self.quiet_limit and not awaiting and count_moves(&self.grid, mover):
            self.side = OVER
            self.ending = QUIET_LIMIT
        self.start_text = self.to_text()

    def _letter(self, int square):
        """What everybody sees on a square: the letter of an open piece, X or x, or nothing."""
        cdef int piece = self.grid.cells[square]
        if piece == EMPTY:
            return ""
        if self.covered & square_set(square) or (self.awaits & TURN_UP and square == self.landed):
            return "Xx"[side_of(piece)]
        return self.letter(piece)

    def format_move(self, move):
        if move & (TURNED_UP | SHOWN):
            letter = ORDER[move & 7]
            owner = self.acting ^ (1 if move & SHOWN else 0)
            return letter.lower() if owner else letter
        return square_name(origin_of(move)) + square_name(target_of(move))

    def parse_move(self, text):
        moves = self.parse_moves(text)
        if len(moves) != 1:
            raise TextError(f"{shorten(text)} is more than one move: what chance adds is a move of its own")
        return moves[0]

    def parse_moves(self, text):
        """The decision that `text` names and the chance results that it adds; or, at a CHANCE turn, just those."""
        cdef move_t move
        word = text.strip() if isinstance(text, str) and len(text) <= 64 else ""
        if self.side == CHANCE:
            if not _RESULTS.fullmatch(word):
                raise TextError(f"{shorten(text)} does not tell what turned up: chance acts, a letter of "
                                f"{', '.join(self.format_move(one) for one in self.moves())} is awaited")
            return self._read_letters(word, text)
        found = _MOVE.fullmatch(word)
        if found is None:
            raise TextError(f"{shorten(text)} is not a jieqi move: two points from a0 to i9 as in h0g2, "
                            "then the letters of what turned up or was taken, as in b2e2R")
        move = move_between(square_number(found[1]), square_number(found[2]))
        if not self.legal(move):
            raise IllegalMoveError(self._refusal(shorten(text)))
        if not found[3]:
            return (move,)
        self.make(move)
        try:
            if self.side != CHANCE:
                raise IllegalMoveError(f"{shorten(text)}: {found[1]}{found[2]} tells the viewer {self.viewer} of no "
                                       f"covered piece; leave out {found[3]!r}")
            return (move, *self._read_letters(found[3], text))
        finally:
            self.unmake()

    def _read_letters(self, letters, text):
        """The chance results that letters name, in order, at this CHANCE turn."""
        moves = []
        try:
            for letter in letters.translate(LETTER_SYNONYMS):
                by_name = {self.format_move(one): one for one in self.moves()} if self.side == CHANCE else {}
                if letter not in by_name:
                    raise IllegalMoveError(
                        f"{shorten(text)}: {letter!r} cannot come here; "
                        + (f"possible are {', '.join(by_name)}" if by_name else "chance has nothing more to tell"))
                self.make(<move_t> by_name[letter])
                moves.append(by_name[letter])
        finally:
            for _ in moves:
                self.unmake()
        return tuple(moves)

    def chance_words(self, move):
        mover, glyph = SIDES[self.acting], self.board.glyphs[self.format_move(move)]
        if move & SHOWN:
            return Words(f"{mover.en} has taken a {glyph.name.en}", f"{mover.zh}吃到{glyph.name.zh}")
        return Words(f"{mover.en} turns up a {glyph.name.en}", f"{mover.zh}翻出{glyph.character}")

    def path(self, move):
        if move & SHOWN:
            return ()
        if move & TURNED_UP:
            return (square_name(self.landed),)
        return square_name(origin_of(move)), square_name(target_of(move))

    def stones(self):
        return [Stone(square_name(square), self._letter(square))
                for square in range(SQUARES) if self.grid.cells[square] != EMPTY]

    def changes(self, move):
        """As everywhere; what was taken covered has left the board already, so telling it changes nothing there."""
        if move & SHOWN:
            return []
        if move & TURNED_UP:
            return [Change("revealed", square_name(self.landed), self.format_move(move))]
        origin, target = origin_of(move), target_of(move)
        taken = self._letter(target)
        return ([Change("captured", square_name(target), taken)] if taken else []) + [
            Change("moved", square_name(origin), self._letter(origin), square_name(target))]


cdef int _fill() except -1:
    cdef int file, i
    back = (ROOK, HORSE, ELEPHANT, ADVISOR, KING, ADVISOR, ELEPHANT, HORSE, ROOK)
    for file in range(9):
        standing[RED][file] = standing[BLACK][81 + file] = back[file]
    for file in (1, 7):
        standing[RED][18 + file] = standing[BLACK][63 + file] = CANNON
    for file in range(0, 9, 2):
        standing[RED][27 + file] = standing[BLACK][54 + file] = PAWN
    for i, letter in enumerate(ORDER):
        turned[i] = _KINDS[letter]
    for letter, value in PIECE_VALUES.items():
        piece_values[<int> _KINDS[letter]] = value
    return 0


_fill()
