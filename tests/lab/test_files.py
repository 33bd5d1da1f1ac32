"""Reports as files."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path

import pytest

from boyi.core.errors import BoyiError, MissingPartError
from boyi.core.words import Words
from boyi.lab import all_experiments, find_experiment, plot
from boyi.lab.experiment import Report
from boyi.lab.files import prepare, read_report, write_index, write_report
from boyi.lab.panel import Panel, Series
from boyi.lab.table import Table
from tests.places import LAB

needs_plots = pytest.mark.skipif(find_spec("matplotlib") is None,
                                 reason="matplotlib not found; pip install 'boyi[plots]'")


@pytest.fixture(scope="module")
def report() -> Report:
    return find_experiment("checkers-depth").run("quick")


@needs_plots
def test_all_files(report: Report, tmp_path: Path) -> None:
    files = write_report(report, tmp_path / "new" / "folder")
    assert [file.name for file in files] == [f"checkers-depth.{ending}" for ending in ("json", "md", "svg", "png")]
    assert json.loads(files[0].read_text(encoding="utf-8")) == json.loads(json.dumps(report.to_json()))
    page = files[1].read_text(encoding="utf-8")
    for text in (report.say("en"), report.say("zh"), report.command, "![checkers-depth](checkers-depth.svg)"):
        assert text in page
    assert files[2].read_text(encoding="utf-8").startswith("<?xml")
    assert files[3].read_bytes().startswith(b"\x89PNG")


@needs_plots
def test_same_picture_every_time(report: Report, tmp_path: Path) -> None:
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    plot.draw(report.panels, [first])
    plot.draw(report.panels, [second])
    assert first.read_bytes() == second.read_bytes()
    assert "<dc:date>" not in first.read_text(encoding="utf-8")


@needs_plots
def test_three_panels_of_all_kinds(tmp_path: Path) -> None:
    bars = Panel("bars", "y", (Series("a", (1.0, 2.0), (), (0.5, 1.0), (2.0, 3.0)),), categories=("one", "two"),
                 reference=1.0, reference_label="level")
    lines = Panel("lines", "y", (Series("a", (1.0, 10.0), (1, 2)), Series("b", (2.0, 3.0), (1, 2))), "lines", "x",
                  logarithmic=True)
    percent = Panel("percent", "y", (Series("", (0.2,)),), categories=("only",), percent=True)
    plot.draw([bars, lines, percent], [tmp_path / "picture.png"])
    assert (tmp_path / "picture.png").stat().st_size > 10_000


def test_without_matplotlib(report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plot, "is_possible", lambda: False)
    (tmp_path / "checkers-depth.svg").write_text("of other numbers", encoding="utf-8")
    files = write_report(report, tmp_path)
    assert [file.suffix for file in files] == [".json", ".md"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["checkers-depth.json", "checkers-depth.md"]
    assert "![" not in files[1].read_text(encoding="utf-8")
    with pytest.raises(MissingPartError, match=re.escape("pip install 'boyi[plots]'")):
        plot.draw(report.panels, [tmp_path / "picture.svg"])


def test_index_has_what_the_folder_has(report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plot, "is_possible", lambda: False)
    write_report(report, tmp_path)
    (tmp_path / "othello-tt.json").write_text("{}", encoding="utf-8")
    index = write_index(list(all_experiments().values()), tmp_path).read_text(encoding="utf-8")
    assert re.findall(r"^## \[(.*)\]", index, re.MULTILINE) == ["checkers-depth"]
    assert report.sentences[0].en in index and report.sentences[0].zh in index


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", "null", '{"experiment": "othello-tt", "sentences": 3}'])
def test_unreadable_reports_are_none(content: str, tmp_path: Path) -> None:
    (tmp_path / "othello-tt.json").write_text(content, encoding="utf-8")
    assert read_report(tmp_path, find_experiment("othello-tt")) is None


def test_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(BoyiError, match="cannot write to"):
        prepare(tmp_path / "file" / "folder")
    with pytest.raises(BoyiError, match="cannot write to"):
        prepare(Path("a\0b"))


def test_committed_results_are_complete() -> None:
    """docs/lab has every experiment in full, and its sentences are those that its numbers lead to today."""
    for name, experiment in all_experiments().items():
        report = read_report(LAB, experiment)
        assert report is not None, name
        assert report["scale"] == "full"
        tables = {table: Table(table, Words("", ""), (), tuple(rows)) for table, rows in report["tables"].items()}
        assert [asdict(sentence) for sentence in experiment.conclude(tables)] == report["sentences"], name
        assert experiment.panels(tables)
        page = (LAB / f"{name}.md").read_text(encoding="utf-8")
        assert all(sentence[language] in page for sentence in report["sentences"] for language in ("en", "zh"))
        assert (LAB / f"{name}.svg").exists()
    index = (LAB / "index.md").read_text(encoding="utf-8")
    assert re.findall(r"^## \[(.*)\]", index, re.MULTILINE) == list(all_experiments())
