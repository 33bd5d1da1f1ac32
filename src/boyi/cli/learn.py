"""boyi learn: train evaluators, and networks stage by stage."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boyi.cli import _stages
from boyi.cli._common import (
    FenOption,
    GameArgument,
    JsonOption,
    LanguageOption,
    MovesOption,
    make_position,
    print_json,
    read_language,
    start_position,
)
from boyi.cli._progress import Progress
from boyi.cli._table import print_table
from boyi.cli._texts import say
from boyi.core.errors import BoyiError, shorten
from boyi.core.weights import write
from boyi.core.words import Words
from boyi.games import find_game

if TYPE_CHECKING:
    from boyi.games.othello.states import StateRecord, Statistics
    from boyi.learn.evaluator import Settings as FitSettings
    from boyi.learn.positions import Settings as PlaySettings

HEADERS = (Words("empty points", "空格"), Words("mean error in discs", "平均误差（子）"))
FITTED = Words("{samples} positions; held-out loss {before} → {after}; {changed} numbers changed; written to {file}",
               "{samples} 个局面；留出集损失 {before} → {after}；改动 {changed} 个数值；写入 {file}")
DONE = Words("{games} games, {seconds} s; weights in {file}, {kilobytes} KB",
             "{games} 局，{seconds} 秒；权重写入 {file}，{kilobytes} KB")
STATE_HEADERS = (Words("state", "状态"), Words("corners", "角"), Words("edges", "边"), Words("mobility", "行动力"),
                 Words("seen", "次数"), Words("mean value", "平均评分"), Words("deviation", "标准差"),
                 Words("score", "得分率"), Words("95 %", "95%"))
CORNER_SIGNS = {"empty": ".", "own": "+", "other": "-"}
EDGE_SIGNS = {"bare": ".", "stable": "=", "flippable": "~"}
MOBILITY_WORDS = {"low": Words("low", "低"), "middle": Words("middle", "中"), "high": Words("high", "高")}
SIGNS = Words("corners a1 h1 h8 a8: + own, - the other's, . empty; edges from a1 clockwise: = stable, ~ flippable, "
              ". bare", "角 a1 h1 h8 a8：+ 己方，- 对方，. 空；边自 a1 顺时针：= 稳定，~ 可翻转，. 无子")
GATHERED = Words("{games} games, {positions} positions, {states} states; {kilobytes} KB in {file}",
                 "{games} 局，{positions} 个局面，{states} 种状态；写入 {file}，{kilobytes} KB")
UNSEEN = Words("state {state} was never seen", "状态 {state} 从未出现")
INTERRUPTED = Words("interrupted; what there is was written", "已中断；已完成的部分已写入")


def register(app: typer.Typer) -> None:
    commands = typer.Typer(no_args_is_help=True, help="Train evaluators, and networks stage by stage.",
                           rich_markup_mode=None)
    commands.command("patterns")(patterns)
    commands.command("weights")(weights)
    commands.command("abstract")(abstract)
    commands.command("states")(states)
    commands.command("evaluator")(evaluator)
    _stages.register(commands)
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
    random_plies: Annotated[int, typer.Option(help="A game begins with so many random moves.")] = 6,
    share: Annotated[float, typer.Option(help="How much the result of a game tells, from 0 to 1; the rest is "
                                              "what the search said.")] = 0.5,
    damping: Annotated[float, typer.Option(help="How strongly a number is held to what it was.")] = 1_000.0,
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


# ---------------------------------------------------------------------- abstract states

def abstract(
    output: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the statistics, e.g. abstract.xz.")],
    games: Annotated[int, typer.Option(min=1, max=10**9, help="How many games to play.")] = 1_000,
    nodes: Annotated[int, typer.Option(min=1, max=10**12, help="Positions looked at for a move.")] = 2_000,
    random_plies: Annotated[int, typer.Option(min=0, max=40, help="Moves drawn by lot that begin a game.")] = 6,
    loose_plies: Annotated[int, typer.Option(min=0, max=60, help="Moves after them that are chosen loosely.")] = 20,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="The same seed plays the same games.")] = 0,
    add: Annotated[bool, typer.Option("--add", help="Add to the statistics in FILE; self-play goes on where it "
                                                    "stopped.")] = False,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Gather statistics of Othello's abstract states by self-play."""
    from boyi.games.othello.states import StatesError, Statistics
    from boyi.learn import selfplay
    from boyi.learn.abstract import gather

    speech = read_language(language)
    if not output.parent.is_dir():
        raise BoyiError(f"the statistics cannot be written to {output}: there is no folder {output.parent}")
    if output.exists() != add:
        raise BoyiError(f"{output} is not there yet; leave --add out" if add else
                        f"{output} is there already; add to it with --add, or choose another name")
    statistics = _read_statistics(output) if add else Statistics()
    settings = selfplay.Settings(nodes=nodes, random_plies=random_plies, loose_plies=loose_plies,
                                 looseness=0.4, seed=seed)
    made = [dict(source) for source in statistics.made]
    source = selfplay.source(made, settings)
    start = start_position("othello", None, [], None)
    interrupted = False
    with Progress("learn abstract") as progress:
        try:
            for done in range(games):
                progress.show(f"game {done + 1} of {games}, {len(statistics.records)} states")
                statistics = gather(statistics, selfplay.play(start, source["games"], settings))
                source["games"] += 1
        except KeyboardInterrupt:
            interrupted = True
    statistics = statistics.with_made(made)
    data = statistics.to_bytes()
    try:
        output.write_bytes(data)
    except OSError as error:
        raise StatesError(f"cannot write {output}: {error.strerror or error}") from error
    played = sum(one["games"] for one in made)
    if as_json:
        print_json({"file": str(output), "bytes": len(data), "games": played, "positions": statistics.positions,
                    "states": len(statistics.records), "made": made, "interrupted": interrupted})
    else:
        print(say(GATHERED, speech, games=played, positions=statistics.positions, states=len(statistics.records),
                  file=output, kilobytes=(len(data) + 999) // 1000))
        if interrupted:
            print(INTERRUPTED.say(speech))
    if interrupted:
        raise typer.Exit(130)


def states(
    fen: FenOption = None,
    moves: MovesOption = None,
    most: Annotated[int, typer.Option("--most", metavar="N", min=1, max=20_000,
                                      help="Without a position: the N states that were seen most.")] = 20,
    file: Annotated[Path | None, typer.Option("--statistics", metavar="FILE", help="Statistics made by `boyi learn "
                                              "abstract`; else those that come with Boyi.")] = None,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Show what is known of the abstract state of an Othello position, or of the states seen most."""
    from boyi.games.othello.abstract import abstract_state
    from boyi.games.othello.states import describe, own_statistics

    speech = read_language(language)
    statistics = own_statistics() if file is None else _read_statistics(file)
    if fen is None and moves is None:
        chosen = sorted(statistics.records, key=lambda state: (-statistics.records[state].count, state))[:most]
    else:
        chosen = [abstract_state(make_position("othello", fen, [], moves))]
    if as_json:
        print_json({"positions": statistics.positions, "states": len(statistics.records),
                    "made": [dict(source) for source in statistics.made],
                    "shown": [{"state": state, **describe(state), **_facts(statistics.records.get(state))}
                              for state in chosen]})
        return
    rows = []
    for state in chosen:
        record, words = statistics.records.get(state), describe(state)
        if record is None:
            print(say(UNSEEN, speech, state=state))
            continue
        low, high = record.score_range()
        rows.append([str(state), "".join(CORNER_SIGNS[owner] for owner in words["corners"].values()),
                     "".join(EDGE_SIGNS[kind] for kind in words["edges"].values()),
                     MOBILITY_WORDS[words["mobility"]].say(speech), str(record.count), f"{record.mean / 100:+.2f}",
                     f"{record.deviation / 100:.2f}", f"{100 * record.score:.0f} %",
                     f"{100 * low:.0f} – {100 * high:.0f} %"])
    if rows:
        print_table([header.say(speech) for header in STATE_HEADERS], rows, numbers=[0, 4, 5, 6, 7, 8])
        print(SIGNS.say(speech))


def _facts(record: StateRecord | None) -> dict[str, Any]:
    """A record as JSON has it."""
    if record is None:
        return {"count": 0}
    low, high = record.score_range()
    span = record.extreme_range()
    return {"count": record.count, "wins": record.wins, "draws": record.draws, "losses": record.losses,
            "mean": round(record.mean, 2), "deviation": round(record.deviation, 2), "score": round(record.score, 4),
            "low": round(low, 4), "high": round(high, 4),
            "bounds": None if span is None else [round(bound) for bound in span]}


def _read_statistics(path: Path) -> Statistics:
    from boyi.games.othello.states import StatesError, Statistics

    try:
        return Statistics.from_bytes(path.read_bytes())
    except StatesError as error:
        raise StatesError(f"{shorten(str(path))}: {error}") from error
    except OSError as error:
        raise StatesError(f"cannot read {shorten(str(path))}: {error.strerror or error}") from error


# ---------------------------------------------------------------------- boyi learn evaluator

NET_DONE = Words("{positions} positions of {games} games; held-out loss by hand {by_hand}, of the network {fitted}, "
                 "rounded {rounded}; {file}, {kilobytes} KB",
                 "{games} 局中的 {positions} 个局面；留出集损失：手写 {by_hand}，网络 {fitted}，取整后 {rounded}；"
                 "写入 {file}，{kilobytes} KB")


def _same_again(sets: list[tuple[PlaySettings, int]], settings: FitSettings) -> str:
    """The command that makes the same file, nothing left to defaults that may change."""
    words = ["boyi", "learn", "evaluator", sets[0][0].game, "net.xz"]
    for one, games in sets:
        said = {"games": games, **asdict(one)}
        words += ["--set", ",".join(f"{name}={value}" for name, value in said.items()
                                    if name != "game" and value is not None)]
    words.append("--correcting" if settings.base else "--alone")
    for name in ("width", "rounds", "rate", "decay", "share", "imitated", "fold", "seed"):
        words += [f"--{name}", str(getattr(settings, name))]
    return shlex.join(words)


def evaluator(
    context: typer.Context,
    name: GameArgument,
    output: Annotated[Path, typer.Argument(
        metavar="FILE", help="Where to write the network, e.g. net.xz; its card goes beside it.")],
    positions: Annotated[Path | None, typer.Option(
        metavar="FOLDER", help="Where positions of self-play are kept, and gone on with; else `positions` beside "
                               "FILE. Sets, if there are several, lie in folders 1, 2 and so on there.")] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, max=1_000_000,
                                       help="Of so many games against itself.")] = 10_000,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes a move.")] = 1_500,
    sets: Annotated[list[str] | None, typer.Option(
        "--set", metavar="SETTINGS", help="A set of games, e.g. games=2000,nodes=1500,decided=1500; more than one fits "
                                          "to all of them. What it does not say is as in the other options.")] = None,
    player: Annotated[str | None, typer.Option(
        metavar="NAME", help="The evaluator that plays; else the game's first.")] = None,
    width: Annotated[int, typer.Option(help="Sums per seat: a multiple of 16, at most 256.")] = 32,
    alone: Annotated[bool, typer.Option(
        "--alone/--correcting", help="Let the network stand alone, or correct the hand-written evaluation.")] = True,
    rounds: Annotated[int, typer.Option(help="How often each position is looked at.")] = 24,
    rate: Annotated[float, typer.Option(help="The highest rate of learning.")] = 0.01,
    decay: Annotated[float, typer.Option(help="How strongly weights are drawn to nought.")] = 0.05,
    share: Annotated[float, typer.Option(help="How much the result of a game tells, from 0 to 1; the rest is "
                                              "what the search said.")] = 0.0,
    imitated: Annotated[int, typer.Option(
        help="With --alone: per position, so many near it from which to learn first what the hand-written evaluation "
             "says.")] = 2,
    fold: Annotated[int, typer.Option(help="Which game of twenty is held out, from 0 to 19.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="The same seed plays the same games and fits the same network.")] = 1,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=256, help="Processes that play at once.")] = 1,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Fit an incremental evaluation for alpha-beta and expectimax to self-play; for Othello, its patterns."""
    game = find_game(name)
    if game.name == "othello":
        # Its evaluation has a shape of its own, and tournament games to learn from (see `boyi learn patterns`).
        _refuse_options(context)
        patterns(output, data=None, rounds=12, damping=30.0, window=2, first_year=0, as_json=as_json, language=language)
        return
    speech = read_language(language)
    try:
        from boyi.learn import positions as played
        from boyi.learn.evaluator import Settings, find_class, fit, gather, save
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise BoyiError("training needs numpy: pip install 'boyi[learn]'") from error
    settings = Settings(width=width, base=not alone, rounds=rounds, rate=rate, decay=decay, share=share,
                        imitated=imitated if alone else 0, fold=fold, seed=seed)
    how = played.Settings(game=game.name, evaluator=player, nodes=nodes, seed=seed)
    kind = find_class(game)
    if not output.parent.is_dir():
        raise BoyiError(f"the network cannot be written to {output}: there is no folder {output.parent}")
    folder = positions or output.parent / "positions"
    chosen = [played.parse_set(text, how, games) for text in sets or ()] or [(how, games)]
    folders = [folder] if len(chosen) == 1 else [folder / str(number) for number in range(1, len(chosen) + 1)]
    with Progress("learn evaluator") as progress:
        for place, (one, count) in zip(folders, chosen, strict=True):
            played.gather(place, one, count, jobs, partial(_show_games, progress, count))
        samples = gather(game, played.read_sets([(place, count) for place, (_, count) in
                                                 zip(folders, chosen, strict=True)]), settings.imitated,
                         lambda done: progress.show(f"{done} positions read"))
        data, report = fit(kind, samples, settings, lambda done, fitted, held_out: progress.show(
            f"round {done}: loss {fitted:.5f}, held out {held_out:.5f}"))
    save(data, report, settings, output, command=_same_again(chosen, settings),
         played=[{**asdict(one), "games": count} for one, count in chosen])
    if as_json:
        print_json(asdict(report))
        return
    print(say(NET_DONE, speech, positions=report.positions, games=report.games, by_hand=f"{report.loss_by_hand:.5f}",
              fitted=f"{report.loss_fitted:.5f}", rounded=f"{report.loss_rounded:.5f}", file=output,
              kilobytes=output.stat().st_size // 1000))


def _show_games(progress: Progress, games: int, done: int) -> None:
    progress.show(f"{done} of {games} games")


def _refuse_options(context: typer.Context) -> None:
    """Whoever names an option of self-play for Othello is told that it would do nothing."""
    for option, value in context.params.items():
        source = context.get_parameter_source(option)
        typed = source is not None and source.name == "COMMANDLINE"
        if typed and option not in ("name", "output", "as_json", "language"):
            raise BoyiError(f"{option} = {shorten(value)} would do nothing: Othello's patterns are fitted to "
                            "tournament games; see `boyi learn patterns --help`")
