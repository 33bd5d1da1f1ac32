"""boyi lab: experiments that answer the questions the project began with."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boyi.cli._common import MOST_JOBS, JsonOption, LanguageOption, print_json, read_language
from boyi.cli._progress import Progress
from boyi.cli._table import print_table
from boyi.cli._texts import say
from boyi.core.errors import UnknownNameError
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from boyi.lab import Experiment, Report

HIGHEST_SEED = 2**62
BAR = 20
"""Columns of the progress bar."""

HEADERS = (Words("experiment", "实验"), Words("question", "问题"))
WRITTEN = Words("{names} in {folder}", "{names}，位于 {folder}")
KEPT = Words("{name}: kept, {folder} has it at this scale and seed",
             "{name}：保留，{folder} 中已有同规模、同种子的结果")
INTERRUPTED = Words("interrupted during {name}, which has no report yet; to go on with what it has measured: --resume",
                    "{name} 被中断，尚无报告；加 --resume 可从已测得的部分继续")

ScaleOption = Annotated[str, typer.Option(
    "--scale", metavar="quick|full", help="How much to measure: seconds, to see how it works, or minutes, to learn "
    "something.")]
SeedOption = Annotated[int, typer.Option(min=0, max=HIGHEST_SEED, help="Decides positions, openings and chance.")]
OutOption = Annotated[Path, typer.Option(
    "--out", metavar="FOLDER", help="Where JSON, Markdown, SVG and PNG go; earlier results of the same name are "
    "replaced.")]

JobsOption = Annotated[int, typer.Option(
    "--jobs", "-j", min=1, max=MOST_JOBS, help="The number of processes that play the games of matches; results "
    "are the same. What is timed is done by one.")]
ResumeOption = Annotated[bool, typer.Option(
    "--resume", help="Keep what the folder has at this scale and seed, whole reports and the finished matches of an "
    "interrupted one.")]


def register(app: typer.Typer) -> None:
    commands = typer.Typer(no_args_is_help=True, rich_markup_mode=None,
                           help="Run experiments: tables, a plot, JSON, and two sentences that follow from numbers.")
    commands.command("list")(list_experiments)
    commands.command("run")(run)
    commands.command("all")(run_all)
    app.add_typer(commands, name="lab")


def list_experiments(as_json: JsonOption = False, language: LanguageOption = None) -> None:
    """Name the experiments and their questions."""
    from boyi.lab import all_experiments

    speech = read_language(language)
    experiments = all_experiments().values()
    if as_json:
        print_json([{"name": one.name, "game": one.game, "question": one.question.say(speech),
                     "varied": one.varied.say(speech)} for one in experiments])
        return
    print_table([header.say(speech) for header in HEADERS],
                [[one.name, one.question.say(speech)] for one in experiments])


def run(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Which; `boyi lab list` names them.")],
    scale: ScaleOption = "quick",
    seed: SeedOption = 1,
    out: OutOption = Path("lab"),
    jobs: JobsOption = 1,
    resume: ResumeOption = False,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Run experiments."""
    from boyi.lab import find_experiment

    _run([find_experiment(name) for name in dict.fromkeys(names)], scale, seed, out, jobs, resume, as_json, language)


def run_all(
    scale: ScaleOption = "quick",
    seed: SeedOption = 1,
    out: OutOption = Path("lab"),
    jobs: JobsOption = 1,
    resume: ResumeOption = False,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Run all experiments."""
    from boyi.lab import all_experiments

    _run(list(all_experiments().values()), scale, seed, out, jobs, resume, as_json, language)


def _run(experiments: list[Experiment], scale: str, seed: int, out: Path, jobs: int, resume: bool, as_json: bool,
         language: str | None) -> None:
    from boyi.arena.pool import Pool
    from boyi.lab import SCALES, Session, all_experiments
    from boyi.lab.files import MISSING_PLOTS, keep_rows, prepare, read_report, write_index, write_report
    from boyi.lab.plot import is_possible

    speech = read_language(language)
    if scale not in SCALES:
        raise UnknownNameError.among("scale", scale, SCALES)
    prepare(out)     # refuse a folder that cannot be written to before an hour of work, not after
    answers = []
    with Pool(jobs) as pool:
        for experiment in experiments:
            known = read_report(out, experiment) if resume else None
            if known is not None and (known["scale"], known["seed"]) == (scale, seed):
                answers.append(known)
                print(say(KEPT, speech, name=experiment.name, folder=out), file=sys.stderr)
                continue
            work = out / f"{experiment.name}.work"
            if not resume:
                shutil.rmtree(work, ignore_errors=True)
            try:
                with (Progress(f"lab {experiment.name}") as progress,
                      closing(keep_rows(out, experiment, scale, seed, resume=resume)) as kept):
                    report = experiment.run(scale, Session(seed, _watcher(progress), pool, kept, work))
            except KeyboardInterrupt:
                print(say(INTERRUPTED, speech, name=experiment.name), file=sys.stderr)
                raise
            files = write_report(report, out)
            kept.remove()
            shutil.rmtree(work, ignore_errors=True)
            write_index(list(all_experiments().values()), out)
            answers.append(report.to_json())
            if not as_json:
                _print(report, speech)
                print(say(WRITTEN, speech, names=", ".join(file.name for file in files), folder=out))
                print()
    if as_json:
        print_json(answers)
    if not is_possible():
        print(f"boyi: {MISSING_PLOTS.say(speech)}", file=sys.stderr)


def _watcher(progress: Progress) -> Callable[[int, int, str], None]:
    return lambda done, total, what: progress.show(f"{draw_bar(done, total)} {what}")


def draw_bar(done: int, total: int) -> str:
    """How far the work has come.

    >>> draw_bar(5, 20)
    '[#####...............] 5/20'
    """
    filled = BAR * done // max(total, 1)
    return f"[{'#' * filled}{'.' * (BAR - filled)}] {done}/{total}"


def _print(report: Report, language: Language) -> None:
    """A report for the terminal."""
    experiment = report.experiment
    print(f"{experiment.name}: {experiment.question.say(language)}")
    print(experiment.varied.say(language))
    for table in report.shown:
        print()
        print(table.title.say(language))
        print_table([column.header.say(language) for column in table.columns],
                    [[column.write(row) for column in table.columns] for row in table.rows],
                    numbers=[number for number, column in enumerate(table.columns) if not column.text])
    print()
    print(report.say(language))
