"""Specs in the spelling of version 0.1.0 are understood, search the same and play the same."""

from __future__ import annotations

import json
import lzma
from collections.abc import Sequence
from typing import Any

import pytest

from boyi.agents.spelling import respell
from tests.cli import invoke
from tests.compat import DATA, commands

with lzma.open(DATA / "analyses.json.xz") as _file:
    KEPT: dict[str, Any] = json.load(_file)


def analyse(words: Sequence[str]) -> Any:
    """What a search finds, but for how long it took and what it counted by the way."""
    result = invoke("analyse", *words, "--nodes", commands.NODES, "--lines", "3", "--json")
    assert result.code == 0, result.err
    found = {name: result.json[name] for name in ("search", "depth", "nodes", "lines")}
    for line in found["lines"]:
        line["value"] = round(100 * line["value"], 2)       # in the game's unit now, in hundredths of it then
    return found


def rounded(kept: Any) -> Any:
    """What 0.1.0 found, with values as `analyse` has them."""
    return kept | {"lines": [line | {"value": round(line["value"], 2)} for line in kept["lines"]]}


KINGLESS = {f"jieqi, expectimax:preset={preset}": f"expectimax:preset={preset},weights.king_gain=0"
            for preset in ("it2", "iterative")}
"""What is nearer to its document now does as 0.1.0 did when it is told to; the old spelling is understood."""


def averages(name: str) -> bool:
    return any(setting in name for setting in commands.AVERAGING)


def searches_anew(name: str) -> bool:
    return averages(name) or commands.searches_anew(name)


@pytest.mark.parametrize("name", [name for name in commands.ANALYSES if not searches_anew(name)])
def test_a_search_finds_the_same(name: str) -> None:
    words = commands.ANALYSES[name]
    if name in KINGLESS:
        assert analyse(words)["search"] == KEPT[name]["search"]
        words = (*words[:-1], KINGLESS[name])
    assert analyse(words) == rounded(KEPT[name])


@pytest.mark.parametrize("name", [name for name in commands.ANALYSES if searches_anew(name)])
def test_a_search_that_is_better_now_is_read(name: str) -> None:
    """It finds what the same search finds in today's spelling."""
    words = commands.ANALYSES[name]
    found = analyse(words)
    assert found == analyse([respell(word) for word in words])
    assert found["search"] == KEPT[name]["search"] and found["depth"] >= min(3, KEPT[name]["depth"])
    assert len(found["lines"]) == len(KEPT[name]["lines"])
