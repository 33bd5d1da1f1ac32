"""What the inner loops of Othello are compiled for, and what of it this machine can run.

`endgame.pyx` is compiled once for the package and once for each kind of processor that is much faster at it
(`meson.build`). The choice is made once, by what the processor says of itself, and for whole searches: within one
nothing is asked.
"""

from importlib import import_module

cdef extern from *:
    """
    #if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
      static int boyi_has_avx2(void) {
          __builtin_cpu_init();
          return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")
              && __builtin_cpu_supports("fma");
      }
      static int boyi_has_avx512(void) {
          return boyi_has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
              && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
              && __builtin_cpu_supports("avx512vl");
      }
    #else
      static int boyi_has_avx2(void) { return 0; }
      static int boyi_has_avx512(void) { return 0; }
    #endif
    """
    bint has_avx2 "boyi_has_avx2"()
    bint has_avx512 "boyi_has_avx512"()

PROCESSORS = ("avx512", "avx2", "any")
"""What the search is compiled for, the fastest first; "any" is what the rest of the package is compiled for."""


def usable_processors():
    """Those of PROCESSORS that this machine can run and this package was built with."""
    found = []
    for name, runs in zip(PROCESSORS, (has_avx512(), has_avx2(), True), strict=True):
        if runs and compiled_for(name) is not None:
            found.append(name)
    return tuple(found)


def compiled_for(name):
    """The compiled search for a processor; None where it was not built. To import one that cannot run would crash."""
    try:
        return import_module("boyi.games.othello.endgame" + ("" if name == "any" else "_" + name))
    except ModuleNotFoundError:
        return None
