"""boyi tune: better numbers for an agent, found by games, and a test whether they are better."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import GameArgument, Output, Start
from boyi.cli._conditions import Beginning, JournalOption, Workers
from boyi.cli._groups import flags, with_groups
from boyi.cli._keeping import announce, choose_seed, command_line, name_journal
from boyi.cli._progress import Pace, Progress
from boyi.core.errors import OptionError
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from boyi.learn.tuning.run import Check, State
    from boyi.learn.tuning.trial import Phase, Tuning

GAMES = 10_000
NODES = 2_000
MOST_GAMES = 10**7
KIND = "tuning"
BAR = 20

PHASES = {"tune": Words("tuning", "调参"), "check": Words("test against the start", "与起始参数对测")}
RUNNING = Words("{phase} {bar} {played}/{all} games, {pace}", "{phase} {bar} {played}/{all} 局，{pace}")
TIMED = Words("{agent} is not limited by nodes or depth alone: another run will find something else",
              "{agent} 并非仅由节点数或深度限制，重复运行的结果会不同")


def register(app: typer.Typer) -> None:
    app.command("tune")(with_groups(command))


def command(
    game: GameArgument,
    *,
    params: Annotated[str | None, typer.Option(
        metavar="NAME=START:LOW..HIGH:STEP,…", help="What to tune; all but the names may be left out.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List what can be tuned about the agent, and leave.")] = False,
    agent: Annotated[str | None, typer.Option(
        metavar="AGENT", help="Whose parameters, e.g. alphabeta:nodes=2000; else the game's usual search with 2000 "
        "nodes.")] = None,
    method: Annotated[str, typer.Option(
        metavar="spsa|surface", help="Climb in small steps, or fit a surface (few parameters; extra "
        "`tune`).")] = "spsa",
    games: Annotated[int, typer.Option(
        "--games", "-n", min=2, max=MOST_GAMES, help="How many games to tune with, in pairs.")] = GAMES,
    rate: Annotated[float | None, typer.Option(
        help="Of spsa: how far parameters follow the winner in the end (r_end); else by the number of games.")] = None,
    check: Annotated[int | None, typer.Option(
        "--check", min=0, max=MOST_GAMES, help="At most so many games of the result against the start; else as many as "
        "--games; 0 for none.")] = None,
    sprt: Annotated[str, typer.Option(
        metavar="elo0=…,elo1=…", help="What these games test; they end when it is decided.")] = "elo0=0,elo1=10",
    beginning: Beginning,
    workers: Workers,
    journal: JournalOption = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the run (.svg or .png).")] = None,
    place: Start,
    output: Output,
) -> None:
    """Tune numbers of a search or an evaluator by games, and test the result against the start."""
    from boyi.agents import read_spec
    from boyi.agents.searching import find_default
    from boyi.arena.journal import JournalFile, read_seed
    from boyi.arena.pool import Pool
    from boyi.arena.sprt import parse_sprt
    from boyi.cli._tune_plot import check_plot, draw_run
    from boyi.cli._tune_report import list_parameters, report
    from boyi.learn.tuning.parameters import find_parameters, read_parameters
    from boyi.learn.tuning.run import make_method, run
    from boyi.learn.tuning.trial import Tuning

    # 1. What is to be tuned.
    speech, start = output.speech, place.position(game)
    spec = read_spec(agent if agent is not None else f"{find_default(start).name}:nodes={NODES}")
    spec.check(start)
    if listed:
        list_parameters(find_parameters(spec, start), output.as_json, speech)
        return
    if params is None:
        raise OptionError(f"say what to tune, as in --params NAME=START:LOW..HIGH; `boyi tune {game} --list` shows "
                          f"the names")
    if plot is not None:
        check_plot(plot)
    tuning = Tuning(
        agent=str(spec), start=start, parameters=read_parameters(params, spec, start), pairs=(games + 1) // 2,
        method=method, rate=rate,   # type: ignore[arg-type]   # Tuning refuses any other
        check_pairs=((games if check is None else check) + 1) // 2, test=parse_sprt(sprt),
        openings=beginning.openings_of(start), random_plies=beginning.random_plies_or_default(),
        seed=beginning.seed or 0)
    make_method(tuning)   # refuse at once what is not installed
    path = journal if journal is not None else name_journal("tune", tuning.settings(), beginning.seed)
    tuning = replace(tuning, seed=choose_seed(beginning.seed, lambda: read_seed(path, KIND)))
    words = command_line("tune", game, [], {
        "--params": params, "--agent": tuning.agent, "--method": method, "--games": games, "--rate": rate,
        "--check": check, "--sprt": sprt, **flags(beginning), "--seed": tuning.seed, **flags(workers),
        "--journal": path, "--plot": plot, **flags(place), **flags(output)})

    # 2. Playing what the journal does not have.
    if "seconds" in spec.values or not {"nodes", "depth"} & set(spec.values):
        print(texts.say(TIMED, speech, agent=tuning.agent), file=sys.stderr)
    state: State | None = None
    checks: list[Check] = []
    interrupted = False
    with JournalFile(path, KIND, tuning.settings()) as kept:
        announce(path, 2 * len(kept.entries), words, speech)
        try:
            with (Progress("tune") as progress, Pool(workers.jobs, workers.cluster) as pool,
                  closing(run(tuning, kept, pool, _Watcher(tuning, progress, speech).see)) as states):
                for latest in states:
                    state = latest
                    if state.check.pairs and (not checks or state.check != checks[-1]):
                        checks.append(state.check)
        except KeyboardInterrupt:
            interrupted = True

    # 3. What came out.
    if plot is not None and state is not None:
        draw_run(tuning, state, checks, plot)
    report(tuning, state, words if interrupted else None, plot, output.as_json, speech)
    if interrupted:
        raise typer.Exit(130)


class _Watcher:
    """The line that tells how far a run has come."""

    def __init__(self, tuning: Tuning, progress: Progress, language: Language) -> None:
        self._all = {"tune": tuning.pairs, "check": tuning.check_pairs}
        self._progress = progress
        self._language = language
        self._paces: dict[Phase, Pace] = {}

    def see(self, phase: Phase, number: int) -> None:
        """A pair of games has ended; time is taken from the first one of a phase."""
        played, most = 2 * (number + 1), 2 * self._all[phase]
        if phase not in self._paces:
            self._paces[phase] = Pace(played)
        elif self._progress.due:
            filled = BAR * played // most
            self._progress.show(texts.say(
                RUNNING, self._language, phase=PHASES[phase].say(self._language),
                bar="█" * filled + "░" * (BAR - filled), played=played, all=most,
                pace=self._paces[phase].say(played, most, self._language)))
