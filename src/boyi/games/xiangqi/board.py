"""What a xiangqi board looks like.

Point 9 * rank + file: files a … i from the left and ranks 0 … 9 from the
bottom, as Red sees it.
"""

from __future__ import annotations

from functools import cache

from boyi.core.board import Board, Glyph, Label, Point, Zone
from boyi.core.words import Words
from boyi.games.xiangqi.drawings import PICTURES

FILES = 9
RANKS = 10
FILE_NAMES = "abcdefghi"
NUMERALS = "一二三四五六七八九"

PIECES = {
    "K": (Words("general", "将"), "帥將", "帅将"),
    "A": (Words("advisor", "士"), "仕士", "仕士"),
    "B": (Words("elephant", "象"), "相象", "相象"),
    "N": (Words("horse", "马"), "傌馬", "马马"),
    "R": (Words("chariot", "车"), "俥車", "车车"),
    "C": (Words("cannon", "炮"), "炮砲", "炮炮"),
    "P": (Words("soldier", "兵"), "兵卒", "兵卒"),
}
"""By FEN letter: the name, and the characters of Red and of Black, traditional and simplified."""

SEAT_NAMES = (Words("Red", "红方"), Words("Black", "黑方"))


def _glyphs() -> dict[str, Glyph]:
    glyphs = {}
    for letter, (name, characters, simplified) in PIECES.items():
        for seat, code in enumerate((letter, letter.lower())):
            whose = SEAT_NAMES[seat]
            words = Words(f"{whose.en.lower()} {name.en}", f"{whose.zh}{characters[seat]}")
            glyphs[code] = Glyph(code, seat, words, letter=letter, character=characters[seat],
                                 simplified=simplified[seat], picture=PICTURES[letter], royal=letter == "K")
    return glyphs


def _lines() -> tuple[tuple[tuple[float, float], tuple[float, float]], ...]:
    ranks = [((0.0, float(y)), (8.0, float(y))) for y in range(RANKS)]
    edges = [((float(x), 0.0), (float(x), 9.0)) for x in (0, 8)]
    # The inner files stop at the river.
    files = [((float(x), top), (float(x), top + 4.0)) for x in range(1, 8) for top in (0.0, 5.0)]
    palaces = [((left, top), (8.0 - left, top + 2.0)) for left in (3.0, 5.0) for top in (0.0, 7.0)]
    return tuple(ranks + edges + files + palaces)


def _coordinates() -> dict[str, tuple[Label, ...]]:
    """Each player's files, counted from their right and written at their side; or letters and ranks from 1."""
    above = tuple(Label(str(file + 1), file, -0.85) for file in range(FILES))
    chinese = tuple(Label(NUMERALS[FILES - 1 - file], file, 9.85) for file in range(FILES)) + above
    return {
        "chinese": chinese, "traditional": chinese,
        "wxf": tuple(Label(str(FILES - file), file, 9.85) for file in range(FILES)) + above,
        "uci": tuple(Label(FILE_NAMES[file], file, 9.85) for file in range(FILES))
        + tuple(Label(str(rank + 1), -0.85, 9 - rank) for rank in range(RANKS)),
    }


@cache
def board() -> Board:
    cannons = [(x, y) for x in (1.0, 7.0) for y in (2.0, 7.0)]
    soldiers = [(x, y) for x in (0.0, 2.0, 4.0, 6.0, 8.0) for y in (3.0, 6.0)]
    return Board(
        points=tuple(Point(f"{FILE_NAMES[file]}{rank}", file, 9 - rank)
                     for rank in range(RANKS) for file in range(FILES)),
        lines=_lines(),
        glyphs=_glyphs(),
        seat_names=SEAT_NAMES,
        seat_colours=("#b3261e", "#1d1d1b"),
        zones=tuple(Zone(f"palace of {SEAT_NAMES[seat].en}",
                         ((3.0, top), (5.0, top), (5.0, top + 2.0), (3.0, top + 2.0)), seat, filled=False)
                    for seat, top in ((0, 7.0), (1, 0.0))),
        labels=tuple(Label(FILE_NAMES[file], file, 9.85) for file in range(FILES))
        + tuple(Label(str(rank), -0.85, 9 - rank) for rank in range(RANKS))
        # Between the files, where no piece stands in front of them.
        + tuple(Label(word, x, 4.5, 0.52, "words") for word, x in zip("楚河漢界", (1.5, 2.5, 5.5, 6.5), strict=True)),
        coordinates=_coordinates(),
        brackets=tuple(cannons + soldiers),
        rotations=(0, 180),
        symmetries=(tuple(9 * rank + 8 - file for rank in range(RANKS) for file in range(FILES)),),
    )
