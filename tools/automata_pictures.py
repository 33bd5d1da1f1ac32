"""Draw the automata of the documentation: SVG files in docs/pictures.

    python -m tools.automata_pictures

States stand in columns, by how many letters it takes to get there; a double ring means that a feature ends there.
Letters that lead back to the start without ending anything are not drawn: the start is where every search begins anew.
"""

from __future__ import annotations

import math
from html import escape
from pathlib import Path

from boyi.games.othello.automata import FEATURES, LETTERS, Dfa, compile_features

TARGET = Path(__file__).parents[1] / "docs" / "pictures"

ANCESTOR = {name: FEATURES[name].expression for name in ("free", "outflankable", "pressing")}
AUTOMATA = {**{f"automaton_{name}": {name: expression} for name, expression in ANCESTOR.items()},
            "automaton_ancestor": ANCESTOR}
"""The ancestor's three patterns, each alone and all in one."""

RADIUS = 26
COLUMN = 170
ROW = 130
MARGIN = 80


def places(dfa: Dfa) -> list[tuple[float, float]]:
    """A place per state: columns by distance from the start, states of a column spread evenly."""
    distance = {0: 0}
    for state in (waiting := [0]):
        for target in dfa.steps[state]:
            if target not in distance:
                distance[target] = distance[state] + 1
                waiting.append(target)
    columns: dict[int, list[int]] = {}
    for state in sorted(distance):
        columns.setdefault(distance[state], []).append(state)
    tallest = max(map(len, columns.values()))
    found = [(0.0, 0.0)] * len(dfa.steps)
    for column, states in columns.items():
        for row, state in enumerate(states):
            # Columns are shifted a little against each other, so that arrows between neighbours do not hide others.
            found[state] = (MARGIN + COLUMN * column,
                            MARGIN + ROW * (row + (tallest - len(states)) / 2) + (18 if column % 2 else 0))
    return found


def draw(dfa: Dfa) -> str:
    """The automaton as an SVG document."""
    where = places(dfa)
    width = max(x for x, _ in where) + MARGIN
    height = max(y for _, y in where) + MARGIN
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
             f'height="{height:.0f}" font-family="sans-serif" font-size="15">',
             '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
             'orient="auto"><path d="M0 0L10 5L0 10z" fill="#456"/></marker></defs>',
             f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fbfaf6"/>',
             f'<path d="M{where[0][0] - RADIUS - 34:.1f} {where[0][1]:.1f}h32" stroke="#456" marker-end="url(#tip)"/>']
    for state, row in enumerate(dfa.steps):
        for target in sorted(set(row)):
            if target == 0 and not dfa.ends[0]:
                continue
            letters = " ".join(letter for letter, aim in zip(LETTERS, row, strict=True) if aim == target)
            parts.append(_arrow(where[state], where[target], letters))
    for state, (x, y) in enumerate(where):
        ends = sorted(dfa.ends[state])
        colour = "#dbeecd" if ends else "#fff"
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" fill="{colour}" stroke="#345"/>')
        if ends:
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS - 4}" fill="none" stroke="#345"/>')
            parts.append(f'<text x="{x:.1f}" y="{y + RADIUS + 17:.1f}" text-anchor="middle" fill="#274" font-size="13">'
                         f'{escape(", ".join(ends))}</text>')
        parts.append(f'<text x="{x:.1f}" y="{y + 5:.1f}" text-anchor="middle" fill="#123">{state}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _arrow(source: tuple[float, float], target: tuple[float, float], letters: str) -> str:
    """An arrow bent to its left, so that one back does not lie on it; a loop stands above its state."""
    (x, y), (to_x, to_y) = source, target
    if source == target:
        path = f"M{x - 11:.1f} {y - 24:.1f}c-23 -48 45 -48 22 -1"
        label = (x, y - 66)
    else:
        length = math.hypot(to_x - x, to_y - y)
        along = ((to_x - x) / length, (to_y - y) / length)
        bend = 0.14 * length + 14
        middle = ((x + to_x) / 2 + along[1] * bend, (y + to_y) / 2 - along[0] * bend)
        begin = _towards(source, middle)
        end = _towards(target, middle)
        path = f"M{begin[0]:.1f} {begin[1]:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {end[0]:.1f} {end[1]:.1f}"
        label = ((x + to_x) / 4 + middle[0] / 2 + along[1] * 9, (y + to_y) / 4 + middle[1] / 2 - along[0] * 9 + 5)
    return (f'<path d="{path}" fill="none" stroke="#456" stroke-width="1.3" marker-end="url(#tip)"/>'
            f'<text x="{label[0]:.1f}" y="{label[1]:.1f}" text-anchor="middle" fill="#a31" stroke="#fbfaf6" '
            f'stroke-width="4" paint-order="stroke">{escape(letters)}</text>')


def _towards(place: tuple[float, float], aim: tuple[float, float]) -> tuple[float, float]:
    """The point of a state's ring that looks towards `aim`."""
    length = math.hypot(aim[0] - place[0], aim[1] - place[1])
    return place[0] + (aim[0] - place[0]) / length * RADIUS, place[1] + (aim[1] - place[1]) / length * RADIUS


def main() -> None:
    for name, features in AUTOMATA.items():
        (TARGET / f"{name}.svg").write_text(draw(compile_features(features)), encoding="utf-8")


if __name__ == "__main__":
    main()
