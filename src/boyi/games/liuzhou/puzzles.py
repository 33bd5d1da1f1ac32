"""What Liuzhou qi knows about its puzzles: what is completed, and in which phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from boyi.core.puzzles import PuzzleFacts, SolvedLine
from boyi.core.words import Words
from boyi.games.liuzhou.position import LiuzhouPosition

THEMES: Mapping[str, Words] = {
    "square_made": Words("square made", "成方"),
    "more_at_once": Words("a line, or more at once", "成线或同成数形"),
    "which_stone": Words("which stone to take", "取哪一子"),
    "placing": Words("placing", "落子阶段"),
    "moving": Words("moving", "走子阶段"),
    "preparing": Words("prepares or prevents", "布局与防守"),
}
"""By name."""


def find_themes(line: SolvedLine) -> Iterator[str]:
    """The themes of a line, by its first move."""
    position = line.position
    assert isinstance(position, LiuzhouPosition)
    if position.phase in ("place", "mark"):
        yield "placing"
    elif position.phase in ("move", "capture", "counter"):
        yield "moving"
    if position.phase in ("mark", "capture", "forced", "counter"):
        yield "which_stone"
        return
    after = position.copy()
    after.play(line.moves[0])
    if after.pending == 1:
        yield "square_made"
    elif after.pending > 1:
        yield "more_at_once"
    elif after.outcome() is None:
        yield "preparing"


PUZZLES = PuzzleFacts(themes=THEMES, find_themes=find_themes)
