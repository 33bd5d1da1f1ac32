"""boyi match: agents against each other, with error bars."""

from __future__ import annotations

from typing import Annotated

import typer

from boyi.cli._common import GameArgument, Output, Start
from boyi.cli._conditions import Conditions, JournalOption, RecordsOption, Workers
from boyi.cli._files import write_file
from boyi.cli._groups import flags, with_groups
from boyi.cli._keeping import command_line, default_journal, find_journal, play_and_keep, refuse_old_files
from boyi.cli._reporting import leave_if_all_failed
from boyi.core.errors import OptionError

GAMES = 100
MOST_TEST_GAMES = 100_000
"""With --sprt, if the number of games is not given: a test may be long, but not endless."""


def register(app: typer.Typer) -> None:
    app.command("match")(with_groups(command))


def command(
    game: GameArgument,
    agents: Annotated[list[str], typer.Argument(
        metavar="AGENT AGENT...", help="Who plays, e.g. alphabeta:nodes=20000 level:5. "
        "With fewer agents than seats the last one fills the rest.")],
    *,
    games: Annotated[int | None, typer.Option(
        "--games", "-n", min=1, max=10**7, help="The number of games, with --sprt at most; 100 if not given, with "
        "--sprt 100000.")] = None,
    sprt: Annotated[str | None, typer.Option(
        metavar="elo0=…,elo1=…", help="Play until it is clear whether the first agent is stronger than the second by "
        "elo1 or by elo0; also alpha=, beta=, scale=logistic|normalized.")] = None,
    conditions: Conditions,
    workers: Workers,
    journal: JournalOption = None,
    records: RecordsOption = None,
    place: Start,
    output: Output,
) -> None:
    """Let agents play each other from the same openings, each in every seat in turn; what is interrupted goes on."""
    from boyi.arena.sprt import parse_sprt
    from boyi.arena.tournament_journal import Journal
    from boyi.cli._match_report import report
    from boyi.cli._match_watcher import Watcher

    # 1. What is to be played.
    speech, start = output.speech, place.position(game)
    test = None if sprt is None else parse_sprt(sprt)
    if test is not None and start.players != 2:
        raise OptionError(f"--sprt is for two players, and here are {start.players}; see `boyi tournament`")
    if games is None:
        games = GAMES if test is None else MOST_TEST_GAMES
    path, match = find_journal("match", conditions.tournament(agents, start, match_games=games), journal,
                               conditions.seed)
    words = command_line("match", game, agents, {
        "--games": games, "--sprt": sprt, **flags(conditions), "--seed": match.seed, **flags(workers),
        "--journal": path, "--records": records, **flags(place), **flags(output)})
    refuse_old_files(path, [records])

    # 2. Playing what the journal does not have.
    interrupted = False
    with Journal(path, match) as kept:
        watcher = Watcher(match, kept.games, test, speech)
        with watcher.progress:
            if not watcher.over:
                interrupted = play_and_keep(match, kept, workers, words, speech, watcher.see)
    bouts = watcher.counted()
    if records is not None:
        write_file(records, "\n".join(bout.record for bout in bouts))

    # 3. What came out.
    report(match, bouts, words if interrupted else None, output.as_json, speech, test, watcher.pairs,
           exhausted=watcher.exhausted)
    if interrupted:
        raise typer.Exit(130)
    if path in [default_journal("match", match, kept_seed) for kept_seed in (None, match.seed)]:
        path.unlink(missing_ok=True)   # complete; to keep it, name it by --journal
    leave_if_all_failed(bouts, speech)
