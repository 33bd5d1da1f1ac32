"""For everyone: contrast, large coordinates, less motion, and the page by keyboard and by names alone."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import pytest

from tests.page import Visitor
from tests.page.conftest import Visit
from tests.places import ROOT
from tests.scale import SLOW

STYLES = ROOT / "web" / "src" / "styles.css"
TEXTS = ("ink", "faint", "accent", "warn", "good-text", "mistake-text", "inaccuracy-text")
GROUNDS = ("paper", "sheet", "accent-soft")
AAA = 7.0
"""The contrast of WCAG 2 level AAA for text of any size."""


# ---------------------------------------------------------------------- contrast

def luminance(colour: str) -> float:
    parts = (int(colour[start:start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def variables(selector: str) -> dict[str, str]:
    """The colours that a rule of the page's style sheet sets."""
    rule = re.search(rf"^{re.escape(selector)} \{{(.*?)\}}", STYLES.read_text(encoding="utf-8"), re.M | re.S)
    assert rule is not None, selector
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})\b", rule[1]))


LIGHT = variables(":root")
PAPER = LIGHT | variables(':root[data-surface="paper"]')
DARK = LIGHT | variables(':root[data-scheme="dark"]')
DARK_PAPER = (PAPER | variables(':root[data-scheme="dark"]')
              | variables(':root[data-scheme="dark"][data-surface="paper"]'))


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_has_the_contrast_of_aaa(scheme: dict[str, str]) -> None:
    for text, ground in itertools.product(TEXTS, GROUNDS):
        assert contrast(scheme[text], scheme[ground]) >= AAA, (text, ground)
    assert contrast(scheme["on-accent"], scheme["accent"]) >= AAA


@pytest.mark.parametrize("scheme", [LIGHT, PAPER, DARK, DARK_PAPER], ids=["wood", "paper", "dark wood", "dark paper"])
def test_coordinates_have_the_contrast_of_aaa(scheme: dict[str, str]) -> None:
    assert contrast(scheme["words"], scheme["ground"]) >= AAA


def test_dark_is_the_same_by_choice_and_by_system() -> None:
    text = STYLES.read_text(encoding="utf-8")
    by_system = re.search(r":root:not\(\[data-scheme=\"light\"\]\) \{(.*?)\}", text, re.S)
    assert by_system is not None
    assert dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})\b", by_system[1])) == variables(':root[data-scheme="dark"]')


# ---------------------------------------------------------------------- coordinates and motion

def test_coordinates_can_be_large(visit: Visit) -> None:
    one = visit()
    one.page.goto(f"{one.address}/learn/xiangqi/basic_mates")
    one.page.wait_for_selector(".lesson .board .label text")
    height = "() => document.querySelector('.lesson .board .label:not(.words) text').getBoundingClientRect().height"
    before = one.page.evaluate(height)
    one.page.get_by_role("button", name="Settings").click()
    one.page.get_by_role("checkbox", name="Large coordinates").check()
    one.page.keyboard.press("Escape")
    assert one.page.evaluate(height) > 1.4 * before
    outside = one.page.evaluate("""() => {
        const board = document.querySelector('.lesson .board').getBoundingClientRect();
        return [...document.querySelectorAll('.lesson .board .label:not(.words) text')].filter(one => {
            const box = one.getBoundingClientRect();
            return box.left < board.left || box.right > board.right
                || box.top < board.top - 4 || box.bottom > board.bottom + 4;
        }).length }""")
    assert outside == 0
    one.page.reload()
    one.page.wait_for_selector(".lesson .board .label text")
    assert one.page.evaluate(height) > 1.4 * before, "it is remembered"


def test_nothing_moves_where_less_motion_is_asked_for(visit: Visit) -> None:
    one = visit(still=True)
    one.page.goto(f"{one.address}/learn/xiangqi/basic_mates")
    one.page.wait_for_selector(".lesson .board")
    one.page.get_by_role("button", name="Show me").click()
    one.page.wait_for_selector(".lesson[data-done]")
    assert one.page.locator(".lesson .board[data-playing]").count() == 0
    assert one.page.evaluate("document.getAnimations().filter(one => one.playState === 'running').length") == 0


# ---------------------------------------------------------------------- axe

VIEWS = (("/learn", ".page section"), ("/learn/xiangqi", ".page section"),
         ("/learn/xiangqi/introduction", ".lesson .board"),
         ("/learn/othello/corners", ".lesson .board"), ("/learn/nothing", "[role=alert]"),
         ("/rules/xiangqi", "article dt"),
         ("/puzzles", ".page li"), ("/puzzles/othello", ".puzzle .board"), ("/analysis/othello", ".study[data-ready]"))


@pytest.mark.parametrize("language", ["en", pytest.param("zh", marks=pytest.mark.slow)])
def test_axe_finds_nothing(visit: Visit, language: str) -> None:
    one = visit(language=language, bypass_csp=True)
    problems: list[Any] = []
    for path, ready in VIEWS if SLOW else VIEWS[1::4]:
        one.page.goto(one.address + path)
        one.page.wait_for_selector(ready)
        problems.extend([path, *barrier] for barrier in one.barriers())
    assert problems == []


def test_axe_is_there() -> None:
    assert isinstance(Visitor, type) and Path(ROOT / "web" / "package.json").is_file()
