"""boyi tune: better numbers for an agent, found by games, and a test whether they are better."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boyi.cli import _texts as texts
from boyi.cli._arena import (
    JournalOption,
    OpeningsOption,
    Pace,
    RandomPliesOption,
    SeedOption,
    announce,
    choose_seed,
    command_line,
    name_journal,
    read_file,
)
from boyi.cli._common import (
    ClusterOption,
    FenOption,
    GameArgument,
    JobsOption,
    JsonOption,
    LanguageOption,
    MovesOption,
    OptionsOption,
    RulesOption,
    make_position,
    print_json,
    read_language,
)
from boyi.cli._progress import Progress
from boyi.cli._table import print_table
from boyi.core.errors import MissingPartError, OptionError, shorten
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from boyi.lab.panel import Panel
    from boyi.learn.tuning.parameters import Parameter
    from boyi.learn.tuning.run import Check, State
    from boyi.learn.tuning.trial import Phase, Tuning

GAMES = 10_000
NODES = 2_000
MOST_GAMES = 10**7
KIND = "tuning"
BAR = 20
MOST_BARS = 20
"""Of the plot: more error bars would hide each other."""

LIST_HEADERS = (Words("parameter", "参数"), Words("now", "当前值"), Words("range", "范围"), Words("values", "取值"))
WHOLE, ANY = Words("whole numbers", "整数"), Words("numbers", "实数")
HEADERS = (Words("parameter", "参数"), Words("start", "起始"), Words("tuned", "调优后"), Words("range", "范围"))
PHASES = {"tune": Words("tuning", "调参"), "check": Words("test against the start", "与起始参数对测")}
RUNNING = Words("{phase} {bar} {played}/{all} games, {pace}", "{phase} {bar} {played}/{all} 局，{pace}")
TIMED = Words("{agent} is not limited by nodes or depth alone: another run will find something else",
              "{agent} 并非仅由节点数或深度限制，重复运行的结果会不同")
UNCHANGED = Words("the best setting found is the one it started from", "找到的最佳参数即起始参数")
UNCHECKED = Words("not tested against the start", "未与起始参数对测")
RESULT = Words("against the start: {score:.1f} % ({low:.1f}–{high:.1f}) of {games} games, {elo} Elo",
               "与起始参数对测：得分率 {score:.1f} %（{low:.1f}–{high:.1f}），共 {games} 局，{elo} 等级分")
VERDICTS = {
    "elo1": Words("SPRT: the tuned setting is stronger, by {elo1:g} Elo rather than by {elo0:g}",
                  "SPRT：调优后更强，强 {elo1:g} 分，而非 {elo0:g} 分"),
    "elo0": Words("SPRT: the tuned setting is not {elo1:g} Elo stronger, rather {elo0:g}",
                  "SPRT：调优后并未强 {elo1:g} 分，应为 {elo0:g} 分"),
    None: Words("SPRT: not decided between {elo0:g} and {elo1:g} Elo", "SPRT：{elo0:g} 分与 {elo1:g} 分之间尚无定论"),
}
RATIO = Words(" (LLR {ratio:+.2f}, bounds {lower:.2f} and {upper:+.2f})",
              "（对数似然比 {ratio:+.2f}，界限 {lower:.2f} 与 {upper:+.2f}）")
AGENT = Words("the tuned agent: {agent}", "调优后的棋手：{agent}")
FAILED = Words("agents failed in {count} pairs of games", "有 {count} 对对局出现故障")
INTERRUPTED = Words("interrupted; continue with: {command}", "已中断；继续请用：{command}")
DRAWN = Words("plot: {path}", "图：{path}")


def register(app: typer.Typer) -> None:
    app.command("tune")(command)


def command(
    game: GameArgument,
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
    journal: JournalOption = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the run (.svg or .png).")] = None,
    openings: OpeningsOption = None,
    random_plies: RandomPliesOption = None,
    seed: SeedOption = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    fen: FenOption = None,
    moves: MovesOption = None,
    option: OptionsOption = None,
    rules: RulesOption = None,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Tune numbers of a search or an evaluator by games, and test the result against the start."""
    from boyi.agents import read_spec
    from boyi.agents.searching import find_default
    from boyi.arena.journal import JournalFile, read_seed
    from boyi.arena.match import RANDOM_PLIES
    from boyi.arena.openings import read_openings
    from boyi.arena.pool import Pool
    from boyi.arena.sprt import parse_sprt
    from boyi.learn.tuning.parameters import find_parameters, read_parameters
    from boyi.learn.tuning.run import make_method, run
    from boyi.learn.tuning.trial import Tuning

    # 1. What is to be tuned.
    speech = read_language(language)
    start = make_position(game, fen, option or [], moves, rules)
    spec = read_spec(agent if agent is not None else f"{find_default(start).name}:nodes={NODES}")
    spec.check(start)
    if listed:
        _list(find_parameters(spec, start), as_json, speech)
        return
    if params is None:
        raise OptionError(f"say what to tune, as in --params NAME=START:LOW..HIGH; `boyi tune {game} --list` tells "
                          f"the names")
    if plot is not None:
        _check_plot(plot)
    if openings is not None and random_plies is not None:
        raise OptionError("--random-plies is for runs without --openings")
    tuning = Tuning(
        agent=str(spec), start=start, parameters=read_parameters(params, spec, start), pairs=(games + 1) // 2,
        method=method, rate=rate,   # type: ignore[arg-type]   # Tuning refuses any other
        check_pairs=((games if check is None else check) + 1) // 2, test=parse_sprt(sprt),
        openings=() if openings is None else read_openings(read_file(openings), start),
        random_plies=RANDOM_PLIES if random_plies is None else random_plies, seed=seed or 0)
    make_method(tuning)   # refuse at once what is not installed
    path = journal if journal is not None else name_journal("tune", tuning.settings(), seed)
    tuning = replace(tuning, seed=choose_seed(seed, lambda: read_seed(path, KIND)))
    words = command_line("tune", game, [], {
        "--params": params, "--agent": tuning.agent, "--method": method, "--games": games, "--rate": rate,
        "--check": check, "--sprt": sprt, "--journal": path, "--plot": plot, "--openings": openings,
        "--random-plies": random_plies, "--seed": tuning.seed, "--jobs": jobs, "--cluster": cluster, "--fen": fen,
        "--moves": moves, "--option": option, "--rules": rules, "--json": as_json, "--language": language})

    # 2. Playing what the journal does not have.
    if "seconds" in spec.values or not {"nodes", "depth"} & set(spec.values):
        print(texts.say(TIMED, speech, agent=tuning.agent), file=sys.stderr)
    state: State | None = None
    checks: list[Check] = []
    interrupted = False
    with JournalFile(path, KIND, tuning.settings()) as kept:
        announce(path, 2 * len(kept.entries), words, speech)
        try:
            with (Progress("tune") as progress, Pool(jobs, cluster) as pool,
                  closing(run(tuning, kept, pool, _Watcher(tuning, progress, speech).see)) as states):
                for latest in states:
                    state = latest
                    if state.check.pairs and (not checks or state.check != checks[-1]):
                        checks.append(state.check)
        except KeyboardInterrupt:
            interrupted = True

    # 3. What came out.
    if plot is not None and state is not None:
        _draw(tuning, state, checks, plot)
    _report(tuning, state, words if interrupted else None, plot, as_json, speech)
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


