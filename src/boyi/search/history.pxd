"""What alpha-beta has learnt about moves: which refuted before, alone and after the moves before them.

All entries are 16-bit sums that stay within ± MOST by gravity: the farther out, the less a step moves them. They
outlive a search, and age when the next one begins.

- *Main history*, by player and move (Schaeffer 1989).
- *Continuation history*, by the footprints of a move and of the one that was made one, two or four plies before
  (the counter-move idea of Uiterwijk 1992; as continuation history in Stockfish, 2016).
- *Capture history*, by footprint and value of what is taken (Stockfish, 2016).
- *Replies*: the last quiet move that refuted a move (Uiterwijk 1992). *Killers*: the last two that refuted at a ply
  (Akl and Newborn 1977).
- *Correction history*: by how much a search differed from the static value in positions that share a part, such as
  the pawns (Caissa 2023, Stockfish 2024), or the last two moves.

A footprint (`Rules.footprint`) tells what goes where.
"""

from libc.stdint cimport int16_t, int32_t
from libc.string cimport memset

from boyi.core.position cimport Position
from boyi.core.rules cimport FOOTPRINTS, PARTS
from boyi.core.types cimport key_t, move_t
from boyi.kit.pages cimport give_pages, take_pages
from boyi.search.table cimport NO_MOVE

cdef enum:
    HISTORY_PLIES = 104        # plies that have killers
    NO_FOOTPRINT = FOOTPRINTS  # of a null move, and of what was before the root
    MOVE_SLOTS = 1 << 14       # entries of the main history, by a hash of the move
    MOST = 16384               # an entry stays within ± this
    TAKEN_CLASSES = 8          # of captures, by value ...
    TAKEN_CLASS = 7            # ... divided by 2 to the power of this
    ERROR_SLOTS = 1 << 14      # entries of a correction history
    ERROR_KINDS = PARTS + 1    # the parts of a position, and the last two moves
    MOST_ERROR = 1024          # thousandths of the evaluator's scale


cdef struct History:
    bint quiet                 # the switches: main history, ...
    bint follows               # ... continuation histories, ...
    bint takes                 # ... capture history, ...
    bint answers               # ... replies, ...
    bint kills                 # ... killers, ...
    bint corrects              # ... and correction histories
    int16_t* follow            # [FOOTPRINTS + 1][FOOTPRINTS]: continuation history; the rest lies behind it
    int16_t* alone             # [2][MOVE_SLOTS]: main history
    int16_t* taking            # [FOOTPRINTS][TAKEN_CLASSES]: capture history
    int16_t* errors            # [2][ERROR_KINDS][ERROR_SLOTS]: correction history
    move_t replies[FOOTPRINTS + 1]
    move_t killers[HISTORY_PLIES][2]


cdef inline size_t _numbers() noexcept nogil:
    return <size_t> ((FOOTPRINTS + 1) * FOOTPRINTS + 2 * MOVE_SLOTS + FOOTPRINTS * TAKEN_CLASSES
                     + 2 * ERROR_KINDS * ERROR_SLOTS)


cdef inline int take_history(History* history) except -1:
    """Memory for all of it, of which nothing is learnt yet."""
    history.follow = <int16_t*> take_pages(_numbers() * sizeof(int16_t))
    if history.follow == NULL:
        raise MemoryError("no room for a search")
    history.alone = history.follow + (FOOTPRINTS + 1) * FOOTPRINTS
    history.taking = history.alone + 2 * MOVE_SLOTS
    history.errors = history.taking + FOOTPRINTS * TAKEN_CLASSES
    memset(history.replies, 0xFF, sizeof(history.replies))
    memset(history.killers, 0xFF, sizeof(history.killers))
    return 0


cdef inline int free_history(History* history) noexcept:
    give_pages(history.follow, _numbers() * sizeof(int16_t))
    return 0


cdef inline int forget_history(History* history) noexcept nogil:
    """As if nothing had been learnt."""
    memset(history.follow, 0, _numbers() * sizeof(int16_t))
    memset(history.replies, 0xFF, sizeof(history.replies))
    memset(history.killers, 0xFF, sizeof(history.killers))
    return 0


cdef inline int age_history(History* history) noexcept nogil:
    """Another search begins: killers were of other plies, the main history counts three quarters."""
    cdef int i
    for i in range(2 * MOVE_SLOTS):
        history.alone[i] = <int16_t> (history.alone[i] * 3 >> 2)
    memset(history.killers, 0xFF, sizeof(history.killers))
    return 0


