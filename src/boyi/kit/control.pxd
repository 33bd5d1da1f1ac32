"""The limits of a search: nodes, seconds on a monotonic clock, and stop().

A search keeps a `Control`, calls `begin` before its first node and `out_of_budget` at every node, and unwinds as soon
as the answer is true. Where there is a deadline the clock is read every few nodes: as many as give
LOOKS_PER_SECOND at the speed so far, for a game in plain Python may take milliseconds for one.

A search may be paused and go on where it was: at each look it passes a gate (`kit.gate.Gate`), if it has one, and waits
while that is closed. What it waited there is not counted as its time.
"""

from cpython.pythread cimport PyThread_acquire_lock, PyThread_release_lock, PyThread_type_lock, WAIT_LOCK
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


cdef struct Passage:               # what a search and its gate share
    PyThread_type_lock lock        # held by who closed the gate
    int64_t nodes                  # of the search, when it passed last
    double seconds                 # of the search without pauses, then


cdef struct Control:
    int64_t nodes                  # visited so far
    int64_t node_limit
    int64_t next_look              # at the clock: the node at which it is read
    double deadline                # on the clock of now()
    double began
    bint stopped                   # stop() was called or a limit was met: unwind and answer
    Passage* passage               # NULL for a search that is never paused


cdef inline int pass_gate(Control* control, double time) noexcept nogil:
    """Wait while the gate is closed."""
    cdef double waited
    control.passage.nodes = control.nodes
    control.passage.seconds = time - control.began
    PyThread_acquire_lock(control.passage.lock, WAIT_LOCK)
    PyThread_release_lock(control.passage.lock)
    waited = now() - time
    control.began += waited
    control.deadline += waited
    return 0


cdef inline int look_at_clock(Control* control) noexcept nogil:
    """Is it time to end? If not, see when to look again."""
    cdef double time = now()
    cdef double nodes = control.nodes / (LOOKS_PER_SECOND * (time - control.began) + 1e-9)
    if time >= control.deadline:
        control.stopped = True
    if control.passage != NULL:
        pass_gate(control, time)
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
    control.next_look = FIRST_LOOK if seconds > 0 or control.passage != NULL else <int64_t> 1 << 62
    control.node_limit = nodes if nodes > 0 else <int64_t> 1 << 62
    control.stopped = False
    return 0


cdef inline bint has_deadline(Control* control) noexcept nogil:
    """Is there a limit in seconds?"""
    return control.deadline < 1e299
