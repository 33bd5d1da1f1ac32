"""The transposition table.

Buckets of four entries fill one cache line. An entry is given up when it is the
shallowest of its bucket, entries of earlier searches first (each generation counts as
GENERATION_PLIES). Two threads may write the same entry at once: since `check` holds the key
XOR a hash of the data, a mixture of both matches neither (Hyatt and Mann 2002). Of the key 48 bits are compared, and
the place of the bucket tells the others.

The memory of a table that is gone is kept for the next of its size. A match makes two tables a game, and to
have the system give and take them page by page cost a twentieth of a fast game.
"""

from libc.stdint cimport int16_t, uint64_t
from libc.string cimport memset

from boyi.core.evaluator cimport UNKNOWN
from boyi.core.types cimport key_t, move_t
from boyi.kit.pages cimport give_pages, take_pages

from boyi.core.errors import OptionError

cdef enum:
    ABOUT_BITS = 16            # of `check`: depth, generation, principal, bound
    GENERATIONS = 32
    GENERATION_PLIES = 8       # what an entry of an earlier search counts less; a guess
    SHALLOWER_PLIES = 3        # a bound so much shallower does not replace a deep value; a guess
    SPARES = 2
    LARGEST_SPARE = 64 << 20   # bytes


cdef inline uint64_t scatter(uint64_t data) noexcept nogil:
    """So that a changed bit of the data changes the upper half of the check."""
    return data * <uint64_t> 0x9E3779B97F4A7C15


cdef char* spares[SPARES]
cdef uint64_t spare_sizes[SPARES]   # 0: nothing is kept there


cdef char* take(uint64_t size) noexcept:
    """This number of zero bytes; NULL where there is no memory. The interpreter lock is held."""
    cdef int i
    for i in range(SPARES):
        if spare_sizes[i] == size:
            spare_sizes[i] = 0
            memset(spares[i], 0, size)
            return spares[i]
    return <char*> take_pages(size)


cdef int give_back(char* memory, uint64_t size) noexcept:
    cdef int i
    for i in range(SPARES):
        if spare_sizes[i] == 0 and size <= LARGEST_SPARE:
            spares[i], spare_sizes[i] = memory, size
            return 0
    give_pages(memory, size)
    return 0


cdef class Table:
    """A table of a size in megabytes."""

    def __cinit__(self, int megabytes=16):
        if not 1 <= megabytes <= 1 << 16:
            raise OptionError(f"a table of {megabytes} MB cannot be made; 1 to 65536 can")
        cdef uint64_t buckets = 1
        while buckets * 2 * BUCKET * sizeof(Entry) <= <uint64_t> megabytes << 20:
            buckets *= 2
        self._entries = <Entry*> take(buckets * BUCKET * sizeof(Entry))
        if self._entries == NULL:
            raise MemoryError(f"no room for a table of {megabytes} MB")
        self._mask = buckets - 1
        self.megabytes = megabytes

    def __dealloc__(self):
        if self._entries != NULL:
            give_back(<char*> self._entries, (self._mask + 1) * BUCKET * sizeof(Entry))

    def clear(self):
        """Forget everything."""
        memset(self._entries, 0, (self._mask + 1) * BUCKET * sizeof(Entry))
        self._generation = 0
        self._taken = 0

    def age(self):
        """A new search begins: what is there may be given up before what will come."""
        self._generation = (self._generation + 1) % GENERATIONS

    def __len__(self):
        """How many entries are in use."""
        return self._taken

    cdef bint probe(self, key_t key, Found* found) noexcept nogil:
        cdef Entry* bucket = &self._entries[(key & self._mask) * BUCKET]
        cdef uint64_t data, check
        cdef int i
        for i in range(BUCKET):
            check = bucket[i].check
            data = bucket[i].data
            if (check ^ key ^ scatter(data)) >> ABOUT_BITS == 0 and data:
                found.move = <move_t> data
                found.value = <int16_t> (data >> 32)
                found.static_value = <int16_t> (data >> 48)
                found.depth = check >> 8 & 255
                found.principal = check >> 2 & 1
                found.bound = check & 3
                return True
        return False

    cdef int store(self, key_t key, move_t move, int value, int depth, int bound, int static_value=UNKNOWN,
                   bint principal=False) noexcept nogil:
        cdef Entry* bucket = &self._entries[(key & self._mask) * BUCKET]
        cdef Entry* chosen = bucket
        cdef uint64_t data, check
        cdef int i, worth, least = 1 << 30
        if depth < 0:
            depth = 0
        for i in range(BUCKET):
            data = bucket[i].data
            check = bucket[i].check
            if data == 0 or (check ^ key ^ scatter(data)) >> ABOUT_BITS == 0:
                chosen = &bucket[i]
                if data == 0:
                    self._taken += 1
                # A shallow bound does not push out a deep value of the same position found in this search.
                if (data and bound != EXACT and depth + SHALLOWER_PLIES < <int> (check >> 8 & 255)
                        and <int> (check >> 3 & (GENERATIONS - 1)) == self._generation):
                    return 0
                if move == NO_MOVE and data:
                    move = <move_t> data
                break
            worth = <int> (check >> 8 & 255) - GENERATION_PLIES * (
                (self._generation - <int> (check >> 3 & (GENERATIONS - 1))) & (GENERATIONS - 1))
            if worth < least:
                least = worth
                chosen = &bucket[i]
        data = <uint64_t> move | <uint64_t> (value & 0xFFFF) << 32 | <uint64_t> (static_value & 0xFFFF) << 48
        check = (key ^ scatter(data)) >> ABOUT_BITS << ABOUT_BITS
        chosen.data = data
        chosen.check = check | <uint64_t> (depth & 255) << 8 | self._generation << 3 | principal << 2 | bound
        return 0
