"""The rules of Chinese checkers, for two to six players.

Players are numbered in the order of play, clockwise from the bottom corner A; a player's letter in
texts is the home corner. The turn number counts the turns of each player: it grows by one whenever
play passes the last seat, also when that seat's player is out, so that everybody gets equally many.

Who gives up leaves and the others play on: the forfeit is the move `RESIGN | player`, written `resign:B`.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from boyi.core.bits cimport lowest, mix, popcount
from boyi.core.position cimport Position
from boyi.core.rules cimport Rules
from boyi.core.types cimport MAX_PLAYERS, OVER, key_t, move_t

from boyi.core.board import Change, Stone
from boyi.core.errors import IllegalMoveError, OptionError, TextError, shorten
from boyi.core.game import Options
from boyi.core.words import Words
from boyi.games.chinese_checkers.board import (
    COORDINATES, CORNERS, DIRECTIONS, HOLE_AT, MIRROR, NAMES, ROW_LENGTHS, SEATS, apex, camp, steps_between)
from boyi.games.chinese_checkers.text import MOST_CHARACTERS, read_fields

# ------------------------------------------------------------------ tables, made once from the geometry

cdef uint8_t CLASS[HOLES]                  # the parity class: 2 * (y odd) + (q odd)
cdef uint8_t AT[HOLES]                     # the bit in the word of that class
cdef uint8_t HOLE[4][64]                   # and back
cdef uint64_t WHOLE[4]                     # all holes of a class
cdef uint8_t NEAR[HOLES + 1][6]            # the neighbour in each direction, or OUTSIDE
cdef uint8_t DISTANCE[6][HOLES]            # steps to the apex of each corner
cdef uint8_t IMAGE[128]                    # left and right exchanged; as long as seven bits can ask for

cdef key_t PIECE_KEY[MAX_PLAYERS][HOLES]
cdef key_t ACTING_KEY[MAX_PLAYERS]
cdef key_t FINISHED_KEY[MAX_PLAYERS][MAX_PLAYERS]  # by player and by how many finished before
cdef key_t LEFT_KEY[MAX_PLAYERS][MAX_PLAYERS]      # by player and by how many left before


cdef int _fill_tables() except -1:
    cdef int hole, corner, direction, player, i
    cdef uint64_t seed = 0
    for hole in range(HOLES):
        y, q, _ = COORDINATES[hole]
        CLASS[hole] = 2 * (y & 1) + (q & 1)
        # Rows of eight bits suffice: half of y and q lie in -4 … 4, and where q is at one end of a row
        # the board has no hole at the other end of the next, so no shift runs over from row to row.
        AT[hole] = 8 * (y >> 1) + (q >> 1) + 32
        HOLE[CLASS[hole]][AT[hole]] = hole
        WHOLE[CLASS[hole]] |= <uint64_t> 1 << AT[hole]
        IMAGE[hole] = MIRROR[hole]
        for direction, (dy, dq) in enumerate(DIRECTIONS):
            NEAR[hole][direction] = HOLE_AT.get((y + dy, q + dq), OUTSIDE)
        for corner in range(6):
            DISTANCE[corner][hole] = steps_between(hole, apex(corner))
    for direction in range(6):
        NEAR[OUTSIDE][direction] = OUTSIDE
    for player in range(MAX_PLAYERS):
        for hole in range(HOLES):
            seed += 1
            PIECE_KEY[player][hole] = mix(seed * <uint64_t> 0x9E3779B97F4A7C15)
        for i in range(MAX_PLAYERS):
            seed += 1
            FINISHED_KEY[player][i] = mix(seed * <uint64_t> 0x9E3779B97F4A7C15)
            seed += 1
            LEFT_KEY[player][i] = mix(seed * <uint64_t> 0x9E3779B97F4A7C15)
        seed += 1
        ACTING_KEY[player] = mix(seed * <uint64_t> 0x9E3779B97F4A7C15)
    return 0


_fill_tables()


cdef class ChineseCheckersPosition(Position):
    """A position of Chinese checkers.

    Invariant: at least one player is neither finished nor gone, and `acting` is such a player.
    """

    def __init__(self, game, options):
        Position.__init__(self, game, options)
        if options["pieces"] not in (10, 15):
            raise OptionError(f"option pieces: {options['pieces']} is neither 10 nor 15")
        if options["pieces"] == 15 and options["players"] != 2:
            raise OptionError(f"15 pieces are for 2 players, not for {options['players']}; "
                              "say pieces=10, or players=2")
        self._records(sizeof(Record))
        self.turn_limit = options["turn_limit"]
        self.stay_home = options["stay_home"]
        self.long_hops = options["long_hops"]
        self.strict = options["strict"]
        self._sit(options["players"], options["pieces"])
        for player in range(self.players):
            for hole in camp(self.corner[player], self.pieces):
                self._put(hole, player)
        self._begin()

    cdef int _sit(self, int players, int pieces) except -1:
        """Give the players their corners, and clear the board."""
        cdef int player, hole
        self.players = players
        self.pieces = pieces
        memset(self.heading, -1, sizeof(self.heading))
        memset(self.goal, 0, sizeof(self.goal))
        memset(self.goal_classes, 0, sizeof(self.goal_classes))
        for player in range(players):
            self.corner[player] = CORNERS.index(SEATS[players][player])
            for hole in camp((self.corner[player] + 3) % 6, pieces):
                self.heading[hole] = player
                self.goal[player][hole >> 6] |= <uint64_t> 1 << (hole & 63)
                self.goal_classes[player][CLASS[hole]] |= <uint64_t> 1 << AT[hole]
        memset(&self.state, 0, sizeof(self.state))
        self.state.owner[OUTSIDE] = 255
        self.state.turn = 1
        return 0

    cdef int _begin(self) except -1:
        """Start the history here: the pieces stand, `acting`, `turn` and who is out are set."""
        self.ply = 0
        self.state.key = self.fresh_key()
        self._judge()
        self.start_text = self.to_text()
        return 0

    cdef void _put(self, int hole, int player) noexcept nogil:
        self.state.own[player][hole >> 6] |= <uint64_t> 1 << (hole & 63)
        self.state.classes[CLASS[hole]] |= <uint64_t> 1 << AT[hole]
        self.state.owner[hole] = player + 1

    # ------------------------------------------------------------------ moves

    cdef int _hops(self, uint64_t* reach, uint8_t* starts) noexcept nogil:
        """Per piece of the player to act: its hole, and in the word of its class all that its hops reach.

        All pieces are flooded side by side, so that the compiler may use vector instructions
        and the loop ends once and not once per piece. `reach` has room for 16.
        """
        cdef State* state = &self.state
        # Per class: bit i is set where the hole between i and i + 1 (8, 7) is occupied.
        cdef uint64_t right[4]
        cdef uint64_t down_right[4]
        cdef uint64_t down_left[4]
        # The same per piece, and the empty holes of its class.
        cdef uint64_t rights[16]
        cdef uint64_t down_rights[16]
        cdef uint64_t down_lefts[16]
        cdef uint64_t free[16]
        cdef uint64_t low = state.own[state.acting][0], high = state.own[state.acting][1]
        cdef uint64_t flood, links, room, changed
        cdef int i, hole, kind, lanes = 12 if self.pieces == 10 else 16
        right[0] = state.classes[1]
        right[1] = state.classes[0] >> 1
        right[2] = state.classes[3]
        right[3] = state.classes[2] >> 1
        down_right[0] = state.classes[2]
        down_right[1] = state.classes[3]
        down_right[2] = state.classes[0] >> 8
        down_right[3] = state.classes[1] >> 8
        down_left[0] = state.classes[3] << 1
        down_left[1] = state.classes[2]
        down_left[2] = state.classes[1] >> 7
        down_left[3] = state.classes[0] >> 8
        for i in range(self.pieces):
            if low:
                hole = lowest(low)
                low &= low - 1
            else:
                hole = 64 + lowest(high)
                high &= high - 1
            kind = CLASS[hole]
            starts[i] = hole
            reach[i] = <uint64_t> 1 << AT[hole]
            rights[i] = right[kind]
            down_rights[i] = down_right[kind]
            down_lefts[i] = down_left[kind]
            free[i] = WHOLE[kind] & ~state.classes[kind]
        for i in range(self.pieces, lanes):
            reach[i] = rights[i] = down_rights[i] = down_lefts[i] = free[i] = 0
        changed = 1
        while changed:
            changed = 0
            for i in range(lanes):
                flood = reach[i]
                room = free[i]
                links = rights[i]
                flood |= (((flood & links) << 1) | ((flood >> 1) & links)) & room
                links = down_rights[i]
                flood |= (((flood & links) << 8) | ((flood >> 8) & links)) & room
                links = down_lefts[i]
                flood |= (((flood & links) << 7) | ((flood >> 7) & links)) & room
                changed |= flood ^ reach[i]
                reach[i] = flood
        for i in range(self.pieces):
            reach[i] ^= <uint64_t> 1 << AT[starts[i]]
        return self.pieces

    cdef int generate(self, move_t* moves) except -1 nogil:
        cdef uint64_t reach[16]
        cdef uint8_t starts[16]
        cdef uint64_t ends
        cdef uint8_t* near
        cdef uint8_t* holes
        cdef uint8_t* owner = self.state.owner
        cdef move_t* out = moves
        cdef move_t start, end
        cdef int i, direction, kept, n
        if self.side == OVER:
            return 0
        if self.long_hops:
            n = self._generate_long(moves)
        else:
            for i in range(self._hops(reach, starts)):
                start = <move_t> starts[i] << 7
                near = NEAR[starts[i]]
                for direction in range(6):
                    # Written always, kept only where the hole is empty: no branch to mispredict.
                    end = near[direction]
                    out[0] = start | end
                    out += owner[end] == 0
                ends = reach[i]
                holes = HOLE[CLASS[starts[i]]]
                while ends:
                    out[0] = start | holes[lowest(ends)]
                    out += 1
                    ends &= ends - 1
            n = <int> (out - moves)
        if self.stay_home:
            kept = 0
            for i in range(n):
                start, end = moves[i] >> 7, moves[i] & 127
                if self.heading[start] != self.state.acting or self.heading[end] == self.state.acting:
                    moves[kept] = moves[i]
                    kept += 1
            n = kept
        if n == 0:
            moves[0] = PASS
            return 1
        return n

    cdef int count(self) except -1 nogil:
        cdef uint64_t reach[16]
        cdef uint8_t starts[16]
        cdef int i, direction, n = 0
        if self.side == OVER or self.long_hops or self.stay_home:
            return Position.count(self)
        for i in range(self._hops(reach, starts)):
            for direction in range(6):
                n += self.state.owner[NEAR[starts[i]][direction]] == 0
            n += popcount(reach[i])
        return n if n else 1

    cdef int over(self) except -1 nogil:
        return self.side == OVER               # who cannot move passes

    cdef int _generate_long(self, move_t* moves) noexcept nogil:
        """Steps and long hops, piece by piece, without the tricks: long hops may also pass over their own class."""
        cdef State* state = &self.state
        cdef uint8_t waiting[HOLES]
        cdef uint64_t low = state.own[state.acting][0], high = state.own[state.acting][1]
        cdef uint64_t seen[2]
        cdef int _piece, hole, start, end, direction, first, last, n = 0
        for _piece in range(self.pieces):
            if low:
                start = lowest(low)
                low &= low - 1
            else:
                start = 64 + lowest(high)
                high &= high - 1
            for direction in range(6):
                end = NEAR[start][direction]
                if state.owner[end] == 0:
                    moves[n] = start << 7 | end
                    n += 1
            state.owner[start] = 0            # lifted while it hops
            seen[0] = seen[1] = 0
            seen[start >> 6] |= <uint64_t> 1 << (start & 63)
            waiting[0] = start
            first, last = 0, 1
            while first < last:
                hole = waiting[first]
                first += 1
                for direction in range(6):
                    end = _long_landing(state.owner, hole, direction)
                    if end != OUTSIDE and not seen[end >> 6] >> (end & 63) & 1:
                        seen[end >> 6] |= <uint64_t> 1 << (end & 63)
                        waiting[last] = end
                        last += 1
                        moves[n] = start << 7 | end
                        n += 1
            state.owner[start] = state.acting + 1
        return n

    cdef int make(self, move_t move) except -1 nogil:
        cdef State* state = &self.state
        cdef Record* record = <Record*> self.push()
        cdef int who
        record.move = move
        record.turn = state.turn
        record.key = state.key
        record.acting = state.acting
        record.finished_count = state.finished_count
        if move < PASS:
            state.key ^= PIECE_KEY[state.acting][move >> 7] ^ PIECE_KEY[state.acting][move & 127]
            self._shift(state.acting, move >> 7, move & 127)
            # Only the hole just filled can complete a goal, and it belongs to one goal at most.
            who = self.heading[move & 127]
            if who >= 0 and not state.out >> who & 1 and self.reached(who):
                state.key ^= FINISHED_KEY[who][state.finished_count]
                state.finished[state.finished_count] = who
                state.finished_count += 1
                state.out |= 1 << who
            self._hand_on()
        elif move == PASS:
            self._hand_on()
        else:
            who = move ^ RESIGN
            state.key ^= LEFT_KEY[who][state.left_count]
            state.left[state.left_count] = who
            state.left_count += 1
            state.out |= 1 << who
            if who == state.acting:
                self._hand_on()
        self._judge()
        return 0

    cdef int unmake(self) except -1 nogil:
        cdef State* state = &self.state
        cdef Record* record = <Record*> self.pop()
        state.seen[state.key & (SLOTS - 1)] -= 1
        state.turn = record.turn
        state.key = record.key
        state.acting = record.acting
        state.ending = RUNNING
        self.side = record.acting
        if record.move < PASS:
            self._shift(state.acting, record.move & 127, record.move >> 7)
            if state.finished_count != record.finished_count:
                state.finished_count -= 1
                state.out ^= 1 << state.finished[state.finished_count]
        elif record.move != PASS:
            state.left_count -= 1
            state.out ^= 1 << state.left[state.left_count]
        return 0

    cdef void _shift(self, int player, int start, int end) noexcept nogil:
        cdef State* state = &self.state
        state.own[player][start >> 6] ^= <uint64_t> 1 << (start & 63)
        state.own[player][end >> 6] ^= <uint64_t> 1 << (end & 63)
        state.classes[CLASS[start]] ^= <uint64_t> 1 << AT[start]
        state.classes[CLASS[end]] ^= <uint64_t> 1 << AT[end]
        state.owner[start] = 0
        state.owner[end] = player + 1

    cdef void _hand_on(self) noexcept nogil:
        """Let the next player who is still in the game act."""
        cdef State* state = &self.state
        cdef int player = state.acting
        state.key ^= ACTING_KEY[player]
        while True:
            player += 1
            if player == self.players:
                player = 0
                state.turn += 1
            if not state.out >> player & 1:
                break
        state.acting = player
        state.key ^= ACTING_KEY[player]

    cdef void _judge(self) noexcept nogil:
        """Count the position that has just arisen, and see whether the game is over."""
        cdef State* state = &self.state
        cdef int slot = state.key & (SLOTS - 1)
        state.seen[slot] += 1
        if state.finished_count + state.left_count >= self.players - 1:
            state.ending = DECIDED
        elif state.seen[slot] >= 3 and self._earlier(2) == 2:
            state.ending = REPEATED
        elif state.turn > self.turn_limit:
            state.ending = TURN_LIMIT
        else:
            state.ending = RUNNING
        self.side = state.acting if state.ending == RUNNING else OVER

    cdef bint reached(self, int player) noexcept nogil:
        cdef State* state = &self.state
        cdef uint64_t low = state.own[player][0] & self.goal[player][0]
        cdef uint64_t high = state.own[player][1] & self.goal[player][1]
        cdef int kind
        if self.strict:
            return low == self.goal[player][0] and high == self.goal[player][1]
        for kind in range(4):
            if self.goal_classes[player][kind] & ~state.classes[kind]:
                return False
        return (low | high) != 0

    # ------------------------------------------------------------------ keys and repetition

    cdef key_t key(self) noexcept nogil:
        return self.state.key

    cdef key_t fresh_key(self) except? 0 nogil:
        return _key(&self.state, False)

    cdef key_t board_key(self) noexcept nogil:
        cdef State* state = &self.state
        cdef key_t key = state.key ^ ACTING_KEY[state.acting]
        cdef int i
        for i in range(state.finished_count):
            key ^= FINISHED_KEY[state.finished[i]][i]
        for i in range(state.left_count):
            key ^= LEFT_KEY[state.left[i]][i]
        return key

    cdef key_t board_key_after(self, move_t move) noexcept nogil:
        cdef key_t* keys = PIECE_KEY[self.state.acting]
        return self.board_key() ^ keys[move >> 7] ^ keys[move & 127] if move < PASS else self.board_key()

    cdef key_t canonical_key(self, int* image) except? 0 nogil:
        """Of the position and its mirror image, where that is a position of the same players."""
        cdef key_t mirrored
        image[0] = 0
        if self.players != 2:
            return self.state.key
        mirrored = _key(&self.state, True)
        image[0] = mirrored < self.state.key
        return mirrored if image[0] else self.state.key

    cdef int images(self) noexcept nogil:
        return 2 if self.players == 2 else 1

    cdef move_t image_of(self, move_t move, int image) noexcept nogil:
        return <move_t> IMAGE[move >> 7] << 7 | <move_t> IMAGE[move & 127] if image and move < PASS else move

    cdef move_t original_of(self, move_t move, int image) noexcept nogil:
        return self.image_of(move, image)

    cdef int _earlier(self, int enough) noexcept nogil:
        """How often this position stood before in this game; looks no further than `enough`."""
        cdef int i, found = 0
        for i in range(self.ply - 1, -1, -1):
            if (<Record*> self.record(i)).key == self.state.key:
                found += 1
                if found == enough:
                    break
        return found

    cdef int repetition(self) except -1 nogil:
        # The filter counts this position too and may count strangers, but it never counts too few.
        if self.state.seen[self.state.key & (SLOTS - 1)] == 1:
            return 0
        return self._earlier(self.ply)

    # ------------------------------------------------------------------ hooks for searches

    cdef int make_null(self) except -1 nogil:
        """Let the player to act sit out, as one without a move does."""
        if self.side == OVER:
            return 0
        self.make(PASS)
        return 1

    cdef int settled(self, int player, double* score) except -1 nogil:
        """A player who has finished or left keeps the place whatever the others do, and shares it with nobody."""
        if not self.state.out >> player & 1 and self.state.ending != DECIDED:
            return 0
        score[0] = 1 - 2 * (self.place(player) - 1) / <double> (self.players - 1)
        return 1

    # ------------------------------------------------------------------ results

    cdef int distance(self, int player) noexcept nogil:
        cdef uint8_t* steps = DISTANCE[(self.corner[player] + 3) % 6]
        cdef int hole, total = 0
        for hole in range(HOLES):
            if self.state.owner[hole] == player + 1:
                total += steps[hole]
        return total

    cdef int place(self, int player) noexcept nogil:
        cdef State* state = &self.state
        cdef int i, better = state.finished_count
        for i in range(state.finished_count):
            if state.finished[i] == player:
                return i + 1
        for i in range(state.left_count):
            if state.left[i] == player:
                return self.players - i         # who leaves first is last
        for i in range(self.players):
            if not state.out >> i & 1 and self.distance(i) < self.distance(player):
                better += 1
        return better + 1

    cdef int score(self, double* scores) except -1 nogil:
        """Places spread evenly over 1 … -1, equal ones sharing the average, as `scores_by_place`."""
        cdef int places[MAX_PLAYERS]
        cdef int player, other, shared
        for player in range(self.players):
            places[player] = self.place(player)
        for player in range(self.players):
            shared = 0
            for other in range(self.players):
                shared += places[other] == places[player]
            scores[player] = 1 - 2 * (places[player] - 1 + (shared - 1) / 2.0) / (self.players - 1)
        return 0

    cdef int copy_state(self, Rules other) except -1:
        cdef ChineseCheckersPosition twin = <ChineseCheckersPosition> other
        self.pieces = twin.pieces
        self.turn_limit = twin.turn_limit
        self.stay_home = twin.stay_home
        self.long_hops = twin.long_hops
        self.strict = twin.strict
        # Cython takes arrays of arrays of one type for one shape, and the C compiler objects.
        memcpy(self.corner, twin.corner, sizeof(self.corner))
        memcpy(self.goal, twin.goal, sizeof(self.goal))
        memcpy(self.goal_classes, twin.goal_classes, sizeof(self.goal_classes))
        memcpy(self.heading, twin.heading, sizeof(self.heading))
        self.state = twin.state
        return 0

    # ------------------------------------------------------------------ the Python side: players

    @property
    def seats(self):
        """The home corner of each player, as letters: `AD`, `ACE`, …"""
        return SEATS[self.players]

    @property
    def turn_number(self):
        """Which turn of each player this is, counted from 1."""
        return self.state.turn

    @property
    def finished(self):
        """The players who have reached their goal, first to last."""
        return tuple(self.state.finished[i] for i in range(self.state.finished_count))

    @property
    def left(self):
        """The players who resigned or left, in that order."""
        return tuple(self.state.left[i] for i in range(self.state.left_count))

    def distances(self):
        """Per player: the steps of all pieces to the apex of the goal corner, added up."""
        return tuple(self.distance(player) for player in range(self.players))

    def may_resign(self, player):
        return Position.may_resign(self, player) and not self.state.out >> <int> player & 1

    def forfeit(self, player):
        """`RESIGN | player`: the player is skipped, the pieces stay, and the place is behind all who stayed."""
        return RESIGN | <move_t> player

    # ------------------------------------------------------------------ words and pictures

    def _name(self, player):
        return self.board.seat_names[player]

    def reason(self):
        finished = [self._name(player) for player in self.finished]
        if self.state.ending == REPEATED:
            return "repetition", Words(
                "the position has occurred three times; the player nearer to the goal ranks higher",
                "同一局面第三次出现；按离目标的远近排名")
        if self.state.ending == TURN_LIMIT:
            return "turn_limit", Words(
                f"everybody has had {self.turn_limit} turns; the player nearer to the goal ranks higher",
                f"每人已走满{self.turn_limit}步；按离目标的远近排名")
        if not finished:
            stayed = self._name(self.state.acting)
            return "resignation", Words(f"all others have left; {stayed.en} wins", f"其他人都已离开；{stayed.zh}胜")
        return "finished", Words(
            f"{' and then '.join(name.en for name in finished)} reached the goal",
            f"{'、'.join(name.zh for name in finished)}{'先后' if len(finished) > 1 else ''}到达目标")

    def explain(self):
        """Of a finished game: everybody's place and what earned it, best first."""
        if self.side != OVER:
            return ()
        lines = []
        for player in sorted(range(self.players), key=self.place):
            name, place = self._name(player), self.place(player)
            if player in self.finished:
                why = Words("reached the goal", "到达目标")
            elif player in self.left:
                why = Words("left the game", "中途离开")
            else:
                steps = self.distance(player)
                why = Words(f"{steps} steps from the apex of the goal, all pieces together", f"全部棋子距目标顶点共{steps}步")
            lines.append(Words(f"{place}. {name.en}: {why.en}", f"第{place}名 {name.zh}：{why.zh}"))
        return tuple(lines)

    def to_text(self):
        cdef int hole = 0
        rows = []
        for length in ROW_LENGTHS:
            row, empty = "", 0
            for _ in range(length):
                if self.state.owner[hole] == 0:
                    empty += 1
                else:
                    row += (str(empty) if empty else "") + self.seats[self.state.owner[hole] - 1]
                    empty = 0
                hole += 1
            rows.append(row + (str(empty) if empty else ""))
        fields = ["/".join(rows), self.seats[self.state.acting], self.seats,
                  "".join(self.seats[player] for player in self.finished) or "-", str(self.state.turn)]
        if self.state.left_count:
            fields.append("".join(self.seats[player] for player in self.left))
        return " ".join(fields)

    def set_text(self, text):
        """Become the position that `text` describes.

        The text names its seats, and its board shows how many pieces each has: where the options leave
        `players` and `pieces` at their defaults the text decides, otherwise the two must agree.
        """
        fields = read_fields(text, players=self.options["players"], pieces=self.options["pieces"],
                             turn_limit=self.turn_limit, strict=self.strict)
        seats, players, pieces = fields.seats, len(fields.seats), fields.pieces
        if players != self.options["players"] or pieces != self.options["pieces"]:
            self.options = Options({**self.options, "players": players, "pieces": pieces})
        self._sit(players, pieces)
        for hole, seat in enumerate(fields.holes):
            if seat != ".":
                self._put(hole, seats.index(seat))
        for seat in fields.finished:
            self.state.finished[self.state.finished_count] = seats.index(seat)
            self.state.finished_count += 1
            self.state.out |= 1 << <int> seats.index(seat)
        for seat in fields.left:
            self.state.left[self.state.left_count] = seats.index(seat)
            self.state.left_count += 1
            self.state.out |= 1 << <int> seats.index(seat)
        self.state.acting = seats.index(fields.side)
        self.state.turn = fields.turn
        self._begin()

    def path(self, move):
        """The holes a move lands on: the shortest chain, of those one with the fewest turns, then the first by name."""
        if isinstance(move, int):
            if move == PASS or RESIGN <= move < RESIGN + self.players:
                return ()
            if 0 <= move < PASS and move >> 7 < HOLES and move & 127 < HOLES:
                path = self._shortest(move >> 7, move & 127)
                if path is not None:
                    return path
        raise IllegalMoveError(self._refusal(shorten(move)))

    def _shortest(self, int start, int end):
        """The path of a move from one hole to another, or None when no step or chain leads there."""
        cdef int hole, direction, landing
        if self.state.owner[start] == 0 or self.state.owner[end] != 0:
            return None
        if end in [NEAR[start][direction] for direction in range(6)]:
            return NAMES[start], NAMES[end]
        # Level by level; per hole and direction of the last hop the best (turns, names), since
        # what follows depends on these two alone.
        level = {(start, -1): (0, (NAMES[start],))}
        seen = {start}
        while level:
            following = {}
            for (hole, before), (turns, names) in level.items():
                for direction in range(6):
                    landing = self._landing(start, hole, direction)
                    if landing == OUTSIDE or landing in seen:
                        continue
                    chain = (turns + (before not in (-1, direction)), names + (NAMES[landing],))
                    if (landing, direction) not in following or chain < following[landing, direction]:
                        following[landing, direction] = chain
            arrived = [chain for (hole, _), chain in following.items() if hole == end]
            if arrived:
                return min(arrived)[1]
            seen.update(hole for hole, _ in following)
            level = following
        return None

    cdef int _landing(self, int start, int hole, int direction) noexcept nogil:
        """Where a hop of the piece from `start` that has come to `hole` lands, or OUTSIDE."""
        cdef uint8_t lifted = self.state.owner[start]
        cdef int end
        self.state.owner[start] = 0
        if self.long_hops:
            end = _long_landing(self.state.owner, hole, direction)
        else:
            end = _landing(self.state.owner, hole, direction)
        self.state.owner[start] = lifted
        return end

    def format_move(self, move):
        if move == PASS:
            return "pass"
        if isinstance(move, int) and RESIGN <= move < RESIGN + self.players:
            return f"resign:{self.seats[move - RESIGN]}"
        return "-".join(self.path(move))

    def parse_move(self, text):
        """The move that `text` names: `e5-f5`, `e5-g5-g7` or `e5-g7`, `pass`, `resign` or `resign:B`."""
        word = text.strip().lower() if isinstance(text, str) and len(text) < MOST_CHARACTERS else ""
        if word == "resign" or word.startswith("resign:"):
            return self._parse_resignation(word.removeprefix("resign").removeprefix(":"), text)
        if word == "pass":
            move = PASS
        else:
            names = word.split("-")
            if len(names) < 2 or any(name not in _NUMBERS for name in names):
                raise TextError(f"{shorten(text)} is not a move of Chinese checkers: holes from a1 to q1 joined "
                                "by -, as e5-f5 or e5-g5-g7; or pass, resign")
            holes = [_NUMBERS[name] for name in names]
            first, *_, last = holes    # never holes[-1]: compiled with wraparound off
            move = first << 7 | last
        if not self.legal(move):
            raise IllegalMoveError(self._refusal(shorten(text)))
        if move != PASS and len(holes) > 2:
            for hole, following in zip(holes, holes[1:]):
                if following not in [self._landing(first, hole, direction) for direction in range(6)]:
                    raise IllegalMoveError(
                        f"{shorten(text)} is not a chain of hops: none leads from {NAMES[hole]} to "
                        f"{NAMES[following]}; the shortest way is {self.format_move(move)}")
        return move

    def _parse_resignation(self, letter, text):
        seat = letter.upper() or self.seats[self.state.acting]
        if len(seat) != 1 or seat not in self.seats:
            raise TextError(f"{shorten(text)} names nobody who could resign: say resign: and one of {self.seats}")
        player = self.seats.index(seat)
        if not self.may_resign(player):
            raise IllegalMoveError(f"{shorten(text)} cannot be played: {seat} is out of the game, or the game is over")
        return self.forfeit(player)

    def stones(self):
        cdef int hole
        return [Stone(NAMES[hole], self.seats[self.state.owner[hole] - 1])
                for hole in range(HOLES) if self.state.owner[hole]]

    def changes(self, move):
        if not self.path(move):
            return []
        return [Change("moved", NAMES[move >> 7], self.seats[self.state.owner[move >> 7] - 1], to=NAMES[move & 127])]


