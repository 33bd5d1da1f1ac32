"""Draw the boards of the READMEs, one SVG per game in docs/pictures, some way into a game, and the pictures of rules.

    python -m tools.pictures [GAME ...]
"""

from __future__ import annotations

import sys
from pathlib import Path

import boyi
from boyi.games import find_game
from boyi.kit.illustration import read_illustrations
from boyi.kit.picture import svg

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "pictures"

SCENES: dict[str, tuple[dict[str, object], str]] = {
    # Central cannon with a rook across the river against screen horses: the most played opening there is.
    "xiangqi": ({}, "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7 h6g6 i7i8 b0c2 d9e8 b2a2 a9b9 a0b0 i8g8 "
                    "g6f6 g7h5"),
    "jieqi": ({}, "b2e2R h7e7c b0c2P b9c7n h0g2N h9g7p c3c4A g6g5r i0h0C a9b9b c4d3 i9i8a h2h5B"),
    "othello": ({}, "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 f7 g6 d2 c6 h5 h7 d7 c7 c5 c8 d8 e8 f8 d1 b8 b3 e3 b4"),
    # Four squares and a row of six: marked stones of both colours.
    "liuzhou": ({}, "f6 a1 b6 c4 e5 a5 c2 e1 c3 b5 d1 d3 a6 a3 f5 e2 e6 !a3 c1 d6 d2 d5 !a1 e3 !c2 c6 !c1"),
    "chinese_checkers": ({"players": 6},
                         "o1-m5 l2-j2 g1-i1-k3 c1-e5 g11-g9 m11-k9 q1-o1-m7 k1-i1-g1-g3 e1-g1-i1-k1 a1-c1-e7 "
                         "e13-g11-i9 m13-m11-m9 n4-l9-j9 m4-m6-m8 e4-e6-e8 d1-f4-h2 e11-e9 l11-l9-n4-l7 p2-n4-l9 "
                         "m2-m4-m6 e2-e4-e6 d4-f9-h9 f11-f9-d4-f7 l10-l8-l6 n3-l8-l10-j8"),
    "tic_tac_toe": ({}, "b2 a1 c1 a3 a2"),
}
"""By game: rule options and the moves that lead to a position worth looking at."""


def scene(name: str) -> boyi.Position:
    """The position of a game that its picture shows."""
    options, moves = SCENES[name]
    position = boyi.start(name, **options)
    for move in moves.split():
        position.play(move)
    return position


def folder(name: str) -> Path:
    """Where the pictures of a game's rules are."""
    return ROOT / "src" / "boyi" / "games" / name / "pictures"


def main() -> None:
    for name in sys.argv[1:] or SCENES:
        drawn = {TARGET / f"{name}.svg": svg.draw(scene(name))}
        drawn |= {folder(name) / f"{picture}.svg": illustration.draw()
                  for picture, illustration in read_illustrations(find_game(name)).items()}
        for path, text in drawn.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
