"""Chinese-checkers positions as text: 17 rows, the side to act, the seats, who has finished, the turn, who has left."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from boyi.core.errors import TextError, shorten
from boyi.games.chinese_checkers.board import CORNERS, ROW_LENGTHS, SEATS, camp

MOST_CHARACTERS = 1000
"""A text that is longer is not a position or a move."""


@dataclass(frozen=True)
class Fields:
    """What a position text says. Seats are letters of `seats`, which stand in the order of play."""

    holes: tuple[str, ...]
    """The 121 holes: a seat each, or a dot."""

    side: str
    seats: str
    finished: str
    """Those who have reached their goal, in order."""

    turn: int
    left: str
    """Those who have left the game, in order."""

    pieces: int
    """Of each seat."""


def read_fields(text: str, *, players: int, pieces: int, turn_limit: int, strict: bool) -> Fields:
    """The fields of a position text, possible by themselves and together.

    The text names its seats, and its board shows how many pieces each has: where the options leave
    `players` and `pieces` at their defaults the text decides, otherwise the two must agree.
    """
    if not isinstance(text, str) or len(text) >= MOST_CHARACTERS:
        raise _not_a_position(text)
    return _read_fields(text, players, pieces, turn_limit, strict)


@lru_cache(maxsize=256)
def _read_fields(text: str, players: int, pieces: int, turn_limit: int, strict: bool) -> Fields:
    # 1. The fields.
    fields = text.split()
    if not 5 <= len(fields) <= 6:
        raise _not_a_position(text)
    rows, side, seats, finished, turn = fields[:5]
    left = fields[5] if len(fields) == 6 else "-"

    # 2. The seats, and whether they agree with the options.
    if seats not in SEATS.values():
        raise TextError(f"{shorten(seats)} are not the seats of a game: {', '.join(SEATS.values())} are")
    if players not in (len(seats), 2):
        raise TextError(f"the seats {seats} are those of {len(seats)} players, but the option says "
                        f"players={players}")

    # 3. The board.
    holes = _read_rows(rows, seats)
    counts = {seat: holes.count(seat) for seat in seats}
    each = max(counts.values())
    allowed = [10, 15] if len(seats) == 2 else [10]
    if each not in allowed or min(counts.values()) != each:
        shown = ", ".join(f"{count} {seat}" for seat, count in counts.items())
        raise TextError(f"a board with {shown} is not one of this game: every seat in play has 10 pieces"
                        + (", or both have 15" if len(seats) == 2 else ""))
    if pieces not in (each, 10):
        raise TextError(f"every seat has {each} pieces, but the option says pieces={pieces}")

    # 4. Who is out, who acts, and when.
    for what, letters in (("finished", finished), ("left", left)):
        if letters != "-" and (set(letters) - set(seats) or len(set(letters)) != len(letters)):
            raise TextError(f"{shorten(letters)} is not a list of who has {what}: "
                            f"letters of {seats}, each once, or -")
    gone = set(finished + left) - {"-"}
    if len(gone) != len(finished.strip("-")) + len(left.strip("-")):
        raise TextError(f"nobody both finishes ({finished}) and leaves ({left})")
    if len(gone) == len(seats):
        raise TextError("a player must still be in the game: it is over when one is left")
    if len(side) != 1 or side not in seats or side in gone:
        staying = ", ".join(seat for seat in seats if seat not in gone)
        raise TextError(f"{shorten(side)} is not a side to act: {staying} may be")
    if not (turn.isascii() and turn.isdigit() and len(turn) < 9 and 1 <= int(turn) <= turn_limit + 1):
        raise TextError(f"{shorten(turn)} is not a turn number: 1 to {turn_limit + 1} "
                        "(the last says that the turn limit is reached)")

    # 5. Whether those who have reached their goal, and only they, are among the finished.
    for seat in seats:
        goal = camp((CORNERS.index(seat) + 3) % 6, each)
        own = sum(holes[hole] == seat for hole in goal)
        full = all(holes[hole] != "." for hole in goal)
        if seat in finished and own < (each if strict else 1):
            raise TextError(f"{seat} cannot have finished: {own} of their pieces are in their goal corner")
        if seat not in gone and full and own >= (each if strict else 1):
            raise TextError(f"{seat} has reached the goal and must be listed among the finished")
    return Fields(tuple(holes), side, seats, finished.strip("-"), int(turn), left.strip("-"), each)


def _not_a_position(text: object) -> TextError:
    return TextError(f"{shorten(text)} is not a position of Chinese checkers: 17 rows separated by /, the side "
                     "to act, the seats in play, the finished in order or -, the turn number, and, "
                     "if anybody has left, who, in order")


def _read_rows(text: str, seats: str) -> list[str]:
    """The 121 holes of a board text: a letter of `seats` each, or a dot."""
    rows = text.split("/")
    if len(rows) != len(ROW_LENGTHS):
        raise TextError(f"a board of {len(rows)} rows is not a star: it has {len(ROW_LENGTHS)}, separated by /")
    holes: list[str] = []
    for number, (row, length) in enumerate(zip(rows, ROW_LENGTHS, strict=True)):
        name = chr(97 + number)
        strange = [letter for letter in row if letter not in seats and letter not in "0123456789"]
        if strange:
            raise TextError(f"row {name} has {shorten(strange[0])}: "
                            f"only {seats} and numbers of empty holes stand there")
        # A run of digits is one number, but 94 for thirteen holes, as in chess, is understood as well:
        # the two readings never fill the same row.
        for reading in (re.findall(r"[0-9]+|[A-F]", row), list(row)):
            cells = "".join(part if part.isalpha() else "." * min(int(part), 14) for part in reading)
            if len(cells) == length:
                holes.extend(cells)
                break
        else:
            raise TextError(f"row {name}, {shorten(row)}, does not have {length} holes")
    return holes
