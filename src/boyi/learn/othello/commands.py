"""The commands of `boyi learn` that are Othello's own: patterns, probcut, abstract, states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from boyi.core.errors import BoyiError, shorten
from boyi.core.position import Position
from boyi.core.words import Words
from boyi.games.othello import GAME
from boyi.games.othello.abstract import abstract_state
from boyi.games.othello.states import StateRecord, StatesError, Statistics, describe, own_statistics
from boyi.learn import selfplay
from boyi.learn.othello.settings import PatternSettings, ProbCutSettings
from boyi.learn.own import Answer, fill

OnProgress = Callable[[str], None]

SAMPLED_TEMPERATURE = 0.4
"""Of the moves of self-play that are sampled: games shall differ more than those of books."""

PATTERN_HEADERS = (Words("empty points", "空格"), Words("mean error in discs", "平均误差（子）"))
FITTED = Words("{games} games, {seconds} s; weights in {file}, {kilobytes} KB",
               "{games} 局，{seconds} 秒；权重写入 {file}，{kilobytes} KB")
PROBCUT_HEADERS = (Words("discs", "棋子数"), Words("shallow", "浅搜索层数"), Words("deep", "深搜索层数"),
                   Words("slope", "斜率"), Words("offset in discs", "截距（子）"),
                   Words("deviation in discs", "标准差（子）"), Words("positions", "局面数"))
THE_END = Words("end", "终局")
MEASURED = Words("{fits} fits, {seconds} s; in {file}", "{fits} 项拟合，{seconds} 秒；写入 {file}")
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


def patterns(
    output: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the weights, e.g. patterns.xz.")],
    data: Annotated[Path | None, typer.Option(
        metavar="FOLDER", help="WTHOR files (*.wtb); else $BOYI_DATA/othello/wthor.")] = None,
    rounds: Annotated[int, typer.Option(help="Rounds of the fit per stage.")] = PatternSettings.rounds,
    damping: Annotated[float, typer.Option(
        help="How strongly a stage is held to its neighbour.")] = PatternSettings.damping,
    window: Annotated[int, typer.Option(
        help="Train a stage on positions up to this number of plies away, too.")] = PatternSettings.window,
    first_year: Annotated[int, typer.Option(help="Leave earlier games out.")] = PatternSettings.first_year,
    solved: Annotated[int, typer.Option(
        help="Solve positions with up to this number of empty points for their labels.")] = PatternSettings.solved,
    threads: Annotated[int, typer.Option(min=1, max=256, help="Threads that solve.")] = 1,
    *, on_progress: OnProgress,
) -> Answer:
    """Train the weights of Othello's patterns on tournament games; a quarter of an hour."""
    from boyi.learn.othello.patterns import data_folder, learn, save

    settings = PatternSettings(rounds=rounds, damping=damping, window=window, first_year=first_year, solved=solved)
    if not output.parent.is_dir():
        raise BoyiError(f"the weights cannot be written to {output}: there is no folder {output.parent}")
    weights, report = learn(data or data_folder(), settings,
                            lambda stage, error: on_progress(f"{60 - stage} empty points: {error:.2f} discs off"),
                            threads=threads,
                            on_solved=lambda empties, games: on_progress(f"{empties} empty points: {games} solved"))
    save(weights, report, output)
    return Answer(
        asdict(report), PATTERN_HEADERS,
        [[str(60 - stage), f"{error:.2f}"] for stage, error in enumerate(report.errors)], (0, 1),
        (fill(FITTED, games=report.games, seconds=report.seconds, file=output,
              kilobytes=output.stat().st_size // 1000),))


def probcut(
    output: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the statistics, e.g. probcut.json.")],
    data: Annotated[Path | None, typer.Option(
        metavar="FOLDER", help="WTHOR files (*.wtb); else $BOYI_DATA/othello/wthor.")] = None,
    positions: Annotated[int, typer.Option(help="Positions for each number of discs.")] = ProbCutSettings.positions,
    deepest: Annotated[int, typer.Option(
        help="Plies of the deepest search that is measured.")] = ProbCutSettings.deepest,
    solved: Annotated[int, typer.Option(
        help="Solve positions with up to this number of empty points.")] = ProbCutSettings.solved,
    solutions: Annotated[int, typer.Option(
        help="How many of them for each number of discs.")] = ProbCutSettings.solutions,
    window: Annotated[int, typer.Option(
        help="Fit to positions with up to this number of discs more or fewer.")] = ProbCutSettings.window,
    seed: Annotated[int, typer.Option(help="The same seed chooses the same positions.")] = ProbCutSettings.seed,
    *, on_progress: OnProgress,
) -> Answer:
    """Measure how far shallow searches of Othello are from deep ones, for ProbCut; a few minutes."""
    from boyi.learn.othello.patterns import data_folder
    from boyi.learn.othello.probcut import learn

    settings = ProbCutSettings(positions=positions, deepest=deepest, solved=solved, solutions=solutions, window=window,
                               seed=seed)
    if not output.parent.is_dir():
        raise BoyiError(f"the statistics cannot be written to {output}: there is no folder {output.parent}")
    found = learn(data or data_folder(), settings, lambda discs: on_progress(f"{discs} discs"))
    try:
        output.write_text(found.to_text(), encoding="utf-8")
    except OSError as error:
        raise BoyiError(f"cannot write {output}: {error.strerror or error}") from error
    return Answer(
        {"file": str(output), "card": dict(found.card), "fits": [asdict(fit) for fit in found.fits]}, PROBCUT_HEADERS,
        [[str(fit.discs), str(fit.shallow), str(fit.deep) if fit.deep else THE_END, f"{fit.slope:.2f}",
          f"{fit.offset / 100:+.2f}", f"{fit.deviation / 100:.2f}", str(fit.count)] for fit in found.fits],
        (0, 1, 2, 3, 4, 5, 6),
        (fill(MEASURED, fits=len(found.fits), seconds=found.card["seconds"], file=output),))


def abstract(
    output: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the statistics, e.g. abstract.xz.")],
    games: Annotated[int, typer.Option(min=1, max=10**9, help="How many games to play.")] = 1_000,
    nodes: Annotated[int, typer.Option(min=1, max=10**12, help="Positions looked at for a move.")] = 2_000,
    random_plies: Annotated[int, typer.Option(
        min=0, max=40, help="The number of random moves that begin a game.")] = 6,
    loose_plies: Annotated[int, typer.Option(
        min=0, max=60, help="The number of moves after them that are sampled by their value.")] = 20,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="The same seed plays the same games.")] = 0,
    add: Annotated[bool, typer.Option("--add", help="Add to the statistics in FILE; self-play goes on where it "
                                                    "stopped.")] = False,
    *, on_progress: OnProgress,
) -> Answer:
    """Gather statistics of Othello's abstract states by self-play."""
    from boyi.learn.othello.abstract import gather

    if not output.parent.is_dir():
        raise BoyiError(f"the statistics cannot be written to {output}: there is no folder {output.parent}")
    if output.exists() != add:
        raise BoyiError(f"{output} is not there yet; leave --add out" if add else
                        f"{output} is there already; add to it with --add, or choose another name")
    statistics = _read_statistics(output) if add else Statistics()
    settings = selfplay.Settings(nodes=nodes, random_plies=random_plies, loose_plies=loose_plies,
                                 temperature=SAMPLED_TEMPERATURE, seed=seed)
    made = [dict(source) for source in statistics.made]
    source = selfplay.source(made, settings)
    start = GAME.start()
    interrupted = False
    try:
        for done in range(games):
            on_progress(f"game {done + 1} of {games}, {len(statistics.records)} states")
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
    gathered = fill(GATHERED, games=played, positions=statistics.positions, states=len(statistics.records),
                    file=output, kilobytes=(len(data) + 999) // 1000)
    return Answer({"file": str(output), "bytes": len(data), "games": played, "positions": statistics.positions,
                   "states": len(statistics.records), "made": made, "interrupted": interrupted},
                  lines=(gathered, INTERRUPTED) if interrupted else (gathered,), interrupted=interrupted)


def states(
    most: Annotated[int, typer.Option("--most", metavar="N", min=1, max=20_000,
                                      help="Without a position: the N states that were seen most.")] = 20,
    file: Annotated[Path | None, typer.Option("--statistics", metavar="FILE", help="Statistics made by `boyi learn "
                                              "abstract`; else those that come with Boyi.")] = None,
    *, position: Position | None, on_progress: OnProgress,
) -> Answer:
    """Show what is known of the abstract state of an Othello position, or of the states seen most."""
    statistics = own_statistics() if file is None else _read_statistics(file)
    if position is None:
        chosen = sorted(statistics.records, key=lambda state: (-statistics.records[state].count, state))[:most]
    else:
        chosen = [abstract_state(position)]
    facts = {"positions": statistics.positions, "states": len(statistics.records),
             "made": [dict(source) for source in statistics.made],
             "shown": [{"state": state, **describe(state), **_facts(statistics.records.get(state))}
                       for state in chosen]}
    rows = [_row(state, statistics.records[state]) for state in chosen if state in statistics.records]
    unseen = tuple(fill(UNSEEN, state=state) for state in chosen if state not in statistics.records)
    return Answer(facts, STATE_HEADERS, rows, (0, 4, 5, 6, 7, 8), (*unseen, *((SIGNS,) if rows else ())))


def _row(state: int, record: StateRecord) -> list[str | Words]:
    words = describe(state)
    low, high = record.score_range()
    return [str(state), "".join(CORNER_SIGNS[owner] for owner in words["corners"].values()),
            "".join(EDGE_SIGNS[kind] for kind in words["edges"].values()), MOBILITY_WORDS[words["mobility"]],
            str(record.count), f"{record.mean / 100:+.2f}", f"{record.deviation / 100:.2f}",
            f"{100 * record.score:.0f} %", f"{100 * low:.0f} – {100 * high:.0f} %"]


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
    try:
        return Statistics.from_bytes(path.read_bytes())
    except StatesError as error:
        raise StatesError(f"{shorten(str(path))}: {error}") from error
    except OSError as error:
        raise StatesError(f"cannot read {shorten(str(path))}: {error.strerror or error}") from error
