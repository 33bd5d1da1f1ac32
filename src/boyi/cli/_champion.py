"""boyi learn champion: a tournament of a run's checkpoints; the champion against the last; the stronger is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import Output, print_json
from boyi.cli._conditions import Workers
from boyi.cli._files import write_file
from boyi.cli._groups import flags, with_groups
from boyi.cli._keeping import command_line, play_and_keep
from boyi.cli._progress import Pace, Progress
from boyi.cli._table import print_table
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from boyi.arena.bout import Bout
    from boyi.arena.tournament import Tournament

SHOWN = 10
"""Rows of the table on a terminal; the report has all."""

HEADERS = (Words("checkpoint", "检查点"), Words("games", "局数"), Words("W-D-L", "胜-和-负"), Words("score", "得分率"),
           Words("Elo", "等级分"))
TOURNAMENT = Words("{models} checkpoints, {games} games", "{models} 个检查点，{games} 局")
CHAMPION = Words("champion: iteration {champion} of {last}", "冠军：第 {champion} 次迭代（共 {last} 次）")
AGAINST_LAST = Words(
    "against the last: {wins}-{draws}-{losses}, {score:.1%} ({low:.1%}–{high:.1%}); kept: iteration {stronger}",
    "对最后一次迭代：{wins}-{draws}-{losses}，得分率 {score:.1%}（{low:.1%}–{high:.1%}）；保留第 {stronger} 次迭代")
IS_LAST = Words("the champion is the last iteration, and is kept", "冠军即最后一次迭代，予以保留")
FILES = Words("model: {model}\nreport: {report}", "模型：{model}\n报告：{report}")


def register(commands: typer.Typer) -> None:
    """Add the command to the group `learn`."""
    commands.command("champion")(with_groups(champion))


def champion(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    *,
    models: Annotated[int, typer.Option(
        min=2, max=10_000, help="The number of checkpoints that play, at even distances over the run.")] = 80,
    simulations: Annotated[int, typer.Option(min=2, max=10**6, help="Simulations for a move.")] = 100,
    rounds: Annotated[int, typer.Option(
        "--rounds", "-r", min=1, max=10_000, help="Rounds of a meeting: an opening, once with each side.")] = 10,
    games: Annotated[int, typer.Option(
        "--games", "-n", min=2, max=10**6, help="The number of games of the champion against the last.")] = 400,
    seed: Annotated[int, typer.Option(min=0, max=2**31, help="Decides openings and pairings.")] = 0,
    workers: Workers,
    output: Output,
) -> None:
    """Let checkpoints from all over a run play a Swiss tournament, then its champion against the last; keep the better.

    Games are kept in RUN/champion, and the same command goes on where it was interrupted.
    """
    from boyi.arena.report import write_report
    from boyi.arena.table import rate_tournament
    from boyi.learn import files
    from boyi.learn.training.champion import Championship, Verdict
    from boyi.learn.training.folder import RunFolder

    speech = output.speech
    contest = Championship.of(folder, models, simulations=simulations, rounds=rounds, games=games, seed=seed)
    contest.folder.mkdir(exist_ok=True)
    words = command_line("learn", "champion", [str(folder)], {
        "--models": models, "--simulations": simulations, "--rounds": rounds, "--games": games, "--seed": seed,
        **flags(workers), **flags(output)})
    # 1. The tournament, and its report.
    tournament = contest.tournament
    bouts = _play(tournament, contest.folder / "tournament.jsonl", workers, words, speech)
    report = contest.folder / "report.html"
    write_file(report, write_report(tournament, bouts, rate_tournament(tournament, bouts, tournament.names[0]), speech))
    ranking = contest.rank(bouts)
    # 2. The first of the table against the last of the run.
    first = ranking[0]["iteration"]
    verdict = Verdict.of(contest, first, [] if first == contest.last else _play(
        contest.match(first), contest.folder / f"match-{first:05}.jsonl", workers, words, speech))
    # 3. The stronger one is kept.
    model = folder / "champion.onnx"
    files.write_whole(model, RunFolder(folder).model(verdict.stronger).read_bytes())
    facts = {"run": str(folder), "model": str(model), "report": str(report), "simulations": simulations,
             "rounds": rounds, "games": len(bouts), "seed": seed, "table": ranking, "match": verdict.facts()}
    files.write_whole(contest.folder / "result.json", (json.dumps(facts, indent=1) + "\n").encode())
    if output.as_json:
        print_json(facts)
        return
    print(texts.say(TOURNAMENT, speech, models=len(contest.iterations), games=len(bouts)))
    print_table([header.say(speech) for header in HEADERS], [_row(row) for row in ranking[:SHOWN]], numbers=range(1, 5))
    print(texts.say(CHAMPION, speech, champion=first, last=contest.last))
    print(texts.say(AGAINST_LAST if verdict.games else IS_LAST, speech, **verdict.facts()))
    print(texts.say(FILES, speech, model=model, report=report))


def _row(row: dict[str, Any]) -> list[str]:
    return [str(row["iteration"]), str(row["games"]), f"{row['wins']}-{row['draws']}-{row['losses']}",
            f"{100 * row['score']:.1f} %", f"{row['elo']:+.0f} ± {(row['high'] - row['low']) / 2:.0f}"]


def _play(tournament: Tournament, journal: Path, workers: Workers, command: str, language: Language) -> list[Bout]:
    """All games, those that are kept and those that are missing."""
    from boyi.arena.tournament_journal import Journal

    with Journal(journal, tournament) as kept, Progress("champion") as progress:
        pace = Pace(len(kept.games))

        def show(bout: Bout) -> bool:
            if progress.due:
                progress.show(f"{len(kept.games)}/{tournament.games}, "
                              f"{pace.say(len(kept.games), tournament.games, language)}")
            return False

        if play_and_keep(tournament, kept, workers, command, language, show):
            raise typer.Exit(130)
        return sorted(kept.games.values(), key=lambda bout: bout.slot)
