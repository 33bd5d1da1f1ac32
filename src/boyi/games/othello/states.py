"""What is known of Othello's abstract states: how often each was seen, what it was worth, how often it was won.

`abstract` says what a state is. Statistics are gathered by `boyi learn abstract` from games that a search
played against itself, and everything is seen by the player to act.

>>> from boyi.games.othello.states import StateRecord
>>> record = StateRecord(count=50, wins=40, draws=4, losses=6, value_sum=50_000, square_sum=90_000_000)
>>> record.mean, round(record.deviation), record.score, [round(share, 2) for share in record.score_range()]
(1000.0, 894, 0.84, [0.71, 0.92])

The file is text, one JSON value a line, compressed by xz: first a header, then per state a list of its
number and the six numbers of its record.
"""

from __future__ import annotations

import json
import lzma
import math
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from boyi.core.errors import BoyiError, shorten
from boyi.core.evaluator import EXTREME_SHARE, RANGE_DEVIATIONS

FORMAT = "boyi othello states"
FORMAT_VERSION = 1
"""Grows when states are numbered in another way, too."""

OWN_FILE = "abstract.xz"
"""The statistics that come with the package."""

STATE_LIMIT = 3**9
SCALE = 500.0
"""The value in hundredths of a disc that stands for 73 % odds where values are gathered (see `Evaluator.scale`)."""

HIGHEST_VALUE = 6400
LARGEST_BYTES = 4 << 20
HIGHEST_COUNT = 10**12
XZ_MAGIC = b"\xfd7zXZ\0"

CAUTION = 20
"""A state is valued as if this many positions had been seen besides, worth what corners and mobility say (a prior)."""

CERTAINTY = 1.96
"""In standard deviations: 95 %."""


class StatesError(BoyiError, ValueError):
    """A file that holds no statistics."""


@dataclass(frozen=True)
class StateRecord:
    """What was seen of one state."""

    count: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    """By the player to act; the count has positions of all three and no others."""

    value_sum: int = 0
    """Of what the search thought of the positions, in hundredths of a disc."""

    square_sum: int = 0

    def seen(self, value: int, result: int) -> StateRecord:
        """With one position more: its value and 1, 0 or -1 for the result."""
        return StateRecord(self.count + 1, self.wins + (result > 0), self.draws + (result == 0),
                           self.losses + (result < 0), self.value_sum + value, self.square_sum + value * value)

    @property
    def mean(self) -> float:
        return self.value_sum / self.count

    @property
    def deviation(self) -> float:
        """The standard deviation of the values."""
        return math.sqrt(max(0.0, self.square_sum / self.count - self.mean**2))

    @property
    def score(self) -> float:
        """The share of the points, a draw counted as half."""
        return (self.wins + self.draws / 2) / self.count

    def score_range(self) -> tuple[float, float]:
        """Where the true share may be: Wilson's interval, 95 %."""
        spread = CERTAINTY**2 / self.count
        middle = (self.score + spread / 2) / (1 + spread)
        reach = CERTAINTY / (1 + spread) * math.sqrt(
            self.score * (1 - self.score) / self.count + spread / (4 * self.count))
        return max(0.0, middle - reach), min(1.0, middle + reach)

    def extreme_range(self, share: float = EXTREME_SHARE,
                      deviations: float = RANGE_DEVIATIONS) -> tuple[float, float] | None:
        """Where values are expected, for a state in which it is certain that less than `share` of the points is lost,
        or won: within so many `deviations` of the mean. None for the other states."""
        low, high = self.score_range()
        if high > share and low < 1 - share:
            return None
        reach = deviations * self.deviation
        return max(-HIGHEST_VALUE, self.mean - reach), min(HIGHEST_VALUE, self.mean + reach)


