# cython: boundscheck=False, wraparound=False
# (array lengths are checked once, before loops)
"""Small networks for alpha-beta: efficiently updatable ones (Nasu 2018, "NNUE"), for any game of two players.

A position is a row of bytes: a *place* (a point of the board, a pool of pieces) and the *code* of what is there, 0
being nothing to say. Each pair names a row of the first layer, one as seen from each player's *seat*, and the sum of
the rows of a position (its *accumulator*) is what the rest of the network reads:

    value = base + output layer of clip(sums, 0, 1)²      (squared clipped ReLU)

with the sums of the player to act first, then the other's. The output layer is chosen by the game (`bucket`), by how
much is left on the board. `base` is the game's hand-written evaluation if the net was fitted to correct one, else 0.

*Incremental updates.* Accumulators are kept with the position they are of, by ply. A new position is compared with
that of its own ply (a sibling, usually) and that of the one before (its parent), eight bytes at a time, and
the nearer one is updated by a few rows subtracted and added. So nothing has to be told about moves: making,
taking back, passing and chance are all the same, and a position unlike both is merely slower.
Searches come back to the same positions; values are cached too, by key, a word each.

*Quantisation.* A sum is 16 bits, 255 being 1.0; an output weight is -127 … 127, 64 being 1.0, so that
sum × weight is 16 bits too and a product with the sum again is what one instruction adds up in pairs (pmaddwd).
All loops are plain C that compilers turn into vector instructions.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from boyi.core.bits cimport lowest
from boyi.core.evaluator cimport GUESS, Evaluator
from boyi.core.position cimport Position

import hashlib
import json
import lzma
from importlib.resources import files

from boyi.core.errors import BoyiError, shorten

cdef extern from *:
    """
    #include <stdint.h>
    /* restrict: vectors need not ask whether arrays overlap. Cython has no word for it. */
    static inline void boyi_update(int16_t *restrict sums, const int16_t *restrict old, const int16_t *restrict in,
                                     const int16_t *restrict out, int width) {
        for (int i = 0; i < width; i++) sums[i] = (int16_t) (old[i] + in[i] - out[i]);
    }
    static inline void boyi_update_in_place(int16_t *restrict sums, const int16_t *restrict in,
                                          const int16_t *restrict out, int width) {
        for (int i = 0; i < width; i++) sums[i] = (int16_t) (sums[i] + in[i] - out[i]);
    }
    static inline int32_t boyi_output_layer(const int16_t *restrict sums, const int16_t *restrict weights, int width) {
        int32_t total = 0;
        for (int i = 0; i < width; i++) {
            int16_t sum = sums[i] < 0 ? 0 : sums[i] > 255 ? 255 : sums[i];
            total += (int32_t) (int16_t) (sum * weights[i]) * sum;
        }
        return total;
    }
    """
    void update_from "boyi_update"(int16_t* sums, const int16_t* old, const int16_t* put_in,
                                   const int16_t* taken_out, int width) noexcept nogil
    void update_in_place "boyi_update_in_place"(int16_t* sums, const int16_t* put_in, const int16_t* taken_out,
                                                int width) noexcept nogil
    int32_t output_layer "boyi_output_layer"(const int16_t* sums, const int16_t* weights, int width) noexcept nogil

MOST_PLACES = MAX_PLACES
MOST_CODES = MAX_CODES
FORMAT = "boyi net 1"
NET_FILE = "net.xz"


class NetError(BoyiError):
    """A file that holds no network, or one for something else."""


cdef class Net:
    """The numbers of a network; any number of evaluators share them."""

    def __cinit__(self):
        self.first = NULL

    def __dealloc__(self):
        PyMem_RawFree(self.first)

    def __init__(self, facts, numbers):
        """From a header and the 16-bit numbers: first layer, start, then per bucket the last layer, then the offsets,
        which take two numbers each."""
        cdef const uint8_t[::1] data = numbers
        cdef int bucket
        cdef Py_ssize_t at = 0, size
        self.facts = facts
        self.digest = ""
        try:
            self.width, self.rows, self.buckets = facts["width"], facts["rows"], facts["buckets"]
            self.unit, self.scale = facts["unit"], facts["scale"]
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise NetError(f"a network needs width, rows, buckets, unit and scale in its header: {error}") from error
        if not (0 < self.width <= MAX_WIDTH and self.width % 16 == 0 and 0 < self.rows < 32767
                and 0 < self.buckets <= MAX_BUCKETS and 0 < self.unit < GUESS
                and 0 < self.scale < GUESS):
            raise NetError(f"a network of width {self.width}, {self.rows} rows, {self.buckets} buckets, "
                           f"unit {self.unit} and scale {self.scale} is not one that can be asked")
        size = 2 * (<Py_ssize_t> self.rows * self.width + self.width + self.buckets * (2 * self.width + 2))
        if data.shape[0] != size:
            raise NetError(f"the network has {data.shape[0]} bytes of numbers and needs {size}")
        self.first = <int16_t*> PyMem_RawCalloc((self.rows + 1) * self.width, sizeof(int16_t))
        if self.first == NULL:
            raise MemoryError("no room for a network")
        size = 2 * self.rows * self.width
        memcpy(self.first, &data[0], size)
        at = size
        memcpy(self.start, &data[at], 2 * self.width)
        at += 2 * self.width
        for bucket in range(self.buckets):
            memcpy(self.last[bucket], &data[at], 4 * self.width)
            at += 4 * self.width
        for bucket in range(self.buckets):
            memcpy(&self.offset[bucket], &data[at], 4)
            at += 4

    @classmethod
    def read(cls, data):
        """From the bytes of a file."""
        try:
            header, _, numbers = lzma.decompress(data).partition(b"\n")
            facts = json.loads(header)
        except (lzma.LZMAError, EOFError, ValueError, RecursionError) as error:
            raise NetError("this is no file of a network as `boyi learn evaluator` writes it") from error
        if not isinstance(facts, dict) or facts.get("format") != FORMAT:
            raise NetError(f"this is no network of the format {FORMAT!r}")
        net = cls(facts, numbers)
        (<Net> net).digest = hashlib.sha256(data).hexdigest()
        return net


def pack(facts, numbers):
    """The bytes of a file with a network: what `Net.read` reads."""
    header = json.dumps({"format": FORMAT, **facts}, sort_keys=True).encode()
    return lzma.compress(header + b"\n" + numbers, preset=9 | lzma.PRESET_EXTREME)


cdef inline int in_units(Net net, int64_t total, int bucket) noexcept nogil:
    """What the output layer adds up to, in units of the evaluator."""
    return <int> ((<double> total / ACTIVATION_ONE + net.offset[bucket]) * net.unit / (ACTIVATION_ONE * WEIGHT_ONE))


cdef class NetEvaluator(Evaluator):
    """An evaluator that asks a network; games say how a position is encoded for it."""

    INPUTS = ""
    SEATS = ((), ())
    ROWS = 0
    BUCKETS = 0
    IMAGES = ()

    def __init__(self, net=None):
        raise TypeError("a network needs a game that says how it looks to it: ask one of its evaluators")

    def __cinit__(self, *args, **kwargs):
        self.accumulators = <Accumulator*> PyMem_RawCalloc(ACCUMULATORS, sizeof(Accumulator))
        self.cache = <uint64_t*> PyMem_RawCalloc(CACHED_VALUES, sizeof(uint64_t))
        if self.accumulators == NULL or self.cache == NULL:
            raise MemoryError("no room for the accumulators of a network")

    def __dealloc__(self):
        PyMem_RawFree(self.accumulators)
        PyMem_RawFree(self.cache)

    def _install(self, Net net not None, hand):
        """Take a network. `hand` makes the evaluator that it may have been fitted to correct."""
        cdef int seat, place, code, i
        seats = self.SEATS
        if net.facts.get("inputs") != self.INPUTS:
            raise NetError(f"the network reads {shorten(net.facts.get('inputs'))}, {type(self).__name__} shows "
                           f"{self.INPUTS}")
        self.net = net
        self.base = hand() if net.facts.get("base") else None
        self.scale = net.scale
        self.places = len(seats[0])
        assert self.places <= MAX_PLACES
        for seat in range(2):
            for place in range(MAX_PLACES):
                for code in range(MAX_CODES):
                    row = None
                    if place < self.places and code < len(seats[seat][place]):
                        row = seats[seat][place][code]
                    self.row_of[seat][place][code] = net.rows if row is None else row
                    assert 0 <= self.row_of[seat][place][code] <= net.rows
        # The accumulator of an empty board is the biases.
        memset(self.accumulators, 0, ACCUMULATORS * sizeof(Accumulator))
        memset(self.cache, 0, CACHED_VALUES * sizeof(uint64_t))
        for i in range(ACCUMULATORS):
            for seat in range(2):
                memcpy(self.accumulators[i].sums[seat], net.start, net.width * sizeof(int16_t))

    def own_net(self):
        """The network that comes with the game."""
        home = type(self).__module__.rpartition(".")[0]
        try:
            return Net.read(files(home).joinpath(NET_FILE).read_bytes())
        except FileNotFoundError:
            game = home.rpartition(".")[2]
            raise NetError(f"{game} comes without a network for its evaluator; name one with weights=FILE "
                           f"(`boyi learn evaluator {game} FILE` makes one)") from None

    def fork(self):
        """Another evaluator with the same network, for another thread: accumulators belong to one thread."""
        return type(self)(self.net)

    cdef int encode(self, Position position, uint8_t* codes) except -1 nogil:
        return 0

    cdef int bucket(self, Position position) except -1 nogil:
        return 0

    cdef int evaluate(self, Position position) except? -32768 nogil:
        cdef uint64_t key = position.key()
        cdef uint64_t* slot = &self.cache[key & (CACHED_VALUES - 1)]
        cdef int value
        # The upper 48 bits of the key, then the value; the place in the table tells the lower bits.
        if (slot[0] ^ key) >> 16 == 0:
            return <int16_t> slot[0]
        value = self.output(self.refresh(position), position.side, self.bucket(position))
        if self.base is not None:
            value += self.base.evaluate(position)
        value = GUESS if value > GUESS else -GUESS if value < -GUESS else value
        slot[0] = key >> 16 << 16 | <uint16_t> value
        return value

    cdef Accumulator* refresh(self, Position position) except NULL nogil:
        """The accumulator of the position's ply, updated to the position."""
        cdef uint8_t codes[MAX_PLACES]
        cdef Accumulator* here = &self.accumulators[position.ply & (ACCUMULATORS - 1)]
        cdef Accumulator* source = &self.accumulators[(position.ply - 1) & (ACCUMULATORS - 1)]
        cdef const uint64_t* new = <const uint64_t*> codes
        cdef const uint64_t* own = <const uint64_t*> here.codes
        cdef const uint64_t* parent = <const uint64_t*> source.codes
        cdef int words = (self.places + 7) >> 3, i, place, seat, width = self.net.width
        cdef int far_from_own = 0, far_from_parent = 0
        cdef uint64_t difference
        cdef int16_t arriving[2][MAX_PLACES]
        cdef int16_t leaving[2][MAX_PLACES]
        cdef int arrivals = 0, departures = 0, changes
        cdef const int16_t* first = self.net.first
        cdef const int16_t* old
        memset(codes, 0, sizeof(codes))
        self.encode(position, codes)
        # Step 1. Which of the two is nearer? Words that differ are counted; seldom does one differ in two places.
        for i in range(words):
            far_from_own += new[i] != own[i]
            far_from_parent += new[i] != parent[i]
        if far_from_own == 0:
            return here
        if far_from_own <= far_from_parent:
            source = here
        # Step 2. Where the two differ, a row comes in, a row goes out, or both.
        for i in range(words):
            difference = new[i] ^ (<const uint64_t*> source.codes)[i]
            while difference:
                place = lowest(difference) >> 3
                difference &= ~(<uint64_t> 0xFF << (8 * place))
                place += 8 * i
                if codes[place]:
                    arriving[0][arrivals] = self.row_of[0][place][codes[place]]
                    arriving[1][arrivals] = self.row_of[1][place][codes[place]]
                    arrivals += 1
                if source.codes[place]:
                    leaving[0][departures] = self.row_of[0][place][source.codes[place]]
                    leaving[1][departures] = self.row_of[1][place][source.codes[place]]
                    departures += 1
        # Step 3. In pairs: a quiet move is one. The row after the last is zeros.
        changes = arrivals if arrivals > departures else departures
        for i in range(arrivals, changes):
            arriving[0][i] = arriving[1][i] = self.net.rows
        for i in range(departures, changes):
            leaving[0][i] = leaving[1][i] = self.net.rows
        for seat in range(2):
            old = source.sums[seat]
            for i in range(changes):
                if old == here.sums[seat]:
                    update_in_place(here.sums[seat], first + arriving[seat][i] * width,
                                    first + leaving[seat][i] * width, width)
                else:
                    update_from(here.sums[seat], old, first + arriving[seat][i] * width,
                                first + leaving[seat][i] * width, width)
                    old = here.sums[seat]
            if old != here.sums[seat]:
                memcpy(here.sums[seat], old, width * sizeof(int16_t))
        memcpy(here.codes, codes, sizeof(codes))
        return here

    cdef int output(self, Accumulator* accumulator, int side, int bucket) noexcept nogil:
        cdef int width = self.net.width
        cdef int32_t total = (output_layer(accumulator.sums[side], self.net.last[bucket], width)
                              + output_layer(accumulator.sums[side ^ 1], self.net.last[bucket] + width, width))
        return in_units(self.net, total, bucket)

    # ------------------------------------------------------------------ for training and tests

    def codes(self, Position position not None):
        """The position as a row of bytes."""
        cdef uint8_t codes[MAX_PLACES]
        memset(codes, 0, sizeof(codes))
        self.encode(position, codes)
        return bytes(codes[:self.places])

    def bucket_of(self, Position position not None):
        """The number of the output layer that the position takes."""
        return self.bucket(position)

    def fresh_value(self, Position position not None):
        """As `value`, computed anew without vectors, accumulators or cache: what `value` must equal."""
        cdef uint8_t codes[MAX_PLACES]
        cdef int seat, place, i, sum, weight, bucket = self.bucket(position), value
        cdef int64_t total = 0
        self.check(position)
        memset(codes, 0, sizeof(codes))
        self.encode(position, codes)
        for seat in range(2):
            for i in range(self.net.width):
                sum = self.net.start[i]
                for place in range(self.places):
                    sum += self.net.first[self.row_of[seat][place][codes[place]] * self.net.width + i]
                sum = max(0, min(sum, ACTIVATION_ONE))
                weight = self.net.last[bucket][i if seat == position.side else self.net.width + i]
                total += sum * sum * weight
        value = in_units(self.net, total, bucket)
        if self.base is not None:
            value += self.base.evaluate(position)
        return max(-GUESS, min(value, GUESS))


cdef class PythonNetEvaluator(NetEvaluator):
    """The same for an encoding in plain Python: override `look`. Slow, and good for a game in plain Python."""

    cdef int encode(self, Position position, uint8_t* codes) except -1 nogil:
        cdef int place = 0
        with gil:
            looks = self.look(position)
            if len(looks) != self.places:
                raise ValueError(f"{type(self).__name__}.look: {len(looks)} codes for {self.places} places")
            for code in looks:
                if not 0 <= code < MAX_CODES:
                    raise ValueError(f"{type(self).__name__}.look: {code} is not from 0 to {MAX_CODES - 1}")
                codes[place] = code
                place += 1
        return 0

    def look(self, position):
        """The position as a row of bytes."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it sees positions")
