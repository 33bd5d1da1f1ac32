"""What jieqi knows about its puzzles: those of xiangqi's themes that hold, and whether a covered piece is moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from boyi.core.position import CHANCE
from boyi.core.puzzles import PuzzleFacts, SolvedLine
from boyi.core.words import Words
from boyi.games.xiangqi import puzzles as xiangqi

THEMES: Mapping[str, Words] = {
    **{name: title for name, title in xiangqi.THEMES.items() if name != "ending"},
    "reveal": Words("turns a covered piece", "翻子"),
    "takes_covered": Words("takes a covered piece", "吃暗子"),
    "no_luck": Words("no luck in it", "不靠运气"),
}
"""By name."""


def find_themes(line: SolvedLine) -> Iterator[str]:
    """The themes of a line."""
    yield from (theme for theme in xiangqi.find_themes(line) if theme in THEMES)
    position, move = line.position, line.moves[0]
    covered = {stone.point for stone in position.stones() if stone.glyph in "Xx"}
    path = position.path(move)
    if path[0] in covered:
        yield "reveal"
    if path[-1] in covered:
        yield "takes_covered"
    end = position.copy()
    for each in line.moves:
        end.play(each)
    if end.turn != CHANCE:
        yield "no_luck"


PUZZLES = PuzzleFacts(themes=THEMES, find_themes=find_themes)
"""A move's odds are a mean over what chance may turn up; the line ends before anything is turned up."""
