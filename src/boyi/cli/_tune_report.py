"""What came out of a tuning run: the settings, the test against the start, or everything as JSON."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boyi.cli import _texts as texts
from boyi.cli._common import print_json
from boyi.cli._reporting import describe_test, finite, format_elo_interval
from boyi.cli._table import print_table
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from boyi.learn.tuning.parameters import Parameter
    from boyi.learn.tuning.run import Check, State
    from boyi.learn.tuning.trial import Tuning

LIST_HEADERS = (Words("parameter", "参数"), Words("now", "当前值"), Words("range", "范围"), Words("values", "取值"))
WHOLE, ANY = Words("whole numbers", "整数"), Words("numbers", "实数")
HEADERS = (Words("parameter", "参数"), Words("start", "起始"), Words("tuned", "调优后"), Words("range", "范围"))
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
REPEATED = Words("{repeated} of {pairs} pairs of games repeated an earlier one and count once",
                 "{pairs} 对对局中有 {repeated} 对与先前的完全相同，只计一次")
AGENT = Words("the tuned agent: {agent}", "调优后的棋手：{agent}")
FAILED = Words("agents failed in {count} pairs of games", "有 {count} 对对局出现故障")
INTERRUPTED = Words("interrupted; continue with: {command}", "已中断；继续请用：{command}")
DRAWN = Words("plot: {path}", "图：{path}")


def list_parameters(parameters: list[Parameter], as_json: bool, language: Language) -> None:
    if as_json:
        print_json([{"name": one.name, "value": one.start, "low": one.low, "high": one.high, "whole": one.whole}
                    for one in parameters])
        return
    print_table([header.say(language) for header in LIST_HEADERS], [
        [one.name, f"{one.start:g}", f"{one.low:g}..{one.high:g}", (WHOLE if one.whole else ANY).say(language)]
        for one in parameters], numbers=[1, 2])


def report(tuning: Tuning, state: State | None, continuation: str | None, plot: Path | None, as_json: bool,
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
            "repeated": 0 if state is None else state.check.repeated,
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
                        games=2 * check.pairs, elo=format_elo_interval(check.score, low, high)))
        print(texts.say(VERDICTS[check.verdict], language, elo0=check.test.elo0, elo1=check.test.elo1) + texts.say(
            RATIO, language, ratio=check.ratio, lower=lower, upper=upper))
        if check.repeated:
            print(texts.say(REPEATED, language, repeated=check.repeated, pairs=check.pairs + check.repeated))
    if agent is not None:
        print(texts.say(AGENT, language, agent=agent))
    if state is not None and state.failures:
        print(texts.say(FAILED, language, count=state.failures))
    if plot is not None and state is not None:
        print(texts.say(DRAWN, language, path=plot))
    if continuation is not None:
        print(texts.say(INTERRUPTED, language, command=continuation), file=sys.stderr)


def _facts(check: Check) -> dict[str, Any]:
    from boyi.arena.score import elo

    low, high = check.interval
    return finite({
        "games": 2 * check.pairs, "score": check.score, "low": low, "high": high, "elo": elo(check.score),
        "elo_low": elo(low), "elo_high": elo(high), "counts": list(check.counts),
        "sprt": describe_test(check.test, check.counts)})
