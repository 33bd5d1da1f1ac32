"""The two loops of `boyi.kit.nnue` that vectors make fast, for several processors; one is chosen when it is loaded.

A released wheel is compiled for x86-64-v2, and the processor that it runs on may know wider vectors. So on x86-64 the
loops are compiled for each level of it, AVX-512 among them, and once as the file itself is. Elsewhere there is only the
latter: on ARM, compilers make NEON of it (untested).

Written with the vector types of GCC and Clang, each level with the width of its registers: GCC 12 keeps wider ones in
memory. Another compiler gets plain loops.
"""

from libc.stdint cimport int16_t, int64_t

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #include <string.h>

    typedef struct {
        const char *name;
        /* sums = old + rows that arrive - rows that leave; sums and old may be the same. */
        void (*change)(int16_t *sums, const int16_t *old, const int16_t *first, const int16_t *arriving, int arrivals,
                       const int16_t *leaving, int departures, int width);
        /* The output layer: weights of squares of sums clipped to 0 ... 255. */
        int64_t (*output)(const int16_t *sums, const int16_t *weights, int width);
    } boyi_kernels;

    /* 128 products of up to 255 * 127 * 255 are less than 2^31, also when they are added up in one lane. */
    #define BOYI_OUTPUT_PART 128

    #if defined(__GNUC__)
      typedef int16_t boyi_words8 __attribute__((vector_size(16), aligned(2), may_alias));
      typedef int16_t boyi_words16 __attribute__((vector_size(32), aligned(2), may_alias));
      typedef int16_t boyi_words32 __attribute__((vector_size(64), aligned(2), may_alias));
      /* Four vectors at a time stay in registers while rows come and go; then one at a time. */
      #define BOYI_ROWS(LANES, SIGN, ROWS, COUNT)                                                                    \\
          for (int i = 0; i < COUNT; i++) {                                                                          \\
              const boyi_words##LANES *row = (const boyi_words##LANES *) (first + (ptrdiff_t) ROWS[i] * width + at); \\
              a SIGN row[0]; b SIGN row[1]; c SIGN row[2]; d SIGN row[3];                                            \\
          }
      #define BOYI_CHANGE_FOUR(LANES)                                                                                \\
          for (; at + 4 * LANES <= width; at += 4 * LANES) {                                                         \\
              const boyi_words##LANES *from = (const boyi_words##LANES *) (old + at);                                \\
              boyi_words##LANES *to = (boyi_words##LANES *) (sums + at);                                             \\
              boyi_words##LANES a = from[0], b = from[1], c = from[2], d = from[3];                                  \\
              BOYI_ROWS(LANES, +=, arriving, arrivals)                                                               \\
              BOYI_ROWS(LANES, -=, leaving, departures)                                                              \\
              to[0] = a; to[1] = b; to[2] = c; to[3] = d;                                                            \\
          }
      #define BOYI_CHANGE_ONE(LANES)                                                                                 \\
          for (; at + LANES <= width; at += LANES) {                                                                 \\
              boyi_words##LANES sum = *(const boyi_words##LANES *) (old + at);                                       \\
              for (int i = 0; i < arrivals; i++)                                                                     \\
                  sum += *(const boyi_words##LANES *) (first + (ptrdiff_t) arriving[i] * width + at);                \\
              for (int i = 0; i < departures; i++)                                                                   \\
                  sum -= *(const boyi_words##LANES *) (first + (ptrdiff_t) leaving[i] * width + at);                 \\
              *(boyi_words##LANES *) (sums + at) = sum;                                                              \\
          }
      #define BOYI_CHANGES_8 BOYI_CHANGE_FOUR(8) BOYI_CHANGE_ONE(8)
      #define BOYI_CHANGES_16 BOYI_CHANGE_FOUR(16) BOYI_CHANGE_ONE(16)
      #define BOYI_CHANGES_32 BOYI_CHANGE_FOUR(32) BOYI_CHANGE_ONE(32) BOYI_CHANGE_ONE(16)
      #if defined(__AVX512BW__)
        #define BOYI_CHANGES_PLAIN BOYI_CHANGES_32
      #elif defined(__AVX2__)
        #define BOYI_CHANGES_PLAIN BOYI_CHANGES_16
      #else
        #define BOYI_CHANGES_PLAIN BOYI_CHANGES_8
      #endif
    #else
      #define BOYI_CHANGES_PLAIN                                                                                     \\
          for (; at < width; at++) {                                                                                 \\
              int16_t sum = old[at];                                                                                 \\
              for (int i = 0; i < arrivals; i++) sum += first[(ptrdiff_t) arriving[i] * width + at];                 \\
              for (int i = 0; i < departures; i++) sum -= first[(ptrdiff_t) leaving[i] * width + at];                \\
              sums[at] = sum;                                                                                        \\
          }
    #endif

    #define BOYI_KERNELS(SUFFIX, TARGET, CHANGES)                                                                    \\
        TARGET static void boyi_change_##SUFFIX(int16_t *sums, const int16_t *old, const int16_t *first,             \\
                const int16_t *arriving, int arrivals, const int16_t *leaving, int departures, int width) {          \\
            int at = 0;                                                                                              \\
            CHANGES                                                                                                  \\
        }                                                                                                            \\
        TARGET static int64_t boyi_output_##SUFFIX(const int16_t *restrict sums, const int16_t *restrict weights,    \\
                                                   int width) {                                                      \\
            int64_t total = 0;                                                                                       \\
            for (int from = 0; from < width; from += BOYI_OUTPUT_PART) {                                             \\
                int32_t part = 0;                                                                                    \\
                int to = width < from + BOYI_OUTPUT_PART ? width : from + BOYI_OUTPUT_PART;                          \\
                for (int i = from; i < to; i++) {                                                                    \\
                    int16_t sum = sums[i] < 0 ? 0 : sums[i] > 255 ? 255 : sums[i];                                   \\
                    part += (int32_t) (int16_t) (sum * weights[i]) * sum;                                            \\
                }                                                                                                    \\
                total += part;                                                                                       \\
            }                                                                                                        \\
            return total;                                                                                            \\
        }

    BOYI_KERNELS(plain, , BOYI_CHANGES_PLAIN)
    #if defined(__x86_64__) && defined(__GNUC__)
      #if defined(__clang__)
        #define BOYI_WIDE "arch=x86-64-v4"
      #else
        #define BOYI_WIDE "arch=x86-64-v4,prefer-vector-width=512"
      #endif
      BOYI_KERNELS(v2, __attribute__((target("arch=x86-64-v2"))), BOYI_CHANGES_8)
      BOYI_KERNELS(v3, __attribute__((target("arch=x86-64-v3"))), BOYI_CHANGES_16)
      BOYI_KERNELS(v4, __attribute__((target(BOYI_WIDE))), BOYI_CHANGES_32)
    #endif

    static const boyi_kernels boyi_all_kernels[] = {
        {"plain", boyi_change_plain, boyi_output_plain},
    #if defined(__x86_64__) && defined(__GNUC__)
        {"x86-64-v2", boyi_change_v2, boyi_output_v2},
        {"x86-64-v3", boyi_change_v3, boyi_output_v3},
        {"x86-64-v4", boyi_change_v4, boyi_output_v4},
    #endif
    };
    #define BOYI_KERNEL_COUNT ((int) (sizeof(boyi_all_kernels) / sizeof(boyi_all_kernels[0])))

    /* Does this processor know what the kernels are compiled for? */
    static int boyi_kernels_run(int number) {
    #if defined(__x86_64__) && defined(__GNUC__)
        __builtin_cpu_init();
        switch (number) {
        case 1: return !!__builtin_cpu_supports("sse4.2");
        case 2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")
                       && __builtin_cpu_supports("fma");
        case 3: return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
                       && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd")
                       && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
        }
    #endif
        return number == 0;
    }
    static const boyi_kernels *boyi_chosen = &boyi_all_kernels[0];
    static void boyi_choose(int number) { boyi_chosen = &boyi_all_kernels[number]; }
    """
    ctypedef struct kernels_t "boyi_kernels":
        const char* name
        void change(int16_t* sums, const int16_t* old, const int16_t* first, const int16_t* arriving, int arrivals,
                    const int16_t* leaving, int departures, int width) noexcept nogil
        int64_t output(const int16_t* sums, const int16_t* weights, int width) noexcept nogil

    const kernels_t* all_kernels "boyi_all_kernels"
    const int kernel_count "BOYI_KERNEL_COUNT"
    int kernels_run "boyi_kernels_run"(int number) noexcept nogil
    const kernels_t* chosen_kernels "boyi_chosen"
    void choose_kernels "boyi_choose"(int number) noexcept nogil
