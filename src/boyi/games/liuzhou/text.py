"""Liuzhou positions as text: the board, the side to act, the phase and three counts.

Composed positions are welcome: refused is what the rules could not go on from, not what no game
comes to (unequal numbers of stones while placing, counts that do not fit the board).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from boyi.core.errors import TextError, shorten
from boyi.core.words import Words

SIZE = 6
_NAMES = tuple(f"{file}{rank}" for rank in range(1, SIZE + 1) for file in "abcdef")
_NUMBERS = {name: point for point, name in enumerate(_NAMES)}
STONES_EACH = 18
"""Stones that a player puts down."""

PHASES = ("place", "mark", "clear", "move", "capture", "forced", "counter")
SIDES = (Words("Black", "黑方"), Words("White", "白方"))


@dataclass(frozen=True)
class Fields:
    """What a position text says."""

    cells: str
    """The 36 points, one character each: b, w, marked B, W, or a dot."""

    side: int
    phase: int
    """An index of `PHASES`."""

    pending: int
    """Marks or captures that the side to act still has to make."""

    actions: int
    quiet: int
    """Actions in a row that left the number of stones as it was."""


def point_name(point: int) -> str:
    """From 0 … 35 to a1 … f6."""
    return _NAMES[point]


def point_number(name: str, text: str) -> int:
    """From a1 … f6 to 0 … 35, for the move `text`."""
    if name in _NUMBERS:
        return _NUMBERS[name]
    raise TextError(f"{shorten(text)} is not a Liuzhou move: d3 places a stone, !d3 marks one, clear takes "
                    "the marked ones away, d3-d4 moves one, xd3 removes one; the points are a1 to f6")


def read_fields(text: str, *, most_pending: int, action_limit: int, quiet_limit: int) -> Fields:
    """The fields of a position text, each possible by itself and fitting the phase."""
    if not isinstance(text, str):
        raise _not_a_position(text)
    return _read_fields(text, most_pending, action_limit, quiet_limit)


@lru_cache(maxsize=256)
def _read_fields(text: str, most_pending: int, action_limit: int, quiet_limit: int) -> Fields:
    fields = text.split()
    if len(fields) != 6:
        raise _not_a_position(text)
    board, side, phase, *numbers = fields
    cells = _read_cells(board)
    if side not in ("b", "w"):
        raise TextError(f"{shorten(side)} is not a side to act: b (Black) or w (White)")
    if phase not in PHASES:
        raise TextError(f"{shorten(phase)} is not a phase: {', '.join(PHASES)}")
    found = Fields(cells, "bw".index(side), PHASES.index(phase),
                   _read_number(numbers[0], "pending actions", most_pending),
                   _read_number(numbers[1], "the action count", action_limit),
                   _read_number(numbers[2], "the quiet count", quiet_limit))
    _check_counts(found)
    return found


def _not_a_position(text: object) -> TextError:
    return TextError(f"{shorten(text)} is not a Liuzhou position: six rows with / between them, the side to act, "
                     "the phase, pending actions, action count and quiet count, with spaces between them")


def _read_cells(board: str) -> str:
    """The 36 points of a board, one character each, empty ones as dots."""
    rows = board.split("/", SIZE)
    if len(rows) != SIZE:
        raise TextError(f"{shorten(board)} is not a Liuzhou board: six rows with / between them")
    whole = ""
    for number, row in enumerate(rows, 1):
        wrong = set(row) - set("bwBW123456")
        if wrong:
            raise TextError(f"row {number} of the board, {shorten(row)}, has {shorten(min(wrong))} in it: stones are "
                            "b and w, marked ones B and W, and 1 to 6 count empty points")
        cells = "".join("." * int(cell) if cell in "123456" else cell for cell in row[:SIZE + 1])
        if len(cells) != SIZE:
            raise TextError(f"row {number} of the board, {shorten(row)}, does not have six points")
        whole += cells
    return whole


def _read_number(text: str, name: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 8 and int(text) <= most):
        raise TextError(f"{shorten(text)} is not possible as {name}: a whole number from 0 to {most}")
    return int(text)


def _check_counts(fields: Fields) -> None:
    """Are there as many stones, marks and quiet actions as the phase allows?"""
    stones = [fields.cells.lower().count(letter) for letter in "bw"]
    side, phase = SIDES[fields.side], PHASES[fields.phase]
    clearing = PHASES.index("clear")
    have = f"here Black has {stones[0]} and White {stones[1]}"
    if max(stones) > STONES_EACH:
        raise TextError(f"each side has at most {STONES_EACH} stones; {have}")
    if phase == "place" and stones[fields.side] == STONES_EACH:
        raise TextError(f"{side} has placed all {STONES_EACH} stones and cannot be the side to place; "
                        "on a full board the phase is clear")
    if phase == "clear" and (sum(stones) != len(fields.cells) or fields.side != 1):
        raise TextError(f"clear is White's action (w) on a full board; {have}, and {side} is to act")
    if fields.phase > clearing and any(cell in "BW" for cell in fields.cells):
        raise TextError(f"in the phase {phase} no stone is marked (B, W): marks end with clear")
    if fields.phase <= clearing and fields.quiet:
        raise TextError(f"in the phase {phase} the quiet count is 0, not {fields.quiet}: "
                        "it starts when clear is made")
