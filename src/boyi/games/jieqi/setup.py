"""Jieqi positions set up by hand: stones, covered or not, and what the covered ones may be.

The pools follow the board where they must: a piece that lies open is no longer in its pool, and where more is covered
than the pools hold, everything that does not lie open may be covered. With more in the pools than is covered, a player
has taken pieces that not everybody saw: then the position is a spectator's.
"""

import re
from collections.abc import Mapping

from boyi.core.errors import TextError, shorten
from boyi.core.position import Position
from boyi.core.setup import Field, Setup, sides, write_rows
from boyi.core.words import Words

PIECES = {"R": 2, "A": 2, "C": 2, "P": 5, "N": 2, "B": 2}
"""How many of each kind, besides the king, a side begins with."""


def _write(position: Position, stones: Mapping[str, str], fields: Mapping[str, str]) -> str:
    named = re.fullmatch(r"-?|([A-Za-z][0-9])+", fields["pools"].strip())
    if named is None:
        raise TextError(f"{shorten(fields['pools'])} is not a pair of pools: letters with a count, small for Black, "
                        "as in R2A2C2P5N2B2r2a2c2p5n2b2")
    given = {letter: int(count) for letter, count in re.findall("(.)(.)", named[0])}
    pools, exact = "", True
    for letters, cover in (("RACPNB", "X"), ("racpnb", "x")):
        standing = list(stones.values())
        covered = standing.count(cover)
        free = {letter: max(0, PIECES[letter.upper()] - standing.count(letter)) for letter in letters}
        pool = {letter: min(given.get(letter, 0), free[letter]) for letter in letters}
        if sum(pool.values()) < covered:
            pool = free
        exact = exact and sum(pool.values()) == covered
        pools += "".join(f"{letter}{count}" for letter, count in pool.items() if count)
    return f"{write_rows(position.board, stones)} {fields['turn']} {pools or '-'} 0 1 {'-' if exact else 's'}"


SETUP = Setup(
    write=_write,
    fields=lambda position: (sides(position.board, "wb"),
                             Field("pools", Words("Covered pieces may be", "暗子可能为"))),
    # While chance acts, the side that moved comes first in the field of who acts.
    read=lambda position: {"turn": position.to_text().split()[1][0], "pools": position.to_text().split()[2]},
)
