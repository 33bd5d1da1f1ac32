"""The end of an Othello game, solved: the exact margin with best play and a line that reaches it.

The search itself is in `endgame.pyx`, compiled for several kinds of processor. `SolverOptions` switches each of its
parts off; the margin never changes, only the nodes. Less may be asked of it: only who wins (`outcome`), or a margin
that is not proven (`certainty`); both reach further from the end.

A margin counts the empty points for the winner, as in tournaments.

With `threads` all search the same position and share the table; the first that is done has the answer. They leave
each other what they are searching (`endgame.share`).
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport uint64_t
from libc.string cimport memset

from boyi.kit.control cimport begin, now
from boyi.kit.pages cimport give_pages, take_pages
from boyi.games.othello cimport patterns
from boyi.games.othello.endings cimport ENTRY_NAME, EXACT, MARKS, WAYS, Cell, Entry, Search
from boyi.games.othello.position cimport OthelloPosition

import threading
from dataclasses import replace
from statistics import NormalDist

from boyi.core.errors import OptionError, TextError
from boyi.games.othello.probcut import fits_to_the_end, own_probcut
from boyi.games.othello.processors import compiled_for, usable_processors
from boyi.games.othello.solution import Solution, SolverOptions


cdef class Solver:
    """Solves positions exactly. A solver answers one question at a time and keeps what it has learnt for the next."""

    def __cinit__(self, options=None):
        options = SolverOptions() if options is None else options
        if not isinstance(options, SolverOptions):
            raise OptionError(f"a solver takes SolverOptions, not {type(options).__name__}")
        usable = usable_processors()
        if options.processor not in (*usable, "auto"):
            raise OptionError(f"no search for the processor {options.processor!r} can run here, but: "
                              f"{', '.join(usable)}")
        self.processor = usable[0] if options.processor == "auto" else options.processor
        cdef object entry = compiled_for(self.processor).ENTRY
        self._entry = <Entry*> PyCapsule_GetPointer(entry, ENTRY_NAME)
        cdef uint64_t cells = WAYS
        cdef int i
        cdef Search* search
        self._threads = options.threads
        while cells * 2 * sizeof(Cell) <= <uint64_t> options.megabytes << 20:
            cells *= 2
        self._bytes = (cells + <uint64_t> self._threads * NEAR_CELLS) * sizeof(Cell) + MARKS * sizeof(uint64_t)
        self._searches = <Search*> PyMem_RawCalloc(self._threads, sizeof(Search))
        if self._searches == NULL:
            raise MemoryError("no room for a solver")
        search = self._searches
        search.cells = <Cell*> take_pages(self._bytes)
        if search.cells == NULL:
            raise MemoryError(f"no room for a table of {options.megabytes} MB")
        search.mask = cells - WAYS
        search.near_mask = NEAR_CELLS - 1
        self.options = options
        search.parity, search.stability = options.parity, options.stability
        search.table, search.patterns = options.table, options.patterns
        search.transpositions = options.transpositions and options.table
        if options.patterns:
            patterns.load_weights()
            search.weights = patterns.weights
            search.contributions = patterns.CONTRIBUTIONS
            search.offsets = patterns.OFFSETS
            for fit in fits_to_the_end(own_probcut()):
                search.cuts[64 - fit.discs].shallow = fit.shallow
                search.cuts[64 - fit.discs].slope = fit.slope
                search.cuts[64 - fit.discs].offset = fit.offset
                search.cuts[64 - fit.discs].deviation = fit.deviation
        search.prepare = options.prepare and options.patterns and options.table
        if self._threads > 1:
            search.marks = <uint64_t*> (search.cells + cells + <uint64_t> self._threads * NEAR_CELLS)
        for i in range(self._threads):
            self._searches[i] = search[0]
            self._searches[i].near = search.cells + cells + <uint64_t> i * NEAR_CELLS

    def __dealloc__(self):
        if self._searches != NULL:
            give_pages(self._searches.cells, self._bytes)
        PyMem_RawFree(self._searches)

    def solve(self, OthelloPosition position not None, limits=None, *, outcome=None, certainty=None):
        """The margin and a line of best play; None where the seconds or nodes ran out or it was stopped.

        `outcome` and `certainty` are those of the options where they are not given; what is learnt serves them all.
        With an `outcome` the margin is a bound: more than 0 for a win, less for a loss, and the line may end before
        the game does. With a `certainty` below 1 all of it may be wrong.
        """
        cdef uint64_t own = position.discs[position.side & 1], other = position.discs[position.side & 1 ^ 1]
        cdef int i, j, lowest = -64, highest = 64
        cdef Search* first
        cdef double seconds = 0
        cdef long long share = 0, nodes
        if position.over():
            raise TextError("the game is over: there is nothing to solve")
        if limits is not None:
            if limits.depth is not None or limits.lines != 1:
                raise OptionError("a solver goes to the end and gives one line: limit its seconds or nodes")
            seconds = limits.seconds or 0
            share = -(-limits.nodes // self.options.threads) if limits.nodes else 0
        asked = self.options
        if outcome is not None or certainty is not None:
            asked = replace(asked, outcome=asked.outcome if outcome is None else outcome,
                            certainty=asked.certainty if certainty is None else certainty)
        if asked.outcome:
            lowest, highest = -1, 1
        for i in range(self._threads):
            self._searches[i].level = EXACT
            if asked.certainty < 1:
                # A cut-off is wrong if the truth is on the wrong side, far enough off: one tail each.
                self._searches[i].deviations = NormalDist().inv_cdf((1 + asked.certainty) / 2)
                self._searches[i].level = 1 + int(100 * asked.certainty)
            self._searches[i].round += 1
            self._searches[i].done = False
            begin(&self._searches[i].control, seconds, share)
        if self._threads > 1:
            memset(self._searches.marks, 0, MARKS * sizeof(uint64_t))
        helpers = [threading.Thread(target=_help, args=(self, i, own, other, lowest, highest))
                   for i in range(1, self._threads)]
        try:
            for helper in helpers:
                helper.start()
            with nogil:
                self._run(0, own, other, lowest, highest)
            for helper in helpers:      # they may have found it, or their nodes last longer
                helper.join()
        except BaseException:
            self.stop()
            for helper in helpers:
                if helper.ident is not None:
                    helper.join()
            raise
        for i in range(self._threads):
            if self._searches[i].done:
                first = &self._searches[i]
                line = tuple([first.line[0][j] for j in range(first.length[0])])
                nodes = 0
                for j in range(self._threads):
                    nodes += self._searches[j].control.nodes
                return Solution(first.margin, line, nodes, now() - self._searches.control.began)
        return None

    cdef int _run(self, int number, uint64_t own, uint64_t other, int alpha, int beta) noexcept nogil:
        """Search as the thread of this number; the first that is done stops the others."""
        cdef Search* search = &self._searches[number]
        cdef int i
        search.margin = self._entry.solve(search, own, other, alpha, beta)
        if not search.control.stopped:
            search.done = True
            for i in range(self._threads):
                if i != number:
                    self._searches[i].control.stopped = True
        return 0

    def value(self, OthelloPosition position not None, int depth):
        """What a search of `depth` plies with the pattern evaluation finds, in hundredths of a disc.

        It is for the player to act. A game that ends before the last ply counts what it is worth.
        """
        cdef int value
        if position.over():
            raise TextError("the game is over: there is nothing to search")
        if not self.options.patterns:
            raise OptionError("a solver with patterns=False has no evaluation to search with")
        if not 0 <= depth <= 60:
            raise OptionError(f"a depth of {depth} is not from 0 to 60 plies")
        begin(&self._searches.control, 0, 0)
        with nogil:
            value = self._entry.value(self._searches, position.discs[position.side & 1],
                                      position.discs[position.side & 1 ^ 1], depth)
        return value

    def stop(self):
        """End a running solve() soon, from another thread."""
        cdef int i
        for i in range(self._threads):
            self._searches[i].control.stopped = True


def _help(Solver solver, int number, uint64_t own, uint64_t other, int alpha, int beta):
    with nogil:
        solver._run(number, own, other, alpha, beta)
