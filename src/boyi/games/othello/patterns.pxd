"""Patterns: sets of points whose discs are read together, as one number in base 3."""

from libc.stdint cimport int8_t, int32_t, uint16_t, uint64_t

from boyi.core.bits cimport popcount

cdef extern from *:
    """
    /* In C, for the compiler makes no vectors of the same loop in Cython. 48 is LANES. */
    #if defined(__GNUC__) || defined(__clang__)
      typedef unsigned short boyi_third __attribute__((vector_size(32), aligned(2), may_alias));
      static inline void boyi_add_rows(unsigned short *numbers, const unsigned short (*rows)[256][48],
                                       unsigned long long own, unsigned long long other) {
          boyi_third first = {0}, second = {0}, third = {0};
          for (int row = 0; row < 8; row++) {
              const boyi_third *a = (const boyi_third *) rows[row][own >> 8 * row & 255];
              const boyi_third *b = (const boyi_third *) rows[row][other >> 8 * row & 255];
              first += a[0] + b[0] + b[0];
              second += a[1] + b[1] + b[1];
              third += a[2] + b[2] + b[2];
          }
          ((boyi_third *) numbers)[0] = first;
          ((boyi_third *) numbers)[1] = second;
          ((boyi_third *) numbers)[2] = third;
      }
    #else
      static void boyi_add_rows(unsigned short *numbers, const unsigned short (*rows)[256][48],
                                unsigned long long own, unsigned long long other) {
          for (int lane = 0; lane < 48; lane++) numbers[lane] = 0;
          for (int row = 0; row < 8; row++)
              for (int lane = 0; lane < 48; lane++)
                  numbers[lane] = (unsigned short) (numbers[lane] + rows[row][own >> 8 * row & 255][lane]
                                                    + 2 * rows[row][other >> 8 * row & 255][lane]);
      }
    #endif
    #if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
      #include <immintrin.h>
      #define BOYI_GATHERS 1
      /* Sixteen weights, one byte each, at numbers + offsets. It reads three bytes more than it needs. */
      static inline __m512i boyi_gather(__mmask16 lanes, const unsigned short *numbers, const int *offsets,
                                        const signed char *table) {
          __m512i places = _mm512_add_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *) numbers)),
                                            _mm512_loadu_si512((const void *) offsets));
          __m512i words = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), lanes, places, (const int *) table, 1);
          return _mm512_srai_epi32(_mm512_slli_epi32(words, 24), 24);
      }
      static inline int boyi_sum_weights(const unsigned short *numbers, const int *offsets, const signed char *table) {
          __m512i first = boyi_gather(0xFFFF, numbers, offsets, table);
          __m512i second = boyi_gather(0xFFFF, numbers + 16, offsets + 16, table);
          __m512i third = boyi_gather(0x3FFF, numbers + 32, offsets + 32, table);    /* 46 instances */
          return _mm512_reduce_add_epi32(_mm512_add_epi32(_mm512_add_epi32(first, second), third));
      }
    #else
      #define BOYI_GATHERS 0
      static inline int boyi_sum_weights(const unsigned short *numbers, const int *offsets, const signed char *table) {
          int total = 0;
          for (int instance = 0; instance < 46; instance += 2)
              total += table[offsets[instance] + numbers[instance]]
                     + table[offsets[instance + 1] + numbers[instance + 1]];
          return total;
      }
    #endif
    """
    # Per instance, in `numbers`, the sum of the contributions of all rows of the board.
    void add_rows "boyi_add_rows"(uint16_t* numbers, const uint16_t (*rows)[256][48], uint64_t own,
                                  uint64_t other) noexcept nogil
    # The sum of the 46 weights.
    int sum_weights "boyi_sum_weights"(const uint16_t* numbers, const int32_t* offsets,
                                       const int8_t* table) noexcept nogil
    const bint HAS_GATHERS "BOYI_GATHERS"         # are sixteen weights read by one instruction?

cdef enum:
    INSTANCES = 46         # pattern images on the board
    LANES = 48             # the same, rounded up to whole vector registers
    STAGES = 61            # one set of weights per number of discs, 4 to 64
    INDICES = 226314       # 3^points summed over the 12 patterns: all the ways they can look
    SPARE = 3              # bytes behind the weights that may be read, not used
    STEP = 25              # one unit of a weight is 25 / 2 hundredths of a disc


# Per instance the number in base 3 of its discs: own 1, other 2, empty 0. Room for LANES.
cdef int measure(uint64_t own, uint64_t other, uint16_t* numbers) noexcept nogil

# What `measure` adds up per row and set of discs in it, and per instance where the table of its pattern begins.
cdef uint16_t CONTRIBUTIONS[8][256][LANES]
cdef int32_t OFFSETS[LANES]

# The weights in use, STAGES x INDICES; NULL until load_weights() was called.
cdef int8_t* weights
cdef int load_weights() except -1

# The value for `own`, to act, in hundredths of a disc. The weights must have been loaded.
cdef int pattern_value(uint64_t own, uint64_t other) noexcept nogil


cdef inline int sum_of_patterns(uint64_t own, uint64_t other, const uint16_t (*contributions)[256][LANES],
                                const int32_t* offsets, const int8_t* weights_of_stages) noexcept nogil:
    """`pattern_value` for modules that are compiled for another processor: they bring the tables."""
    cdef uint16_t numbers[LANES]
    cdef int discs = popcount(own | other), total
    # Positions read from text may have fewer discs than any game.
    cdef const int8_t* table = weights_of_stages + (discs - 4 if discs > 4 else 0) * <Py_ssize_t> INDICES
    add_rows(numbers, contributions, own, other)
    total = sum_weights(numbers, offsets, table) * STEP // 2
    return -6400 if total < -6400 else 6400 if total > 6400 else total