# ---------------------------------------------------------------------- what comes out

def _list(parameters: list[Parameter], as_json: bool, language: Language) -> None:
    if as_json:
        print_json([{"name": one.name, "value": one.start, "low": one.low, "high": one.high, "whole": one.whole}
                    for one in parameters])
        return
    print_table([header.say(language) for header in LIST_HEADERS], [
        [one.name, f"{one.start:g}", f"{one.low:g}..{one.high:g}", (WHOLE if one.whole else ANY).say(language)]
        for one in parameters], numbers=[1, 2])


def _report(tuning: Tuning, state: State | None, continuation: str | None, plot: Path | None, as_json: bool,
            language: Language) -> None:
    """What was found and whether it is better; `continuation` if the run was interrupted."""
    tuned = None if state is None else state.tuned
    agent = None if tuned is None else tuning.put(tuned)
    check = None if state is None or not state.check.pairs else state.check
    if as_json:
        latest = None if state is None else state.path[-1][1]
        print_json({
            **{name: value for name, value in tuning.settings().items() if name not in ("parameters", "start")},
            "parameters": [{
                "name": one.name, "start": begin, "low": one.low, "high": one.high, "step": one.reach,
                "whole": one.whole, "latest": None if latest is None else latest[number],
                "tuned": None if tuned is None else tuned[number]}
                for number, (one, begin) in enumerate(zip(tuning.parameters, tuning.begin, strict=True))],
            "path": [] if state is None else [{"pairs": pairs, "values": list(values)} for pairs, values in state.path],
            "tuned_agent": agent, "check": None if check is None else _facts(check),
            "failures": 0 if state is None else state.failures,
            "interrupted": continuation is not None, "command": continuation})
        return
    if tuned is not None:
        print_table([header.say(language) for header in HEADERS], [
            [one.name, f"{begin:g}", f"{value:g}", f"{one.low:g}..{one.high:g}"]
            for one, begin, value in zip(tuning.parameters, tuning.begin, tuned, strict=True)], numbers=[1, 2, 3])
        if tuned == tuning.begin:
            print(texts.say(UNCHANGED, language))
        elif check is None:
            print(texts.say(UNCHECKED, language))
    if check is not None:
        low, high = check.interval
        lower, upper = check.test.bounds
        print(texts.say(RESULT, language, score=100 * check.score, low=100 * low, high=100 * high,
                        games=2 * check.pairs, elo=_elo(check)))
        print(texts.say(VERDICTS[check.verdict], language, elo0=check.test.elo0, elo1=check.test.elo1) + texts.say(
            RATIO, language, ratio=check.ratio, lower=lower, upper=upper))
    if agent is not None:
        print(texts.say(AGENT, language, agent=agent))
    if state is not None and state.failures:
        print(texts.say(FAILED, language, count=state.failures))
    if plot is not None and state is not None:
        print(texts.say(DRAWN, language, path=plot))
    if continuation is not None:
        print(texts.say(INTERRUPTED, language, command=continuation), file=sys.stderr)


