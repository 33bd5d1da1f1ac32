"""boyi learn: fit evaluators, and train networks stage by stage."""

from __future__ import annotations

import shlex
from dataclasses import asdict, fields
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from boyi.cli import _champion, _own_commands, _stages
from boyi.cli._common import GameArgument, JsonOption, LanguageOption, print_json, read_language
from boyi.cli._progress import Done, PositionPace, Progress
from boyi.cli._texts import say
from boyi.core.errors import BoyiError, shorten
from boyi.core.python_position import PythonPosition
from boyi.core.weights_json import write_weights
from boyi.core.words import Language, Words
from boyi.games import find_game
from boyi.kit.board_net import BoardNet
from boyi.learn.fitting.settings import (
    BOARD_BATCH,
    PYTHON_GAMES,
    PYTHON_NODES,
    NetSettings,
    PositionSettings,
    WeightSettings,
)
from boyi.learn.needs import needs_extra
from boyi.learn.own import Learning, find_learning

GAMES = 10_000
"""Whose positions a network is fitted to."""

LOOSE, BOOK, ENDINGS, GAMES_PER_SHARD = 5, 10, 20, 500
"""Of `boyi learn positions`, where millions of positions are wanted; the first three in percent."""

PLAYED = Words("{positions} positions of {games} games in {shards} shards in {folder}",
               "{folder} 中有 {shards} 个分片，共 {games} 局、{positions} 个局面")
FITTED = Words("{samples} positions; held-out loss {before} → {after}; {changed} numbers changed; written to {file}",
               "{samples} 个局面；留出集损失 {before} → {after}；改动 {changed} 个数值；写入 {file}")
NET_FITTED = Words("{positions} positions of {games} games; held-out loss by hand {by_hand}, of the network {fitted}, "
                   "rounded {rounded}; {file}, {kilobytes} KB",
                   "{games} 局中的 {positions} 个局面；留出集损失：手写 {by_hand}，网络 {fitted}，取整后 {rounded}；"
                   "写入 {file}，{kilobytes} KB")


def register(app: typer.Typer) -> None:
    commands = typer.Typer(no_args_is_help=True, help="Train evaluators, and networks stage by stage.",
                           rich_markup_mode=None, cls=_own_commands.LearnGroup)
    commands.command("weights")(weights)
    commands.command("evaluator")(evaluator)
    commands.command("positions")(positions)
    _stages.register(commands)
    _champion.register(commands)
    app.add_typer(commands, name="learn")


# ---------------------------------------------------------------------- boyi learn weights

