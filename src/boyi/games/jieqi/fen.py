"""Jieqi positions as text: a FEN with covered pieces, pools, what chance is to tell, and whose knowledge it is.

Only the text is looked at here, and what can be covered where; whether a king hangs is for `position`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from boyi.core.errors import TextError, shorten
from boyi.games.jieqi.draws import ORDER
from boyi.games.xiangqi.fen import SIDES, has_counters_only, read_board, read_number, square_name, square_number
from boyi.games.xiangqi.fen import START as XIANGQI_START

START = "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX w R2A2C2P5N2B2r2a2c2p5n2b2 0 1 -"
VIEWERS = "wb-s"
"""Whose knowledge a position is: Red's, Black's, the referee's, a spectator's."""

REFEREE = VIEWERS.index("-")
INITIAL = {"R": 2, "A": 2, "C": 2, "P": 5, "N": 2, "B": 2}
LETTER_SYNONYMS = str.maketrans("HEhe", "NBnb")
MOST_CHARACTERS = 500
"""A longer text is not a position."""

STANDING = {square: letter for square, letter in read_board(XIANGQI_START.split()[0]).items() if letter not in "Kk"}
"""By square the piece that covered pieces on it move like: those of xiangqi's start."""

_AWAITED = re.compile("([wrb])[?]([a-i][0-9])([Xx]+)")
_POOLS = re.compile("([RACPNBHEracpnbhe][0-9])+")


@dataclass(frozen=True)
class Fen:
    """What a jieqi FEN says."""

    pieces: Mapping[int, str]
    """By square the letter of an open piece, or X or x."""

    mover: int
    """Who acts; while chance acts, whose move it completes."""

    landed: int | None
    """While chance acts: the square that was moved to."""

    turns_up: bool
    """Chance is to tell what the moved piece is."""

    shows: bool
    """Chance is to tell what the captured piece was."""

    pools: tuple[Mapping[str, int], Mapping[str, int]]
    quiet: int
    """Plies since a capture or a reveal."""

    number: int
    viewer: int
    """An index of `VIEWERS`."""


def read_fen(text: str) -> Fen:
    """Read the fields and check what they say together.

    Pools may be left out, as in `… w 0 1`, or be written as the two unused fields of xiangqi, `… w - - 0 1`: then all
    may be covered that is not open on the board.
    """
    if not isinstance(text, str) or len(text) > MOST_CHARACTERS:
        raise _not_a_position(text)
    return _read_fen(text)


def owns_text(text: str) -> bool:
    """Does a text say anything that a xiangqi position does not: a covered piece, or pools?"""
    fields = text.split()
    return "x" in fields[0].lower() or not (has_counters_only(fields) or fields[2:4] == ["-", "-"])


@lru_cache(maxsize=256)
def _read_fen(text: str) -> Fen:
    fields = text.split()
    if len(fields) == 6 and fields[2:4] == ["-", "-"]:
        del fields[2:4]
    pools_left_out = has_counters_only(fields)
    if pools_left_out:
        fields[2:2] = ["-"]
    if len(fields) not in (3, 5, 6):
        raise _not_a_position(text)

    # 1. Who acts, and what chance is to tell.
    mover, landed, turns_up, shows = _read_side(fields[1])
    viewer = fields[5] if len(fields) == 6 else "wb"[mover]
    if viewer not in VIEWERS or len(viewer) != 1:
        raise TextError(f"{shorten(viewer)} is not a viewer: w, b, - (the referee) or s (a spectator)")

    # 2. The board.
    pieces = read_board(fields[0], "KABNRCPX")
    for square, letter in pieces.items():
        if letter in "Xx" and not _may_be_covered(letter, square) and not (turns_up and square == landed):
            raise TextError(f"there cannot be a covered {SIDES[letter.islower()].en.lower()} piece on "
                            f"{square_name(square)}: covered pieces have not moved from their starting points")
    _check_kings(pieces)
    if landed is not None:
        _check_landed(pieces, mover, landed, turns_up, shows)

    # 3. The pools.
    pools = _guess_pools(pieces, mover ^ 1 if shows else None) if pools_left_out else _read_pools(fields[2])
    _check_pools(pools, pieces, mover ^ 1 if shows else None, VIEWERS.index(viewer))

    # 4. The counters.
    quiet = read_number("the count of plies since a capture or reveal", fields[3], 0) if len(fields) > 3 else 0
    number = read_number("the move number", fields[4], 1) if len(fields) > 3 else 1
    if landed is not None and quiet:
        raise TextError(f"{quiet} plies since a capture or reveal cannot be: chance acts because of one; write 0")
    return Fen(pieces, mover, landed, turns_up, shows, pools, quiet, number, VIEWERS.index(viewer))


def _not_a_position(text: object) -> TextError:
    return TextError(f"{shorten(text)} is not a jieqi position: expected a board of ten ranks, the side to act, "
                     "the pools, plies since a capture or reveal, the move number and the viewer, "
                     f"as in {START!r}")