@dataclass(frozen=True)
class Statistics:
    """The records of all states that were seen, by number."""

    records: Mapping[int, StateRecord] = field(default_factory=dict, repr=False)
    made: tuple[Mapping[str, Any], ...] = ()
    """How they were gathered: a record per source."""

    @property
    def positions(self) -> int:
        return sum(record.count for record in self.records.values())

    @cached_property
    def trend(self) -> tuple[float, float, float]:
        """What a state is worth by its corners and mobility alone: for itself, per corner more than the opponent has,
        per class of mobility above the middle. Least squares over all that was seen."""
        products, sums = [[0.0] * 3 for _ in range(3)], [0.0] * 3
        for state, record in self.records.items():
            facts = _facts(state)
            for i in range(3):
                sums[i] += facts[i] * record.value_sum
                for j in range(3):
                    products[i][j] += facts[i] * facts[j] * record.count
        for i in range(3):
            products[i][i] += 1         # so that there is an answer, however little was seen
        # The matrix is positive: elimination needs no exchange of rows.
        for i in range(3):
            for j in range(3):
                if i != j:
                    factor = products[j][i] / products[i][i]
                    products[j] = [one - factor * other for one, other in zip(products[j], products[i], strict=True)]
                    sums[j] -= factor * sums[i]
        return sums[0] / products[0][0], sums[1] / products[1][1], sums[2] / products[2][2]

    def value(self, state: int) -> float:
        """What a state is worth: its mean, and the less it was seen, the more what the trend says."""
        trend = sum(fact * worth for fact, worth in zip(_facts(state), self.trend, strict=True))
        record = self.records.get(state, StateRecord())
        value = (record.value_sum + CAUTION * trend) / (record.count + CAUTION)
        return max(-HIGHEST_VALUE, min(HIGHEST_VALUE, value))

    @cached_property
    def values(self) -> tuple[float, ...]:
        """The value of every state, by number."""
        return tuple(map(self.value, range(STATE_LIMIT)))

    def with_made(self, made: list[dict[str, Any]]) -> Statistics:
        return replace(self, made=tuple(made))

    def to_bytes(self) -> bytes:
        """The statistics as a file; the same statistics give the same bytes."""
        lines: list[Any] = [{"format": FORMAT, "version": FORMAT_VERSION, "made": list(self.made)}]
        lines += [[state, *astuple(record)] for state, record in sorted(self.records.items())]
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
        return lzma.compress(text.encode(), preset=6)

    @classmethod
    def from_bytes(cls, data: bytes) -> Statistics:
        """The statistics that a file holds, checked in every line."""
        if not data.startswith(XZ_MAGIC):
            raise StatesError("these are no statistics of abstract states: the file is not packed by xz")
        unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=256 << 20)
        try:
            text = unpacker.decompress(data, LARGEST_BYTES + 1)
        except (lzma.LZMAError, EOFError) as error:
            raise StatesError(f"the statistics are damaged: {error}") from error
        if len(text) > LARGEST_BYTES or not unpacker.eof or unpacker.unused_data:
            raise StatesError("the statistics are cut short, or longer than any can be")
        header, *lines = text.splitlines() or [b""]
        facts = _parse(header, 1)
        if not isinstance(facts, dict) or facts.get("format") != FORMAT or facts.get("version") != FORMAT_VERSION:
            raise StatesError(f'these are no statistics of abstract states: the first line should say "format": '
                              f'"{FORMAT}" and "version": {FORMAT_VERSION}')
        made = facts.get("made")
        if not isinstance(made, list) or not all(isinstance(one, dict) for one in made):
            raise StatesError('the first line of the statistics lacks "made", a list of records')
        records: dict[int, StateRecord] = {}
        for number, line in enumerate(lines, 2):
            row = _parse(line, number)
            if (not isinstance(row, list) or len(row) != 7 or not all(type(x) is int for x in row)
                    or not 0 <= row[0] < STATE_LIMIT or row[0] in records or not _possible(StateRecord(*row[1:]))):
                raise StatesError(f"line {number} of the statistics is not [state, count, wins, draws, losses, sum of "
                                  f"values, sum of squares]: {shorten(line[:60])}")
            records[row[0]] = StateRecord(*row[1:])
        return cls(records, tuple(made))


def _parse(line: bytes, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise StatesError(f"line {number} of the statistics is not JSON: {shorten(line[:40])}") from None


def _facts(state: int) -> tuple[int, int, int]:
    """1; own corners minus the opponent's; mobility from -1 to 1."""
    corners = [state // 3**place % 3 for place in range(4)]
    return 1, corners.count(1) - corners.count(2), state // 3**8 - 1


def _possible(record: StateRecord) -> bool:
    return (1 <= record.count == record.wins + record.draws + record.losses <= HIGHEST_COUNT
            and min(record.wins, record.draws, record.losses) >= 0
            and abs(record.value_sum) <= HIGHEST_VALUE * record.count
            and record.value_sum**2 <= record.square_sum * record.count <= (HIGHEST_VALUE * record.count)**2)


@cache
def own_statistics() -> Statistics:
    """Those that come with the package."""
    try:
        return Statistics.from_bytes((files("boyi.games.othello") / OWN_FILE).read_bytes())
    except (OSError, StatesError) as error:
        raise BoyiError(f"the statistics of Othello's abstract states cannot be read from {OWN_FILE}: {error}; "
                        "`boyi learn abstract` makes them anew") from error


CORNERS = ("a1", "h1", "h8", "a8")
OWNERS = ("empty", "own", "other")
EDGES = ("a1-h1", "h1-h8", "h8-a8", "a8-a1")
EDGE_KINDS = ("bare", "stable", "flippable")
MOBILITIES = ("low", "middle", "high")


def describe(state: int) -> dict[str, Any]:
    """A state in words; of its images, the one that its number stands for.

    >>> describe(2 * 3**8 + 1)["mobility"], describe(2 * 3**8 + 1)["corners"]["a1"]
    ('high', 'own')
    """
    if not 0 <= state < STATE_LIMIT:
        raise StatesError(f"{shorten(state)} is not the number of an abstract state, 0 to {STATE_LIMIT - 1}")
    digits = [state // 3**place % 3 for place in range(9)]
    return {"corners": {corner: OWNERS[digit] for corner, digit in zip(CORNERS, digits[:4], strict=True)},
            "edges": {edge: EDGE_KINDS[digit] for edge, digit in zip(EDGES, digits[4:8], strict=True)},
            "mobility": MOBILITIES[digits[8]]}
