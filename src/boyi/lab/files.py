"""A report as files: NAME.json, NAME.md, NAME.svg and NAME.png, and an index of all that are in a folder.

While an experiment runs, NAME.rows.jsonl keeps what it has measured (`lab.kept`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from boyi.core.errors import BoyiError, shorten
from boyi.core.words import Words
from boyi.lab import plot
from boyi.lab.experiment import Experiment, Report, Scale
from boyi.lab.kept import ENDING, KeptRows
from boyi.lab.table import Table

PICTURES = (".svg", ".png")
INDEX = "index.md"
INTRODUCTION = """\
Questions of the five projects that Boyi grew from, each answered by an experiment that varies one option of the real
searcher. `boyi lab run NAME` repeats one, `boyi lab all` all. Here is the first thing that each found; its page has the
rest.

The sentences are written by the program from the numbers. Matches are limited in nodes or depth, so they are the same
on any machine; times are CPU seconds. `games` are distinct games. Intervals are 95 % for one comparison each, so a few
miss the true value by chance.
"""


@contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """Explain in words why files cannot be written."""
    try:
        yield
    except (OSError, ValueError) as error:
        problem = error.strerror if isinstance(error, OSError) else error
        raise BoyiError(f"cannot write to {shorten(str(folder))}: {problem}") from error


def prepare(folder: Path) -> None:
    """Make the folder, or refuse it."""
    with writing_to(folder):
        folder.mkdir(parents=True, exist_ok=True)
        trial = folder / ".boyi-lab"
        trial.touch()
        trial.unlink()


def keep_rows(folder: Path, experiment: Experiment, scale: Scale, seed: int, *, resume: bool) -> KeptRows:
    """Where the finished steps of an experiment are kept until its report is written."""
    about = (version("boyi"), experiment.name, scale, seed, asdict(experiment.sizes[scale]))
    with writing_to(folder):
        return KeptRows(folder / (experiment.name + ENDING), about, resume=resume)


def write_report(report: Report, folder: Path) -> list[Path]:
    """Write all files of a report over those of an earlier one; without matplotlib there are no pictures."""
    name = report.experiment.name
    prepare(folder)
    with writing_to(folder):
        pictures = [folder / (name + ending) for ending in PICTURES]
        drawn = plot.is_possible()
        if drawn:
            plot.draw(report.panels, pictures)
        else:
            for picture in pictures:
                picture.unlink(missing_ok=True)    # of other numbers than those written below
        data, page = folder / f"{name}.json", folder / f"{name}.md"
        data.write_text(json.dumps(report.to_json(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        page.write_text(write_page(report, picture=drawn), encoding="utf-8")
    return [data, page, *(pictures if drawn else ())]


def write_index(experiments: list[Experiment], folder: Path) -> Path:
    """A page that leads to every report in a folder and tells the first thing that each found."""
    lines = ["# The lab", "", *INTRODUCTION.splitlines(), ""]
    for experiment in experiments:
        report = read_report(folder, experiment)
        if report is None:
            continue
        found = report["sentences"][0]
        lines += [f"## [{experiment.name}]({experiment.name}.md)", "",
                  f"**{experiment.question.en}** {found['en']}", "",
                  f"**{experiment.question.zh}** {found['zh']}", ""]
    page = folder / INDEX
    with writing_to(folder):
        page.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    return page


def read_report(folder: Path, experiment: Experiment) -> dict[str, Any] | None:
    """What the JSON file of an experiment holds; None where there is none that can be read."""
    try:
        report = json.loads((folder / f"{experiment.name}.json").read_text(encoding="utf-8"))
        return report if report["experiment"] == experiment.name and len(report["sentences"]) == 2 else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_page(report: Report, *, picture: bool) -> str:
    """A report in Markdown, in both languages."""
    experiment = report.experiment
    lines = [f"# {experiment.name}", "", f"**{experiment.question.en}** {report.say('en')}", "",
             f"**{experiment.question.zh}** {report.say('zh')}", ""]
    if picture:
        lines += [f"![{experiment.name}]({experiment.name}.svg)", ""]
    lines += [f"What is varied: {experiment.varied.en}", "", f"所变之处：{experiment.varied.zh}", ""]
    for table in report.shown:
        lines += [f"## {table.title.en}", "", *_markdown(table), ""]
    inputs = ", ".join(f"{name} {_plain(value)}" for name, value in report.to_json()["inputs"].items())
    made = f"Boyi {report.versions['boyi']}, Python {report.versions['python']}; {report.seconds:.0f} s of CPU time."
    lines += ["## How it was made", "", "```sh", report.command, "```", "", f"{made} Inputs: {inputs}.", "",
              f"All numbers: [{experiment.name}.json]({experiment.name}.json)."]
    return "\n".join(lines) + "\n"


def _markdown(table: Table) -> list[str]:
    """A table of Markdown, its headers in English."""
    rule = "|".join("---" if column.text else "---:" for column in table.columns)
    return ["| " + " | ".join(column.header.en for column in table.columns) + " |", f"|{rule}|",
            *("| " + " | ".join(column.write(row) for column in table.columns) + " |" for row in table.rows)]


def _plain(value: object) -> str:
    return "/".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


MISSING_PLOTS = Words("no plots: matplotlib is not installed; pip install 'boyi[plots]'",
                      "没有图：未安装 matplotlib；请运行 pip install 'boyi[plots]'")
