"""Xiangqi positions and moves as text: FEN and coordinates.

Only the text is looked at here, and where pieces can ever stand; whether a king hangs is for `position`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from boyi.core.errors import TextError, shorten
from boyi.core.words import Words

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
LETTERS = ".KABNRCP"
"""By kind; Red's in capitals, Black's in small letters."""

MOST = {"K": 1, "A": 2, "B": 2, "N": 2, "R": 2, "C": 2, "P": 5}
"""How many of each a side begins with."""

SYNONYMS = {"h": "n", "e": "b", "m": "b", "g": "k", "s": "p", "H": "N", "E": "B", "M": "B", "G": "K", "S": "P"}
SIDES = (Words("Red", "红方"), Words("Black", "黑方"))
_NAMES = tuple(f"{file}{rank}" for rank in range(10) for file in "abcdefghi")


@dataclass(frozen=True)
class Fen:
    """What a FEN says."""

    pieces: Mapping[int, str]
    """The letter of each piece by its square, 0 … 89."""

    side: int
    quiet: int
    """Plies since a capture."""

    number: int
    """The move number."""


def square_name(square: int) -> str:
    """From 0 … 89 to a0 … i9.

    >>> square_name(0), square_name(89)
    ('a0', 'i9')
    """
    return _NAMES[square]


def square_number(name: str) -> int:
    """The inverse of `square_name`; files may be capitals."""
    return "abcdefghi".index(name[0].lower()) + 9 * int(name[1])


def read_fen(text: str) -> Fen:
    """Read a FEN: board, side to move, two unused fields, quiet plies, move number.

    The last four may be left out, and so may the two unused ones: `… w 0 1`, as XBoard and others write it.
    """
    if not isinstance(text, str):
        raise TextError(f"a position is a text, not {shorten(text)}")
    return _read_fen(text)


@lru_cache(maxsize=64)
def _read_fen(text: str) -> Fen:
    fields = text.split()
    if not 2 <= len(fields) <= 6:
        raise TextError(Words(
            f"{shorten(text)} is not a xiangqi position: expected a board of ten ranks, the side "
            f"to move (w or b), '- -', quiet plies and the move number, as in {START!r}",
            f"应依次写出十行棋盘、走子方（w 或 b）、“- -”、无吃子步数和回合数，如 {START}"))
    if has_counters_only(fields):
        fields[2:2] = ["-", "-"]
    pieces = read_board(fields[0])
    side = read_side(fields[1])
    if any(field != "-" for field in fields[2:4]):
        raise TextError(Words(f"{shorten(' '.join(fields[2:4]))}: xiangqi has no castling or en passant; write '- -'",
                              f"{shorten(' '.join(fields[2:4]))}：象棋没有易位和过路吃，应写“- -”"))
    quiet = read_number("the count of quiet plies", fields[4], 0) if len(fields) > 4 else 0
    number = read_number("the move number", fields[5], 1) if len(fields) > 5 else 1
    _check_pieces(pieces)
    return Fen(pieces, side, quiet, number)


def has_counters_only(fields: Sequence[str]) -> bool:
    """Do just the two counters follow after the side to move?"""
    return len(fields) == 4 and all(field.isascii() and field.isdigit() for field in fields[2:])


def read_board(text: str, letters: str = LETTERS[1:]) -> dict[int, str]:
    """The ten ranks of a FEN, from Black's back rank down, as a dict from square to letter."""
    rows = text.split("/")
    if len(rows) != 10:
        raise TextError(Words(f"{shorten(text)} has {len(rows)} ranks; the board has 10, separated by /",
                              f"{shorten(text)} 有 {len(rows)} 行；棋盘应有 10 行，以 / 分隔"))
    pieces: dict[int, str] = {}
    for rank, row in zip(range(9, -1, -1), rows, strict=True):
        file = 0
        for character in row:
            letter = SYNONYMS.get(character, character)
            if letter in "123456789":
                file += int(letter)
            elif letter.isascii() and letter.upper() in letters:
                pieces[9 * rank + file] = letter
                file += 1
            else:
                raise TextError(Words(
                    f"{shorten(letter)} in rank {rank} is neither a piece ({' '.join(letters)}, small for "
                    "Black; also E and H for B and N) nor a number of empty points",
                    f"第 {rank} 行的 {shorten(letter)} 既不是棋子（{' '.join(letters)}，黑方小写）也不是空格数"))
        if file != 9:
            raise TextError(Words(f"rank {rank}, {shorten(row)}, has {file} points; it must have 9",
                                  f"第 {rank} 行 {shorten(row)} 有 {file} 个点，应为 9 个"))
    return pieces


def read_side(text: str) -> int:
    """The side to move: 0 is Red."""
    if text not in ("w", "r", "b"):
        raise TextError(Words(f"{shorten(text)} is not a side to move: w (or r) for Red, b for Black",
                              f"{shorten(text)} 不是走子方：红方写 w（或 r），黑方写 b"))
    return int(text == "b")


def read_number(what: str, text: str, lowest: int) -> int:
    """A count of at most six digits."""
    if not (text.isascii() and text.isdigit() and len(text) <= 6 and int(text) >= lowest):
        raise TextError(Words(f"{what} is {shorten(text)}; it must be a whole number from {lowest} to 999999",
                              f"{shorten(text)} 应是 {lowest} 到 999999 的整数"))
    return int(text)


def read_squares(text: str) -> tuple[int, int]:
    """The two squares of a move such as h2e2, legal or not."""
    lower = text.strip().lower() if isinstance(text, str) else ""
    if not (len(lower) == 4 and lower.isascii() and all("a" <= c <= "i" for c in lower[::2])
            and all(c.isdigit() for c in lower[1::2])):
        raise TextError(f"{shorten(text)} is not a move: expected two points from a0 to i9, as in h2e2")
    return square_number(lower[:2]), square_number(lower[2:])


def _check_pieces(pieces: Mapping[int, str]) -> None:
    """Refuse pieces that stand where they can never get, and more of them than there are."""
    counts: dict[str, int] = {}
    for square, letter in pieces.items():
        rank, file = square // 9 if letter.isupper() else 9 - square // 9, square % 9
        if letter in "KAka" and not (rank <= 2 and 3 <= file <= 5):
            raise TextError(Words(f"{letter} on {square_name(square)} is outside its palace",
                                  f"{square_name(square)} 的 {letter} 不在九宫之内"))
        if letter in "Bb" and rank > 4:
            raise TextError(Words(f"{letter} on {square_name(square)}: an elephant never crosses the river",
                                  f"{square_name(square)} 的 {letter}：象不能过河"))
        counts[letter] = counts.get(letter, 0) + 1
    for letter, most in MOST.items():
        for own in (letter, letter.lower()):
            if counts.get(own, 0) > most:
                raise TextError(Words(f"there are {counts[own]} {own} on the board; {most} at most",
                                      f"棋盘上有 {counts[own]} 个 {own}，最多 {most} 个"))
            if letter == "K" and own not in counts:
                raise TextError(Words(f"there is no {own} on the board; each side has one king",
                                      f"棋盘上没有 {own}，双方各应有一个将（帅）"))
