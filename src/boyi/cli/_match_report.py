"""What came out of a match: the table, or everything as JSON."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from boyi.cli import _texts as texts
from boyi.cli._common import print_json
from boyi.cli._reporting import (
    CONTINUE,
    INTERRUPTED,
    describe_test,
    finite,
    format_elo_interval,
    print_failures,
    print_repeated,
    summary,
)
from boyi.cli._table import print_table
from boyi.core.result import format_result
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from boyi.arena.bout import Bout
    from boyi.arena.sprt import Sprt
    from boyi.arena.tournament import Tournament

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

EXHAUSTED = Words("SPRT: ended, for games only repeat earlier ones; give it more openings (--random-plies, --openings)",
                  "SPRT：对局已全部重复，测试终止；请增加开局（--random-plies、--openings）")


def report(match: Tournament, bouts: Sequence[Bout], continuation: str | None, as_json: bool, language: Language,
            test: Sprt | None, pairs: Sequence[int], *, exhausted: bool = False) -> None:
    """The table and what is to be said about it; `continuation` if the match was interrupted, `exhausted` if its test
    saw nothing new any more."""
    from boyi.arena.distinct import distinct
    from boyi.arena.score import elo
    from boyi.arena.standing import standings

    meeting = match.match(match.meetings[0])
    rows = standings(meeting, bouts)
    repeated = len(bouts) - len(distinct(meeting, bouts))
    start = match.start
    if as_json:
        print_json({
            "game": start.game.name, "options": dict(start.options), "agents": list(match.names),
            "seed": match.seed, "games_in_all": match.games, "repeated": repeated,
            "interrupted": continuation is not None, "command": continuation, "reasons": dict(sorted(
                Counter(bout.reason for bout in bouts).items())),
            "sprt": None if test is None else describe_test(test, pairs) | {"pairs": pairs},
            "standings": [finite(asdict(row) | {
                "agent": match.names[row.contestant], "elo": row.elo, "elo_low": elo(row.low),
                "elo_high": elo(row.high), "superiority": row.superiority}) for row in rows],
            "games": [{
                "number": bout.slot.number + 1, "agents": list(bout.contestants), "places": list(bout.places),
                "result": format_result(bout.places), "reason": bout.reason, "moves": bout.moves,
                "opening": meeting.opening(bout.slot.number).to_text(),
                "failures": [failure.to_entry() for failure in bout.failures]} for bout in bouts]})
        return
    if continuation is not None:
        print(texts.say(INTERRUPTED, language, games=len(bouts), all=match.games))
    if start.players == 2:
        print_table([header.say(language) for header in HEADERS_TWO], [[
            match.names[row.contestant], f"{row.wins}-{row.draws}-{row.losses}", f"{100 * row.score:.1f} %",
            f"{100 * row.low:.1f}–{100 * row.high:.1f}", format_elo_interval(row.score, row.low, row.high),
            f"{100 * row.superiority:.1f} %", str(row.failures)] for row in rows], numbers=range(1, len(HEADERS_TWO)))
    else:
        print_table([header.say(language) for header in HEADERS_MANY], [[
            match.names[row.contestant], str(row.seats), f"{row.firsts:.1f}", f"{row.share:.2f}",
            f"{row.share_low:.2f}–{row.share_high:.2f}", f"{row.mean_place:.2f}", str(row.failures)] for row in rows],
            numbers=range(1, len(HEADERS_MANY)))
    if test is not None:
        lower, upper = test.bounds
        print(texts.say(VERDICTS[test.verdict(pairs)], language, elo0=test.elo0, elo1=test.elo1) + texts.say(
            RATIO, language, ratio=test.ratio(pairs), lower=lower, upper=upper, pairs=" ".join(map(str, pairs))))
        if exhausted:
            print(EXHAUSTED.say(language))
    print_failures(match, bouts, language, lambda bout, agent, message: texts.say(
        FAILED, language, number=bout.slot.number + 1, agent=agent, message=message))
    if bouts:
        print(summary(match, bouts, language))
    print_repeated(len(bouts), repeated, language)
    if continuation is not None:
        print(texts.say(CONTINUE, language, command=continuation), file=sys.stderr)
