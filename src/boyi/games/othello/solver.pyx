"""The end of an Othello game, solved: the exact margin with best play and a line that reaches it.

The search itself is in `endgame.pyx`, compiled for several kinds of processor. `SolverOptions` switches each of its
parts off; the margin never changes, only the nodes. Less may be asked of it: only who wins (`outcome`), or a margin
that is not proven (`certainty`); both reach further from the end.

A margin counts the empty points for the winner, as in tournaments.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport uint64_t

from boyi.kit.control cimport begin, now
from boyi.kit.pages cimport give_pages, take_pages
from boyi.games.othello cimport patterns
from boyi.games.othello.endings cimport ENTRY_NAME, EXACT, WAYS, Cell, Entry
from boyi.games.othello.position cimport OthelloPosition

from dataclasses import replace
from statistics import NormalDist

from boyi.core.errors import OptionError, TextError
from boyi.games.othello.probcut import fits_to_the_end, own_probcut
from boyi.games.othello.processors import compiled_for, usable_processors
from boyi.games.othello.solution import Solution, SolverOptions


cdef class Solver:
    """Solves positions exactly. One solver serves one thread and keeps what it has learnt for the next position."""

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
        while cells * 2 * sizeof(Cell) <= <uint64_t> options.megabytes << 20:
            cells *= 2
        self._bytes = (cells + NEAR_CELLS) * sizeof(Cell)
        self._search.cells = <Cell*> take_pages(self._bytes)
        if self._search.cells == NULL:
            raise MemoryError(f"no room for a table of {options.megabytes} MB")
        self._search.mask = cells - WAYS
        self._search.near = self._search.cells + cells
        self._search.near_mask = NEAR_CELLS - 1
        self.options = options
        self._search.parity, self._search.stability = options.parity, options.stability
        self._search.table, self._search.patterns = options.table, options.patterns
        self._search.transpositions = options.transpositions and options.table
        if options.patterns:
            patterns.load_weights()
            self._search.weights = patterns.weights
            self._search.contributions = patterns.CONTRIBUTIONS
            self._search.offsets = patterns.OFFSETS
            for fit in fits_to_the_end(own_probcut()):
                self._search.cuts[64 - fit.discs].shallow = fit.shallow
                self._search.cuts[64 - fit.discs].slope = fit.slope
                self._search.cuts[64 - fit.discs].offset = fit.offset
                self._search.cuts[64 - fit.discs].deviation = fit.deviation
        self._search.prepare = options.prepare and options.patterns and options.table

    def __dealloc__(self):
        give_pages(self._search.cells, self._bytes)

    def solve(self, OthelloPosition position not None, limits=None, *, outcome=None, certainty=None):
        """The margin and a line of best play; None where the seconds or nodes ran out or it was stopped.

        `outcome` and `certainty` are those of the options where they are not given; what is learnt serves them all.
        With an `outcome` the margin is a bound: more than 0 for a win, less for a loss, and the line may end before
        the game does. With a `certainty` below 1 all of it may be wrong.
        """
        cdef uint64_t own = position.discs[position.side & 1], other = position.discs[position.side & 1 ^ 1]
        cdef int margin, i, lowest = -64, highest = 64
        cdef double seconds = 0
        cdef long long nodes = 0
        if position.over():
            raise TextError("the game is over: there is nothing to solve")
        if limits is not None:
            if limits.depth is not None or limits.lines != 1:
                raise OptionError("a solver goes to the end and gives one line: limit its seconds or nodes")
            seconds, nodes = limits.seconds or 0, limits.nodes or 0
        asked = self.options
        if outcome is not None or certainty is not None:
            asked = replace(asked, outcome=asked.outcome if outcome is None else outcome,
                            certainty=asked.certainty if certainty is None else certainty)
        if asked.outcome:
            lowest, highest = -1, 1
        self._search.level = EXACT
        if asked.certainty < 1:
            # A cut-off is wrong if the truth is on the wrong side, far enough off: one tail of the distribution each.
            self._search.deviations = NormalDist().inv_cdf((1 + asked.certainty) / 2)
            self._search.level = 1 + int(100 * asked.certainty)
        begin(&self._search.control, seconds, nodes)
        self._search.round += 1
        with nogil:
            margin = self._entry.solve(&self._search, own, other, lowest, highest)
        if self._search.control.stopped:
            return None
        line = tuple([self._search.line[0][i] for i in range(self._search.length[0])])
        return Solution(margin, line, self._search.control.nodes, now() - self._search.control.began)

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
        begin(&self._search.control, 0, 0)
        with nogil:
            value = self._entry.value(&self._search, position.discs[position.side & 1],
                                      position.discs[position.side & 1 ^ 1], depth)
        return value

    def stop(self):
        """End a running solve() soon, from another thread."""
        self._search.control.stopped = True
