"""boyi learn: train evaluators."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from boyi.cli._common import GameArgument, JsonOption, LanguageOption, print_json, read_language
from boyi.cli._progress import Progress
from boyi.cli._table import print_table
from boyi.cli._texts import say
from boyi.core.errors import BoyiError
from boyi.core.weights import write
from boyi.core.words import Words
from boyi.games import find_game

HEADERS = (Words("empty points", "空格"), Words("mean error in discs", "平均误差（子）"))
FITTED = Words("{samples} positions; held-out loss {before} → {after}; {changed} numbers changed; written to {file}",
               "{samples} 个局面；留出集损失 {before} → {after}；改动 {changed} 个数值；写入 {file}")
DONE = Words("{games} games, {seconds} s; weights in {file}, {kilobytes} KB",
             "{games} 局，{seconds} 秒；权重写入 {file}，{kilobytes} KB")


def register(app: typer.Typer) -> None:
    commands = typer.Typer(no_args_is_help=True, help="Train evaluators.", rich_markup_mode=None)
    commands.command("patterns")(patterns)
    commands.command("weights")(weights)
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


def weights(
    name: GameArgument,
    output: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write them, e.g. weights.json.")],
    evaluator: Annotated[str | None, typer.Option(
        metavar="NAME", help="Whose numbers; else those of the game's first evaluator.")] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="So many games against itself.")] = 2_000,
    nodes: Annotated[int, typer.Option(help="Nodes a move.")] = 2_000,
    random_plies: Annotated[int, typer.Option(help="A game begins with up to so many random moves.")] = 8,
    share: Annotated[float, typer.Option(help="How much the result of a game tells, from 0 to 1; the rest is "
                                              "what the search said.")] = 0.5,
    damping: Annotated[float, typer.Option(help="How strongly a number is held to what it was.")] = 20.0,
    seed: Annotated[int, typer.Option(min=0, help="The same seed plays the same games.")] = 1,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=256, help="Processes that play at once.")] = 1,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Fit the numbers of an evaluator to games that it plays against itself."""
    speech = read_language(language)
    try:
        from boyi.learn.weights import Settings, gather, improve
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise BoyiError("training needs numpy: pip install 'boyi[learn]'") from error
    settings = Settings(games=games, nodes=nodes, random_plies=random_plies, share=share, damping=damping, seed=seed)
    if not output.parent.is_dir():
        raise BoyiError(f"the weights cannot be written to {output}: there is no folder {output.parent}")
    game = find_game(name)
    whose = evaluator or next(iter(game.evaluators), "")
    with Progress("learn weights") as progress:
        samples = gather(game, whose, settings, jobs, lambda done: progress.show(f"{done} of {games} games"))
        better, report = improve(game, whose, samples, settings,
                                 lambda done: progress.show(f"{done} of {len(samples)} positions"))
    output.write_text(write(better), encoding="utf-8")
    if as_json:
        print_json(asdict(report))
        return
    print(say(FITTED, speech, samples=report.samples, before=f"{report.loss_before:.4f}",
              after=f"{report.loss_after:.4f}", changed=report.changed, file=output))
