"""Bit tricks on 64-bit words, one instruction each where the machine has it."""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #if defined(_MSC_VER) && !defined(__clang__)
      #include <intrin.h>
      static inline int boyi_popcount(unsigned long long word) { return (int) __popcnt64(word); }
      static inline int boyi_lowest(unsigned long long word) {
          unsigned long at; _BitScanForward64(&at, word); return (int) at;
      }
      static inline int boyi_highest(unsigned long long word) {
          unsigned long at; _BitScanReverse64(&at, word); return (int) at;
      }
    #else
      #define boyi_popcount(word) __builtin_popcountll(word)
      #define boyi_lowest(word) __builtin_ctzll(word)
      #define boyi_highest(word) (63 - __builtin_clzll(word))
    #endif
    """
    int popcount "boyi_popcount"(uint64_t word) noexcept nogil   # how many bits are set
    int lowest "boyi_lowest"(uint64_t word) noexcept nogil       # the number of the lowest set bit; word != 0
    int highest "boyi_highest"(uint64_t word) noexcept nogil     # and of the highest one


cdef inline uint64_t mix(uint64_t word) noexcept nogil:
    """Scatter a word over all 64 bits (the finaliser of splitmix64): a hash of small integers."""
    word = (word ^ (word >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    word = (word ^ (word >> 27)) * <uint64_t> 0x94D049BB133111EB
    return word ^ (word >> 31)
