"""A set of keys: which positions a search has met, each of them and no other."""

from libc.stdint cimport uint32_t, uint64_t

from boyi.core.types cimport key_t

cdef extern from *:
    """
    #if defined(_MSC_VER) && !defined(__clang__)
      #define boyi_prefetch(address) ((void) (address))
    #else
      #define boyi_prefetch(address) __builtin_prefetch(address, 1)
    #endif
    """
    void prefetch "boyi_prefetch"(const void* address) noexcept nogil


cdef class KeySet:
    cdef key_t* slots                  # open addressing with linear probing; 0 is an empty slot
    cdef uint32_t* used                # the slots that are not empty, in the order they were filled
    cdef uint64_t count                # of those; at most half of all slots
    cdef uint64_t mask                 # slots - 1, which are a power of two
    cdef int shift                     # the highest bits of a scattered key are its slot
    cdef bint holds_zero               # the key 0 has no slot

    cdef int grow(self) except -1 nogil
    # Forget all keys, in the time it took to add them; the memory stays.
    cdef int clear(self) noexcept nogil

    cdef inline uint64_t place(self, key_t key) noexcept nogil:
        """The slot at which the search for a key begins."""
        return (key * <uint64_t> 0x9E3779B97F4A7C15) >> self.shift

    cdef inline int expect(self, key_t key) noexcept nogil:
        """The key will be asked for soon: let the memory come near."""
        prefetch(&self.slots[self.place(key)])
        return 0

    cdef inline bint has(self, key_t key) noexcept nogil:
        cdef uint64_t slot = self.place(key)
        if key == 0:
            return self.holds_zero
        while self.slots[slot] != 0:
            if self.slots[slot] == key:
                return True
            slot = (slot + 1) & self.mask
        return False

    cdef inline int add(self, key_t key) except -1 nogil:
        """1 if the key is new, 0 if it was there."""
        cdef uint64_t slot = self.place(key)
        cdef bint new
        if key == 0:
            new = not self.holds_zero
            self.holds_zero = True
            return new
        while self.slots[slot] != 0:
            if self.slots[slot] == key:
                return 0
            slot = (slot + 1) & self.mask
        if 2 * self.count > self.mask:
            self.grow()
            slot = self.place(key)
            while self.slots[slot] != 0:
                slot = (slot + 1) & self.mask
        self.slots[slot] = key
        self.used[self.count] = <uint32_t> slot
        self.count += 1
        return 1
