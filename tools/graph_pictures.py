"""Draw the first levels of Othello three ways: as tree, as graph and as quotient by symmetry, into docs/pictures.

    python -m tools.graph_pictures

The three differ only in what is taken for the same node: nothing, positions with the same key, positions with the same
symmetric key. Arrows go down; those into a node that several moves lead to are coloured.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import boyi
from boyi.core.position import Position

TARGET = Path(__file__).parents[1] / "docs" / "pictures" / "othello_graph.svg"
DEPTH = 3

WAYS: dict[str, Callable[[Position], object]] = {
    "Tree: every sequence of moves is a node": lambda position: tuple(position.history()),
    "Graph: sequences that end in the same position are one node": lambda position: position.key,
    "Quotient: positions that are images of each other are one node": lambda position: position.symmetric_fingerprint,
}
"""By title: what must be equal for two positions to be one node."""

WIDTH = 1240
MARGIN = 16
LARGEST, GAP = 44, 3
"""Pixels of a board, and between two of them."""

LEVEL_HEIGHT = 92
TITLE_HEIGHT = 40
FIRST, LAST = 1, 6
"""The rows and columns that are drawn, counted from 0: no disc lies outside within three moves."""

PAPER, INK, FELT, EDGE, MERGED = "#fbfaf6", "#2b2b2b", "#326e52", "#9aa3ad", "#d1603d"
DISCS = {"X": "#111", "O": "#fff"}


@dataclass
class Node:
    """A node, drawn as the position that was met first."""

    position: Position
    parents: dict[int, int] = field(default_factory=dict)
    """By place in the level above: how many moves lead here from the position that is drawn there."""


def levels(same: Callable[[Position], object]) -> list[list[Node]]:
    """The nodes of each level; those of a level stand below their parents, as far as that can be."""
    found = [[Node(boyi.start("othello"))]]
    for _ in range(DEPTH):
        following: dict[object, Node] = {}
        for place, node in enumerate(found[-1]):
            for move in node.position.moves():
                child = node.position.copy()
                child.play(move)
                parents = following.setdefault(same(child), Node(child)).parents
                parents[place] = parents.get(place, 0) + 1
        found.append(sorted(following.values(), key=lambda node: sum(node.parents) / len(node.parents)))
    return found


def draw() -> str:
    """All three as one SVG document."""
    height = len(WAYS) * (TITLE_HEIGHT + DEPTH * LEVEL_HEIGHT + LARGEST + 2 * MARGIN)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
             f'height="{height}" font-family="sans-serif">',
             f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>']
    top = MARGIN
    for title, same in WAYS.items():
        nodes = levels(same)
        counts = " · ".join(str(len(level)) for level in nodes)
        parts.append(f'<text x="{MARGIN}" y="{top + 18}" fill="{INK}" font-size="17">{title} ({counts})</text>')
        parts += _panel(nodes, top + TITLE_HEIGHT)
        top += height // len(WAYS)
    return "\n".join([*parts, "</svg>\n"])


def _panel(nodes: list[list[Node]], top: int) -> list[str]:
    edges, labels, boards = [], [], []
    above: list[tuple[float, float]] = []
    for depth, level in enumerate(nodes):
        room = (WIDTH - 2 * MARGIN) / len(level)
        size = min(LARGEST, room - GAP)
        y = top + depth * LEVEL_HEIGHT
        middles = [MARGIN + room * (place + 0.5) for place in range(len(level))]
        for middle, node in zip(middles, level, strict=True):
            several = sum(node.parents.values()) > 1
            for place, moves in node.parents.items():
                x, bottom = above[place]
                edges.append(f'<path d="M{x:.1f} {bottom:.1f}L{middle:.1f} {y}" '
                             f'stroke="{MERGED if several else EDGE}" stroke-width="{1.6 if several else 1}"/>')
                if moves > 1:
                    labels.append(f'<text x="{(x + middle) / 2 + 6:.1f}" y="{(bottom + y) / 2 + 4:.1f}" '
                                  f'fill="{MERGED}" font-size="13">×{moves}</text>')
            boards.append(_board(node.position, middle - size / 2, y, size))
        above = [(middle, y + size) for middle in middles]
    return [*edges, *labels, *boards]


def _board(position: Position, x: float, y: float, size: float) -> str:
    cells = position.to_text().split()[0]
    step = size / (LAST - FIRST + 1)
    discs = dict.fromkeys(DISCS, "")
    for point, sign in enumerate(cells):
        row, column = divmod(point, 8)
        if sign in DISCS:
            assert FIRST <= row <= LAST and FIRST <= column <= LAST, "a disc would be left out"
            # A circle as two arcs: one path for all discs of a colour.
            left, middle, radius = x + step * (column - FIRST + 0.06), y + step * (row - FIRST + 0.5), step * 0.44
            discs[sign] += f"M{left:.2f} {middle:.2f}" + "".join(
                f"a{radius:.2f} {radius:.2f} 0 1 0 {way * 2 * radius:.2f} 0" for way in (1, -1))
    return (f'<rect x="{x:.1f}" y="{y:.1f}" width="{size:.1f}" height="{size:.1f}" fill="{FELT}"/>'
            + "".join(f'<path d="{path}" fill="{DISCS[sign]}"/>' for sign, path in discs.items() if path))


def main() -> None:
    TARGET.write_text(draw(), encoding="utf-8", newline="\n")
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
