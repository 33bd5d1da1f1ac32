"""boyi tournament: many agents, their ratings with error bars, kept in a journal that can be continued."""

from __future__ import annotations

import glob
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import GameArgument, Output, Start
from boyi.cli._conditions import Conditions, JournalOption, RecordsOption, Workers
from boyi.cli._files import write_file
from boyi.cli._groups import flags, with_groups
from boyi.cli._keeping import command_line, find_journal, play_and_keep, refuse_old_files
from boyi.cli._reporting import leave_if_all_failed
from boyi.core.errors import OptionError, UnknownNameError, shorten
from boyi.core.words import Words
from boyi.kit.picture import plots

NET_SIMULATIONS = 100
MOST_EVERYBODY = 12
"""With more agents they meet the Swiss way, unless --everybody is given."""

SWISS = Words("{agents} agents meet the Swiss way, in {stages} stages: {games} games instead of {all} if everybody met "
              "everybody (--everybody)",
              "{agents} 位棋手采用瑞士制，共 {stages} 轮：{games} 局，而非循环赛的 {all} 局（循环赛请用 --everybody）")
LADDER = Words("{path} now rates {agents} agents at this game", "{path} 现收录此棋的 {agents} 位棋手")


def register(app: typer.Typer) -> None:
    app.command("tournament")(with_groups(command))


def command(
    game: GameArgument,
    agents: Annotated[list[str] | None, typer.Argument(
        metavar="AGENT AGENT...", help="Who plays, e.g. alphabeta:nodes=20000 level:5 random; any number.")] = None,
    *,
    nets: Annotated[list[str] | None, typer.Option(
        metavar="PATTERN", help="Model files that play, too, e.g. 'runs/x/*.onnx', each as "
        "mcts:net=FILE,simulations=…; may be given several times.")] = None,
    simulations: Annotated[int | None, typer.Option(
        min=1, max=10**9, help=f"For --nets: simulations per move; {NET_SIMULATIONS} if not given.")] = None,
    rounds: Annotated[int, typer.Option(
        "--rounds", "-r", min=1, max=10**6, help="Rounds of a meeting: one opening, once per seat; with two players a "
        "pair of games.")] = 10,
    swiss: Annotated[int | None, typer.Option(
        metavar="STAGES", min=1, max=10**5, help="For many agents: the number of stages in which those meet who did "
        f"equally well, instead of everybody with everybody. With more than {MOST_EVERYBODY} agents it is always so.",
    )] = None,
    everybody: Annotated[bool, typer.Option(
        "--everybody", help=f"Everybody meets everybody, also with more than {MOST_EVERYBODY} agents.")] = False,
    ladder: Annotated[Path | None, typer.Option(
        metavar="FILE", help="A file of ratings that grows with every tournament, e.g. ratings.json.")] = None,
    anchor: Annotated[str | None, typer.Option(
        metavar="AGENT", help="The agent whose rating is 0; else the mean of all is.")] = None,
    conditions: Conditions,
    workers: Workers,
    journal: JournalOption = None,
    records: RecordsOption = None,
    report: Annotated[Path | None, typer.Option(
        metavar="FILE", help="Write the results as a page (.html) or the ratings as a plot (.svg, .png).")] = None,
    place: Start,
    output: Output,
) -> None:
    """Let many agents play each other and rate them; what is interrupted goes on with the same command."""
    from boyi.arena.ladder import add_to_ladder
    from boyi.arena.pairing import count_stages
    from boyi.arena.report import draw_ratings, plot_ratings, write_report
    from boyi.arena.table import rate_tournament
    from boyi.arena.tournament_journal import Journal
    from boyi.cli import _tournament_report
    from boyi.cli._tournament_board import Board

    # 1. What is to be played.
    speech, start = output.speech, place.position(game)
    named = list(agents or [])
    agents = named + find_nets(nets or [], NET_SIMULATIONS if simulations is None else simulations)
    if not agents:
        raise OptionError("name those who play: AGENT AGENT…, or models by --nets")
    if simulations is not None and not nets:
        raise OptionError("--simulations is for --nets; agents have their own, as in mcts:simulations=100")
    if everybody and swiss is not None:
        raise OptionError("--everybody and --swiss do not go together")
    settled = swiss is None and not everybody and len(agents) > MOST_EVERYBODY
    if settled:
        swiss = count_stages(len(agents))
    if report is not None and report.suffix not in (".html", ".svg", ".png"):
        raise OptionError(f"--report {shorten(str(report))}: a report is a file that ends in .html, .svg or .png")
    if report is not None and report.suffix == ".png":
        plots.require()   # now, not after hours of games
    if anchor is not None and anchor not in agents:
        raise UnknownNameError.among("agent of this tournament", anchor, agents)
    path, tournament = find_journal("tournament", conditions.tournament(agents, start, rounds=rounds, swiss=swiss),
                                    journal, conditions.seed)
    words = command_line("tournament", game, named, {
        "--nets": nets, "--simulations": simulations, "--rounds": rounds, "--swiss": swiss, "--everybody": everybody,
        "--ladder": ladder, "--anchor": anchor, **flags(conditions), "--seed": tournament.seed, **flags(workers),
        "--journal": path, "--records": records, "--report": report, **flags(place), **flags(output)})
    refuse_old_files(path, [records, report])

    # 2. Playing what the journal does not have.
    if settled:
        print(texts.say(SWISS, speech, agents=len(agents), stages=swiss, games=tournament.games,
                        all=math.comb(len(agents), start.players) * tournament.games_a_meeting), file=sys.stderr)
    with Journal(path, tournament) as kept, Board(tournament, kept, anchor, speech) as board:
        interrupted = play_and_keep(tournament, kept, workers, words, speech, board.show)
    bouts = sorted(kept.games.values(), key=lambda bout: bout.slot)
    if records is not None:
        write_file(records, "\n".join(bout.record for bout in bouts))

    # 3. What came out.
    if report is not None:
        ratings = rate_tournament(tournament, bouts, anchor)
        write_file(report, plot_ratings(ratings) if report.suffix == ".png" else
                   draw_ratings(ratings) if report.suffix == ".svg" else
                   write_report(tournament, bouts, ratings, speech))
    _tournament_report.report(tournament, bouts, anchor, words if interrupted else None, output.as_json, speech)
    if ladder is not None:
        ratings = add_to_ladder(ladder, tournament, kept.id, bouts, anchor)
        if not output.as_json:
            print(texts.say(LADDER, speech, path=ladder, agents=len(ratings.rows)))
    if interrupted:
        raise typer.Exit(130)
    leave_if_all_failed(bouts, speech)


def find_nets(patterns: Sequence[str], simulations: int) -> list[str]:
    """The agents that play by the model files of some patterns, each file once."""
    found: dict[str, str] = {}
    for pattern in patterns:
        # Path.glob takes no pattern that begins at the root.
        paths = sorted(path for path in glob.glob(pattern, recursive=True) if Path(path).is_file())  # noqa: PTH207
        if not paths:
            raise OptionError(f"--nets {shorten(pattern)}: there is no such file")
        for path in paths:
            if "," in path:
                raise OptionError(f"--nets {shorten(pattern)}: the comma in {shorten(path)} would end its name in an "
                                  "agent; rename it")
            found.setdefault(str(Path(path).resolve()), f"mcts:net={path},simulations={simulations}")
    return list(found.values())
