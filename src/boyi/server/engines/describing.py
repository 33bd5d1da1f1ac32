"""The lines of a search as they go over the wire."""

from __future__ import annotations

from collections.abc import Iterable

from boyi.agents.analysis import AnalysedLine, follow
from boyi.core.position import CHANCE, Position
from boyi.server.protocol import study


def describe_lines(position: Position, lines: Iterable[AnalysedLine], notation: str = "") -> list[study.AnalysedLine]:
    """Lines of a position, for the player to act; written in a notation as well, if one is named."""
    return [study.AnalysedLine(list(line.texts), [list(path) for path in line.paths], round(line.units, 3),
                                round(line.odds, 4), line.wins_in, _write(position, line.moves, notation),
                                _reveals(position, line.moves)) for line in lines]


def _write(position: Position, moves: tuple[int, ...], notation: str) -> list[str]:
    if not notation:
        return []
    write = position.game.notation(notation).format
    return [write(before, move) for before, move in follow(position, moves)]


def _reveals(position: Position, moves: Iterable[int]) -> list[study.Reveal]:
    """What chance may bring at the end of a line, the likeliest first."""
    end = position.copy()
    for move in moves:
        end.play(move)
    if end.turn != CHANCE:
        return []
    found = []
    for move, odds in end.odds():
        changes = end.changes(move)
        found.append(study.Reveal(end.chance_words(move), changes[0].glyph if changes else "", round(odds, 4)))
    return sorted(found, key=lambda reveal: -reveal.odds)
