"""What a search found, as it is told: a table for people, a document for programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from boyi.agents.analysis import AnalysedLine, Analysis, line_to_json, turns_up
from boyi.cli import _texts as texts
from boyi.cli._common import name_turn
from boyi.cli._table import print_table
from boyi.cli._terminal import Terminal
from boyi.core.position import Position
from boyi.core.words import Language, Words

BAR_WIDTH = 40
SHOWN_MOVES = 12
"""Moves of a line that are shown."""

HEADERS = (Words("", ""), Words("value ({unit})", "评分（{unit}）"), Words("odds", "胜率"), Words("line", "变化"))
HEADERS_VISITS = (Words("visits", "访问"),)
TO_ACT = Words("{title}: {name} to act", "{title}：轮到{name}")
WINS = Words("wins in {plies}", "{plies} 步胜")
LOSES = Words("loses in {plies}", "{plies} 步负")
SEARCHED = Words("{name}: depth {depth}, {nodes} nodes, {seconds:.2f} s, {speed} nodes/s",
                 "{name}：深度 {depth}，{nodes} 个节点，{seconds:.2f} 秒，{speed} 节点/秒")
TURNS_UP = Words("{move}, then: {odds}", "{move} 之后：{odds}")


def to_json(position: Position, analysis: Analysis, name: str) -> dict[str, Any]:
    """The answer as JSON has it (documented in docs/cli.md)."""
    return {
        "game": position.game.name, "options": dict(position.options), "text": position.to_text(),
        "turn": name_turn(position.turn), "unit": position.game.unit.en, "search": name,
        "depth": analysis.depth, "nodes": analysis.nodes, "seconds": round(analysis.seconds, 6),
        "nodes_per_second": analysis.speed, "statistics": dict(analysis.statistics),
        "lines": [line_to_json(position, line) for line in analysis.lines],
    }


def print_report(position: Position, analysis: Analysis, name: str, language: Language) -> None:
    """Everything, as a person reads it."""
    print("\n".join(heading(position, analysis, language)))
    headers, rows = columns(position, analysis, language)
    print_table(headers, rows, numbers=range(len(headers) - 1))
    print("\n".join(footing(position, analysis, name, language)))


def heading(position: Position, analysis: Analysis, language: Language) -> Iterator[str]:
    """Lines before the table: whose turn it is where, and a bar with the odds."""
    seat = position.board.seat_names[position.turn].say(language)
    yield texts.say(TO_ACT, language, title=position.game.title.say(language), name=seat)
    yield position.to_text()
    if analysis.lines:
        yield draw_bar(analysis.lines[0].odds, seat, ascii_only=Terminal(sys.stdout).ascii_only)


def columns(position: Position, analysis: Analysis, language: Language) -> tuple[list[str], list[list[str]]]:
    """The headers of the table, all but the last over numbers, and its rows."""
    visits = any(line.visits is not None for line in analysis.lines)
    rows = []
    for number, line in enumerate(analysis.lines, 1):
        cells = [str(number), format_value(line, language), f"{100 * line.odds:.0f} %",
                 " ".join(line.texts[:SHOWN_MOVES])]
        rows.append(cells[:3] + ([str(line.visits)] if visits else []) + cells[3:])
    unit = position.game.unit.say(language)
    headers = (*HEADERS[:3], *(HEADERS_VISITS if visits else ()), *HEADERS[3:])
    return [texts.say(header, language, unit=unit) for header in headers], rows


def footing(position: Position, analysis: Analysis, name: str, language: Language) -> Iterator[str]:
    """Lines after the table: what chance may bring, and how much was searched."""
    for line in analysis.lines:
        drawn = turns_up(position, line.moves[0])
        if drawn:
            yield texts.say(TURNS_UP, language, move=line.texts[0], odds="  ".join(
                f"{_name(after, result).say(language)} {100 * chance:.1f} %" for after, result, chance in drawn))
            break   # what is covered is covered alike: the others would say the same
    yield texts.say(SEARCHED, language, name=name, depth=analysis.depth, nodes=analysis.nodes,
                    seconds=analysis.seconds, speed=analysis.speed)


def format_value(line: AnalysedLine, language: Language) -> str:
    """`+0.35`, in the game's unit, or a proven end."""
    if line.wins_in is not None:
        return texts.say(WINS if line.wins_in > 0 else LOSES, language, plies=abs(line.wins_in))
    return f"{line.units:+.2f}"


def draw_bar(share: float, name: str, *, ascii_only: bool) -> str:
    """A bar that the player to act fills from the left.

    >>> draw_bar(0.75, "Red", ascii_only=True)
    'Red  ##############################----------  75 %'
    """
    full, empty = ("#", "-") if ascii_only else ("█", "░")
    filled = round(BAR_WIDTH * share)
    return f"{name}  {full * filled}{empty * (BAR_WIDTH - filled)}  {100 * share:.0f} %"


def _name(position: Position, result: int) -> Words:
    """A result of chance in a word: the piece that it reveals, or else as it is written."""
    changes, text = position.changes(result), position.format_move(result)
    return position.board.glyphs[changes[0].glyph].name if changes else Words(text, text)
