"""A search that overlooks moves as people do; see the `.pyx`."""

from libc.stdint cimport uint64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.core.types cimport MAX_MOVES, move_t
from boyi.kit.control cimport Control

cdef enum:
    MAX_PLY = 24               # actions in a line, several of one turn counted apart
    MAX_DEPTH = 16             # turns
    PLACES = 4096              # moves whose places on the board are remembered; a power of two


cdef struct Place:             # where on the board a move is made, in parts of the board's diameter
    move_t move
    bint known                 # is this slot filled?
    bint touches               # does the move touch a point at all?
    float from_x
    float from_y
    float to_x
    float to_y


cdef class Attentive:
    cdef readonly Evaluator evaluator      # None: leaves are valued by random games
    cdef readonly object options
    cdef Control control
    cdef Position position
    cdef double scale                      # of the evaluator
    cdef double attention
    cdef int playouts
    cdef uint64_t seed                     # of this search: the option, and how far the game has come
    cdef int root_player
    cdef move_t* moves                     # MAX_MOVES for each ply
    cdef move_t roots[MAX_MOVES]           # the root's moves that are noticed
    cdef int values[MAX_MOVES]             # and their values at the last depth that was finished
    cdef int count
    cdef Place last[MAX_PLY + 1]           # by ply: the move that led there
    cdef Place places[PLACES]
    cdef object board                      # whose coordinates `places` are in
    cdef dict points                       # by name: coordinates

    cdef int find_roots(self, tuple only) except -1
    cdef int deepen(self, int depth) except -1 nogil
    cdef int value(self, int depth, int alpha, int beta, int ply) except? -32768 nogil
    cdef int horizon(self, int ply) except? -32768 nogil
    cdef int static_value(self) except? -32768 nogil
    cdef int final_value(self, int ply) except? -32768 nogil
    cdef int mean_of_chances(self, int depth, int ply) except? -32768 nogil
    cdef int wins(self, move_t move) except -1 nogil
    cdef double likelihood(self, move_t move, int ply) except -1 nogil
    cdef bint notices(self, move_t move, int ply) except -1 nogil
    cdef Place* place_of(self, move_t move) except NULL nogil
    cdef int look_up(self, move_t move, Place* place) except -1