def _elo(check: Check) -> str:
    from boyi.arena.score import elo

    def number(score: float) -> str:
        value = elo(score)
        return f"{value:+.0f}" if math.isfinite(value) else ("+∞" if value > 0 else "−∞")
    return f"{number(check.score)} ({number(check.interval[0])}…{number(check.interval[1])})"


def _facts(check: Check) -> dict[str, Any]:
    from boyi.arena.score import elo

    low, high = check.interval
    return {
        "games": 2 * check.pairs, "score": check.score, "low": low, "high": high,
        **{name: value if math.isfinite(value) else None for name, value in (
            ("elo", elo(check.score)), ("elo_low", elo(low)), ("elo_high", elo(high)))},
        "counts": list(check.counts), "sprt": asdict(check.test) | {
            "ratio": check.ratio, "bounds": list(check.test.bounds), "verdict": check.verdict}}


# ---------------------------------------------------------------------- the plot

def _check_plot(path: Path) -> None:
    """Refuse before hours of games what could not be drawn after them."""
    from boyi.lab.plot import is_possible

    if path.suffix not in (".svg", ".png"):
        raise OptionError(f"--plot {shorten(str(path))}: a plot is a file that ends in .svg or .png")
    if not path.parent.is_dir():
        raise OptionError(f"--plot {shorten(str(path))}: there is no folder {shorten(str(path.parent))}")
    if not is_possible():
        raise MissingPartError.extra("a plot", "plots")


def _draw(tuning: Tuning, state: State, checks: Sequence[Check], path: Path) -> None:
    from boyi.lab.plot import draw

    draw(_panels(tuning, state, checks), [path])


def _panels(tuning: Tuning, state: State, checks: Sequence[Check]) -> list[Panel]:
    """The way of each parameter through its range, and the score against the start, the more certain the longer."""
    from boyi.lab.panel import Panel, Series

    panels = [Panel(
        title=f"{tuning.method}: {tuning.start.game.title.en}, {tuning.start.players} players",
        y_label="place in its range", x_label="games", kind="lines", percent=True,
        series=tuple(Series(
            f"{one.name.removeprefix('weights.')} ({one.low:g}–{one.high:g})",
            tuple((values[number] - one.low) / (one.high - one.low) for _, values in state.path),
            tuple(2.0 * pairs for pairs, _ in state.path)) for number, one in enumerate(tuning.parameters)))]
    if checks:
        shown = [check for number, check in enumerate(reversed(checks))
                 if number % math.ceil(len(checks) / MOST_BARS) == 0]
        panels.append(Panel(
            title="tuned against start", y_label="score, 95 %", x_label="games", kind="lines", percent=True,
            series=(Series("score", tuple(check.score for check in shown), tuple(2.0 * check.pairs for check in shown),
                           low=tuple(check.interval[0] for check in shown),
                           high=tuple(check.interval[1] for check in shown)),), reference=0.5, reference_label="equal"))
    return panels
