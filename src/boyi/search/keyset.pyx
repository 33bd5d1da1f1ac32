"""A set of keys of positions.

Open addressing in slots that double whenever half of them are filled. Nothing is ever overwritten, so a key is in the
set exactly if it was added. The memory is kept when the set is cleared: once it is as large as a search needs, searches
take none.

    >>> keys = KeySet()
    >>> keys.insert(7), keys.insert(7), 7 in keys, 8 in keys, len(keys)
    (True, False, True, False, 1)
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawMalloc
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from boyi.core.types cimport key_t

cdef enum:
    FIRST_BITS = 12            # the slots of a new set are two to this power
    LAST_BITS = 32             # numbers of slots have 32 bits
    DENSE = 8                  # one slot of so many is filled: to wipe all of them is quicker than to look them up


cdef class KeySet:
    """Keys that were added, and no others."""

    def __cinit__(self):
        self.shift = 64 - FIRST_BITS
        self.mask = (<uint64_t> 1 << FIRST_BITS) - 1
        self.slots = <key_t*> PyMem_RawCalloc(self.mask + 1, sizeof(key_t))
        self.used = <uint32_t*> PyMem_RawMalloc((self.mask + 1) // 2 * sizeof(uint32_t))
        if self.slots == NULL or self.used == NULL:
            raise MemoryError("no room for a set of positions")

    def __dealloc__(self):
        PyMem_RawFree(self.slots)
        PyMem_RawFree(self.used)

    cdef int grow(self) except -1 nogil:
        cdef uint64_t size = 2 * (self.mask + 1), i, slot
        cdef key_t* slots = NULL
        cdef uint32_t* used = NULL
        cdef key_t key
        if self.shift > 64 - LAST_BITS:
            slots = <key_t*> PyMem_RawCalloc(size, sizeof(key_t))
            used = <uint32_t*> PyMem_RawMalloc(size // 2 * sizeof(uint32_t))
        if slots == NULL or used == NULL:
            PyMem_RawFree(slots)
            PyMem_RawFree(used)
            with gil:
                raise MemoryError(f"no room for more than the {self.count} positions that this search has met; "
                                  "search less deep, or with a limit of nodes")
        self.mask = size - 1
        self.shift -= 1
        for i in range(self.count):
            key = self.slots[self.used[i]]
            slot = self.place(key)
            while slots[slot] != 0:
                slot = (slot + 1) & self.mask
            slots[slot] = key
            used[i] = <uint32_t> slot
        PyMem_RawFree(self.slots)
        PyMem_RawFree(self.used)
        self.slots = slots
        self.used = used
        return 0

    cdef int clear(self) noexcept nogil:
        cdef uint64_t i
        if DENSE * self.count > self.mask:
            memset(self.slots, 0, (self.mask + 1) * sizeof(key_t))
        else:
            for i in range(self.count):
                self.slots[self.used[i]] = 0
        self.count = 0
        self.holds_zero = False
        return 0

    def insert(self, key_t key):
        """Add a key; was it new?"""
        return bool(self.add(key))

    def empty(self):
        """Forget all keys; the memory stays."""
        self.clear()

    def __contains__(self, key_t key):
        return self.has(key)

    def __len__(self):
        return self.count + self.holds_zero
