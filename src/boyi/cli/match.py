"""boyi match: agents against each other, with error bars."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
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
    default_journal,
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
from boyi.cli._progress import Progress
from boyi.cli._table import print_table
from boyi.core.errors import OptionError
from boyi.core.result import format_result
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from boyi.arena.bout import Bout, Slot
    from boyi.arena.sprt import Sprt
    from boyi.arena.tournament import Tournament

GAMES = 100
MOST_TEST_GAMES = 100_000
"""Where nobody says how many; a test may be long, but not endless."""

HEADERS_TWO = (Words("agent", "棋手"), Words("W-D-L", "胜-和-负"), Words("score", "得分率"), Words("95 %", "95 %"),
               Words("Elo", "等级分差"), Words("LOS", "更强概率"), Words("failures", "故障"))
HEADERS_MANY = (Words("agent", "棋手"), Words("seats", "席次"), Words("first places", "第一名"),
                Words("× fair share", "相当于均分的倍数"), Words("95 %", "95 %"), Words("mean place", "平均名次"),
                Words("failures", "故障"))
FAILED = Words("game {number}, {agent}: {message}", "第 {number} 局，{agent}：{message}")
VERDICTS = {
    "elo1": Words("SPRT: the first agent is stronger by {elo1:g} Elo rather than by {elo0:g}",
                  "SPRT：首位棋手强 {elo1:g} 分，而非 {elo0:g} 分"),
    "elo0": Words("SPRT: the first agent is stronger by {elo0:g} Elo rather than by {elo1:g}",
                  "SPRT：首位棋手强 {elo0:g} 分，而非 {elo1:g} 分"),
    None: Words("SPRT: not decided yet between {elo0:g} and {elo1:g} Elo",
                "SPRT：{elo0:g} 分与 {elo1:g} 分之间尚无定论"),
}
RATIO = Words(" (LLR {ratio:+.2f}, bounds {lower:.2f} and {upper:+.2f}; pairs with 0, ½, 1, 1½, 2 points: {pairs})",
              "（对数似然比 {ratio:+.2f}，界限 {lower:.2f} 与 {upper:+.2f}；得 0、½、1、1½、2 分的对局对数：{pairs}）")
RUNNING = Words("{games}/{all}  {wins}-{draws}-{losses}  Elo {elo}  LOS {superiority:.1%}",
                "{games}/{all}  {wins}-{draws}-{losses}  等级分差 {elo}  更强概率 {superiority:.1%}")
RUNNING_MANY = Words("{games}/{all}  first places {firsts:.1f}", "{games}/{all}  第一名 {firsts:.1f}")


def register(app: typer.Typer) -> None:
    app.command("match")(command)


def command(
    game: GameArgument,
    agents: Annotated[list[str], typer.Argument(
        metavar="AGENT AGENT...", help="Who plays, e.g. alphabeta:nodes=20000 level:5. "
        "With fewer agents than seats the last one fills the rest.")],
    games: Annotated[int | None, typer.Option(
        "--games", "-n", min=1, max=10**7, help="How many games, with --sprt at most; 100 if not given, with --sprt "
        "100000.")] = None,
    sprt: Annotated[str | None, typer.Option(
        metavar="elo0=…,elo1=…", help="Play until it is clear whether the first agent is stronger than the second by "
        "elo1 or by elo0; also alpha=, beta=, scale=logistic|normalized.")] = None,
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
    fen: FenOption = None,
    moves: MovesOption = None,
    option: OptionsOption = None,
    rules: RulesOption = None,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Let agents play each other from the same openings, each in every seat in turn; what is interrupted goes on."""
    from boyi.arena.sprt import parse_sprt
    from boyi.arena.tournament_journal import Journal

    # 1. What is to be played.
    speech = read_language(language)
    start = make_position(game, fen, option or [], moves, rules)
    test = None if sprt is None else parse_sprt(sprt)
    if test is not None and start.players != 2:
        raise OptionError(f"--sprt is for two players, and here are {start.players}; see `boyi tournament`")
    if games is None:
        games = GAMES if test is None else MOST_TEST_GAMES
    conditions = Conditions(
        openings=openings, opening_plies=opening_plies, random_plies=random_plies, seed=seed, time=time, margin=margin,
        timeout=timeout, longest=longest, draw_after=draw_after, draw_value=draw_value, draw_moves=draw_moves,
        draw_from=draw_from, resign_value=resign_value, resign_moves=resign_moves)
    path, match = find_journal("match", conditions.tournament(agents, start, match_games=games), journal, seed)
    words = command_line("match", game, agents, {
        "--games": games, "--sprt": sprt, **conditions.words(), "--seed": match.seed, "--jobs": jobs,
        "--cluster": cluster, "--journal": path, "--records": records, "--fen": fen, "--moves": moves,
        "--option": option, "--rules": rules, "--json": as_json, "--language": language})
    refuse_old_files(path, [records])

    # 2. Playing what the journal does not have.
    interrupted = False
    with Journal(path, match) as kept:
        watcher = _Watcher(match, kept.games, test, speech)
        with watcher.progress:
            if not watcher.decided:
                interrupted = play_and_keep(match, kept, jobs, cluster, words, speech, watcher.see)
    bouts = watcher.counted()
    if records is not None:
        write_file(records, "\n".join(bout.record for bout in bouts))

    # 3. What came out.
    _report(match, bouts, words if interrupted else None, as_json, speech, test, watcher.pairs)
    if interrupted:
        raise typer.Exit(130)
    if path in [default_journal("match", match, kept_seed) for kept_seed in (None, match.seed)]:
        path.unlink(missing_ok=True)   # complete; who wants to keep it gives it a name of his own


