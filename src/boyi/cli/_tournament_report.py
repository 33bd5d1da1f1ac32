"""What came out of a tournament: the table, the cross table, or everything as JSON."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from boyi.cli import _texts as texts
from boyi.cli._common import print_json
from boyi.cli._reporting import CONTINUE, INTERRUPTED, print_failures, print_repeated, summary
from boyi.cli._table import print_table
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from boyi.arena.bout import Bout
    from boyi.arena.rating import Ratings
    from boyi.arena.table import Row
    from boyi.arena.tournament import Tournament

WIDEST_CROSS_TABLE = 12

AGENT, GAMES, WDL = Words("agent", "棋手"), Words("games", "局数"), Words("W-D-L", "胜-和-负")
SCORE, ELO, LOS = Words("score", "得分率"), Words("Elo", "等级分"), Words("LOS", "更强概率")
FIRSTS, PLACE, FAILURES = Words("first places", "第一名"), Words("mean place", "平均名次"), Words("failures", "故障")

FAILED = Words("game {number} of {agents}, {agent}: {message}", "{agents} 第 {number} 局，{agent}：{message}")
ADVANTAGE = Words("the first seat is worth {value:+d} ± {error:.0f} Elo over the last; "
                  "equals draw {draws:.0%} of their games", "先手（首席）相对末席值 {value:+d} ± {error:.0f} 分；"
                  "势均力敌时和棋占 {draws:.0%}")
GROUPS = Words("Ratings do not compare across groups that never met: {groups}",
               "以下各组从未相遇，等级分不可跨组比较：{groups}")


def columns(tournament: Tournament, rows: Sequence[Row],
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


def report(tournament: Tournament, bouts: Sequence[Bout], anchor: str | None, continuation: str | None,
            as_json: bool, language: Language) -> None:
    """The table, the cross table, and what is to be said about them; `continuation` if it was interrupted."""
    from boyi.arena.distinct import distinct
    from boyi.arena.table import cross_table, rate_tournament, table

    repeated = len(bouts) - len(distinct(tournament, bouts))
    ratings = rate_tournament(tournament, bouts, anchor)
    rows = table(tournament, bouts, ratings)
    cross = cross_table(tournament, bouts)
    reasons = Counter(bout.reason for bout in bouts)
    if as_json:
        print_json(_facts(tournament, bouts, ratings, rows, cross, reasons) | {
            "repeated": repeated, "interrupted": continuation is not None, "command": continuation})
        return
    if continuation is not None:
        print(texts.say(INTERRUPTED, language, games=len(bouts), all=tournament.games))
    headers, cells, numbers = columns(tournament, rows, language)
    print_table(headers, cells, numbers=numbers)
    if 2 < len(rows) <= WIDEST_CROSS_TABLE:
        print()
        order = [row.contestant for row in rows]
        print_table(["", *(str(place + 1) for place in range(len(order)))], [
            [f"{place + 1} {row.agent}", *(_meeting(cross.get((row.contestant, other))) for other in order)]
            for place, row in enumerate(rows)], numbers=range(1, len(rows) + 1))
        print()
    print_failures(tournament, bouts, language, lambda bout, agent, message: texts.say(
        FAILED, language, number=bout.slot.number + 1, agent=agent, message=message,
        agents=" – ".join(tournament.names[contestant] for contestant in bout.slot.meeting)))
    if bouts:
        first = ratings.advantages[0]
        print(texts.say(ADVANTAGE, language, value=round(first.value), error=first.error, draws=ratings.draws))
        print(summary(tournament, bouts, language))
    print_repeated(len(bouts), repeated, language)
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
        "game": start.game.name, "options": dict(start.options), "agents": list(tournament.names),
        "seed": tournament.seed, "games_in_all": tournament.games, "reasons": dict(sorted(reasons.items())),
        "table": [asdict(row) for row in rows],
        "cross_table": [{"agent": agent, "other": other, "points": points, "games": times}
                        for (agent, other), (points, times) in sorted(cross.items())],
        "advantages": [asdict(advantage) for advantage in ratings.advantages], "draws": ratings.draws,
        "groups": [list(group) for group in ratings.groups],
        "games": [{
            "meeting": list(bout.slot.meeting), "number": bout.slot.number + 1, "agents": list(bout.contestants),
            "places": list(bout.places), "reason": bout.reason, "moves": bout.moves,
            "failures": [failure.to_entry() for failure in bout.failures]} for bout in bouts],
    }
