"""boyi train: a player from nothing but the rules, by games against itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import (
    ClusterOption,
    FenOption,
    GameArgument,
    JsonOption,
    LanguageOption,
    MovesOption,
    OptionsOption,
    RulesOption,
    make_position,
    print_json,
    read_language,
    read_options,
)
from boyi.cli._keeping import command_line, name_journal
from boyi.cli._learning import ProgressLine
from boyi.cli._progress import Progress
from boyi.cli._table import print_table
from boyi.core.errors import OptionError
from boyi.core.words import Language, Words
from boyi.learn.needs import needs_extra

if TYPE_CHECKING:
    from boyi.learn.training.profile import Share
    from boyi.learn.training.run import Run

MOST_WORKERS = 256

KEPT = Words("the run is kept in {folder}; to continue: {command}", "训练保存于 {folder}；继续请用：{command}")
CONTINUED = Words("{iterations} iterations are there already", "已有 {iterations} 次迭代")
ITERATION = Words(
    "{iteration:>4}  {time:>6.1f} min  loss {loss:.3f} ({validation_loss:.3f} held out)  decisive {decisive:.0%}  "
    "moves {game_length:.0f}", "{iteration:>4}  {time:>6.1f} 分  损失 {loss:.3f}（留出 {validation_loss:.3f}）  "
    "分出胜负 {decisive:.0%}  步数 {game_length:.0f}")
RATED = Words("  Elo {elo:+.0f} ± {elo_error:.0f}", "  等级分 {elo:+.0f} ± {elo_error:.0f}")
AGAINST_RANDOM = Words("  random {score:.1%}", "  对随机 {score:.1%}")
PROMOTED = Words("  promoted", "  晋升")
DONE = Words("{iterations} iterations, {games} games, {minutes:.1f} min; weights {weights}",
             "{iterations} 次迭代，{games} 局，{minutes:.1f} 分钟；权重 {weights}")
FILES = Words("model: {model}\nreport: {report}", "模型：{model}\n报告：{report}")
PREPARED = Words("prepared: {folder}; next: boyi learn selfplay {folder}",
                 "已就绪：{folder}；下一步：boyi learn selfplay {folder}")
INTERRUPTED = Words("interrupted; continue with: {command}", "已中断；继续请用：{command}")
PROFILE_HEADERS = (Words("where", "环节"), Words("seconds", "秒"), Words("share", "占比"))


def register(app: typer.Typer) -> None:
    app.command("train")(command)


def command(
    game: GameArgument,
    minutes: Annotated[float | None, typer.Option(help="How long to train.")] = None,
    iterations: Annotated[int | None, typer.Option(min=1, help="The number of rounds of games and learning.")] = None,
    games: Annotated[int | None, typer.Option(min=1, help="The number of games to play.")] = None,
    smoke: Annotated[bool, typer.Option(
        "--smoke", help="Three tiny iterations, to see that everything works; under a minute.")] = False,
    folder: Annotated[Path | None, typer.Option(
        "--run", metavar="FOLDER", help="Where everything is kept and continued from; else a name made of the "
        "settings, in runs/.")] = None,
    settings: Annotated[list[str] | None, typer.Option(
        "--set", metavar="NAME=VALUE", help="A setting, e.g. games.simulations=32 or design.width=128; may be given "
        "several times. docs/learn.md lists them.")] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**31, help="The same seed learns the same, with --iterations.")] = 0,
    workers: Annotated[int, typer.Option(
        "--workers", "-w", min=1, max=MOST_WORKERS, help="Processes that play; the games are the same.")] = 1,
    threads: Annotated[int, typer.Option(
        min=1, max=MOST_WORKERS, help="Threads that learn. Two are faster on an idle machine and slower on a busy "
        "one.")] = 1,
    cluster: ClusterOption = None,
    profile: Annotated[bool, typer.Option("--profile", help="Say where the time went.")] = False,
    prepare: Annotated[bool, typer.Option(
        "--prepare", help="Make the folder and leave, for the single stages: boyi learn selfplay, train, "
        "evaluate.")] = False,
    fen: FenOption = None,
    moves: MovesOption = None,
    option: OptionsOption = None,
    rules: RulesOption = None,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Train a network by self-play. Kill it anywhere: the same command goes on."""
    with needs_extra():
        from boyi.learn.training.profile import shares
        from boyi.learn.training.run import Run
    from boyi.arena.pool import Pool
    from boyi.learn.training.settings import Length, Plan, change_plan
    from boyi.learn.training.smoke import SMOKE

    # 1. What is to be done.
    speech = read_language(language)
    start = make_position(game, fen, option or [], moves, rules)
    if smoke and (minutes, iterations, games) != (None, None, None):
        raise OptionError("--smoke has its own length: leave --minutes, --iterations and --games out")
    length = Length(iterations=3) if smoke else Length(minutes=minutes, iterations=iterations, games=games)
    plan = change_plan(replace(SMOKE if smoke else Plan(), seed=seed), read_options(settings or []))
    words = command_line("train", game, [], {
        "--minutes": minutes, "--iterations": iterations, "--games": games, "--smoke": smoke, "--run": folder,
        "--set": settings, "--seed": seed or None, "--workers": workers if workers > 1 else None,
        "--threads": threads if threads > 1 else None, "--cluster": cluster, "--profile": profile, "--fen": fen,
        "--moves": moves, "--option": option,
        "--rules": rules, "--json": as_json, "--language": language})

    # 2. Doing it.
    interrupted = False
    with _folder(folder, smoke, start.game.name, {"plan": plan.identity(), "game": start.game.name,
                                                  "start": start.to_text(), "options": dict(start.options),
                                                  "length": str(length)}, seed) as place:
        run = Run(place, start, plan, length, threads=threads)
        if prepare:
            print(texts.say(PREPARED, speech, folder=place))
            return
        kept = folder is not None or not smoke
        if kept:
            print(texts.say(KEPT, speech, folder=place, command=words), file=sys.stderr)
        if run.metrics:
            print(texts.say(CONTINUED, speech, iterations=run.iteration), file=sys.stderr)
        try:
            with Pool(workers, cluster) as pool, Progress("train") as progress:
                for row in run.work(pool, ProgressLine(progress, speech).on_progress):
                    progress.clear()
                    if not as_json:
                        print(_say_row(row, speech), flush=True)
        except KeyboardInterrupt:
            interrupted = True

        # 3. What came of it.
        _report(run, kept, shares(run) if profile and run.metrics else [], words if interrupted else None, as_json,
                speech)
    if interrupted:
        raise typer.Exit(130)