class _Watcher:
    """Counts the games of a match as they end: for the line on the terminal, and for a sequential test.

    Games end in any order on several processes, and some may be in the journal already. A test looks at pairs in
    the order of their numbers, and at nothing behind the pair that decided it: so it ends with the same games
    however they were played.
    """

    def __init__(self, match: Tournament, games: Mapping[Slot, Bout], test: Sprt | None, language: Language) -> None:
        self._match = match
        self._games = games
        self._test = test
        self._language = language
        self._results: Counter[int] = Counter()
        self._firsts = 0.0
        self._pace = Pace(len(games))
        self.progress = Progress("match")
        self.pairs = [0] * 5
        """How many pairs brought the first agent 0, ½, 1, 1½ and 2 points, of those the test has looked at."""

        self.decided = False
        for bout in games.values():
            self._count(bout)
        self._look()

    def see(self, bout: Bout) -> bool:
        """A game has ended: is that enough?"""
        self._count(bout)
        self._look()
        if self.progress.due:
            self.progress.show(self._line())
        return self.decided

    def counted(self) -> list[Bout]:
        """The games that count, in order: with a verdict those that led to it."""
        most = 2 * sum(self.pairs) if self.decided else self._match.games
        return sorted((bout for slot, bout in self._games.items() if slot.number < most), key=lambda bout: bout.slot)

    def _count(self, bout: Bout) -> None:
        last = max(bout.places)
        for contestant, place in zip(bout.contestants, bout.places, strict=True):
            if contestant == 0:
                self._results[(place == 1) - (place == last)] += 1
                self._firsts += (place == 1) / bout.places.count(1)

    def _look(self) -> None:
        from boyi.arena.bout import Slot
        from boyi.arena.tally import count_pairs

        (meeting,) = self._match.meetings
        while self._test is not None and not self.decided:
            number = 2 * sum(self.pairs)
            pair = [self._games.get(Slot(meeting, number + game)) for game in range(2)]
            if pair[0] is None or pair[1] is None or number + 2 > self._match.games:
                return
            self.pairs = [sum(counts) for counts in zip(self.pairs, count_pairs([pair[0], pair[1]]), strict=True)]
            self.decided = self._test.verdict(self.pairs) is not None

    def _line(self) -> str:
        from boyi.arena.score import elo, interval, superiority

        games, most = len(self._games), self._match.games
        wins, draws, losses = (self._results[result] for result in (1, 0, -1))
        if self._match.start.players == 2:
            low, high = interval((wins + draws / 2) / games, games)
            error = (elo(high) - elo(low)) / 2
            value = elo((wins + draws / 2) / games)
            line = texts.say(RUNNING, self._language, games=games, all=most, wins=wins, draws=draws, losses=losses,
                             elo=f"{_number(value)} ± {error:.0f}" if math.isfinite(error) else _number(value),
                             superiority=superiority(wins, losses))
        else:
            line = texts.say(RUNNING_MANY, self._language, games=games, all=most, firsts=self._firsts)
        if self._test is not None:
            line += f"  LLR {self._test.ratio(self.pairs):+.2f}"
        return f"{line}  {self._pace.say(games, most, self._language)}"


