"""The limits of a search: nodes, seconds on a monotonic clock, and stop().

A search keeps a `Control`, calls `begin` before its first node and `out_of_budget` at every node, and unwinds as soon
as the answer is true. The clock is read every CLOCK_INTERVAL nodes.
"""

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
    CLOCK_INTERVAL = 1024          # nodes between two readings of the clock


cdef struct Control:
    int64_t nodes                  # visited so far
    int64_t node_limit
    double deadline                # on the clock of now()
    double began
    bint stopped                   # stop() was called or a limit was met: unwind and answer


cdef inline bint out_of_budget(Control* control) noexcept nogil:
    """Count a node; must the search end now?"""
    control.nodes += 1
    if control.nodes >= control.node_limit:
        control.stopped = True
    elif control.nodes % CLOCK_INTERVAL == 0 and now() >= control.deadline:
        control.stopped = True
    return control.stopped


cdef inline int begin(Control* control, double seconds, int64_t nodes) noexcept nogil:
    """Start counting; a limit of 0 is none. stop() takes effect from here on."""
    control.nodes = 0
    control.began = now()
    control.deadline = control.began + seconds if seconds > 0 else 1e300
    control.node_limit = nodes if nodes > 0 else <int64_t> 1 << 62
    control.stopped = False
    return 0


cdef inline bint has_deadline(Control* control) noexcept nogil:
    """Is there a limit in seconds?"""
    return control.deadline < 1e299
