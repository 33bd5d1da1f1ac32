"""boyi tournament: many agents, their ratings with error bars, kept in a journal that can be continued."""

from __future__ import annotations

import glob
import math
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boyi.cli import _texts as texts
from boyi.cli._arena import (
    CONTINUE,
    INTERRUPTED,
    Conditions,
    DrawAfterOption,
    DrawFromOption,
    DrawMovesOption,
    DrawValueOption,
    JournalOption,
    LongestOption,
    MarginOption,
    OpeningPliesOption,
    OpeningsOption,
    Pace,
    RandomPliesOption,
    RecordsOption,
    ResignMovesOption,
    ResignValueOption,
    SeedOption,
    TimeOption,
    TimeoutOption,
    command_line,
    find_journal,
    play_and_keep,
    refuse_old_files,
    summary,
    write_file,
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
from boyi.cli._table import print_table, rich_table
from boyi.core.errors import OptionError, UnknownNameError, shorten
from boyi.core.words import Language, Words
from boyi.kit.picture import plots

if TYPE_CHECKING:
    from rich.live import Live

    from boyi.arena.bout import Bout
    from boyi.arena.rating import Ratings
    from boyi.arena.table import Row
    from boyi.arena.tournament import Tournament
    from boyi.arena.tournament_journal import Journal

WIDEST_CROSS_TABLE = 12
NET_SIMULATIONS = 100
MOST_EVERYBODY = 12
"""With more agents they meet the Swiss way, unless somebody says otherwise."""

STAGES_MORE = 3
"""A knock-out of n agents takes log2(n) stages; so many more let the table settle below the first, too."""

REFRESH_SECONDS = 0.5
PATIENCE_SECONDS = 0.5

AGENT, GAMES, WDL = Words("agent", "棋手"), Words("games", "局数"), Words("W-D-L", "胜-和-负")
SCORE, ELO, LOS = Words("score", "得分率"), Words("Elo", "等级分"), Words("LOS", "更强概率")
FIRSTS, PLACE, FAILURES = Words("first places", "第一名"), Words("mean place", "平均名次"), Words("failures", "故障")

SWISS = Words("{agents} agents meet the Swiss way, in {stages} stages: {games} games instead of {all} if everybody met "
              "everybody (--everybody)",
              "{agents} 位棋手采用瑞士制，共 {stages} 轮：{games} 局，而非循环赛的 {all} 局（循环赛请用 --everybody）")
FAILED = Words("game {number} of {agents}, {agent}: {message}", "{agents} 第 {number} 局，{agent}：{message}")
ADVANTAGE = Words("the first seat is worth {value:+d} ± {error:.0f} Elo over the last; "
                  "equals draw {draws:.0%} of their games", "先手（首席）相对末席值 {value:+d} ± {error:.0f} 分；"
                  "势均力敌时和棋占 {draws:.0%}")
GROUPS = Words("Ratings do not compare across groups that never met: {groups}",
               "以下各组从未相遇，等级分不可跨组比较：{groups}")
LADDER = Words("{path} now rates {agents} agents at this game", "{path} 现收录此棋的 {agents} 位棋手")
RUNNING = Words("{games}/{all} games, {pace}", "{games}/{all} 局，{pace}")


def register(app: typer.Typer) -> None:
    app.command("tournament")(command)


def command(
    game: GameArgument,
    agents: Annotated[list[str] | None, typer.Argument(
        metavar="AGENT AGENT...", help="Who plays, e.g. alphabeta:nodes=20000 level:5 random; any number.")] = None,
    nets: Annotated[list[str] | None, typer.Option(
        metavar="PATTERN", help="Model files that play, too, e.g. 'runs/x/*.onnx', each as "
        "mcts:net=FILE,simulations=…; may be given several times.")] = None,
    simulations: Annotated[int | None, typer.Option(
        min=1, max=10**9, help=f"For --nets: how often each goes down its tree for a move; {NET_SIMULATIONS} if not "
        "given.")] = None,
    rounds: Annotated[int, typer.Option(
        "--rounds", "-r", min=1, max=10**6, help="Rounds of a meeting: one opening, once per seat; with two players a "
        "pair of games.")] = 10,
    swiss: Annotated[int | None, typer.Option(
        metavar="STAGES", min=1, max=10**5, help="For many agents: so many stages in which those meet who did equally "
        f"well, instead of everybody with everybody. With more than {MOST_EVERYBODY} agents it is always so.")] = None,
    everybody: Annotated[bool, typer.Option(
        "--everybody", help=f"Everybody meets everybody, also with more than {MOST_EVERYBODY} agents.")] = False,
    ladder: Annotated[Path | None, typer.Option(
        metavar="FILE", help="A file of ratings that grows with every tournament, e.g. ratings.json.")] = None,
    anchor: Annotated[str | None, typer.Option(
        metavar="AGENT", help="Whose rating is 0; else the mean of all is.")] = None,
    time: TimeOption = None,
    margin: MarginOption = None,
    timeout: TimeoutOption = None,
    openings: OpeningsOption = None,
    opening_plies: OpeningPliesOption = None,
    random_plies: RandomPliesOption = None,
    seed: SeedOption = None,
    longest: LongestOption = None,
    draw_after: DrawAfterOption = None,
    draw_value: DrawValueOption = None,
    draw_moves: DrawMovesOption = None,
    draw_from: DrawFromOption = None,
    resign_value: ResignValueOption = None,
    resign_moves: ResignMovesOption = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    journal: JournalOption = None,
    records: RecordsOption = None,
    report: Annotated[Path | None, typer.Option(
        metavar="FILE", help="Write the results as a page (.html) or the ratings as a plot (.svg, .png).")] = None,
    fen: FenOption = None,
    moves: MovesOption = None,
    option: OptionsOption = None,
    rules: RulesOption = None,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Let many agents play each other and rate them; what is interrupted goes on with the same command."""
    from boyi.arena.ladder import add_to_ladder
    from boyi.arena.report import draw_ratings, plot_ratings, write_report
    from boyi.arena.table import rate_tournament
    from boyi.arena.tournament_journal import Journal

    # 1. What is to be played.
    speech = read_language(language)
    start = make_position(game, fen, option or [], moves, rules)
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
        swiss = (len(agents) - 1).bit_length() + STAGES_MORE
    if report is not None and report.suffix not in (".html", ".svg", ".png"):
        raise OptionError(f"--report {shorten(str(report))}: a report is a file that ends in .html, .svg or .png")
    if report is not None and report.suffix == ".png":
        plots.require()   # now, not after hours of games
    if anchor is not None and anchor not in agents:
        raise UnknownNameError.among("agent of this tournament", anchor, agents)
    conditions = Conditions(
        openings=openings, opening_plies=opening_plies, random_plies=random_plies, seed=seed, time=time, margin=margin,
        timeout=timeout, longest=longest, draw_after=draw_after, draw_value=draw_value, draw_moves=draw_moves,
        draw_from=draw_from, resign_value=resign_value, resign_moves=resign_moves)
    path, tournament = find_journal("tournament", conditions.tournament(agents, start, rounds=rounds, swiss=swiss),
                                    journal, seed)
    words = command_line("tournament", game, named, {
        "--nets": nets, "--simulations": simulations, "--rounds": rounds, "--swiss": swiss, "--everybody": everybody,
        "--ladder": ladder, "--anchor": anchor, **conditions.words(),
        "--seed": tournament.seed, "--jobs": jobs, "--cluster": cluster, "--journal": path, "--records": records,
        "--report": report, "--fen": fen, "--moves": moves, "--option": option, "--rules": rules, "--json": as_json,
        "--language": language})
    refuse_old_files(path, [records, report])

    # 2. Playing what the journal does not have.
    if settled:
        print(texts.say(SWISS, speech, agents=len(agents), stages=swiss, games=tournament.games,
                        all=math.comb(len(agents), start.players) * tournament.games_a_meeting), file=sys.stderr)
    with Journal(path, tournament) as kept, _Board(tournament, kept, anchor, speech) as board:
        interrupted = play_and_keep(tournament, kept, jobs, cluster, words, speech, board.show)
    bouts = sorted(kept.games.values(), key=lambda bout: bout.slot)
    if records is not None:
        write_file(records, "\n".join(bout.record for bout in bouts))

    # 3. What came out.
    if report is not None:
        ratings = rate_tournament(tournament, bouts, anchor)
        write_file(report, plot_ratings(ratings) if report.suffix == ".png" else
                   draw_ratings(ratings) if report.suffix == ".svg" else
                   write_report(tournament, bouts, ratings, speech))
    _report(tournament, bouts, anchor, words if interrupted else None, as_json, speech)
    if ladder is not None:
        ratings = add_to_ladder(ladder, tournament, kept.id, bouts, anchor)
        if not as_json:
            print(texts.say(LADDER, speech, path=ladder, agents=len(ratings.rows)))
    if interrupted:
        raise typer.Exit(130)


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


# ---------------------------------------------------------------------- while it runs

class _Board:
    """The table so far on a terminal, drawn anew now and then; on anything else nothing."""

    def __init__(self, tournament: Tournament, kept: Journal, anchor: str | None, language: Language) -> None:
        self._tournament = tournament
        self._kept = kept
        self._anchor = anchor
        self._language = language
        self._shown = monotonic()
        self._pace = Pace(len(kept.games))
        self._live: Live | None = None
        self._pause = PATIENCE_SECONDS

    def __enter__(self) -> _Board:
        return self

    def show(self, bout: Bout) -> bool:
        """A game has ended. Never is that enough."""
        if sys.stderr.isatty() and monotonic() - self._shown >= self._pause:
            self._draw()
        return False

    def _draw(self) -> None:
        from rich.console import Console, Group
        from rich.live import Live
        from rich.text import Text

        from boyi.arena.table import rate_tournament, table

        now = monotonic()   # loading the above is paid for once
        bouts = list(self._kept.games.values())
        ratings = rate_tournament(self._tournament, bouts, self._anchor)
        rows = table(self._tournament, bouts, ratings)
        line = texts.say(RUNNING, self._language, games=len(bouts), all=self._tournament.games,
                         pace=self._pace.say(len(bouts), self._tournament.games, self._language))
        picture = Group(rich_table(*_columns(self._tournament, rows, self._language)), Text(line))
        if self._live is None:
            self._live = Live(picture, console=Console(stderr=True), auto_refresh=False, transient=True)
            self._live.start()
        self._live.update(picture, refresh=True)
        self._shown = monotonic()
        # With many agents rating takes a while; it must never take more than a twentieth of the time.
        self._pause = max(REFRESH_SECONDS, 20 * (self._shown - now))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        if self._live is not None:
            self._live.stop()


# ---------------------------------------------------------------------- what comes out

def _columns(tournament: Tournament, rows: Sequence[Row],
             language: Language) -> tuple[list[str], list[list[str]], Sequence[int]]:
    """Headers, cells, and which columns are numbers."""
    two = tournament.start.players == 2
    headers = (AGENT, GAMES, WDL, SCORE, ELO, LOS, FAILURES) if two else (
        AGENT, GAMES, FIRSTS, PLACE, ELO, LOS, FAILURES)
    cells = [[
        row.agent, str(row.games), f"{row.wins}-{row.draws}-{row.losses}" if two else f"{row.firsts:.1f}",
        f"{100 * row.score:.1f} %" if two else f"{row.mean_place:.2f}",
        f"{round(row.elo):+d} ± {(row.elo_high - row.elo_low) / 2:.0f}",
        "" if row.superiority is None else f"{100 * row.superiority:.1f} %", str(row.failures)] for row in rows]
    return [header.say(language) for header in headers], cells, range(1, len(headers))


def _report(tournament: Tournament, bouts: Sequence[Bout], anchor: str | None, continuation: str | None,
            as_json: bool, language: Language) -> None:
    """The table, the cross table, and what is to be said about them; `continuation` if it was interrupted."""
    from boyi.arena.table import cross_table, rate_tournament, table

    ratings = rate_tournament(tournament, bouts, anchor)
    rows = table(tournament, bouts, ratings)
    cross = cross_table(tournament, bouts)
    reasons = Counter(bout.reason for bout in bouts)
    if as_json:
        print_json(_facts(tournament, bouts, ratings, rows, cross, reasons) | {
            "interrupted": continuation is not None, "command": continuation})
        return
    if continuation is not None:
        print(texts.say(INTERRUPTED, language, games=len(bouts), all=tournament.games))
    headers, cells, numbers = _columns(tournament, rows, language)
    print_table(headers, cells, numbers=numbers)
    if 2 < len(rows) <= WIDEST_CROSS_TABLE:
        print()
        order = [row.contestant for row in rows]
        print_table(["", *(str(place + 1) for place in range(len(order)))], [
            [f"{place + 1} {row.agent}", *(_meeting(cross.get((row.contestant, other))) for other in order)]
            for place, row in enumerate(rows)], numbers=range(1, len(rows) + 1))
        print()
    for bout in bouts:
        for failure in bout.failures:
            print(texts.say(FAILED, language, number=bout.slot.number + 1, message=failure.message,
                            agents=" – ".join(tournament.contestants[agent] for agent in bout.slot.meeting),
                            agent=tournament.contestants[bout.contestants[failure.seat]]))
    if bouts:
        first = ratings.advantages[0]
        print(texts.say(ADVANTAGE, language, value=round(first.value), error=first.error, draws=ratings.draws))
        print(summary(tournament, bouts, language))
    if len(ratings.groups) > 1:
        print(texts.say(GROUPS, language, groups="; ".join(", ".join(group) for group in ratings.groups)))
    if continuation is not None:
        print(texts.say(CONTINUE, language, command=continuation), file=sys.stderr)


def _meeting(result: tuple[float, int] | None) -> str:
    """A cell of the cross table, as `7.5/10`."""
    return "·" if result is None else f"{result[0]:g}/{result[1]}"


def _facts(tournament: Tournament, bouts: Sequence[Bout], ratings: Ratings, rows: Sequence[Row],
           cross: dict[tuple[int, int], tuple[float, int]], reasons: Counter[str]) -> dict[str, Any]:
    start = tournament.start
    return {
        "game": start.game.name, "options": dict(start.options), "agents": list(tournament.contestants),
        "seed": tournament.seed, "games_in_all": tournament.games, "reasons": dict(sorted(reasons.items())),
        "table": [asdict(row) for row in rows],
        "cross_table": [{"agent": agent, "other": other, "points": points, "games": times}
                        for (agent, other), (points, times) in sorted(cross.items())],
        "advantages": [asdict(advantage) for advantage in ratings.advantages], "draws": ratings.draws,
        "groups": [list(group) for group in ratings.groups],
        "games": [{
            "meeting": list(bout.slot.meeting), "number": bout.slot.number + 1, "agents": list(bout.contestants),
            "places": list(bout.places), "reason": bout.reason, "moves": bout.moves,
            "failures": [asdict(failure) for failure in bout.failures]} for bout in bouts],
    }
