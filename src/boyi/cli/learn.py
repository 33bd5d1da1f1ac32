"""boyi learn: train evaluators."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from boyi.cli._common import JsonOption, LanguageOption, print_json, read_language
from boyi.cli._progress import Progress
from boyi.cli._table import print_table
from boyi.cli._texts import say
from boyi.core.errors import BoyiError
from boyi.core.words import Words

HEADERS = (Words("empty points", "空格"), Words("mean error in discs", "平均误差（子）"))
DONE = Words("{games} games, {seconds} s; weights in {file}, {kilobytes} KB",
             "{games} 局，{seconds} 秒；权重写入 {file}，{kilobytes} KB")


def register(app: typer.Typer) -> None:
    commands = typer.Typer(no_args_is_help=True, help="Train evaluators.", rich_markup_mode=None)
    commands.callback()(lambda: None)      # one command of several to come: keep its name
    commands.command("patterns")(patterns)
    app.add_typer(commands, name="learn")


def patterns(
    output: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the weights, e.g. patterns.xz.")],
    data: Annotated[Path | None, typer.Option(
        metavar="FOLDER", help="WTHOR files (*.wtb); else $BOYI_DATA/othello/wthor.")] = None,
    rounds: Annotated[int, typer.Option(help="Rounds of the fit per stage.")] = 12,
    damping: Annotated[float, typer.Option(help="How strongly a stage is held to its neighbour.")] = 30.0,
    window: Annotated[int, typer.Option(help="Train a stage on positions so many plies away, too.")] = 2,
    first_year: Annotated[int, typer.Option(help="Leave earlier games out.")] = 0,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Train the weights of Othello's patterns on tournament games; about a minute."""
    speech = read_language(language)
    try:
        from boyi.learn.patterns import Settings, data_folder, learn, save
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise BoyiError("training needs numpy: pip install 'boyi[learn]'") from error
    settings = Settings(rounds=rounds, damping=damping, window=window, first_year=first_year)
    if not output.parent.is_dir():
        raise BoyiError(f"the weights cannot be written to {output}: there is no folder {output.parent}")
    with Progress("learn patterns") as progress:
        weights, report = learn(data or data_folder(), settings,
                                lambda stage, error: progress.show(f"{60 - stage} empty points: {error:.2f} discs off"))
    save(weights, report, output)
    if as_json:
        print_json(asdict(report))
        return
    print_table([header.say(speech) for header in HEADERS],
                [[str(60 - stage), f"{error:.2f}"] for stage, error in enumerate(report.errors)], numbers=[0, 1])
    print(say(DONE, speech, games=report.games, seconds=report.seconds, file=output,
              kilobytes=output.stat().st_size // 1000))
