"""Draw the boards of the READMEs, one SVG per game in docs/pictures, some way into a game, the pictures of rules, and
the cases of docs/explanation/repetition.md.

    python -m tools.pictures [GAME or CASE ...]
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Case:
    """A xiangqi position that comes back."""

    position: str
    before: str
    """The moves that lead to the cycle."""

    cycle: str
    marks: tuple[str, ...] = ()
    """Points that the picture points out."""

    def play(self, *, rules: str = "cxa", times: int = 2) -> boyi.Position:
        """The position after the cycle, which is judged when it has been gone round twice."""
        position = boyi.parse("xiangqi", self.position, rules=rules)
        for move in (*self.before.split(), *times * self.cycle.split()):
            position.play(move)
        return position

    def draw(self) -> str:
        """The position in which the cycle closes, as SVG."""
        last = self.cycle.split()[-1]
        return svg.draw(self.play(times=1), last_move=(last[:2], last[2:]), targets=self.marks)


# From tests/data/xiangqi/axf_diagrams.json: the diagrams of the Asian rule book.
CASES: dict[str, Case] = {
    "repetition_false_root": Case("3ak1b2/4a4/4b4/9/2c6/2R6/9/4C4/4A4/2BAK1B2 b", "", "c5g5 c4g4 g5c5 g4c4", ("c5",)),
    "repetition_pinned": Case("3aka3/4c4/4r4/9/9/9/PR7/2p1CA3/7p1/2B2K3 w", "b3b7 e7e3 b7b3",
                              "e3e4 b3b4 e4e3 b4b3", ("e3",)),
    "repetition_king": Case("4ka3/4a4/4b4/p7p/9/4C4/4P4/4B4/3K5/3Ac1B2 w", "d1e1", "e0f0 e1f1 f0e0 f1e1", ("e0",)),
    "repetition_check_and_chase": Case("1R1C1abr1/4k4/4b4/p7p/2p6/9/r1P3P2/B8/9/2B1KA3 w", "",
                                       "b9b8 e8e9 b8b9 e9e8"),
    "repetition_two_victims": Case("2b1ka3/4a4/4b4/p2rp4/4n4/4R4/Pr2P2p1/4BC3/4A4/R3KAB2 w", "f2f3",
                                   "b3b1 f3f6 d6d3 f6f1 b1b6 f1f3 d3d1 f3f6 b6b3 f6f1 d1d6 f1f3", ("b3", "d6")),
    "repetition_mutual_check": Case("3akr3/5c3/1P2b4/4R4/9/9/9/9/9/4CK3 w", "e6e7", "f8e8 e7f7 e8f8 f7e7"),
}
"""By picture: the hard cases that the page about repetition shows."""


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
    for name in sys.argv[1:] or (*SCENES, *CASES):
        drawn = {TARGET / f"{name}.svg": CASES[name].draw() if name in CASES else svg.draw(scene(name))}
        if name in SCENES:
            drawn |= {folder(name) / f"{picture}.svg": illustration.draw()
                      for picture, illustration in read_illustrations(find_game(name)).items()}
        for path, text in drawn.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
