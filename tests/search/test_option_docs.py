"""docs/search-options.md names every option of the searches, its default and whether it is sound, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import fields

import pytest

from boyi.search import alphabeta_options, expectimax_options, multiplayer_options
from boyi.search.alphabeta_numbers import AlphaBetaNumbers
from boyi.search.alphabeta_options import AlphaBetaOptions
from boyi.search.expectimax_options import SOUND, ExpectimaxOptions
from boyi.search.mcts_options import MCTSOptions
from boyi.search.multiplayer_options import MultiplayerOptions
from boyi.search.race_mcts import RaceMCTSOptions
from boyi.search.window_options import SHARED_SOUND, WindowOptions
from tests.places import ROOT

PAGE = (ROOT / "docs" / "search-options.md").read_text(encoding="utf-8")
SECTIONS: dict[str, tuple[type, Collection[str]]] = {
    "Alpha-beta and expectimax": (WindowOptions, SHARED_SOUND),
    "Alpha-beta only": (AlphaBetaOptions, ("repetition_lookup", "symmetry", "symmetry_plies")),
    "Expectimax only": (ExpectimaxOptions, SOUND),
    "Monte Carlo tree search": (MCTSOptions, ()),
    "Tree search in races": (RaceMCTSOptions, ()),
    "More than two players": (MultiplayerOptions, ("table_mb", "principal_variation", "killers")),
}
"""By heading: whose own fields its table has, and which of them are sound."""


def written(value: object) -> str:
    """A default as a spec string has it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def table(heading: str) -> dict[str, tuple[str, bool]]:
    """By name: the default, and whether the page calls it sound."""
    section = re.split(r"^## ", PAGE.split(f"\n## {heading}\n")[1], flags=re.MULTILINE)[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if line.startswith("|")]
    titles, _, *rows = rows
    sound = titles.index("sound") if "sound" in titles else None
    assert len({row[0] for row in rows}) == len(rows)
    return {row[0].strip("`"): (row[1], sound is not None and row[sound] == "yes") for row in rows}


def test_every_section_has_its_record() -> None:
    assert set(re.findall(r"^## (.*)$", PAGE, flags=re.MULTILINE)) == {"Numbers", *SECTIONS}


def test_numbers_are_listed_as_they_are() -> None:
    section = PAGE.split("\n## Numbers\n")[1].split("\n## ")[0]
    listed = re.findall(r"`(\w+)=(\w+)`", section)
    assert sorted(listed) == sorted((one.name, written(one.default)) for one in fields(AlphaBetaNumbers))
    switches = re.findall(r"^\| `(\w+)` \|", section, flags=re.MULTILINE)
    assert set(switches) < {one.name for one in fields(WindowOptions)}


@pytest.mark.parametrize("heading", SECTIONS)
def test_options_are_listed_as_they_are(heading: str) -> None:
    options, sound = SECTIONS[heading]
    assert table(heading) == {one.name: (written(one.default), one.name in sound) for one in fields(options)
                              if one.name in options.__annotations__}


@pytest.mark.parametrize(("name", "module"), [
    ("alphabeta", alphabeta_options), ("expectimax", expectimax_options), ("multiplayer", multiplayer_options)])
def test_presets_are_listed(name: str, module: object) -> None:
    row, = re.findall(rf"^\| `{name}` \|.*\| (.*) \|$", PAGE, flags=re.MULTILINE)
    assert re.findall(r"`(\w+)`", row) == list(module.PRESETS)  # type: ignore[attr-defined]