cdef inline int _slot(move_t move, int player) noexcept nogil:
    return player * MOVE_SLOTS + ((move ^ move >> 14) & (MOVE_SLOTS - 1))


cdef inline int16_t* row_of(History* history, int footprint) noexcept nogil:
    """The continuation history after a move of this footprint."""
    return history.follow + footprint * FOOTPRINTS


cdef inline int _add(int16_t* entry, int step) noexcept nogil:
    cdef int size = step if step > 0 else -step
    entry[0] += <int16_t> (step - (entry[0] * size >> 14))
    return 0


cdef inline int quiet_history(History* history, move_t move, int footprint, int player, int16_t** rows) noexcept nogil:
    """How promising a quiet move is. `rows` are the continuation histories of the plies before."""
    cdef int sum = 0
    if history.quiet:
        sum = 2 * history.alone[_slot(move, player)]
    if history.follows:
        sum += 2 * rows[0][footprint] + rows[1][footprint] + rows[2][footprint]
    return sum


cdef inline int learn_alone(History* history, move_t move, int player, int step) noexcept nogil:
    """Main history only."""
    if history.quiet:
        _add(&history.alone[_slot(move, player)], step)
    return 0


cdef inline int learn_follow(History* history, int footprint, int16_t** rows, int step) noexcept nogil:
    """Continuation histories only."""
    if history.follows:
        _add(&rows[0][footprint], step)
        _add(&rows[1][footprint], step)
        _add(&rows[2][footprint], step)
    return 0


cdef inline int learn_quiet(History* history, move_t move, int footprint, int player, int16_t** rows,
                            int step) noexcept nogil:
    learn_alone(history, move, player, step)
    return learn_follow(history, footprint, rows, step)


cdef inline int16_t* taking_entry(History* history, int footprint, int taken) noexcept nogil:
    cdef int kind = taken >> TAKEN_CLASS
    return &history.taking[footprint * TAKEN_CLASSES + (kind if kind < TAKEN_CLASSES else TAKEN_CLASSES - 1)]


cdef inline int learn_capture(History* history, int footprint, int taken, int step) noexcept nogil:
    if history.takes:
        _add(taking_entry(history, footprint, taken), step)
    return 0


cdef inline int add_killer(History* history, move_t move, int ply) noexcept nogil:
    if history.kills and history.killers[ply][0] != move:
        history.killers[ply][1] = history.killers[ply][0]
        history.killers[ply][0] = move
    return 0


cdef inline int drop_killers(History* history, int ply) noexcept nogil:
    """Those of the children of another node are of no use."""
    history.killers[ply][0] = history.killers[ply][1] = NO_MOVE
    return 0


# ---------------------------------------------------------------------- correction

cdef inline int16_t* _error(History* history, int player, int kind, key_t key) noexcept nogil:
    return &history.errors[(player * ERROR_KINDS + kind) * ERROR_SLOTS + <int> (key >> 40 & (ERROR_SLOTS - 1))]


cdef inline key_t _moves_key(int last, int before) noexcept nogil:
    """Of the footprints of the last two moves; never 0."""
    return (<key_t> last * 4099 + before + 1) * <key_t> 0x9E3779B97F4A7C15


cdef inline int expected_error(History* history, Position position, int player, int last, int before) noexcept nogil:
    """By how much searches of positions like this one differed from the static value, for `player`, who acts: the sum
    over all kinds, in thousandths of the evaluator's scale."""
    cdef int sum = _error(history, player, PARTS, _moves_key(last, before))[0], part
    cdef key_t key
    for part in range(PARTS):
        key = position.part_key(part)
        if key == 0:
            break
        sum += _error(history, player, part, key)[0]
    return sum


cdef inline int _drift(int16_t* entry, int step) noexcept nogil:
    cdef int size = step if step > 0 else -step
    entry[0] += <int16_t> (step - (entry[0] * size >> 10))
    return 0


cdef inline int learn_error(History* history, Position position, int player, int last, int before, int error,
                            int depth) noexcept nogil:
    """A search of this depth differed by `error` thousandths."""
    cdef int step = error * depth >> 3, part
    cdef key_t key
    step = 256 if step > 256 else -256 if step < -256 else step
    _drift(_error(history, player, PARTS, _moves_key(last, before)), step)
    for part in range(PARTS):
        key = position.part_key(part)
        if key == 0:
            break
        _drift(_error(history, player, part, key), step)
    return 0
