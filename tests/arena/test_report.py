"""Reports: whole, well-formed, and safe against names that look like HTML."""

from __future__ import annotations

from importlib.util import find_spec
from xml.etree import ElementTree

import pytest

import boyi
from boyi.arena.bout import Bout
from boyi.arena.game import Failure
from boyi.arena.rating import Finish, rate
from boyi.arena.report import draw_ratings, plot_ratings, write_report
from boyi.arena.table import rate_tournament
from boyi.arena.tournament import Tournament, play_tournament
from boyi.kit.picture import plots
from tests.cli import invoke

SVG = "{http://www.w3.org/2000/svg}"


def test_the_plot_shows_everybody_within_its_frame() -> None:
    name = "<b>&" + "long " * 20
    ratings = rate([Finish((name, "b"), (1, 2))] * 9 + [Finish(("b", name), (1, 2))] * 3 + [Finish(("b", "c"), (1, 1))])
    root = ElementTree.fromstring(draw_ratings(ratings))
    width = float(root.get("width", "0"))
    dots = [float(dot.get("cx", "nan")) for dot in root.iter(f"{SVG}circle")]
    assert len(dots) == 3
    assert sorted(dots, reverse=True) == dots   # the strongest on top and to the right
    ends = [float(line.get(end, "nan")) for line in root.iter(f"{SVG}line") for end in ("x1", "x2")]
    assert all(0 < place < width for place in ends)
    titles = [title.text or "" for title in root.iter(f"{SVG}title")]
    assert any(title.startswith(name) for title in titles)


def test_a_plot_of_nobody_and_of_equals() -> None:
    ElementTree.fromstring(draw_ratings(rate([])))
    ElementTree.fromstring(draw_ratings(rate([], players=["a"])))


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib not found; pip install 'boyi[plots]'")
def test_a_plot_in_pixels() -> None:
    pictures = [plot_ratings(rate([])), *(plot_ratings(rate([Finish(("$a_1$", str(number)), (1, 2))
                                                             for number in range(count)])) for count in (3, 30, 3))]
    assert all(picture.startswith(b"\x89PNG\r\n\x1a\n") for picture in pictures)
    heights = [int.from_bytes(picture[20:24], "big") for picture in pictures]
    assert heights[0] < heights[1] < heights[2]
    assert pictures[1] == pictures[3]   # the same ratings, the same bytes


def test_without_matplotlib_the_command_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "is_possible", lambda: False)
    result = invoke("tournament", "tic_tac_toe", "random", "random:seed=1", "--report", "plot.png")
    assert result.code == 2
    assert "boyi[plots]" in result.err   # before the first game
    assert "continues" not in result.err


def test_a_page() -> None:
    tournament = Tournament(("random", "random:seed=1", "random:seed=2"), boyi.start("tic_tac_toe"), rounds=1,
                            random_plies=2)
    bouts = list(play_tournament(tournament, {}))
    first = bouts[0]
    bouts[0] = Bout(first.slot, first.contestants, first.places, "crash", first.moves,
                    (Failure(0, "crash", "said <script>"),), first.record)
    ratings = rate_tournament(tournament, bouts)
    page = write_report(tournament, bouts, ratings)
    root = ElementTree.fromstring(page.removeprefix("<!doctype html>\n").replace('<meta charset="utf-8">', "").replace(
        '<meta name="viewport" content="width=device-width, initial-scale=1">', ""))
    assert len(list(root.iter("table"))) == 2
    assert len(list(root.iter(f"{SVG}circle"))) == 3
    assert "<script" not in page and "&lt;script&gt;" in page
    assert "Tournament of Tic-tac-toe" in page
    assert "交叉表" in write_report(tournament, bouts, ratings, "zh")
    assert "never met" in write_report(tournament, [], rate_tournament(tournament, []))