@contextmanager
def _folder(folder: Path | None, smoke: bool, game: str, settings: dict[str, Any], seed: int) -> Iterator[Path]:
    """Where the run is kept; a smoke test leaves nothing behind unless a folder is named."""
    if folder is not None:
        yield folder
    elif smoke:
        with TemporaryDirectory(prefix="boyi-smoke-") as name:
            yield Path(name)
    else:
        yield Path("runs") / name_journal("train", settings, seed).stem.removeprefix("train-")


def _say_row(row: dict[str, Any], language: Language) -> str:
    text = texts.say(ITERATION, language, **{**row, "time": row["time"] / 60})
    if "elo" in row:
        text += texts.say(RATED, language, elo=row["elo"], elo_error=row["elo_error"])
    if "random_score" in row:
        text += texts.say(AGAINST_RANDOM, language, score=row["random_score"])
    return text + (texts.say(PROMOTED, language) if row.get("promoted") else "")


def _report(run: Run, kept: bool, shares: list[Share], continuation: str | None, as_json: bool,
            language: Language) -> None:
    last = run.metrics[-1] if run.metrics else {}
    model = run.best_model if run.metrics else None
    if as_json:
        print_json({
            "folder": str(run.folder.path), "iterations": run.iteration, "games": last.get("games", 0),
            "samples": last.get("samples", 0), "seconds": last.get("time", 0.0), "weights": last.get("weights"),
            "model": None if model is None else str(model), "report": str(run.folder.report),
            "last": last, "exams": list(run.folder.read_evaluations().values()),
            "profile": [{"where": share.where, "seconds": share.seconds, "share": share.share} for share in shares],
            "interrupted": continuation is not None, "command": continuation})
        return
    if run.metrics:
        print(texts.say(DONE, language, iterations=run.iteration, games=last["games"], minutes=last["time"] / 60,
                        weights=last["weights"][:16]))
        if kept:
            print(texts.say(FILES, language, model=model, report=run.folder.report))
    if shares:
        print_table([header.say(language) for header in PROFILE_HEADERS],
                    [[share.words.say(language), f"{share.seconds:.1f}", f"{100 * share.share:.1f} %"]
                     for share in shares], numbers=[1, 2])
    if continuation is not None:
        print(texts.say(INTERRUPTED, language, command=continuation), file=sys.stderr)
