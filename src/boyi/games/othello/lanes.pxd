"""Four 64-bit words side by side: one per direction of the board, all treated alike.

With AVX2 each operation is one instruction; elsewhere it is done to four words one by one. (They are
named fields and not an array: GCC for plain x86-64 makes half-vectors of an array, five times slower.)
The C here is only the list of operations; what is done with them is in `discs.pxd`.
"""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #ifdef __AVX2__
      #include <immintrin.h>
      typedef __m256i boyi_lanes;
      #define BOYI_LANES_VECTORS 1
      #define boyi_lanes_of(a, b, c, d) \\
          _mm256_set_epi64x((long long) (d), (long long) (c), (long long) (b), (long long) (a))
      #define boyi_lanes_all(word) _mm256_set1_epi64x((long long) (word))
      #define boyi_lanes_load(words) _mm256_loadu_si256((const __m256i *) (words))
      #define boyi_lanes_and _mm256_and_si256
      #define boyi_lanes_or _mm256_or_si256
      #define boyi_lanes_without(a, b) _mm256_andnot_si256(b, a)
      #define boyi_lanes_minus _mm256_sub_epi64
      #define boyi_lanes_left _mm256_sllv_epi64
      #define boyi_lanes_right _mm256_srlv_epi64
      #define boyi_lanes_greater _mm256_cmpgt_epi64
      #define boyi_lanes_equal _mm256_cmpeq_epi64
      static inline unsigned long long boyi_lanes_union(__m256i a) {
          __m128i half = _mm_or_si128(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
          return (unsigned long long) _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half)));
      }
      #if defined(__AVX512VL__) && defined(__AVX512CD__)
        #define BOYI_LANES_TOP 1
        #define boyi_lanes_top(x) \\
            _mm256_srlv_epi64(_mm256_set1_epi64x((long long) 0x8000000000000000ULL), _mm256_lzcnt_epi64(x))
      #else
        #define BOYI_LANES_TOP 0
        #define boyi_lanes_top(x) (x)
      #endif
    #else
      typedef unsigned long long boyi_word;
      typedef struct { boyi_word a, b, c, d; } boyi_lanes;
      static inline boyi_lanes boyi_lanes_of(boyi_word a, boyi_word b, boyi_word c, boyi_word d) {
          boyi_lanes lanes; lanes.a = a; lanes.b = b; lanes.c = c; lanes.d = d; return lanes;
      }
      #define BOYI_LANES(name, value) \\
          static inline boyi_word name##_word(boyi_word x, boyi_word y) { return value; } \\
          static inline boyi_lanes name(boyi_lanes x, boyi_lanes y) { \\
              return boyi_lanes_of(name##_word(x.a, y.a), name##_word(x.b, y.b), \\
                                   name##_word(x.c, y.c), name##_word(x.d, y.d)); \\
          }
      BOYI_LANES(boyi_lanes_and, x & y)
      BOYI_LANES(boyi_lanes_or, x | y)
      BOYI_LANES(boyi_lanes_without, x & ~y)
      BOYI_LANES(boyi_lanes_minus, x - y)
      BOYI_LANES(boyi_lanes_left, x << y)
      BOYI_LANES(boyi_lanes_right, x >> y)
      BOYI_LANES(boyi_lanes_greater, 0ULL - ((long long) x > (long long) y))
      BOYI_LANES(boyi_lanes_equal, 0ULL - (x == y))
      #define boyi_lanes_all(word) boyi_lanes_of(word, word, word, word)
      #define boyi_lanes_load(words) boyi_lanes_of((words)[0], (words)[1], (words)[2], (words)[3])
      #define boyi_lanes_union(x) ((x).a | (x).b | (x).c | (x).d)
      #define BOYI_LANES_TOP 0
      #define BOYI_LANES_VECTORS 0
      #define boyi_lanes_top(x) (x)
    #endif
    """
    ctypedef struct lanes_t "boyi_lanes":
        pass

    lanes_t lanes_of "boyi_lanes_of"(uint64_t a, uint64_t b, uint64_t c, uint64_t d) noexcept nogil
    lanes_t lanes_all "boyi_lanes_all"(uint64_t word) noexcept nogil                # the same word four times
    lanes_t lanes_load "boyi_lanes_load"(const uint64_t* words) noexcept nogil
    lanes_t both "boyi_lanes_and"(lanes_t a, lanes_t b) noexcept nogil              # a & b
    lanes_t either "boyi_lanes_or"(lanes_t a, lanes_t b) noexcept nogil             # a | b
    lanes_t without "boyi_lanes_without"(lanes_t a, lanes_t b) noexcept nogil       # a & ~b
    lanes_t minus "boyi_lanes_minus"(lanes_t a, lanes_t b) noexcept nogil           # a - b
    lanes_t left "boyi_lanes_left"(lanes_t a, lanes_t steps) noexcept nogil         # a << steps
    lanes_t right "boyi_lanes_right"(lanes_t a, lanes_t steps) noexcept nogil       # a >> steps
    lanes_t greater "boyi_lanes_greater"(lanes_t a, lanes_t b) noexcept nogil       # all bits where a > b (signed)
    lanes_t equal "boyi_lanes_equal"(lanes_t a, lanes_t b) noexcept nogil           # all bits where a == b
    uint64_t union_of "boyi_lanes_union"(lanes_t a) noexcept nogil                  # the four words, or-ed
    const bint HAS_VECTORS "BOYI_LANES_VECTORS"                                     # is each operation one instruction?
    const bint HAS_TOP "BOYI_LANES_TOP"                                             # is there a `top`? (AVX-512)
    lanes_t top "boyi_lanes_top"(lanes_t a) noexcept nogil                          # the highest bit of each alone