_NUMBERS = {name: hole for hole, name in enumerate(NAMES)}


cdef int _landing(const uint8_t* owner, int hole, int direction) noexcept nogil:
    """Where a hop from `hole` over its neighbour lands, or OUTSIDE."""
    cdef int over = NEAR[hole][direction]
    cdef int end = NEAR[over][direction]
    return end if over != OUTSIDE and owner[over] != 0 and owner[end] == 0 else OUTSIDE


cdef inline int _long_landing(const uint8_t* owner, int hole, int direction) noexcept nogil:
    """Where a long hop from `hole` lands: as far behind the first piece as that is away; or OUTSIDE."""
    cdef int away = 1, _step, end = NEAR[hole][direction]
    while owner[end] == 0:
        end = NEAR[end][direction]
        away += 1
    if end == OUTSIDE:
        return OUTSIDE
    for _step in range(away):
        end = NEAR[end][direction]
        if owner[end] != 0:
            return OUTSIDE
    return end


cdef key_t _key(const State* state, bint mirrored) noexcept nogil:
    cdef key_t key = ACTING_KEY[state.acting]
    cdef int hole, i
    for hole in range(HOLES):
        if state.owner[hole] != 0:
            key ^= PIECE_KEY[state.owner[hole] - 1][IMAGE[hole] if mirrored else hole]
    for i in range(state.finished_count):
        key ^= FINISHED_KEY[state.finished[i]][i]
    for i in range(state.left_count):
        key ^= LEFT_KEY[state.left[i]][i]
    return key