def _read_side(text: str) -> tuple[int, int | None, bool, bool]:
    """Who acts; while chance acts the square that was moved to, and whether the mover and the captured are awaited."""
    found = _AWAITED.fullmatch(text)
    if found is None and text not in ("w", "r", "b"):
        raise TextError(f"{shorten(text)} is not a side to act: w or b; while chance acts the side that "
                        "moved, ?, the point it moved to and what is awaited, as in w?b9Xx")
    mover = int(text[0] == "b")
    if found is None:
        return mover, None, False, False
    own, other = "Xx"[mover], "xX"[mover]
    turns_up, shows = own in found[3], other in found[3]
    if found[3] != (own if turns_up else "") + (other if shows else ""):
        raise TextError(f"{shorten(text)} does not say what chance is to tell: after the point comes "
                        f"{own} for the piece that moved, then {other} for the one it took")
    return mover, square_number(found[2]), turns_up, shows


def _may_be_covered(letter: str, square: int) -> bool:
    """Is the square a starting point of a covered piece of that side?"""
    return square in STANDING and STANDING[square].islower() == letter.islower()


def _check_kings(pieces: Mapping[int, str]) -> None:
    for side, letter in enumerate("Kk"):
        squares = [square for square, one in pieces.items() if one == letter]
        if len(squares) != 1:
            raise TextError(f"{SIDES[side].en} must have one king ({letter}) on the board")
        rank, file = divmod(squares[0], 9)
        if file not in (3, 4, 5) or not (rank >= 7 if side else rank <= 2):
            raise TextError(f"{SIDES[side].en}'s king cannot stand on {square_name(squares[0])}: "
                            "it never leaves its palace")


def _check_landed(pieces: Mapping[int, str], mover: int, landed: int, turns_up: bool, shows: bool) -> None:
    """Can what chance is to tell have happened on that square?"""
    there, name = pieces.get(landed, ""), square_name(landed)
    if turns_up and there != "Xx"[mover]:
        raise TextError(f"{name} must hold {'Xx'[mover]}, the covered piece that moved there and turns up")
    if not turns_up and (there in ("", "X", "x") or there.islower() != mover):
        raise TextError(f"{name} must hold the open {SIDES[mover].en.lower()} piece that took a covered one")
    if shows and not _may_be_covered("xX"[mover], landed):
        raise TextError(f"no covered piece can have been taken on {name}, which is no starting point of "
                        f"{SIDES[mover ^ 1].en}'s covered pieces")


def _check_pools(pools: tuple[Mapping[str, int], Mapping[str, int]], pieces: Mapping[int, str], shown: int | None,
                 viewer: int) -> None:
    """The pools must have room for what is covered, and not more of a type than there are.

    `shown` is the side whose captured covered piece chance is still to tell.
    """
    letters = list(pieces.values())
    for side, pool in enumerate(pools):
        name = SIDES[side].en
        covered = letters.count("Xx"[side]) + (side == shown)
        size = sum(pool.values())
        for letter in ORDER:
            own = letter.lower() if side else letter
            if pool[letter] + letters.count(own) > INITIAL[letter]:
                raise TextError(f"{letters.count(own)} {own} on the board and {pool[letter]} in the pool "
                                f"are too many: {name} has {INITIAL[letter]}")
        if size < covered:
            raise TextError(f"{name} has {covered} covered pieces but only {size} in the pool")
        if viewer == REFEREE and size != covered:
            raise TextError(f"{name} has {covered} covered pieces but {size} in the pool: the referee (-) "
                            "knows every piece that was taken, so their pools hold just what is covered")


def _guess_pools(pieces: Mapping[int, str], shown: int | None) -> tuple[dict[str, int], dict[str, int]]:
    """Per side what is not open on the board, of which some may have been taken; nothing where nothing is covered.

    `shown` is the side whose captured covered piece chance is still to tell.
    """
    letters = list(pieces.values())
    red, black = ({letter: INITIAL[letter] - letters.count(letter.lower() if side else letter)
                   if "Xx"[side] in letters or side == shown else 0 for letter in ORDER} for side in (0, 1))
    return red, black


def _read_pools(text: str) -> tuple[dict[str, int], dict[str, int]]:
    """Per side a count per type, from a field like R2A2C2P5N2B2r2a2c2p5n2b2; what is not named is 0, - is nothing."""
    pools = dict.fromkeys(ORDER, 0), dict.fromkeys(ORDER, 0)
    if text == "-":
        return pools
    if not _POOLS.fullmatch(text):
        raise TextError(f"{shorten(text)} is not a pair of pools: letters of {ORDER} (small for Black), each with "
                        "a count, as in R2A2C2P5N2B2r2a2c2p5n2b2")
    seen = set()
    for letter, count in re.findall("(.)(.)", text.translate(LETTER_SYNONYMS)):
        if letter in seen:
            raise TextError(f"{letter} is counted twice in the pools {shorten(text)}")
        seen.add(letter)
        if int(count) > INITIAL[letter.upper()]:
            raise TextError(f"{count} {letter} in the pool are too many: {SIDES[letter.islower()].en} has "
                            f"{INITIAL[letter.upper()]}")
        pools[letter.islower()][letter.upper()] = int(count)
    return pools