# ---------------------------------------------------------------------- what comes out

def _report(match: Tournament, bouts: Sequence[Bout], continuation: str | None, as_json: bool, language: Language,
            test: Sprt | None, pairs: Sequence[int]) -> None:
    """The table and what is to be said about it; `continuation` if the match was interrupted."""
    from boyi.arena.score import elo
    from boyi.arena.standing import standings

    meeting = match.match(match.meetings[0])
    rows = standings(meeting, bouts)
    start = match.start
    if as_json:
        print_json({
            "game": start.game.name, "options": dict(start.options), "agents": list(match.contestants),
            "seed": match.seed, "games_in_all": match.games, "interrupted": continuation is not None,
            "command": continuation, "reasons": dict(sorted(Counter(bout.reason for bout in bouts).items())),
            "sprt": None if test is None else asdict(test) | {
                "pairs": pairs, "ratio": test.ratio(pairs), "bounds": list(test.bounds),
                "verdict": test.verdict(pairs)},
            "standings": [_finite(asdict(row) | {
                "agent": match.contestants[row.contestant], "elo": row.elo, "elo_low": elo(row.low),
                "elo_high": elo(row.high), "superiority": row.superiority}) for row in rows],
            "games": [{
                "number": bout.slot.number + 1, "agents": list(bout.contestants), "places": list(bout.places),
                "result": format_result(bout.places), "reason": bout.reason, "moves": bout.moves,
                "opening": meeting.opening(bout.slot.number).to_text(),
                "failures": [asdict(failure) for failure in bout.failures]} for bout in bouts]})
        return
    if continuation is not None:
        print(texts.say(INTERRUPTED, language, games=len(bouts), all=match.games))
    if start.players == 2:
        print_table([header.say(language) for header in HEADERS_TWO], [[
            match.contestants[row.contestant], f"{row.wins}-{row.draws}-{row.losses}", f"{100 * row.score:.1f} %",
            f"{100 * row.low:.1f}–{100 * row.high:.1f}", _elo(row.elo, elo(row.low), elo(row.high)),
            f"{100 * row.superiority:.1f} %", str(row.failures)] for row in rows], numbers=range(1, len(HEADERS_TWO)))
    else:
        print_table([header.say(language) for header in HEADERS_MANY], [[
            match.contestants[row.contestant], str(row.seats), f"{row.firsts:.1f}", f"{row.share:.2f}",
            f"{row.share_low:.2f}–{row.share_high:.2f}", f"{row.mean_place:.2f}", str(row.failures)] for row in rows],
            numbers=range(1, len(HEADERS_MANY)))
    if test is not None:
        lower, upper = test.bounds
        print(texts.say(VERDICTS[test.verdict(pairs)], language, elo0=test.elo0, elo1=test.elo1) + texts.say(
            RATIO, language, ratio=test.ratio(pairs), lower=lower, upper=upper, pairs=" ".join(map(str, pairs))))
    for bout in bouts:
        for failure in bout.failures:
            print(texts.say(FAILED, language, number=bout.slot.number + 1, message=failure.message,
                            agent=match.contestants[bout.contestants[failure.seat]]))
    if bouts:
        print(summary(match, bouts, language))
    if continuation is not None:
        print(texts.say(CONTINUE, language, command=continuation), file=sys.stderr)


def _elo(value: float, low: float, high: float) -> str:
    """A difference in rating and its interval, as `+35 (-12…+81)`."""
    return f"{_number(value)} ({_number(low)}…{_number(high)})"


def _number(value: float) -> str:
    return f"{value:+.0f}" if math.isfinite(value) else ("+∞" if value > 0 else "−∞")


def _finite(facts: dict[str, Any]) -> dict[str, Any]:
    """JSON has no infinity: such a number is null."""
    return {name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in facts.items()}