def weights(
    name: GameArgument,
    output: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write them, e.g. weights.json.")],
    evaluator: Annotated[str | None, typer.Option(
        metavar="NAME", help="Whose numbers; else those of the game's first evaluator.")] = None,
    games: Annotated[int, typer.Option(
        "--games", "-n", help="The number of games against itself.")] = WeightSettings.games,
    nodes: Annotated[int, typer.Option(help="Nodes a move.")] = WeightSettings.nodes,
    random_plies: Annotated[int, typer.Option(
        help="The number of random moves that begin a game.")] = WeightSettings.random_plies,
    share: Annotated[float, typer.Option(help="How much the result of a game tells, from 0 to 1; the rest is "
                                              "what the search said.")] = WeightSettings.share,
    damping: Annotated[float, typer.Option(
        help="How strongly a number is held to what it was.")] = WeightSettings.damping,
    seed: Annotated[int, typer.Option(min=0, help="The same seed plays the same games.")] = WeightSettings.seed,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=256, help="Processes that play at once.")] = 1,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Fit the numbers of an evaluator to games that it plays against itself."""
    speech = read_language(language)
    with needs_extra("fitting an evaluator"):
        from boyi.learn.fitting.weights import gather, improve
    settings = WeightSettings(games=games, nodes=nodes, random_plies=random_plies, share=share, damping=damping,
                              seed=seed)
    if not output.parent.is_dir():
        raise BoyiError(f"the weights cannot be written to {output}: there is no folder {output.parent}")
    game = find_game(name)
    if not game.evaluators:
        raise BoyiError(f"{name} has no evaluator whose weights could be fitted; `boyi learn evaluator {name} FILE` "
                        "makes one")
    whose = evaluator or next(iter(game.evaluators))
    with Progress("learn weights") as progress:
        samples = gather(game, whose, settings, jobs, partial(_show_games, progress, games))
        better, report = improve(game, whose, samples, settings,
                                 lambda done: progress.show(f"{done} of {len(samples)} positions"))
    output.write_text(write_weights(better), encoding="utf-8")
    if as_json:
        print_json(asdict(report))
        return
    print(say(FITTED, speech, samples=report.samples, before=f"{report.loss_before:.4f}",
              after=f"{report.loss_after:.4f}", changed=report.changed, file=output))


def _show_games(progress: Progress, games: int, done: Done | int) -> None:
    progress.show(f"{done if isinstance(done, int) else done.games} of {games} games")


# ---------------------------------------------------------------------- boyi learn positions

def positions(
    name: GameArgument,
    folder: Annotated[Path, typer.Argument(
        metavar="FOLDER", help="Where the positions go; the same command goes on with what is there.")],
    hours: Annotated[float | None, typer.Option(
        min=0, help="How long to play; shards that were begun are ended.")] = None,
    games: Annotated[int | None, typer.Option(
        "--games", "-n", min=1, max=20_000_000, help="The number of games that the folder should hold.")] = None,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes a move.")] = PositionSettings.nodes,
    evaluator: Annotated[str | None, typer.Option(
        metavar="NAME", help="The evaluator that plays; else the game's first.")] = None,
    weights: Annotated[str | None, typer.Option(
        metavar="FILE", help="Its numbers (a network's with --evaluator net); else those that come with the "
                             "game.")] = None,
    loose: Annotated[int, typer.Option(help="Percentage of random moves after the opening.")] = LOOSE,
    book: Annotated[int, typer.Option(
        help="Percentage of games that begin with moves of the game's opening book, if it has one.")] = BOOK,
    endings: Annotated[int, typer.Option(
        help="Percentage of games that begin late in an earlier game, after a few random moves.")] = ENDINGS,
    games_per_shard: Annotated[int, typer.Option(
        min=1, help="Games of a shard: what an interruption can lose.")] = GAMES_PER_SHARD,
    more: Annotated[str | None, typer.Option(
        "--set", metavar="SETTINGS", help="Other settings, e.g. decided=1500,longest=200.")] = None,
    seed: Annotated[int, typer.Option(
        min=0, help="The same seed plays the same games.")] = PositionSettings.seed,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=256, help="Processes that play at once.")] = 1,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Play games against itself for positions that `boyi learn evaluator --positions FOLDER` is fitted to."""
    game, speech = find_game(name), read_language(language)
    with needs_extra("fitting an evaluator"):
        from boyi.learn.fitting import positions as played
    if hours is None and games is None:
        raise BoyiError("say how long to play (--hours) or how many games there should be (--games)")
    settings = PositionSettings(game=game.name, evaluator=evaluator, weights=weights, nodes=nodes, loose=loose,
                                book=book, endings=endings, games_per_shard=games_per_shard, seed=seed)
    if more is not None:
        if "games=" in more:
            raise BoyiError("say the number of games by --games, not in --set")
        settings, _ = played.parse_set(more, settings, 1)
    with Progress("learn positions") as progress:
        pace = PositionPace(progress, None if hours is None else 3600 * hours, games)
        done = played.gather(folder, settings, games, jobs, pace.show,
                             seconds=None if hours is None else 3600 * hours)
    if as_json:
        print_json(asdict(done))
        return
    print(say(PLAYED, speech, positions=done.positions, games=done.games, shards=done.shards, folder=folder))


# ---------------------------------------------------------------------- boyi learn evaluator

