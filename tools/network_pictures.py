"""Draw how strong the networks of each game became, over generations and over positions, into docs/pictures.

    python -m tools.network_pictures

The figures are those of the table "Generations" in docs/results/networks.md: each match at equal nodes adds its Elo to
that of the generation it was played against. The 95 % interval is that of the last match alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from boyi.lab.panel import Panel, Series
from boyi.lab.plot import draw

DOCS = Path(__file__).parents[1] / "docs"
TABLE = DOCS / "results" / "networks.md"
TARGET = DOCS / "pictures" / "networks.svg"
MILLION = 1_000_000


@dataclass(frozen=True)
class Network:
    """A generation of a game's network."""

    generation: int
    positions: int
    elo: float = 0.0
    """Over the first generation."""

    low: float = 0.0
    high: float = 0.0


def rows(text: str) -> Iterator[list[str]]:
    """The cells of the table."""
    section = text.partition("## Generations")[2].partition("\n## ")[0]
    for line in section.splitlines():
        if line.startswith("| ") and not line.startswith("| game"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def networks(text: str) -> dict[str, list[Network]]:
    """The generations of each game, in their order."""
    found: dict[str, list[Network]] = {}
    game = generation = ""
    positions = 0
    for cells in rows(text):
        game = cells[0] or game
        if cells[1]:
            generation, positions = cells[1], int(cells[2].replace(",", ""))
        number = int(generation.split(",")[0].split()[0])
        own = found.setdefault(game, [])
        if not cells[4]:
            own.append(Network(number, positions))
        elif not any(one.generation == number for one in own) and not cells[5].endswith("s"):    # not by time
            gain, low, high = map(int, re.findall(r"[+-]?\d+", cells[8].replace("−", "-")))
            base = next(one.elo for one in own if one.generation == int(cells[4]))
            own.append(Network(number, positions, base + gain, base + low, base + high))
    return found


def panels(found: dict[str, list[Network]]) -> list[Panel]:
    """Elo over generations, and over millions of positions."""
    def series(place: str) -> tuple[Series, ...]:
        return tuple(Series(
            game, tuple(one.elo for one in own),
            tuple(float(one.generation) if place == "generation" else one.positions / MILLION for one in own),
            low=tuple(one.low for one in own), high=tuple(one.high for one in own)) for game, own in found.items())

    return [Panel(title="Networks by generation", y_label="Elo over the first", x_label="generation", kind="lines",
                  series=series("generation")),
            Panel(title="Networks by positions", y_label="Elo over the first", x_label="million positions",
                  kind="lines", series=series("positions"))]


def main() -> None:
    draw(panels(networks(TABLE.read_text(encoding="utf-8"))), [TARGET])
    print(TARGET)


if __name__ == "__main__":
    main()
