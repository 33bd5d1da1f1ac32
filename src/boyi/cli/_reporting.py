"""What is said about games that were played: Elo with its interval, failures, a sentence about all of them."""

from __future__ import annotations

import math
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import typer

from boyi.cli import _texts as texts
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from boyi.arena.bout import Bout
    from boyi.arena.sprt import Sprt
    from boyi.arena.tournament import Tournament

INTERRUPTED = Words("interrupted after {games} of {all} games", "已中断：完成 {games}/{all} 局")
CONTINUE = Words("continue with: {command}", "继续请用：{command}")
SUMMARY = Words("{games} games of {title} (seed {seed}), {moves:.0f} moves each on average; ended by {reasons}",
                "{title}，共 {games} 局（种子 {seed}），平均每局 {moves:.0f} 步；终局原因：{reasons}")
MOST_FAILURES = 10
MORE_FAILURES = Words("… and {count} more failures; --json and the journal have them all",
                      "……另有 {count} 次故障；全部见 --json 与对局日志")
RAISED = Words("where {agent} raised it:", "{agent} 的错误位置：")
ALL_FAILED = Words("in every game an agent failed, so the result says nothing about strength",
                   "每一局都有棋手出现故障，结果不能说明棋力")

REPEATED = Words("{repeated} of {games} games repeated an earlier one and count once",
                 "{games} 局中有 {repeated} 局与先前的某局完全相同，只计一次")


def print_repeated(games: int, repeated: int, language: Language) -> None:
    """Where games were repeated: how many."""
    if repeated:
        print(texts.say(REPEATED, language, repeated=repeated, games=games))


def summary(tournament: Tournament, bouts: Sequence[Bout], language: Language) -> str:
    """A sentence about all games."""
    reasons = Counter(bout.reason for bout in bouts)
    return texts.say(
        SUMMARY, language, games=len(bouts), title=tournament.start.game.title.say(language), seed=tournament.seed,
        moves=sum(bout.moves for bout in bouts) / len(bouts),
        reasons=", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items())))


def print_failures(tournament: Tournament, bouts: Sequence[Bout], language: Language,
                   name: Callable[[Bout, str, str], str]) -> None:
    """The first failures, as `name` words game, agent and message; then where each agent first raised an error."""
    failures = [(bout, tournament.names[bout.contestants[failure.seat]], failure)
                for bout in bouts for failure in bout.failures]
    for bout, agent, failure in failures[:MOST_FAILURES]:
        print(name(bout, agent, failure.message))
    if len(failures) > MOST_FAILURES:
        print(texts.say(MORE_FAILURES, language, count=len(failures) - MOST_FAILURES))
    first: dict[str, str] = {}
    for _, agent, failure in failures:
        if failure.traceback:
            first.setdefault(agent, failure.traceback)
    for agent, traceback in first.items():
        print(texts.say(RAISED, language, agent=agent))
        print(textwrap.indent(traceback.rstrip(), "    "))


def leave_if_all_failed(bouts: Sequence[Bout], language: Language) -> None:
    """A match in which every game failed measured nothing: the exit code says so. To resign is no failure."""
    if bouts and all(any(failure.fault != "resignation" for failure in bout.failures) for bout in bouts):
        print(texts.say(ALL_FAILED, language), file=sys.stderr)
        raise typer.Exit(1)


def format_elo(value: float) -> str:
    """A difference in rating, as `+35`."""
    return f"{value:+.0f}" if math.isfinite(value) else ("+∞" if value > 0 else "−∞")


def format_elo_interval(score: float, low: float, high: float) -> str:
    """The difference in rating that a score and its interval stand for, as `+35 (-12…+81)`."""
    from boyi.arena.score import elo

    return f"{format_elo(elo(score))} ({format_elo(elo(low))}…{format_elo(elo(high))})"


def finite(facts: dict[str, Any]) -> dict[str, Any]:
    """JSON has no infinity: such a number is null."""
    return {name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in facts.items()}


def describe_test(test: Sprt, counts: Sequence[int]) -> dict[str, Any]:
    """A sequential test as JSON has it, after these counts of pairs."""
    from dataclasses import asdict

    return asdict(test) | {"ratio": test.ratio(counts), "bounds": list(test.bounds), "verdict": test.verdict(counts)}
