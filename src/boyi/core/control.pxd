"""When a search must end: its limits, looked at every so many nodes."""

from libc.stdint cimport int64_t

cdef extern from *:
    """
    #if defined(_WIN32)
      #define WIN32_LEAN_AND_MEAN
      #include <windows.h>
      static double boyi_now(void) {
          LARGE_INTEGER count, rate;
          QueryPerformanceCounter(&count); QueryPerformanceFrequency(&rate);
          return (double) count.QuadPart / (double) rate.QuadPart;
      }
    #else
      #include <time.h>
      static double boyi_now(void) {
          struct timespec now;
          clock_gettime(CLOCK_MONOTONIC, &now);
          return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
      }
    #endif
    """
    double now "boyi_now"() noexcept nogil        # seconds on a clock that never goes back

cdef enum:
    PATIENCE = 1024                # nodes between two looks at the clock


cdef struct Control:
    int64_t nodes                  # visited so far
    int64_t node_limit
    double deadline
    double began
    bint stopped                   # somebody said stop, or a limit was met: unwind and answer


cdef inline bint out_of_budget(Control* control) noexcept nogil:
    """Count a node; must the search end now?"""
    control.nodes += 1
    if control.nodes >= control.node_limit:
        control.stopped = True
    elif control.nodes % PATIENCE == 0 and now() >= control.deadline:
        control.stopped = True
    return control.stopped


cdef inline int begin(Control* control, double seconds, int64_t nodes) noexcept nogil:
    """Start counting; 0 stands for no limit."""
    control.nodes = 0
    control.began = now()
    control.deadline = control.began + seconds if seconds > 0 else 1e300
    control.node_limit = nodes if nodes > 0 else <int64_t> 1 << 62
    control.stopped = False
    return 0