def evaluator(
    context: typer.Context,
    name: GameArgument,
    output: Annotated[Path, typer.Argument(
        metavar="FILE", help="Where to write the network, e.g. net.xz; its card goes beside it.")],
    positions: Annotated[list[Path] | None, typer.Option(
        metavar="FOLDER", help="Positions of `boyi learn positions`, all that the folder holds; may be given several "
                               "times. With --games, --nodes, --set or --player: where positions are kept and gone on "
                               "with, else `positions` beside FILE; several sets lie in folders 1, 2 and so on "
                               "there.")] = None,
    games: Annotated[int | None, typer.Option(
        "--games", "-n", min=1, max=1_000_000, help=f"The number of games against itself; {GAMES} if not given, or "
                                                    f"{PYTHON_GAMES} of a game in plain Python.")] = None,
    nodes: Annotated[int | None, typer.Option(
        min=1, help=f"Nodes a move; {PositionSettings.nodes} if not given, or {PYTHON_NODES} in a game in plain "
                    "Python.")] = None,
    sets: Annotated[list[str] | None, typer.Option(
        "--set", metavar="SETTINGS", help="A set of games, e.g. games=2000,nodes=1500,decided=1500; more than one fits "
                                          "to all of them. What it does not say is as in the other options.")] = None,
    player: Annotated[str | None, typer.Option(
        metavar="NAME", help="The evaluator that plays; else the game's first.")] = None,
    inputs: Annotated[str | None, typer.Option(
        metavar="NAME", help="What the network is shown, by name; else what the game's networks usually are.")] = None,
    width: Annotated[int, typer.Option(help="Sums per seat: a multiple of 16, at most 512.")] = NetSettings.width,
    alone: Annotated[bool, typer.Option(
        "--alone/--correcting", help="Let the network stand alone, or correct the hand-written "
                                     "evaluation.")] = not NetSettings.base,
    rounds: Annotated[int, typer.Option(help="Epochs: how often each position is looked at.")] = NetSettings.rounds,
    rate: Annotated[float, typer.Option(help="The highest learning rate.")] = NetSettings.rate,
    decay: Annotated[float, typer.Option(help="Weight decay.")] = NetSettings.decay,
    batch: Annotated[int | None, typer.Option(
        min=1, help=f"Positions of a step; {NetSettings.batch} if not given, or {BOARD_BATCH} for a network that sees "
                    "the board of a plug-in.")] = None,
    share: Annotated[float, typer.Option(help="How much the result of a game tells, from 0 to 1; the rest is "
                                              "what the search said.")] = NetSettings.share,
    imitated: Annotated[int, typer.Option(
        help="With --alone: per position, the number of others near it from which to learn first what the hand-written "
             "evaluation says.")] = NetSettings.imitated,
    fold: Annotated[int, typer.Option(
        help="Every twentieth game is held out: which of them, from 0 to 19.")] = NetSettings.fold,
    seed: Annotated[int, typer.Option(
        min=0, help="The same seed plays the same games and fits the same network.")] = NetSettings.seed,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=256, help="Processes that play at once.")] = 1,
    threads: Annotated[int, typer.Option(min=1, max=64, help="Threads that fit.")] = NetSettings.threads,
    scratch: Annotated[Path | None, typer.Option(
        metavar="FOLDER", help="Where arrays lie while the network is fitted; else beside FILE.")] = None,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Fit an incremental evaluation for alpha-beta and expectimax to self-play; for Othello, its patterns.

    A game that brings no encoding for it, as plug-ins do, gets a network that sees the stones on the board. Play by it
    with `alphabeta:weights=FILE`.
    """
    game, speech = find_game(name), read_language(language)
    learning = find_learning(game)
    if learning is not None and learning.evaluator:
        _make_own(context, game.title.en, learning, output, as_json, speech)
        return
    with needs_extra("fitting an evaluator"):
        from boyi.learn.fitting import positions as played
        from boyi.learn.fitting.net import fit, save
        from boyi.learn.fitting.samples import find_class, gather_games
    kind, python = find_class(game), isinstance(game.start(), PythonPosition)
    there = bool(positions) and games is None and nodes is None and not sets and player is None
    if not there and len(positions or ()) > 1:
        raise BoyiError("games are played into one folder: name one with --positions, or say neither --games, --nodes, "
                        "--set nor --player to fit to what the folders hold")
    kind.find_inputs(inputs)
    games = games or (PYTHON_GAMES if python else GAMES)
    nodes = nodes or (PYTHON_NODES if python else PositionSettings.nodes)
    settings = NetSettings(width=width, base=not alone, inputs=inputs, rounds=rounds, rate=rate, decay=decay,
                           batch=batch or (BOARD_BATCH if issubclass(kind, BoardNet) else NetSettings.batch),
                           imitated=imitated if alone and game.evaluators else 0, share=share, fold=fold,
                           threads=threads, seed=seed)
    if not output.parent.is_dir():
        raise BoyiError(f"the network cannot be written to {output}: there is no folder {output.parent}")
    with (Progress("learn evaluator") as progress,
          TemporaryDirectory(prefix=".fitting-", dir=scratch or output.parent) as arrays):
        folders: list[tuple[Path, int | None]]
        if there:
            folders = [(folder, None) for folder in positions or ()]
            described = [played.describe(folder, game) for folder in positions or ()]
        else:
            how = PositionSettings(game=game.name, evaluator=player, nodes=nodes, seed=seed)
            chosen = [played.parse_set(text, how, games) for text in sets or ()] or [(how, games)]
            place = positions[0] if positions else output.parent / "positions"
            places = [place] if len(chosen) == 1 else [place / str(number) for number in range(1, len(chosen) + 1)]
            for folder, (one, count) in zip(places, chosen, strict=True):
                played.gather(folder, one, count, jobs, partial(_show_games, progress, count))
            folders = [(folder, count) for folder, (_, count) in zip(places, chosen, strict=True)]
            described = [{**asdict(one), "games": count} for one, count in chosen]
        samples = gather_games(game, folders, settings.imitated, inputs, scratch=Path(arrays),
                               on_progress=lambda done: progress.show(f"{done} positions read"))
        data, report = fit(kind, samples, settings, partial(_show_epoch, progress))
        del samples
    save(data, report, settings, output, played=described,
         command=_same_again(game.name, [] if there else chosen, len(folders) if there else 0, settings),
         **({"positions": [_played_again(one, number) for number, one in enumerate(described, 1)]} if there else {}))
    if as_json:
        print_json(asdict(report))
        return
    print(say(NET_FITTED, speech, positions=report.positions, games=report.games, by_hand=f"{report.loss_by_hand:.5f}",
              fitted=f"{report.loss_fitted:.5f}", rounded=f"{report.loss_rounded:.5f}", file=output,
              kilobytes=output.stat().st_size // 1000))


def _show_epoch(progress: Progress, done: int, fitted: float, held_out: float) -> None:
    progress.log(f"epoch {done}: loss {fitted:.5f}, held out {held_out:.5f}")


def _same_again(game: str, sets: list[tuple[PositionSettings, int]], folders: int, settings: NetSettings) -> str:
    """The command that makes the same file, nothing left to defaults that may change."""
    words = ["boyi", "learn", "evaluator", game, "net.xz"]
    for one, games in sets:
        words += ["--set", _say_set({"games": games, **asdict(one)})]
    for number in range(1, folders + 1):
        words += ["--positions", f"positions{number}"]
    words.append("--correcting" if settings.base else "--alone")
    for name in ("inputs", "width", "rounds", "rate", "decay", "batch", "share", "imitated", "fold", "threads", "seed"):
        if getattr(settings, name) is not None:
            words += [f"--{name}", str(getattr(settings, name))]
    return shlex.join(words)


def _played_again(played: dict[str, Any], number: int) -> str:
    """The command that plays the games of a folder again; of the weights the card has the digest."""
    said = {name: value for name, value in played.items() if name in {field.name for field in fields(PositionSettings)}}
    words = ["boyi", "learn", "positions", said["game"], f"positions{number}", "--games", str(played["games"])]
    if played["evaluator"] is not None and played["weights_sha256"]:
        words += ["--weights", f"{played['weights_sha256'][:8]}.xz"]
    return shlex.join([*words, "--set", _say_set(said)])


def _say_set(said: dict[str, Any]) -> str:
    return ",".join(f"{name}={value}" for name, value in said.items() if name != "game" and value is not None)


def _make_own(context: typer.Context, title: str, learning: Learning, output: Path, as_json: bool,
              language: Language) -> None:
    """Make an evaluator that is no network by the game's own command; options of networks are refused."""
    for option, value in context.params.items():
        source = context.get_parameter_source(option)
        typed = source is not None and source.name == "COMMANDLINE"
        if typed and option not in ("name", "output", "as_json", "language"):
            raise BoyiError(f"{option} = {shorten(value)} would do nothing: the evaluator of {title} is no network; "
                            f"see `boyi learn {learning.evaluator} --help`")
    _own_commands.run(learning.evaluator, learning.commands[learning.evaluator], {"output": output}, as_json, language)
