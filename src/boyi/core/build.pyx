"""How the compiled part of Boyi was built, as the compiler itself saw it.

`boyi doctor` prints it: a slow or a crashing installation often is one of another
kind than its owner believes.
"""

cdef extern from *:
    """
    #ifdef CYTHON_WITHOUT_ASSERTIONS
    #define BOYI_CHECKED 0
    #else
    #define BOYI_CHECKED 1
    #endif

    #if defined(__clang__)
    #define BOYI_COMPILER __VERSION__
    #elif defined(__GNUC__)
    #define BOYI_COMPILER "GCC " __VERSION__
    #elif defined(_MSC_VER)
    #define BOYI_COMPILER "MSVC"
    #else
    #define BOYI_COMPILER "unknown"
    #endif

    #ifdef __POPCNT__
    #define BOYI_POPCNT "popcnt "
    #else
    #define BOYI_POPCNT ""
    #endif
    #ifdef __BMI2__
    #define BOYI_BMI2 "bmi2 "
    #else
    #define BOYI_BMI2 ""
    #endif
    #ifdef __AVX2__
    #define BOYI_AVX2 "avx2 "
    #else
    #define BOYI_AVX2 ""
    #endif
    #ifdef __AVX512F__
    #define BOYI_AVX512 "avx512 "
    #else
    #define BOYI_AVX512 ""
    #endif
    #ifdef __ARM_NEON
    #define BOYI_NEON "neon "
    #else
    #define BOYI_NEON ""
    #endif
    #define BOYI_FEATURES BOYI_POPCNT BOYI_BMI2 BOYI_AVX2 BOYI_AVX512 BOYI_NEON
    """
    bint BOYI_CHECKED
    const char* BOYI_COMPILER
    const char* BOYI_FEATURES

CHECKED = bool(BOYI_CHECKED)
COMPILER = BOYI_COMPILER.decode()
FEATURES = tuple(BOYI_FEATURES.decode().split())
