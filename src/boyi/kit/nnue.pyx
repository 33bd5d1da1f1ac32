# cython: boundscheck=False, wraparound=False
# (array lengths are checked once, before loops)
"""Small networks for alpha-beta: efficiently updatable ones (Nasu 2018, "NNUE"), for any game of two players.

A position is a row of bytes: a *place* (a point of the board, a pool of pieces) and the *code* of what is there, 0
being nothing to say. Each pair names a row of the first layer, one as seen from each player's *seat*, and the sum of
the rows of a position (its *accumulator*) is what the rest of the network reads:

    value = base + output layer of clip(sums, 0, 1)²      (squared clipped ReLU)

with the sums of the player to act first, then the other's. The output layer is chosen by the game (`bucket`), by how
much is left on the board. `base` is the game's hand-written evaluation if the net was fitted to correct one, else 0.

*Views.* A game may let each seat see the board in one of several views, chosen by the position, say by where its king
stands and mirrored so that it stands on the left. Rows then depend on the view, too. A seat that comes to another view
begins with what was last seen in that one, from the same seat.

*Incremental updates.* Accumulators are kept with the position they are of, by ply. A new position is compared with
that of its own ply (a sibling, usually) and that of the one before (its parent), eight bytes at a time, and
the nearer one is updated by a few rows subtracted and added. So nothing has to be told about moves: making,
taking back, passing and chance are all the same, and a position unlike both is merely slower.
Searches come back to the same positions; values are cached too, by key, a word each.

*Quantisation.* A sum is 16 bits, 255 being 1.0; an output weight is -127 … 127, 64 being 1.0, so that
sum × weight is 16 bits too and a product with the sum again is what one instruction adds up in pairs (pmaddwd).
The loops are `boyi.kit.kernels`, compiled for several processors; the best for the present one is chosen on import.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from boyi.core.bits cimport lowest
from boyi.core.evaluator cimport GUESS, Evaluator
from boyi.core.position cimport Position
from boyi.kit.kernels cimport all_kernels, choose_kernels, chosen_kernels, kernel_count, kernels_run

import hashlib
import json
import lzma
import os
from importlib.resources import files

from boyi.core.errors import BoyiError, shorten
from boyi.kit.inputs import Inputs

MOST_PLACES = MAX_PLACES
MOST_CODES = MAX_CODES
FORMAT = "boyi net 1"
NET_FILE = "net.xz"


class NetError(BoyiError):
    """A file that holds no network, or one for something else."""


def kernels():
    """Names of the loops that can be chosen on this processor, the best last."""
    cdef int i
    return [all_kernels[i].name.decode() for i in range(kernel_count) if kernels_run(i)]


def use_kernels(str name not None):
    """Let all evaluators use these loops from now on: for tests and measurements, while nothing searches."""
    cdef int i
    for i in range(kernel_count):
        if all_kernels[i].name.decode() == name and kernels_run(i):
            choose_kernels(i)
            return
    raise BoyiError(f"there are no loops {shorten(name)} for this processor; there are {', '.join(kernels())}")


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
    OTHER_INPUTS = ()

    def __init__(self, net=None):
        raise TypeError("a network needs a game that says how it looks to it: ask one of its evaluators")

    def __cinit__(self, *args, **kwargs):
        self.accumulators = <Accumulator*> PyMem_RawCalloc(ACCUMULATORS, sizeof(Accumulator))
        self.cache = <uint64_t*> PyMem_RawCalloc(CACHED_VALUES, sizeof(uint64_t))
        self.row_of = NULL
        self.refreshers = NULL
        if self.accumulators == NULL or self.cache == NULL:
            raise MemoryError("no room for the accumulators of a network")

    def __dealloc__(self):
        PyMem_RawFree(self.row_of)
        PyMem_RawFree(self.refreshers)
        PyMem_RawFree(self.accumulators)
        PyMem_RawFree(self.cache)

    def _install(self, Net net not None, hand):
        """Take a network. `hand` makes the evaluator that it may have been fitted to correct."""
        cdef int view, seat, place, code, i
        cdef int16_t* cell
        self.inputs = self.find_inputs(net.facts.get("inputs"))
        if net.rows != self.inputs.rows:
            raise NetError(f"the network has {net.rows} rows, and {self.inputs.name} has {self.inputs.rows}")
        self.net = net
        self.base = hand() if net.facts.get("base") else None
        self.scale = net.scale
        self.views = len(self.inputs.views)
        self.places = len(self.inputs.views[0][0])
        assert self.places <= MAX_PLACES and 0 < self.views <= MAX_VIEWS
        PyMem_RawFree(self.row_of)
        PyMem_RawFree(self.refreshers)
        self.refreshers = NULL
        self.row_of = <int16_t*> PyMem_RawCalloc(self.views * 2 * MAX_PLACES * MAX_CODES, sizeof(int16_t))
        if self.views > 1:
            self.refreshers = <Refresher*> PyMem_RawCalloc(self.views * 2, sizeof(Refresher))
        if self.row_of == NULL or (self.views > 1 and self.refreshers == NULL):
            raise MemoryError("no room for the inputs of a network")
        cell = self.row_of
        for view in range(self.views):
            for seat in range(2):
                rows = self.inputs.views[view][seat]
                for place in range(MAX_PLACES):
                    for code in range(MAX_CODES):
                        row = rows[place][code] if place < self.places and code < len(rows[place]) else None
                        cell[0] = net.rows if row is None else row
                        assert 0 <= cell[0] <= net.rows
                        cell += 1
                if self.views > 1:
                    memcpy(self.refreshers[2 * view + seat].sums, net.start, net.width * sizeof(int16_t))
        # The accumulator of an empty board is the biases.
        memset(self.accumulators, 0, ACCUMULATORS * sizeof(Accumulator))
        memset(self.cache, 0, CACHED_VALUES * sizeof(uint64_t))
        for i in range(ACCUMULATORS):
            for seat in range(2):
                memcpy(self.accumulators[i].sums[seat], net.start, net.width * sizeof(int16_t))

    @classmethod
    def find_inputs(cls, name=None):
        """What networks may be shown, by name; without one, what they are shown by default."""
        own = Inputs(cls.INPUTS, cls.ROWS, (cls.SEATS,), cls.IMAGES)
        for inputs in (own, *cls.OTHER_INPUTS):
            if name in (None, inputs.name):
                return inputs
        known = " or ".join(inputs.name for inputs in (own, *cls.OTHER_INPUTS))
        raise NetError(f"the network reads {shorten(name)}, {cls.__name__} shows {known}")

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

    cdef int view(self, Position position, int seat) except -1 nogil:
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
        cdef Accumulator* before = &self.accumulators[(position.ply - 1) & (ACCUMULATORS - 1)]
        cdef Accumulator* nearer = before
        cdef Accumulator* farther = here
        cdef Accumulator* source
        cdef Accumulator* compared = NULL          # with which `places` are
        cdef Refresher* refresher
        cdef uint8_t places[MAX_PLACES]
        cdef const uint64_t* new = <const uint64_t*> codes
        cdef const uint64_t* own = <const uint64_t*> here.codes
        cdef const uint64_t* parent = <const uint64_t*> before.codes
        cdef int words = (self.places + 7) >> 3, i, seat, view = 0, changes = 0
        cdef int far_from_own = 0, far_from_parent = 0
        memset(codes, 0, sizeof(codes))
        self.encode(position, codes)
        # Step 1. Which of the two is nearer? Words that differ are counted; seldom does one differ in two places.
        for i in range(words):
            far_from_own += new[i] != own[i]
            far_from_parent += new[i] != parent[i]
        if far_from_own == 0:
            return here                      # the codes tell the views, too
        if far_from_own <= far_from_parent:
            nearer, farther = here, before
        # Step 2. For each seat, from one that is in the same view: almost always the same for both.
        for seat in range(2):
            if self.views > 1:
                view = self.view(position, seat)
                if nearer.views[seat] != view and farther.views[seat] != view:
                    refresher = &self.refreshers[2 * view + seat]
                    changes = self.compare(codes, refresher.codes, places)
                    compared = NULL
                    self.update(refresher.sums, refresher.sums, codes, refresher.codes, places, changes, view, seat)
                    memcpy(refresher.codes, codes, sizeof(codes))
                    memcpy(here.sums[seat], refresher.sums, self.net.width * sizeof(int16_t))
                    here.views[seat] = view
                    continue
            source = nearer if nearer.views[seat] == view else farther
            if source != compared:
                changes = self.compare(codes, source.codes, places)
                compared = source
            self.update(here.sums[seat], source.sums[seat], codes, source.codes, places, changes, view, seat)
            here.views[seat] = view
        memcpy(here.codes, codes, sizeof(codes))
        return here

    cdef int compare(self, const uint8_t* codes, const uint8_t* old_codes, uint8_t* places) noexcept nogil:
        """The places where two positions differ; their number."""
        cdef int i, place, changes = 0
        cdef uint64_t difference
        for i in range((self.places + 7) >> 3):
            difference = (<const uint64_t*> codes)[i] ^ (<const uint64_t*> old_codes)[i]
            while difference:
                place = lowest(difference) >> 3
                difference &= ~(<uint64_t> 0xFF << (8 * place))
                places[changes] = 8 * i + place
                changes += 1
        return changes

    cdef int update(self, int16_t* sums, const int16_t* old, const uint8_t* codes, const uint8_t* old_codes,
                    const uint8_t* places, int changes, int view, int seat) noexcept nogil:
        """Sums of a seat from those of another position, which may lie in the same place."""
        cdef int16_t arriving[MAX_PLACES + 1]
        cdef int16_t leaving[MAX_PLACES + 1]
        cdef int i, place, arrivals = 0, departures = 0
        cdef const int16_t* row_of = self.row_of + (2 * view + seat) * MAX_PLACES * MAX_CODES
        # Where the two differ, a row comes in, a row goes out, or both.
        for i in range(changes):
            place = places[i]
            arriving[arrivals] = row_of[place * MAX_CODES + codes[place]]
            arrivals += codes[place] != 0
            leaving[departures] = row_of[place * MAX_CODES + old_codes[place]]
            departures += old_codes[place] != 0
        chosen_kernels.change(sums, old, self.net.first, arriving, arrivals, leaving, departures, self.net.width)
        return 0

    cdef int output(self, Accumulator* accumulator, int side, int bucket) noexcept nogil:
        cdef int width = self.net.width
        cdef const int16_t* last = self.net.last[bucket]
        return in_units(self.net, chosen_kernels.output(accumulator.sums[side], last, width)
                        + chosen_kernels.output(accumulator.sums[side ^ 1], last + width, width), bucket)

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

    def views_of(self, Position position not None):
        """The view that each seat has."""
        if self.views == 1:
            return 0, 0
        return self.view(position, 0), self.view(position, 1)

    def fresh_value(self, Position position not None):
        """As `value`, computed anew without vectors, accumulators or cache: what `value` must equal."""
        cdef uint8_t codes[MAX_PLACES]
        cdef int seat, view, place, i, sum, weight, bucket = self.bucket(position), value
        cdef const int16_t* row_of
        cdef int64_t total = 0
        self.check(position)
        memset(codes, 0, sizeof(codes))
        self.encode(position, codes)
        for seat, view in enumerate(self.views_of(position)):
            row_of = self.row_of + (2 * view + seat) * MAX_PLACES * MAX_CODES
            for i in range(self.net.width):
                sum = self.net.start[i]
                for place in range(self.places):
                    sum += self.net.first[row_of[place * MAX_CODES + codes[place]] * self.net.width + i]
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


def _choose_kernels():
    """The best, or those that the environment names."""
    known = kernels()
    use_kernels(os.environ.get("BOYI_KERNELS", known[len(known) - 1]))


_choose_kernels()
