"""An analysis while it deepens: a table that is drawn over on a terminal, a line per depth elsewhere."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING

from boyi.agents.analysis import Analysis
from boyi.cli import _texts as texts
from boyi.cli._analysis_report import columns, footing, format_value, heading, print_report, to_json
from boyi.cli._common import print_json_line
from boyi.cli._table import rich_table
from boyi.core.position import Position
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from rich.live import Live

UNTIL = Words("Ctrl-C ends it", "Ctrl-C 结束")
LINE = Words("depth {depth}  {seconds:.2f} s  {nodes} nodes  {speed} nodes/s  {lines}",
             "深度 {depth}  {seconds:.2f} 秒  {nodes} 个节点  {speed} 节点/秒  {lines}")
VALUED = Words("{number}. {value} {unit} ({odds:.0%}) {moves}", "{number}. {value} {unit}（{odds:.0%}）{moves}")
PROVEN = Words("{number}. {value} ({odds:.0%}) {moves}", "{number}. {value}（{odds:.0%}）{moves}")


class AnalysisWatcher:
    """Shows each depth of one analysis as it ends. On a terminal it leaves nothing behind."""

    def __init__(self, position: Position, name: str, language: Language, *, as_json: bool) -> None:
        self._position = position
        self._name = name
        """Of the search."""

        self._language = language
        self._as_json = as_json
        self._live: Live | None = None
        self._last: Analysis | None = None

    def __enter__(self) -> AnalysisWatcher:
        return self

    def show(self, analysis: Analysis) -> None:
        """A depth has ended."""
        self._last = analysis
        if self._as_json:
            self._print_json(analysis, final=False)
        elif sys.stdout.isatty():
            self._draw(analysis)
        else:
            print(format_line(self._position, analysis, self._language), flush=True)

    def show_final(self, analysis: Analysis) -> None:
        """The search has ended, perhaps within a depth that found something else."""
        if self._as_json:
            self._print_json(analysis, final=True)
        elif sys.stdout.isatty():
            print_report(self._position, analysis, self._name, self._language)
        elif self._last is None or self._last.lines != analysis.lines:
            print(format_line(self._position, analysis, self._language), flush=True)

    def _print_json(self, analysis: Analysis, *, final: bool) -> None:
        print_json_line({"final": final} | to_json(self._position, analysis, self._name))

    def _draw(self, analysis: Analysis) -> None:
        from rich.console import Console, Group
        from rich.live import Live
        from rich.text import Text

        headers, rows = columns(self._position, analysis, self._language)
        picture = Group(
            *map(Text, heading(self._position, analysis, self._language)),
            rich_table(headers, rows, range(len(headers) - 1)),
            *map(Text, footing(self._position, analysis, self._name, self._language)),
            Text(UNTIL.say(self._language), style="dim"))
        if self._live is None:
            self._live = Live(picture, console=Console(), auto_refresh=False, transient=True)
            self._live.start()
        self._live.update(picture, refresh=True)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        if self._live is not None:
            self._live.stop()


def format_line(position: Position, analysis: Analysis, language: Language) -> str:
    """A depth in one line."""
    unit = position.game.unit.say(language)
    lines = "  ".join(texts.say(
        VALUED if line.wins_in is None else PROVEN, language, number=number, value=format_value(line, language),
        unit=unit, odds=line.odds, moves=" ".join(line.texts)) for number, line in enumerate(analysis.lines, 1))
    return texts.say(LINE, language, depth=analysis.depth, seconds=analysis.seconds, nodes=analysis.nodes,
                     speed=analysis.speed, lines=lines)
