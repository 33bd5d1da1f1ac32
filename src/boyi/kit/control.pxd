"""The limits of a search: nodes, seconds on a monotonic clock, and stop().

A search keeps a `Control`, calls `begin` before its first node and `out_of_budget` at every node, and unwinds as soon
as the answer is true. Where there is a deadline the clock is read every few nodes: as many as give
LOOKS_PER_SECOND at the speed so far, for a game in plain Python may take milliseconds for one.
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
    CLOCK_INTERVAL = 1024          # nodes between two readings of the clock, at most
    FIRST_LOOK = 8                 # nodes before the first reading
    LOOKS_PER_SECOND = 100         # readings, of a search that is slower than that


cdef struct Control:
    int64_t nodes                  # visited so far
    int64_t node_limit
    int64_t next_look              # at the clock: the node at which it is read
    double deadline                # on the clock of now()
    double began
    bint stopped                   # stop() was called or a limit was met: unwind and answer


cdef inline int look_at_clock(Control* control) noexcept nogil:
    """Is it time to end? If not, see when to look again."""
    cdef double time = now()
    cdef double nodes = control.nodes / (LOOKS_PER_SECOND * (time - control.began) + 1e-9)
    if time >= control.deadline:
        control.stopped = True
    control.next_look = control.nodes + (CLOCK_INTERVAL if nodes > CLOCK_INTERVAL else <int64_t> nodes + 1)
    return 0


cdef inline bint out_of_budget(Control* control) noexcept nogil:
    """Count a node; must the search end now?"""
    control.nodes += 1
    if control.nodes >= control.node_limit:
        control.stopped = True
    elif control.nodes >= control.next_look:
        look_at_clock(control)
    return control.stopped


cdef inline int begin(Control* control, double seconds, int64_t nodes) noexcept nogil:
    """Start counting; a limit of 0 is none. stop() takes effect from here on."""
    control.nodes = 0
    control.began = now()
    control.deadline = control.began + seconds if seconds > 0 else 1e300
    control.next_look = FIRST_LOOK if seconds > 0 else <int64_t> 1 << 62
    control.node_limit = nodes if nodes > 0 else <int64_t> 1 << 62
    control.stopped = False
    return 0


cdef inline bint has_deadline(Control* control) noexcept nogil:
    """Is there a limit in seconds?"""
    return control.deadline < 1e299
