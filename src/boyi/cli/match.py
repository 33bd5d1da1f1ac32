"""boyi match: agents against each other, with error bars."""

from __future__ import annotations

import math
import random
from collections import Counter
from contextlib import ExitStack, closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from boyi.cli import _texts as texts
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
from boyi.core.errors import BoyiError, OptionError, shorten
from boyi.core.record import format_result
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from boyi.arena.match import Match, Played
    from boyi.arena.sprt import Sprt

HIGHEST_SEED = 2**62
GAMES = 100
MOST_TEST_GAMES = 100_000
"""Where nobody says how many; a test may be long, but not endless."""

HEADERS_TWO = (Words("agent", "棋手"), Words("W-D-L", "胜-和-负"), Words("score", "得分率"), Words("95 %", "95 %"),
               Words("Elo", "等级分差"), Words("failures", "故障"))
HEADERS_MANY = (Words("agent", "棋手"), Words("seats", "席次"), Words("first places", "第一名"),
                Words("× fair share", "相当于均分的倍数"), Words("95 %", "95 %"), Words("mean place", "平均名次"),
                Words("failures", "故障"))
SUMMARY = Words("{games} games of {title} (seed {seed}), {moves:.0f} moves each on average; ended by {reasons}",
                "{title}，共 {games} 局（种子 {seed}），平均每局 {moves:.0f} 步；终局原因：{reasons}")
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
INTERRUPTED = Words("interrupted after {games} of {all} games", "已中断：完成 {games}/{all} 局")


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
    openings: Annotated[Path | None, typer.Option(
        metavar="FILE", help="Openings, one a line: a position text, `moves m1 m2 …`, or both.")] = None,
    plies: Annotated[int | None, typer.Option(
        "--random-plies", min=0, max=1000, help="Without --openings: so many random moves begin each round; 4 if not "
        "given.")] = None,
    seed: Annotated[int | None, typer.Option(
        min=0, max=HIGHEST_SEED, help="Decides openings, chance and random agents; else a new one, which is "
        "told.")] = None,
    timeout: Annotated[float | None, typer.Option(
        min=0.001, max=86_400, help="Whoever takes longer for a move, in seconds, loses.")] = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    records: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the games here, as records.")] = None,
    fen: FenOption = None,
    moves: MovesOption = None,
    option: OptionsOption = None,
    rules: RulesOption = None,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Let agents play each other from the same openings, each in every seat in turn."""
    from boyi.arena.match import RANDOM_PLIES, Match, count_pairs, play_match, read_openings
    from boyi.arena.pool import Pool
    from boyi.arena.sprt import parse_sprt

    speech = read_language(language)
    start = make_position(game, fen, option or [], moves, rules)
    if openings is not None and plies is not None:
        raise OptionError("--random-plies is for matches without --openings")
    test = None if sprt is None else parse_sprt(sprt)
    if test is not None and start.players != 2:
        raise OptionError(f"--sprt is for two players, and here are {start.players}; see `boyi tournament`")
    if games is None:
        games = GAMES if test is None else MOST_TEST_GAMES
    match = Match(
        contestants=tuple(agents), start=start, games=games,
        openings=() if openings is None else read_openings(read_file(openings), start),
        random_plies=RANDOM_PLIES if plies is None else plies,
        seed=random.SystemRandom().randrange(10**9) if seed is None else seed, move_seconds=timeout)
    match.opening(0)   # refuse at once what no round could begin with

    played: list[Played] = []
    pairs = count_pairs(played)
    interrupted = False
    file = None if records is None else _open(records)
    try:
        with Progress("match") as progress, ExitStack() as stack:
            progress.show(f"0/{games}")
            pool = stack.enter_context(Pool(jobs, cluster))
            for one in stack.enter_context(closing(play_match(match, pool=pool))):
                played.append(one)
                if file is not None:
                    _write(file, one.record.to_text(), first=len(played) == 1)
                if test is not None and len(played) % 2 == 0:
                    pairs = [sum(counts) for counts in zip(pairs, count_pairs(played[-2:]), strict=True)]
                    if test.verdict(pairs) is not None:
                        break
                if progress.due:
                    ratio = "" if test is None else f"  LLR {test.ratio(pairs):+.2f}"
                    progress.show(f"{len(played)}/{games}  {_running(match, played)}{ratio}")
    except KeyboardInterrupt:
        interrupted = True
    finally:
        if file is not None:
            file.close()
    _report(match, played, interrupted, as_json, speech, test)
    if interrupted:
        raise typer.Exit(130)


def _running(match: Match, played: list[Played]) -> str:
    """The score so far, for the progress line."""
    from boyi.arena.match import standings

    first = standings(match, played)[0]
    return f"{first.wins}-{first.draws}-{first.losses}  {100 * first.score:.1f} %"


# ---------------------------------------------------------------------- what comes out

def _report(match: Match, played: list[Played], interrupted: bool, as_json: bool, language: Language,
            test: Sprt | None) -> None:
    from boyi.arena.match import count_pairs, elo, standings

    pairs = count_pairs(played) if test is not None else []
    rows = standings(match, played)
    start = match.start
    reasons = Counter(one.outcome.reason for one in played)
    if as_json:
        print_json({
            "game": start.game.name, "options": dict(start.options), "agents": list(match.contestants),
            "seed": match.seed, "interrupted": interrupted, "reasons": dict(reasons),
            "sprt": None if test is None else asdict(test) | {
                "pairs": pairs, "ratio": test.ratio(pairs), "bounds": list(test.bounds),
                "verdict": test.verdict(pairs)},
            "standings": [_finite(asdict(row) | {"agent": match.contestants[row.contestant], "elo": row.elo,
                                                 "elo_low": elo(row.low), "elo_high": elo(row.high)}) for row in rows],
            "games": [{
                "number": one.number + 1, "agents": list(one.contestants), "places": list(one.outcome.places),
                "result": format_result(one.outcome.places), "reason": one.outcome.reason, "moves": one.decisions,
                "opening": match.opening(one.number).to_text(),
                "failures": [asdict(failure) for failure in one.failures]} for one in played]})
        return
    if interrupted:
        print(texts.say(INTERRUPTED, language, games=len(played), all=match.games))
    if start.players == 2:
        print_table([header.say(language) for header in HEADERS_TWO], [[
            match.contestants[row.contestant], f"{row.wins}-{row.draws}-{row.losses}", f"{100 * row.score:.1f} %",
            f"{100 * row.low:.1f}–{100 * row.high:.1f}", _elo(row.elo, elo(row.low), elo(row.high)),
            str(row.failures)] for row in rows], numbers=range(1, len(HEADERS_TWO)))
    else:
        print_table([header.say(language) for header in HEADERS_MANY], [[
            match.contestants[row.contestant], str(row.seats), f"{row.firsts:.1f}", f"{row.share:.2f}",
            f"{row.share_low:.2f}–{row.share_high:.2f}", f"{row.mean_place:.2f}", str(row.failures)] for row in rows],
            numbers=range(1, len(HEADERS_MANY)))
    if test is not None:
        lower, upper = test.bounds
        print(texts.say(VERDICTS[test.verdict(pairs)], language, elo0=test.elo0, elo1=test.elo1) + texts.say(
            RATIO, language, ratio=test.ratio(pairs), lower=lower, upper=upper, pairs=" ".join(map(str, pairs))))
    for one in played:
        for failure in one.failures:
            print(texts.say(FAILED, language, number=one.number + 1, message=failure.message,
                            agent=match.contestants[one.contestants[failure.seat]]))
    if played:
        print(texts.say(
            SUMMARY, language, games=len(played), title=start.game.title.say(language), seed=match.seed,
            moves=sum(one.decisions for one in played) / len(played),
            reasons=", ".join(f"{reason} {count}" for reason, count in reasons.most_common())))


def _elo(value: float, low: float, high: float) -> str:
    """A difference in rating and its interval, as `+35 (-12…+81)`."""
    return f"{_number(value)} ({_number(low)}…{_number(high)})"


def _number(value: float) -> str:
    return f"{value:+.0f}" if math.isfinite(value) else ("+∞" if value > 0 else "−∞")


def _finite(facts: dict[str, Any]) -> dict[str, Any]:
    """JSON has no infinity: such a number is null."""
    return {name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in facts.items()}


# ---------------------------------------------------------------------- files

def read_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BoyiError(f"cannot read {shorten(str(path))}: {problem(error)}") from error


def _open(path: Path) -> TextIO:
    """A new file; nothing is overwritten."""
    try:
        return path.open("x", encoding="utf-8")
    except FileExistsError:
        raise BoyiError(f"cannot write {shorten(str(path))}: there is such a file already") from None
    except (OSError, ValueError) as error:
        raise BoyiError(f"cannot write {shorten(str(path))}: {problem(error)}") from error


def _write(file: TextIO, text: str, *, first: bool) -> None:
    """Add a record and keep it, also if the next game never ends."""
    try:
        file.write(("" if first else "\n") + text)
        file.flush()
    except OSError as error:
        raise BoyiError(f"cannot write {shorten(file.name)}: {problem(error)}") from error


def problem(error: OSError | ValueError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
