"""The fewest turns to the goal while nobody else moves: what is left of the game once the armies have passed.

- `plan`: a beam search. Turn after turn the boards with the least way to go are kept, as many as the beam is wide. A
  plan can be played, but a wider beam may find a shorter one.
- `least`: proves how many turns are needed at least. Iterative deepening with a bound that never overestimates (IDA*,
  Korf 1985): every open hole of the goal takes a turn, and since only steps lead from one parity class of holes to
  another (see `position`), pieces of the wrong classes may take more.

Pieces of others stay where they are: they are hopped over, stand in the way, and may fill holes of the goal, as the
rules say. The rules `long_hops` are not known here.

The ten pieces of a corner cross an empty star in 27 turns and no fewer (Bell 2009, "The Shortest Game of Chinese
Checkers"). A beam finds such a plan: `SoloSolver(10_000).plan_across()`.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from boyi.core.bits cimport lowest, mix, popcount
from boyi.core.types cimport MAX_MOVES, key_t, move_t
from boyi.games.chinese_checkers.position cimport HOLES, OUTSIDE, ChineseCheckersPosition
from boyi.kit.control cimport now
from boyi.kit.pages cimport give_pages, take_pages

from boyi.core.errors import OptionError
from boyi.games.chinese_checkers.board import COORDINATES, DIRECTIONS, HOLE_AT, apex, camp, steps_between

cdef enum:
    MOST_TURNS = 100           # of a plan
    MOVES = 256                # that ten or fifteen pieces have at most: 15 pieces reach less
    LOADS = 8192               # sums of loads are less
    KNOWN = 1 << 18            # slots that `least` remembers boards in, a power of two
    WIDEST = 100000

cdef uint8_t CLASS[HOLES]                  # as in `position`
cdef uint8_t AT[HOLES]
cdef uint8_t HOLE[4][64]
cdef uint64_t WHOLE[4]
cdef uint64_t STEP[HOLES][4]               # the neighbours of a hole, by class
cdef int32_t LOAD[6][HOLES]                # the way from a hole to a goal corner, in tenths of a step
cdef uint64_t NEXT_TO[6][2][4]             # holes from which a step leads into a goal corner of ten or fifteen holes
cdef key_t KEY[HOLES]
cdef uint8_t ROW[HOLES]                    # from the top


cdef int _fill_tables() except -1:
    cdef int hole, corner, near, kind
    for hole in range(HOLES):
        y, q, _ = COORDINATES[hole]
        ROW[hole] = y + 8
        CLASS[hole] = 2 * (y & 1) + (q & 1)
        AT[hole] = 8 * (y >> 1) + (q >> 1) + 32
        HOLE[CLASS[hole]][AT[hole]] = hole
        WHOLE[CLASS[hole]] |= <uint64_t> 1 << AT[hole]
        KEY[hole] = mix((<uint64_t> hole + 1) * <uint64_t> 0x9E3779B97F4A7C15)
    for hole in range(HOLES):
        y, q, _ = COORDINATES[hole]
        for dy, dq in DIRECTIONS:
            near = HOLE_AT.get((y + dy, q + dq), OUTSIDE)
            if near != OUTSIDE:
                STEP[hole][CLASS[near]] |= <uint64_t> 1 << AT[near]
                for corner in range(6):
                    for kind in range(2):
                        goal = camp(corner, 15 if kind else 10)
                        if near in goal and hole not in goal:
                            NEXT_TO[corner][kind][CLASS[hole]] |= <uint64_t> 1 << AT[hole]
    for corner in range(6):
        top = apex(corner)
        axis = max(range(3), key=lambda i: abs(COORDINATES[top][i]))
        for hole in range(HOLES):
            sides = [COORDINATES[hole][i] for i in range(3) if i != axis]
            away = steps_between(hole, top)
            # A little convex, so that nobody is left behind, and drawn to the middle.
            LOAD[corner][hole] = 10 * away + away * away // 4 + abs(sides[0] - sides[1]) // 2
    return 0


_fill_tables()


cdef class SoloSolver:
    """Plans for one player at a time. All memory is taken when it is made."""

    def __cinit__(self, int width=300):
        if not 1 <= width <= WIDEST:
            raise OptionError(f"a beam is 1 to {WIDEST} boards wide, not {width}")
        self.width = width
        self.boards = <Node*> take_pages(_boards_bytes(width))
        self.children = <Node*> take_pages(_children_bytes(width))
        self.seen = <key_t*> take_pages(_slots(width) * sizeof(key_t))
        self.slots = NULL
        if self.boards == NULL or self.children == NULL or self.seen == NULL:
            raise MemoryError("no room for a solver")

    def __dealloc__(self):
        give_pages(self.boards, _boards_bytes(self.width))
        give_pages(self.children, _children_bytes(self.width))
        give_pages(self.seen, _slots(self.width) * sizeof(key_t))
        give_pages(self.slots, 2 * KNOWN * sizeof(int32_t))

    def plan(self, ChineseCheckersPosition position not None, int player, int most=MOST_TURNS - 1, *,
             bint alone=False, int width=0):
        """Moves that take a player to the goal while nobody else moves; None if none were found within `most` turns.

        `alone`: as if the board had no other pieces. `width`: of the beam, if narrower than the solver's.
        """
        cdef Node first
        self.ask(position, player, &first)
        if alone:
            memset(self.fixed, 0, sizeof(self.fixed))
        self.kept = width if 0 < width < self.width else self.width
        return self.find(&first, most)

    def plan_across(self, int most=MOST_TURNS - 1):
        """The same for the ten pieces of corner A on an empty star."""
        cdef Node first
        cdef int hole
        memset(&first, 0, sizeof(first))
        memset(self.fixed, 0, sizeof(self.fixed))
        memset(self.goal, 0, sizeof(self.goal))
        memcpy(self.load, LOAD[3], sizeof(self.load))
        memset(self.edge, 0, sizeof(self.edge))
        self.strict = self.stay_home = False
        self.kept = self.width
        for hole in camp(0):
            _add(&first, hole, self.load)
        for hole in camp(3):
            self.goal[CLASS[hole]] |= <uint64_t> 1 << AT[hole]
        return self.find(&first, most)

    cdef object find(self, Node* first, int most):
        cdef int number
        cdef double began = now()
        self.stopped = False
        self.seconds = 0
        if self.bound(first.own) > most:
            return None
        with nogil:
            number = self.beam(first, most if most < MOST_TURNS else MOST_TURNS - 1)
        self.seconds = now() - began
        if number < 0:
            return None
        moves = []
        while number > 0:
            moves.append(self.boards[number].move)
            number = self.boards[number].parent
        return tuple(reversed(moves))

    def least(self, ChineseCheckersPosition position not None, int player, int most, long long nodes=1_000_000, *,
              bint alone=False):
        """How many turns the player needs at least while nobody else moves: exact below `most`, where the search ends.
        Boards are searched up to a number of `nodes`; what is proven by then is the answer."""
        cdef Node first
        cdef int turns
        cdef bint found
        self.ask(position, player, &first)
        if alone:
            memset(self.fixed, 0, sizeof(self.fixed))
        if self.slots == NULL:
            self.slots = <int32_t*> take_pages(2 * KNOWN * sizeof(int32_t))
            if self.slots == NULL:
                raise MemoryError("no room for a solver")
        memset(self.slots, 0, 2 * KNOWN * sizeof(int32_t))
        self.stopped = False
        self.nodes = nodes
        turns = self.bound(first.own)
        while turns < most:
            with nogil:
                found = self.within(first.own, first.key, turns)
            if found or self.nodes <= 0 or self.stopped:
                break
            turns += 1
        return turns

    def passed(self, ChineseCheckersPosition position not None):
        """Of two players: has every piece passed all of the opponent's?"""
        cdef int lowest_of_first = -1, highest_of_second = HOLES, hole
        for hole in range(HOLES):              # numbered from the top, where the first player goes
            if position.state.owner[hole] == 1:
                lowest_of_first = ROW[hole]
            elif position.state.owner[hole] == 2 and highest_of_second == HOLES:
                highest_of_second = ROW[hole]
        return position.players == 2 and lowest_of_first < highest_of_second

    def stop(self):
        """End what is under way, from another thread."""
        self.stopped = True

    # ------------------------------------------------------------------ the question

    cdef int ask(self, ChineseCheckersPosition position, int player, Node* first) except -1:
        cdef int hole, kind, corner
        if position.long_hops:
            raise OptionError("plans are for plain hops, not for long_hops")
        if not 0 <= player < position.players:
            raise OptionError(f"players are numbered from 0 to {position.players - 1}, not {player}")
        corner = (position.corner[player] + 3) % 6
        memcpy(self.load, LOAD[corner], sizeof(self.load))
        memset(first, 0, sizeof(first[0]))
        for hole in range(HOLES):
            if position.state.owner[hole] == player + 1:
                _add(first, hole, self.load)
        for kind in range(4):
            self.fixed[kind] = position.state.classes[kind] & ~first.own[kind]
            self.goal[kind] = position.goal_classes[player][kind]
        memcpy(self.edge, NEXT_TO[corner][position.pieces == 15], sizeof(self.edge))
        self.strict = position.strict
        self.stay_home = position.stay_home
        return 0

    cdef bint arrived(self, const uint64_t* own) noexcept nogil:
        cdef int kind
        cdef uint64_t any_own = 0
        for kind in range(4):
            if self.goal[kind] & ~(own[kind] if self.strict else own[kind] | self.fixed[kind]):
                return False
            any_own |= own[kind] & self.goal[kind]
        return any_own != 0

    cdef int bound(self, const uint64_t* own) noexcept nogil:
        """Turns that are needed at least.

        Each hole that is open takes a turn by which a piece enters it. Where pieces of a class are too few, steps must
        bring others into it. An entering step spares a turn only to a piece that is next to the goal now; any other
        step is a turn of its own, or makes such a one possible, so that two of them cost at least one turn more.
        """
        cdef int kind, open = 0, short = 0, near = 0, outside, inside, holes
        cdef uint64_t any_own = 0
        for kind in range(4):
            inside = popcount(self.goal[kind] & ~(own[kind] if self.strict else own[kind] | self.fixed[kind]))
            open += inside
            holes = popcount(self.goal[kind] & (WHOLE[kind] if self.strict else ~self.fixed[kind]))
            outside = popcount(own[kind])
            if holes > outside:
                short += holes - outside
            near += popcount(own[kind] & ~self.goal[kind] & self.edge[kind])
            any_own |= own[kind] & self.goal[kind]
        if open == 0:
            return 0 if any_own else 1
        return open + (short - near + 1) // 2 if short > near else open

    # ------------------------------------------------------------------ moves

    cdef int generate(self, const uint64_t* own, move_t* moves) noexcept nogil:
        cdef uint64_t all[4]
        cdef uint64_t right, down_right, down_left, room, flood, before, left, ends
        cdef int kind, other, start, n = 0
        for kind in range(4):
            all[kind] = own[kind] | self.fixed[kind]
        for kind in range(4):
            left = own[kind]
            if left == 0:
                continue
            # Bit i is set where the hole between i and i + 1 (8, 7) is occupied.
            if kind == 0:
                right, down_right, down_left = all[1], all[2], all[3] << 1
            elif kind == 1:
                right, down_right, down_left = all[0] >> 1, all[3], all[2]
            elif kind == 2:
                right, down_right, down_left = all[3], all[0] >> 8, all[1] >> 7
            else:
                right, down_right, down_left = all[2] >> 1, all[1] >> 8, all[0] >> 8
            room = WHOLE[kind] & ~all[kind]
            while left:
                flood = left & -left
                left ^= flood
                start = HOLE[kind][lowest(flood)]
                before = 0
                while flood != before:
                    before = flood
                    flood |= (((flood & right) << 1) | ((flood >> 1) & right)) & room
                    flood |= (((flood & down_right) << 8) | ((flood >> 8) & down_right)) & room
                    flood |= (((flood & down_left) << 7) | ((flood >> 7) & down_left)) & room
                for other in range(4):
                    ends = flood & room if other == kind else STEP[start][other] & ~all[other]
                    if self.stay_home and self.goal[kind] >> AT[start] & 1:
                        ends &= self.goal[other]
                    while ends:
                        moves[n] = start << 7 | HOLE[other][lowest(ends)]
                        n += 1
                        ends &= ends - 1
        return n

    # ------------------------------------------------------------------ the beam

    cdef int beam(self, Node* first, int most) noexcept nogil:
        """The number of a board that has arrived, or -1."""
        cdef move_t moves[MAX_MOVES]
        cdef int32_t counts[LOADS]
        cdef Node* node
        cdef Node* child
        cdef int from_ = 0, to = 1, _turn, i, j, n, start, end, children, limit, kept, slot
        cdef int mask = _slots(self.kept) - 1
        self.boards[0] = first[0]
        if self.arrived(first.own):
            return 0
        for _turn in range(most):
            # Step 1. All children, each board once.
            children = 0
            memset(self.seen, 0, (mask + 1) * sizeof(key_t))
            memset(counts, 0, sizeof(counts))
            for i in range(from_, to):
                if self.stopped:
                    return -1
                node = &self.boards[i]
                n = self.generate(node.own, moves)
                for j in range(n):
                    start, end = moves[j] >> 7, moves[j] & 127
                    child = &self.children[children]
                    child.key = node.key ^ KEY[start] ^ KEY[end]
                    slot = <int> (child.key & mask)
                    while self.seen[slot] != 0 and self.seen[slot] != child.key:
                        slot = (slot + 1) & mask
                    if self.seen[slot] == child.key:
                        continue
                    self.seen[slot] = child.key
                    memcpy(child.own, node.own, sizeof(child.own))
                    child.own[CLASS[start]] ^= <uint64_t> 1 << AT[start]
                    child.own[CLASS[end]] ^= <uint64_t> 1 << AT[end]
                    child.value = node.value - self.load[start] + self.load[end]
                    child.parent = i
                    child.move = moves[j]
                    if self.goal[CLASS[end]] >> AT[end] & 1 and self.arrived(child.own):
                        self.boards[to] = child[0]
                        return to
                    counts[child.value] += 1
                    children += 1
            if children == 0:
                return -1
            # Step 2. The best of them.
            limit = kept = 0
            while limit < LOADS and kept + counts[limit] <= self.kept:
                kept += counts[limit]
                limit += 1
            from_, kept = to, self.kept - kept        # how many of those at the limit
            for i in range(children):
                child = &self.children[i]
                if child.value < limit or (child.value == limit and kept > 0):
                    kept -= child.value == limit
                    self.boards[to] = child[0]
                    to += 1
        return -1

    # ------------------------------------------------------------------ the proof

    cdef bint within(self, uint64_t* own, key_t key, int turns) noexcept nogil:
        """Can the player arrive in that many turns? Wrong boards are not remembered: 31 bits and the slot tell keys."""
        cdef move_t moves[MAX_MOVES]
        cdef int i, n, start, end
        cdef int32_t* slot = &self.slots[2 * <int> (key & (KNOWN - 1))]
        cdef int32_t tag = <int32_t> (key >> 32)
        if self.bound(own) > turns:
            return False
        if self.arrived(own):
            return True
        if turns == 0 or (slot[0] == tag and slot[1] >= turns):
            return False
        self.nodes -= 1
        if self.nodes <= 0 or self.stopped:
            return False
        n = self.generate(own, moves)
        for i in range(n):
            start, end = moves[i] >> 7, moves[i] & 127
            own[CLASS[start]] ^= <uint64_t> 1 << AT[start]
            own[CLASS[end]] ^= <uint64_t> 1 << AT[end]
            if self.within(own, key ^ KEY[start] ^ KEY[end], turns - 1):
                own[CLASS[end]] ^= <uint64_t> 1 << AT[end]
                own[CLASS[start]] ^= <uint64_t> 1 << AT[start]
                return True
            own[CLASS[end]] ^= <uint64_t> 1 << AT[end]
            own[CLASS[start]] ^= <uint64_t> 1 << AT[start]
        if self.nodes > 0:
            slot[0] = tag
            slot[1] = turns
        return False


cdef inline size_t _boards_bytes(int width) noexcept nogil:
    return (<size_t> width * MOST_TURNS + 1) * sizeof(Node)


cdef inline size_t _children_bytes(int width) noexcept nogil:
    return <size_t> width * MOVES * sizeof(Node)


cdef inline int _slots(int width) noexcept nogil:
    """Twice as many as there may be children, a power of two."""
    cdef int slots = 1024
    while slots < 2 * MOVES * width:
        slots *= 2
    return slots


cdef int _add(Node* node, int hole, const int32_t* load) noexcept:
    node.own[CLASS[hole]] |= <uint64_t> 1 << AT[hole]
    node.key ^= KEY[hole]
    node.value += load[hole]
    return 0
